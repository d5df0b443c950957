//! A check by several members, all in this process.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use mazurka_checker::{Checker, Config, Error, Loaded, Outcome, Supervisor};
use mazurka_cluster::{Agreement, Member, Threads};
use mazurka_search::divided::Company;

/// Who searches together.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// Threads of one member.
    Threads(usize),
    /// This many members, connected by sockets, each with this many workers.
    Members(usize, u32),
}

/// Knows those with whom a search is done.
pub struct With<F>(pub F);

impl<F: FnMut() -> Result<Arc<dyn Company + Send>, String> + Send> Supervisor for With<F> {
    fn company(&mut self, _: &Loaded) -> Result<Arc<dyn Company + Send>, String> {
        self.0()
    }
}

/// Addresses of this machine that are free.
pub fn addresses(count: usize) -> Vec<String> {
    let listeners: Vec<TcpListener> = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"))
        .collect();
    let address = |listener: &TcpListener| listener.local_addr().expect("an address").to_string();
    listeners.iter().map(address).collect()
}

/// What all of a test agree on.
pub fn agreement(workers: usize) -> Agreement {
    Agreement {
        version: "test".into(),
        model: "test".into(),
        options: String::new(),
        workers,
    }
}

/// The outcome at every member.
pub fn together(checker: &Checker, config: &Config, way: Way) -> Vec<Result<Outcome, Error>> {
    let config = Config {
        cluster: true,
        ..config.clone()
    };
    match way {
        Way::Threads(threads) => {
            let config = Config {
                jobs: Some(threads as u32),
                ..config
            };
            let mut with = With(|| Ok(Arc::new(Threads::new(threads)) as Arc<dyn Company + Send>));
            vec![checker.clone().config(config).run_with(&mut with)]
        }
        Way::Members(members, workers) => {
            let config = Config {
                jobs: Some(workers),
                ..config
            };
            let addresses = addresses(members);
            let run = |me: usize| {
                let member = Member::new(
                    addresses.clone(),
                    me,
                    b"secret".to_vec(),
                    Duration::from_secs(60),
                );
                let mut member = member.expect("a member");
                let mut with = With(|| {
                    let meeting = member.meet(&agreement(workers as usize))?;
                    Ok(Arc::new(meeting) as Arc<dyn Company + Send>)
                });
                checker.clone().config(config.clone()).run_with(&mut with)
            };
            std::thread::scope(|scope| {
                let running: Vec<_> = (0..members)
                    .map(|me| {
                        scope.spawn({
                            let run = &run;
                            move || run(me)
                        })
                    })
                    .collect();
                let ended = running.into_iter();
                ended.map(|run| run.join().expect("no panic")).collect()
            })
        }
    }
}

/// The outcomes, where there must be some.
pub fn all_of(outcomes: Vec<Result<Outcome, Error>>, about: &str) -> Vec<Outcome> {
    let outcomes = outcomes.into_iter();
    outcomes.map(|outcome| outcome.expect(about)).collect()
}

/// A number of the environment.
pub fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}
