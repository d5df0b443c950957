//! A debugger for one actor while the others go on.
//!
//! The execution is repeated step by step. As soon as the actor exists gdb is attached to it, and the
//! repetition goes on: it waits wherever the actor has the turn and gdb holds it.

use std::cell::RefCell;
use std::io;
use std::process::{Child, Command};
use std::rc::Rc;
use std::time::Duration;

use mazurka_explore::actor_name;
use mazurka_runtime::ACTORS;

use crate::engine::{Processes, Standing};

/// How often it is looked whether gdb holds the actor.
const PAUSE: Duration = Duration::from_millis(5);

/// gdb, which is or will be attached to an actor.
#[derive(Debug)]
pub struct Debugger {
    actor: String,
    gdb: Rc<RefCell<Option<io::Result<Child>>>>,
}

impl Debugger {
    /// Sees to it that gdb is attached to an actor of the next execution, which is named by its name or its number.
    pub fn attach(engine: &mut Processes, actor: &str) -> Debugger {
        let debugger = Debugger {
            actor: actor.into(),
            gdb: Rc::default(),
        };
        let (gdb, wanted) = (debugger.gdb.clone(), actor.to_string());
        engine.step_by(move |standing| {
            if gdb.borrow().is_none()
                && let Some(pid) = process_of(standing, &wanted)
            {
                *gdb.borrow_mut() = Some(start(pid));
            }
            true
        });
        debugger
    }

    /// The execution has ended; waits until the user leaves gdb.
    pub fn finish(self) -> Result<(), String> {
        match self.gdb.take() {
            None => Err(format!(
                "there is no actor {} in this execution",
                self.actor
            )),
            Some(Err(error)) => Err(format!("cannot run gdb: {error}")),
            Some(Ok(mut gdb)) => gdb
                .wait()
                .map(drop)
                .map_err(|error| format!("cannot wait for gdb: {error}")),
        }
    }
}

/// The process of an actor, by its name or number.
fn process_of(standing: Standing<'_>, wanted: &str) -> Option<i32> {
    let is_it = |&actor: &usize| {
        wanted == actor_name(standing.kernel, actor) || wanted == actor.to_string()
    };
    let begun = |actor: usize| standing.process_of(actor);
    (0..ACTORS).filter(is_it).find_map(begun)
}

/// Starts gdb and waits until it holds the process, or has given up.
fn start(pid: i32) -> io::Result<Child> {
    let mut gdb = Command::new("gdb")
        .args(["-q", "-p", &pid.to_string()])
        .spawn()?;
    while gdb.try_wait()?.is_none() && !is_traced(pid) {
        std::thread::sleep(PAUSE);
    }
    Ok(gdb)
}

fn is_traced(pid: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"));
    let tracer = |text: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("TracerPid:"))?;
        line.trim().parse::<u32>().ok()
    };
    status.is_ok_and(|text| tracer(&text).is_some_and(|tracer| tracer > 0))
}
