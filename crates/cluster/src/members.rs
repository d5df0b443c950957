//! Members on machines of their own, or at least in processes of their own.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mazurka_search::divided::{Archive, Company, Exchange, Figures, Lost};
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};

use crate::exchange;
use crate::folder::Folder;
use crate::handshake::{Agreement, Greeting, Purpose, Refusal, greet};
use crate::health::Health;
use crate::side::Side;
use crate::stream::Data;

/// Who calls says what it wants at once.
const FIRST_WORD_WITHIN: Duration = Duration::from_secs(5);
const GLANCE: Duration = Duration::from_millis(10);
const BETWEEN_CALLS: Duration = Duration::from_millis(100);

/// One member of a cluster, seen by itself: where the others are, and a place where they can call.
pub struct Member {
    addresses: Vec<SocketAddr>,
    /// The addresses as they were given.
    names: Vec<String>,
    me: usize,
    secret: Vec<u8>,
    patience: Duration,
    listener: TcpListener,
    searches: u64,
}

impl Member {
    /// Member number `me`, counted from 0, of those at these addresses, each `HOST:PORT`. Others are waited for as long as `patience`
    /// lasts. Without a secret all have to be on this machine.
    pub fn new(
        names: Vec<String>,
        me: usize,
        secret: Vec<u8>,
        patience: Duration,
    ) -> Result<Member, String> {
        if me >= names.len() {
            let (member, members) = (me + 1, names.len());
            return Err(format!("there is no member {member} among {members}"));
        }
        let mut addresses = Vec::new();
        for name in &names {
            let address = name.to_socket_addrs().map(|mut found| found.next());
            match address {
                Ok(Some(address)) => addresses.push(address),
                Ok(None) => return Err(format!("{name}: no such address")),
                Err(error) => {
                    return Err(format!("{name}: expected HOST:PORT: {error}"));
                }
            }
        }
        for (at, address) in addresses.iter().enumerate() {
            if addresses[..at].contains(address) {
                return Err(format!("{}: given twice", names[at]));
            }
        }
        let is_far = |address: &&SocketAddr| !address.ip().is_loopback();
        if secret.is_empty() && addresses.iter().any(|address| is_far(&address)) {
            return Err("members on other machines need a shared secret".into());
        }
        let listener = TcpListener::bind(addresses[me]);
        let listener = listener
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .map_err(|error| format!("cannot listen at {}: {error}", names[me]))?;
        Ok(Member {
            addresses,
            names,
            me,
            secret,
            patience,
            listener,
            searches: 0,
        })
    }

    /// The addresses of all members, as they were given.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Meets the others for one search, if all agree.
    pub fn meet(&mut self, agreement: &Agreement) -> Result<Meeting, String> {
        self.searches += 1;
        let until = Instant::now() + self.patience;
        let health = Arc::new(Health::default());
        let mut data: Vec<Option<TcpStream>> = self.names.iter().map(|_| None).collect();
        let mut sides: Vec<Option<TcpStream>> = self.names.iter().map(|_| None).collect();
        for other in 0..self.me {
            data[other] = Some(self.call(other, Purpose::Data, agreement, until)?);
            sides[other] = Some(self.call(other, Purpose::Side, agreement, until)?);
        }
        self.wait_for_calls(agreement, until, &mut data, &mut sides)?;
        let broken = |error: io::Error| format!("cannot use a connection: {error}");
        let mut listening = Vec::new();
        let mut sockets = Vec::new();
        for (other, (data, side)) in data.into_iter().zip(sides).enumerate() {
            let peer: Arc<str> = format!("member {} at {}", other + 1, self.names[other]).into();
            if let Some(side) = side {
                listening.push(Side::new(side, peer.clone(), health.clone()).map_err(broken)?);
            }
            if let Some(data) = &data {
                data.set_read_timeout(None).map_err(broken)?;
                data.set_write_timeout(None).map_err(broken)?;
            }
            sockets.push(data.map(|data| Data::new(data, peer, health.clone())));
        }
        let threads = agreement.workers;
        let hooks = Hooks::default();
        let within = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(within, sockets, self.me, threads, hooks)
                .map_err(broken)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).map(Some);
        Ok(Meeting {
            builders: Mutex::new(builders.collect()),
            workers: threads,
            health,
            guard: Mutex::new(Some(guard)),
            sides: Mutex::new(listening),
            figures: Mutex::new(Figures::default()),
            folder: None,
        })
    }

    fn greeting<'a>(&self, purpose: Purpose, agreement: &'a Agreement) -> Greeting<'a> {
        Greeting {
            member: self.me,
            members: self.names.len(),
            search: self.searches,
            purpose,
            agreement,
        }
    }

    /// Calls a member, again and again until it answers.
    fn call(
        &self,
        other: usize,
        purpose: Purpose,
        agreement: &Agreement,
        until: Instant,
    ) -> Result<TcpStream, String> {
        let name = format!("member {} at {}", other + 1, self.names[other]);
        let mut last = "nobody answers".to_string();
        let mut was_refused = false;
        while let Some(left) = left(until) {
            let result = TcpStream::connect_timeout(&self.addresses[other], left);
            let result = result.map_err(Refusal::from).and_then(|mut socket| {
                socket.set_nodelay(true)?;
                socket.set_read_timeout(Some(left))?;
                socket.set_write_timeout(Some(left))?;
                let own = self.greeting(purpose, agreement);
                let (who, _) = greet(&mut socket, &own, &self.secret, true)?;
                match who == other {
                    true => Ok(socket),
                    false => Err(Refusal::Different(format!(
                        "{name} says that it is member {}",
                        who + 1
                    ))),
                }
            });
            match result {
                Ok(socket) => return Ok(socket),
                Err(Refusal::Different(reason)) => return Err(reason),
                Err(Refusal::Stranger(reason)) => (last, was_refused) = (reason, true),
                // Who has refused this member is gone: that does not matter any more.
                Err(Refusal::Broken(_)) if was_refused => {}
                Err(Refusal::Broken(reason)) => last = reason,
            }
            std::thread::sleep(BETWEEN_CALLS);
        }
        let seconds = self.patience.as_secs();
        Err(format!("cannot reach {name} within {seconds} s: {last}"))
    }

    /// Waits until all later members have called.
    fn wait_for_calls(
        &self,
        agreement: &Agreement,
        until: Instant,
        data: &mut [Option<TcpStream>],
        sides: &mut [Option<TcpStream>],
    ) -> Result<(), String> {
        let mut last = None;
        loop {
            let later = self.me + 1..self.names.len();
            let missing = later
                .clone()
                .find(|other| data[*other].is_none() || sides[*other].is_none());
            let Some(missing) = missing else {
                return Ok(());
            };
            if left(until).is_none() {
                let name = format!("member {} at {}", missing + 1, self.names[missing]);
                let seconds = self.patience.as_secs();
                let last = last.map_or(String::new(), |last| format!("; {last}"));
                return Err(format!("{name} did not come within {seconds} s{last}"));
            }
            let (mut socket, from) = match self.listener.accept() {
                Ok(called) => called,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    std::thread::sleep(GLANCE);
                    continue;
                }
                Err(error) => return Err(format!("cannot be called: {error}")),
            };
            match self.answer(&mut socket, agreement) {
                Ok((other, purpose)) => {
                    let place = match purpose {
                        Purpose::Data => &mut data[other],
                        Purpose::Side => &mut sides[other],
                    };
                    if !later.contains(&other) || place.is_some() {
                        let other = other + 1;
                        return Err(format!("two members say that they are member {other}"));
                    }
                    *place = Some(socket);
                }
                Err(Refusal::Different(reason)) => return Err(reason),
                Err(Refusal::Broken(_)) if last.is_some() => {}
                Err(Refusal::Stranger(reason) | Refusal::Broken(reason)) => {
                    last = Some(format!("a call from {from} was refused: {reason}"));
                }
            }
        }
    }

    fn answer(
        &self,
        socket: &mut TcpStream,
        agreement: &Agreement,
    ) -> Result<(usize, Purpose), Refusal> {
        socket.set_nonblocking(false)?;
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(FIRST_WORD_WITHIN))?;
        socket.set_write_timeout(Some(FIRST_WORD_WITHIN))?;
        let own = self.greeting(Purpose::Data, agreement);
        greet(socket, &own, &self.secret, false)
    }
}

/// The time that is left, if any is.
fn left(until: Instant) -> Option<Duration> {
    let left = until.checked_duration_since(Instant::now())?;
    (left > Duration::ZERO).then_some(left)
}

/// Members who have met for one search.
pub struct Meeting {
    builders: Mutex<Vec<Option<AllocatorBuilder>>>,
    workers: usize,
    health: Arc<Health>,
    guard: Mutex<Option<CommsGuard>>,
    sides: Mutex<Vec<Side>>,
    figures: Mutex<Figures>,
    folder: Option<Folder>,
}

impl Meeting {
    /// They keep their search there: this member its part.
    pub fn kept_in(mut self, folder: Option<Folder>) -> Meeting {
        self.folder = folder;
        self
    }

    /// Where this member keeps its part.
    pub fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    /// How far all were when they last said so.
    pub fn figures(&self) -> Figures {
        lock(&self.figures).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|lock| lock.into_inner())
}

impl Company for Meeting {
    fn workers(&self) -> usize {
        self.workers
    }

    fn enter(
        &self,
        worker: usize,
        work: &mut dyn FnMut(&mut dyn Exchange) -> Result<(), Lost>,
    ) -> Result<(), Lost> {
        let builder = lock(&self.builders).get_mut(worker).and_then(Option::take);
        let builder = builder.ok_or_else(|| Lost("a worker that is none, or is there".into()))?;
        let worked = catch_unwind(AssertUnwindSafe(|| {
            let mut exchange = exchange::Exchange::new(builder, &self.health);
            let result = work(&mut exchange);
            if let Err(lost) = &result {
                self.health.lose(lost.0.clone());
            }
            exchange.close().and(result)
        }));
        match worked {
            Ok(result) => result,
            // What the engine says when a connection breaks is no error of ours.
            Err(_) if self.health.check().is_err() => self.health.check(),
            Err(panic) => {
                self.health.lose("a member failed with an internal error");
                resume_unwind(panic)
            }
        }
    }

    fn tell(&self, figures: &Figures) {
        *lock(&self.figures) = figures.clone();
    }

    fn archive(&self) -> Option<&dyn Archive> {
        self.folder.as_ref().map(|folder| folder as &dyn Archive)
    }
}

/// All is said, or nobody is there to hear it.
impl Drop for Meeting {
    fn drop(&mut self) {
        let guard = lock(&self.guard).take();
        lock(&self.builders).clear();
        self.health.close();
        if self.health.check().is_ok() {
            let (done, is_done) = channel();
            std::thread::spawn(move || {
                drop(guard);
                let _ = done.send(());
            });
            while is_done.recv_timeout(GLANCE).is_err() && self.health.check().is_ok() {}
        } else {
            // Its threads wait for those who are gone.
            std::mem::forget(guard);
        }
        let reason = self.health.check().err();
        for side in lock(&self.sides).drain(..) {
            side.end(reason.as_ref().map(|lost| lost.0.as_str()));
        }
    }
}
