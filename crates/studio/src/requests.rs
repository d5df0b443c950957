//! The questions of the page, and their answers: JSON in, JSON out. Nothing here knows of the web.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mazurka_checker::Config;
use mazurka_draw::ChartOptions;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::checking::{Checking, Work};
use crate::session::Session;
use crate::space::Ask;
use crate::view::{Action, Have, Trouble};

/// A session that several requests may be about at once.
#[derive(Debug)]
pub struct SharedSession(Mutex<Session>);

impl SharedSession {
    /// Shares a session.
    pub fn new(session: Session) -> SharedSession {
        SharedSession(Mutex::new(session))
    }

    /// The answer to a question of the page; an error is JSON too, and says why there is none.
    pub fn answer(&self, question: &str, bytes: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
        let answer = match question.strip_prefix("check") {
            Some(what) => self.reply_about_check(what, bytes),
            None => reply(&mut self.lock(), question, bytes),
        };
        answer.map_err(|trouble| bytes_of(&trouble))
    }

    fn lock(&self) -> MutexGuard<'_, Session> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A check goes on while the session does something else, so that it is asked for alone.
    fn reply_about_check(&self, what: &str, bytes: &[u8]) -> Result<Vec<u8>, Trouble> {
        let (checking, start) = {
            let mut session = self.lock();
            if what == "/start" {
                session.notice_new_build()?;
            }
            let start = match (what, &session.model, &session.program) {
                ("/start", Some(model), _) => {
                    let mut config: Config = read(bytes)?;
                    config.define.clone_from(&model.defines);
                    config.checkpoint = false;
                    // A scenario of a formula is about that formula alone.
                    config.ltl = config.ltl.or_else(|| model.formula.clone());
                    Some(Work::Model(Box::new(model.text.clone()), Box::new(config)))
                }
                ("/start", None, Some(program)) => {
                    let config = program.as_it_was_run(read(bytes)?);
                    Some(Work::Program(program.command()?, Box::new(config)))
                }
                _ => None,
            };
            (session.checking.clone(), start)
        };
        let checking: Arc<Checking> = checking;
        match (what, start) {
            ("/start", Some(work)) => checking.start(work)?,
            ("/stop", _) => checking.stop(),
            ("", _) => {}
            _ => return Err(Trouble::new("there is no such request")),
        }
        Ok(bytes_of(&checking.view()))
    }
}

/// A question, with what the page has.
#[derive(Deserialize)]
struct Asked<T> {
    #[serde(default)]
    have: Have,
    #[serde(flatten)]
    what: T,
}

#[derive(Deserialize)]
struct Nothing {}

#[derive(Deserialize)]
struct Text {
    text: String,
}

/// A text that was typed into a page, and which text of the model that page had read.
#[derive(Deserialize)]
struct Edited {
    text: String,
    revision: u64,
}

#[derive(Deserialize)]
struct Watches {
    expressions: Vec<String>,
}

#[derive(Deserialize)]
struct Chart {
    folded: Vec<String>,
    filter: String,
}

fn reply(session: &mut Session, question: &str, bytes: &[u8]) -> Result<Vec<u8>, Trouble> {
    Ok(match question {
        "open" => bytes_of(&session.opened()),
        "act" => {
            let asked: Asked<Action> = read(bytes)?;
            session.stand_with(&asked.have)?;
            let note = session.act(asked.what)?;
            bytes_of(&session.view(asked.have, note))
        }
        "watch" => {
            let asked: Asked<Watches> = read(bytes)?;
            session.stand_with(&asked.have)?;
            session.set_watches(&asked.what.expressions)?;
            bytes_of(&session.view(asked.have, None))
        }
        "chart" => {
            let asked: Asked<Chart> = read(bytes)?;
            session.stand_with(&asked.have)?;
            session.set_chart(ChartOptions {
                folded: asked.what.folded,
                filter: asked.what.filter,
            });
            bytes_of(&session.view(asked.have, None))
        }
        "automaton" => bytes_of(&session.automaton(&read::<Text>(bytes)?.text)?),
        "graph" => {
            let asked: Asked<Ask> = read(bytes)?;
            session.stand_with(&asked.have)?;
            bytes_of(&session.graph(asked.what)?)
        }
        "explain" => {
            let asked: Asked<Nothing> = read(bytes)?;
            session.stand_with(&asked.have)?;
            bytes_of(&session.explain()?)
        }
        "diagnose" => bytes_of(&session.diagnose(&read::<Text>(bytes)?.text)?),
        "apply" => {
            let edited = read::<Edited>(bytes)?;
            session.expect_revision(edited.revision)?;
            let note = session.apply(&edited.text)?;
            bytes_of(&json!({ "note": note, "revision": session.revision }))
        }
        "save" => {
            let edited = read::<Edited>(bytes)?;
            session.expect_revision(edited.revision)?;
            session.save(&edited.text)?;
            bytes_of(&Value::Null)
        }
        "disk" => bytes_of(&json!({ "changed": session.has_changed_on_disk() })),
        "reload" => {
            let note = session.reload()?;
            bytes_of(&json!({ "note": note, "revision": session.revision }))
        }
        "export" => {
            let asked: Asked<Text> = read(bytes)?;
            session.stand_with(&asked.have)?;
            let (name, text) = session.export(&asked.what.text)?;
            bytes_of(&json!({ "name": name, "text": text }))
        }
        other => return Err(Trouble::new(format!("there is no question {other}"))),
    })
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Trouble> {
    serde_json::from_slice(bytes)
        .map_err(|error| Trouble::new(format!("the request is not valid: {error}")))
}

/// Plain data has no map with odd keys and no number that JSON lacks.
fn bytes_of<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data is serializable")
}
