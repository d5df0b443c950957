//! Inside the program: the fork server, which holds the program before its `main`.
//!
//! The only `unsafe` here is the kernel of [`crate::shared`], for the owner.

use std::ffi::CStr;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use libc::{c_int, pid_t};
use mazurka_runtime::{ACTORS, ActorState, Ending, FailureKind};

use crate::actor::{announce, become_first, exited, hand_over, share};
use crate::shared::{self, Mapping, uncontrolled};
use crate::system::{self, Forked, Waited};

/// The variable of the environment with the descriptor of the shared memory.
pub(crate) const MEMORY: &CStr = c"MAZURKA_MEMORY";
/// The one with the descriptor of the socket to the explorer.
pub(crate) const SOCKET: &CStr = c"MAZURKA_SOCKET";

/// Variables that we set for the loader, and where we keep what the user had set. The loader is to
/// look up all functions at once, as each actor would do it anew otherwise; and not to let the
/// system write into each process on which processor it is, which makes it copy a page.
pub(crate) const LOADER: [(&str, &str); 3] = [
    (BIND_NOW, "MAZURKA_BIND_NOW"),
    (TUNABLES, "MAZURKA_TUNABLES"),
    (PRELOAD, "MAZURKA_PRELOAD"),
];
pub(crate) const BIND_NOW: &str = "LD_BIND_NOW";
pub(crate) const TUNABLES: &str = "GLIBC_TUNABLES";
/// Set only if a library is to be preloaded.
pub(crate) const PRELOAD: &str = "LD_PRELOAD";

/// From the server: it is ready.
pub(crate) const READY: u8 = b'r';
/// From the server: the shared memory is of another version.
pub(crate) const FOREIGN: u8 = b'v';
/// From the server: there is too little memory for the program to be explored.
pub(crate) const CRAMPED: u8 = b'm';
/// From the explorer: run once.
pub(crate) const RUN: u8 = b'x';
/// From the server: the execution has ended, and nothing is left of it.
pub(crate) const DONE: u8 = b'd';

/// How often the server looks whether there is still somebody to work for.
const TICK: Duration = Duration::from_millis(100);

/// Becomes the fork server, if an explorer wants it. Returns in actor 0 of every execution, and
/// in a program that nobody explores.
pub fn start() {
    if !crate::actor::is_actor() && is_wanted() {
        serve(None);
    }
}

/// The same for a program whose actors are threads, which begins at this address. The memory that it
/// shares with the explorer.
pub fn start_threads(base: u64) -> Option<&'static Mapping> {
    is_wanted().then(|| serve(Some(base)))
}

/// Whether an explorer wants a fork server. Takes no memory, which a program that nobody explores may not have.
pub fn is_wanted() -> bool {
    [MEMORY, SOCKET]
        .map(system::number_in_environment)
        .iter()
        .all(Option::is_some)
}

/// Tells the explorer, if it still waits for the server, that there is too little memory.
pub fn tell_cramped() {
    if let Some(socket) = system::number_in_environment(SOCKET) {
        system::write_byte(socket, CRAMPED);
    }
}

/// Returns in actor 0 of every execution.
fn serve(threads_from: Option<u64>) -> &'static Mapping {
    let [memory, socket] =
        [MEMORY, SOCKET].map(|name| system::number_in_environment(name).unwrap_or(-1));
    let mapping = Mapping::open(memory).unwrap_or_else(|error| {
        let is_cramped = error.raw_os_error() == Some(libc::ENOMEM);
        system::write_byte(socket, if is_cramped { CRAMPED } else { FOREIGN });
        system::exit_now(2);
    });
    // SAFETY: the program has not started, so there is no other thread that could look.
    unsafe {
        libc::unsetenv(MEMORY.as_ptr());
        libc::unsetenv(SOCKET.as_ptr());
        for (name, kept) in LOADER {
            match std::env::var_os(kept) {
                Some(value) if value.is_empty() => std::env::remove_var(name),
                Some(value) => std::env::set_var(name, value),
                None => continue,
            }
            std::env::remove_var(kept);
        }
    }
    system::close(memory);
    system::adopt_orphans();
    system::interrupt_by(libc::SIGALRM);
    system::interrupt_by(libc::SIGTERM);
    system::tick_every(TICK);
    match threads_from {
        None => announce(),
        Some(base) => {
            mapping.control().threads.store(1, Ordering::Relaxed);
            mapping.control().base.store(base, Ordering::Relaxed);
        }
    }
    let server = Server {
        explorer: system::parent(),
        mapping: share(mapping),
    };
    let itself = system::this_process();
    system::write_byte(socket, READY);
    while let Some(RUN) = system::read_byte(socket) {
        server.mapping.control().forked.store(1, Ordering::Relaxed);
        match system::fork_child() {
            Forked::Child => {
                system::die_with_parent(libc::SIGKILL);
                if system::parent() != itself {
                    system::exit_now(0);
                }
                system::close(socket);
                system::restore(libc::SIGALRM);
                system::restore(libc::SIGTERM);
                become_first(server.mapping);
                return server.mapping;
            }
            Forked::Parent(pid) => {
                server.mapping.control().pids[0].store(pid, Ordering::Relaxed);
                server.watch();
            }
            Forked::Failed => server.end_with(Ending::LIMIT),
        }
        match threads_from {
            None => system::write_byte(socket, DONE),
            Some(_) => server.put_down_the_baton(),
        }
    }
    // The explorer is gone.
    system::kill_children();
    system::exit_now(0)
}

struct Server {
    explorer: pid_t,
    mapping: &'static Mapping,
}

impl Server {
    /// The process of a threaded program has ended, and with it the execution, if there was one.
    fn put_down_the_baton(&self) {
        let control = self.mapping.control();
        control.is_resident.store(0, Ordering::Relaxed);
        control.baton.store(shared::DONE, Ordering::Release);
        system::futex_wake(&control.baton);
    }

    /// Watches an execution until nothing is left of it; of a process that begins again, all its executions.
    fn watch(&self) {
        let control = self.mapping.control();
        let limit = control.divergence.load(Ordering::Relaxed);
        let limit = (limit > 0).then(|| Duration::from_millis(limit.into()));
        let mut seen = ((0, 0, 0), Instant::now());
        let mut reaped = 0;
        loop {
            match system::wait_for_child(true) {
                Waited::Ended(pid, status) => {
                    let Some(actor) = self.actor_of(pid) else {
                        continue;
                    };
                    reaped += 1;
                    if !self.bury(actor, status) {
                        break;
                    }
                    if reaped >= control.forked.load(Ordering::Relaxed) {
                        break;
                    }
                }
                Waited::NoChild => break,
                Waited::Nothing => {
                    let abandoned = control.abandoned.load(Ordering::Relaxed) != 0;
                    if abandoned || system::parent() != self.explorer {
                        system::kill_children();
                        system::exit_now(0);
                    }
                    let Some(limit) = limit else { continue };
                    let (before, since) = seen;
                    let now = (
                        control.executions.load(Ordering::Relaxed),
                        self.steps(),
                        control.running.load(Ordering::Relaxed),
                    );
                    // The explorer may take its time, too.
                    let is_idle = control.baton.load(Ordering::Relaxed) == shared::DONE;
                    if before != now || is_idle {
                        seen = (now, Instant::now());
                    } else if since.elapsed() >= limit {
                        let running = control.running.load(Ordering::Relaxed) as usize;
                        let process = match control.threads.load(Ordering::Relaxed) {
                            0 => running % ACTORS,
                            _ => 0,
                        };
                        let pid = control.pids[process].load(Ordering::Relaxed);
                        // Who waits for the system does not diverge: what it waits for may come,
                        // but nobody knows when.
                        let is_waiting = pid > 0 && system::is_waiting(pid);
                        // Nor does who may be waiting for memory that is not seen.
                        let bits = &control.uncontrolled;
                        let is_unseen = bits.load(Ordering::Relaxed) & uncontrolled::UNSEEN != 0;
                        system::kill_children();
                        let outside = match (is_waiting, is_unseen) {
                            (true, _) => Some(uncontrolled::WAIT),
                            (false, true) => Some(uncontrolled::LONG),
                            (false, false) => None,
                        };
                        bits.fetch_or(outside.unwrap_or(0), Ordering::Relaxed);
                        self.end_with(match outside {
                            Some(_) => Ending::OUTSIDE,
                            None => Ending::DIVERGENCE,
                        });
                        break;
                    }
                }
            }
        }
        if let Waited::NoChild = system::wait_for_child(false) {
            return;
        }
        let strays = system::kill_children();
        control.strays.fetch_add(strays, Ordering::Relaxed);
    }

    /// How many steps there have been; an actor may be adding to them.
    fn steps(&self) -> u32 {
        // SAFETY: a number of the mapping, whatever it is at the moment.
        unsafe { (&raw const (*self.mapping.kernel()).length).read_volatile() }
    }

    fn actor_of(&self, pid: pid_t) -> Option<usize> {
        let pids = &self.mapping.control().pids;
        let actor = (0..ACTORS).find(|&actor| pids[actor].load(Ordering::Acquire) == pid)?;
        pids[actor].store(0, Ordering::Relaxed);
        Some(actor)
    }

    /// An actor has died. If it had the turn, others go on without it. Tells whether there is
    /// anything left to watch.
    fn bury(&self, actor: usize, status: c_int) -> bool {
        let control = self.mapping.control();
        if control.obstacle.load(Ordering::Relaxed) != 0
            && control.restart.load(Ordering::Relaxed) != 0
        {
            // It gave the execution up before it did what cannot be undone. The explorer will ask for it once more.
            return false;
        }
        // SAFETY: numbers of the mapping, whatever they are at the moment; see below for who
        // may be writing.
        let (state, ending) = unsafe {
            let kernel = self.mapping.kernel();
            (
                (&raw const (*kernel).actors[actor].state).read_volatile(),
                (&raw const (*kernel).ending).read_volatile(),
            )
        };
        if state == ActorState::FINISHED || ending != Ending::NONE {
            return true;
        }
        let are_threads = control.threads.load(Ordering::Relaxed) != 0;
        let running = control.running.load(Ordering::Relaxed);
        let actor = match are_threads {
            true => running as usize % ACTORS,
            false => actor,
        };
        let had_the_turn = running == actor as u32;
        if !had_the_turn {
            // Somebody ended it from outside. Another actor runs and owns the kernel.
            system::kill_children();
        }
        // SAFETY: whoever had the turn is dead, so the server owns the kernel.
        let kernel = unsafe { &mut *self.mapping.kernel() };
        if control.threaded.swap(0, Ordering::Acquire) != 0 {
            let what = "a thread other than its first performs an operation, or ends it";
            let message = kernel.texts.name(what);
            let place = kernel.actors[actor].pending.place;
            kernel.fail(actor, FailureKind::MISUSE, place, message);
        } else if libc::WIFSIGNALED(status) {
            let signal = system::signal_name(libc::WTERMSIG(status));
            let what = if had_the_turn {
                format!("it was ended by {signal}")
            } else {
                format!("it was ended by {signal} while it waited")
            };
            let message = kernel.texts.name(&what);
            let place = kernel.actors[actor].pending.place;
            kernel.fail(actor, FailureKind::CRASH, place, message);
        } else if control.judge_exit_codes.load(Ordering::Relaxed) != 0
            && libc::WEXITSTATUS(status) != 0
        {
            exited(kernel, actor, libc::WEXITSTATUS(status));
        }
        if !had_the_turn || are_threads && libc::WIFSIGNALED(status) {
            kernel.ending = Ending::FAILED;
            return false;
        }
        if are_threads {
            // It went past the C library, unless a thread called `exit` while others waited.
            if kernel.exited == 0 {
                let bits = &control.uncontrolled;
                bits.fetch_or(uncontrolled::PAST, Ordering::Relaxed);
            }
            kernel.ending = Ending::COMPLETE;
            return false;
        }
        kernel.finish(actor);
        let next = kernel.choose();
        hand_over(self.mapping, actor, next);
        true
    }

    /// All actors are gone; this is why.
    fn end_with(&self, ending: Ending) {
        // SAFETY: no actor is left, so the server owns the kernel.
        let kernel = unsafe { &mut *self.mapping.kernel() };
        kernel.ending = ending;
        kernel.current = self.mapping.control().running.load(Ordering::Relaxed) as u8;
    }
}
