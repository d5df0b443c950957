//! The explorer's side: starts the program, asks for executions, and believes nothing.
//!
//! The only `unsafe` here is the kernel of [`crate::shared`], for the owner, and what is done in
//! the new process before it becomes the program: system calls alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mazurka_explore::{Engine, EngineError, StopReason};
use mazurka_runtime::{ACTORS, Ending, Kernel, Next, STEPS};

use crate::advice::advice;
use crate::preloading;
use crate::server::{
    CRAMPED, DONE, FOREIGN, LOADER, MEMORY, PRELOAD, READY, RUN, SOCKET, TUNABLES,
};
use crate::shared::{
    self, Control, Mapping, STEP_ASKED, STEP_NONE, WAIT, obstacle, uncontrolled, untried,
};
use crate::symbols::Symbols;
use crate::system::{self, Processors};

/// How long a program may take to come to the fork server.
const START: Duration = Duration::from_secs(20);
/// How often the explorer looks whether the user wants it to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// How to run a program.
#[derive(Clone, Debug)]
pub struct Settings {
    /// An execution without a visible operation for so long diverges.
    pub divergence: Option<Duration>,
    /// Whether an exit code other than zero is a crash.
    pub judge_exit_codes: bool,
    /// Whether the program may write to standard output and standard error.
    pub show_output: bool,
    /// Give up when this becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Which engine of several this is: each has a processor of its own, as far as there are so
    /// many. Alone it stays where it is.
    pub number: Option<usize>,
    /// Counts the processes that are no actors and were left behind, when the engine is dropped.
    pub strays: Option<Arc<AtomicU32>>,
    /// Gets what there is to say about how the program was run, when the engine is dropped.
    pub notes: Option<Arc<Mutex<BTreeSet<String>>>>,
    /// Whether what may fail for no reason does, once in each thread.
    pub spurious: bool,
    /// Whether data races of a threaded program are ignored.
    pub ignore_races: bool,
    /// The memory that is in races, as far as it is known; what is found is added.
    pub racing: Arc<Mutex<BTreeMap<u64, u64>>>,
    /// Whether the process of a threaded program may run one execution after the other, as long as it can undo what it did.
    pub restart: bool,
    /// A library that is preloaded into a program which was not built for it.
    pub preload: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            divergence: Some(Duration::from_secs(2)),
            judge_exit_codes: false,
            show_output: false,
            interrupt: None,
            number: None,
            strays: None,
            notes: None,
            spurious: false,
            ignore_races: false,
            racing: Arc::default(),
            restart: false,
            preload: None,
        }
    }
}

/// An engine for an executable that is linked with the library.
pub struct Processes {
    mapping: Mapping,
    server: Child,
    socket: UnixStream,
    settings: Settings,
    /// How long the socket waits.
    pause: Duration,
    /// Where the explorer's thread ran before.
    processors: Option<Processors>,
    /// What is called before each step, if steps wait.
    step: Option<Ask>,
    /// When to give up.
    deadline: Option<Instant>,
    /// What is known of a program whose actors are threads.
    symbols: Symbols,
}

/// Whoever panicked with it has left nothing half done.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Decides whether to go on.
type Ask = Box<dyn FnMut(Standing<'_>) -> bool>;

/// An execution that waits before a step.
#[derive(Clone, Copy)]
pub struct Standing<'e> {
    /// What is known of it.
    pub kernel: &'e Kernel,
    control: &'e Control,
}

impl Standing<'_> {
    /// The process of an actor, if it has begun.
    pub fn process_of(&self, actor: usize) -> Option<i32> {
        let pid = self.control.pids.get(actor)?.load(Ordering::Relaxed);
        Some(pid).filter(|&pid| pid > 0)
    }
}

impl Processes {
    /// Starts a program and holds it before its `main`.
    pub fn start(program: &[OsString], settings: Settings) -> Result<Processes, EngineError> {
        let Some((name, arguments)) = program.split_first() else {
            return Err(EngineError("there is no program".into()));
        };
        let shown = name.to_string_lossy().into_owned();
        let found = match &settings.preload {
            Some(_) => preloading::find(name)
                .map_err(EngineError)?
                .into_os_string(),
            None => name.clone(),
        };
        let trouble = |what: &str, error: io::Error| EngineError(format!("{what}: {error}"));
        let (mapping, memory) =
            Mapping::create().map_err(|error| trouble("no memory to share", error))?;
        let (socket, far) =
            UnixStream::pair().map_err(|error| trouble("no socket to the program", error))?;
        let inherited = [memory.as_raw_fd(), far.as_raw_fd()];
        let output = || match settings.show_output {
            true => Stdio::inherit(),
            false => Stdio::null(),
        };
        let variable = |name: &'static CStr| OsStr::from_bytes(name.to_bytes());
        let mut command = Command::new(name);
        command
            .args(arguments)
            .env(variable(MEMORY), inherited[0].to_string())
            .env(variable(SOCKET), inherited[1].to_string())
            .stdin(Stdio::null())
            .stdout(output())
            .stderr(output())
            .process_group(0);
        for (name, kept) in LOADER {
            let set = std::env::var_os(name).unwrap_or_default();
            let mut value = set.clone();
            match name {
                TUNABLES if value.is_empty() => value.push("glibc.pthread.rseq=0"),
                TUNABLES => value.push(":glibc.pthread.rseq=0"),
                PRELOAD => match &settings.preload {
                    Some(library) => value = preloading::list(library, &set),
                    None => continue,
                },
                _ => value.push("1"),
            }
            command.env(name, value).env(kept, set);
        }
        // SAFETY: only system calls on numbers, between fork and exec.
        unsafe {
            command.pre_exec(move || {
                for descriptor in inherited {
                    libc::fcntl(descriptor, libc::F_SETFD, 0);
                }
                let nothing = libc::rlimit {
                    rlim_cur: 0,
                    rlim_max: 0,
                };
                libc::setrlimit(libc::RLIMIT_CORE, &nothing);
                // Addresses are the same in every run, so that a program that looks at them
                // still repeats itself.
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
                system::die_with_parent(libc::SIGTERM);
                Ok(())
            })
        };
        // One process runs at a time, so a hand-over is fastest if all are on one processor.
        let processors = Processors::of_this_thread(settings.number).map(|(all, one)| {
            one.use_by_this_thread();
            all
        });
        let server = command.spawn().map_err(|error| {
            if let Some(processors) = &processors {
                processors.use_by_this_thread();
            }
            let advice = advice(name).map_or(String::new(), |advice| format!("; {advice}"));
            EngineError(format!("cannot run {shown}: {error}{advice}"))
        })?;
        let control = mapping.control();
        let limit = settings.divergence.map_or(0, |limit| limit.as_millis());
        control
            .divergence
            .store(limit.min(u32::MAX.into()) as u32, Ordering::Relaxed);
        control
            .flush
            .store(settings.show_output.into(), Ordering::Relaxed);
        control
            .judge_exit_codes
            .store(settings.judge_exit_codes.into(), Ordering::Relaxed);
        // Nobody sees what a process writes that begins again.
        let restart = settings.restart && !settings.show_output;
        control.restart.store(restart.into(), Ordering::Relaxed);
        control
            .spurious
            .store(settings.spurious.into(), Ordering::Relaxed);
        let ignores = settings.ignore_races.into();
        control.racing.is_ignoring.store(ignores, Ordering::Relaxed);
        for (granule, object) in &*lock(&settings.racing) {
            control.racing.add(*granule, *object);
        }
        drop(far);
        let mut engine = Processes {
            mapping,
            server,
            socket,
            settings,
            pause: Duration::ZERO,
            processors,
            step: None,
            deadline: None,
            symbols: Symbols::of(&found),
        };
        match engine.answer(Some(START))? {
            Some(READY) => {
                if engine.settings.preload.is_some() {
                    engine.symbols.look_around(engine.server.id());
                }
                Ok(engine)
            }
            Some(FOREIGN) => Err(EngineError(format!(
                "{shown} is linked with another version of Mazurka's library"
            ))),
            Some(CRAMPED) => Err(EngineError(format!(
                "{shown} does not get the memory that it takes to explore it: raise the limit (ulimit -v)"
            ))),
            _ => {
                let limit = match system::has_limited_memory() {
                    true => {
                        "; it may also be that it cannot start with so little memory (ulimit -v)"
                    }
                    false => "",
                };
                let way = match engine.settings.preload {
                    Some(_) => "Mazurka's library could not be loaded into it",
                    None => {
                        "build it with mazurka cc, or link it with Mazurka's library; --preload explores what cannot be built anew"
                    }
                };
                Err(EngineError(format!(
                    "{shown} is not under control: {way}{limit}"
                )))
            }
        }
    }

    /// Lets a function decide before each step whether to go on, while the actors wait.
    pub fn step_by(&mut self, step: impl FnMut(Standing<'_>) -> bool + 'static) {
        let control = self.mapping.control();
        control.stepping.store(1, Ordering::Relaxed);
        control.restart.store(0, Ordering::Relaxed);
        control.divergence.store(0, Ordering::Relaxed);
        self.step = Some(Box::new(step));
    }

    /// Whether the actors of the program are threads, built by `mazurka cc`.
    pub fn has_threads(&self) -> bool {
        self.mapping.control().threads.load(Ordering::Relaxed) != 0
    }

    /// What there is to say about how the program was run.
    fn notes(&mut self) -> Vec<String> {
        let obstacle = self.mapping.control().obstacle.load(Ordering::Relaxed);
        let why = obstacle::describe(obstacle);
        let why = why.map(|why| format!("each execution had a process of its own: {why}"));
        let untried = self.mapping.control().untried.load(Ordering::Relaxed);
        let untried = untried::describe(untried);
        let uncontrolled = self.uncontrolled().map(StopReason::Uncontrolled);
        let uncontrolled = uncontrolled.map(|what| what.to_string());
        let notes = why.into_iter().chain(untried).chain(uncontrolled);
        notes.collect()
    }

    /// How many processes that are no actors the program has left behind so far. They were
    /// ended.
    pub fn strays(&self) -> u32 {
        self.mapping.control().strays.load(Ordering::Relaxed)
    }

    /// What the server says next; nothing if it is gone, or has nothing to say in time.
    fn answer(&mut self, limit: Option<Duration>) -> Result<Option<u8>, EngineError> {
        let began = Instant::now();
        let pause = self.pause();
        let gone = |error: io::Error| EngineError(format!("the program is gone: {error}"));
        if self.pause != pause {
            self.socket.set_read_timeout(Some(pause)).map_err(gone)?;
            self.pause = pause;
        }
        loop {
            let mut byte = [0];
            match self.socket.read(&mut byte) {
                Ok(1) => return Ok(Some(byte[0])),
                Ok(_) => return Ok(None),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock
                    | io::ErrorKind::TimedOut
                    | io::ErrorKind::Interrupted => {}
                    _ => return Err(gone(error)),
                },
            }
            self.is_enough()?;
            if limit.is_some_and(|limit| began.elapsed() > limit) {
                return Ok(None);
            }
            self.answer_step()?;
        }
    }

    /// Whether more memory is in races than was known when the program was started.
    fn has_learned(&self) -> bool {
        let found = self.mapping.control().racing.all();
        let mut known = lock(&self.settings.racing);
        let before = known.clone();
        known.extend(found);
        *known != before
    }

    /// Runs one execution, whatever comes of it.
    fn run_once(&mut self) -> Result<(), EngineError> {
        let kernel = self.kernel();
        kernel.begin();
        let first = kernel.choose();
        debug_assert_eq!(first, Next::Start(0));
        let control = self.mapping.control();
        control.running.store(0, Ordering::Relaxed);
        control.threaded.store(0, Ordering::Relaxed);
        let is_resident = control.is_resident.load(Ordering::Relaxed) != 0;
        if !is_resident {
            for actor in 0..ACTORS {
                control.turns[actor].store(WAIT, Ordering::Relaxed);
                control.pids[actor].store(0, Ordering::Relaxed);
            }
        }
        control.executions.fetch_add(1, Ordering::Relaxed);
        control.baton.store(shared::RUN, Ordering::Release);
        let is_sent = match is_resident {
            true => {
                system::futex_wake(&control.baton);
                true
            }
            false => self.socket.write_all(&[RUN]).is_ok(),
        };
        let is_done = match (is_sent, self.has_threads()) {
            (false, _) => false,
            (true, true) => self.wait_for_baton()?,
            (true, false) => self.answer(None)? == Some(DONE),
        };
        if !is_done {
            let how = match self.server.try_wait() {
                Ok(Some(status)) => status.to_string(),
                _ => "it does not answer".into(),
            };
            return Err(EngineError(format!(
                "the program's fork server is gone: {how}"
            )));
        }
        Ok(())
    }

    /// Waits until an execution of threads has ended; tells whether it has, or the server is gone.
    fn wait_for_baton(&mut self) -> Result<bool, EngineError> {
        let pause = self.pause();
        loop {
            let baton = &self.mapping.control().baton;
            if baton.load(Ordering::Acquire) == shared::DONE {
                return Ok(true);
            }
            system::futex_wait(baton, shared::RUN, Some(pause));
            if baton.load(Ordering::Acquire) == shared::DONE {
                return Ok(true);
            }
            self.is_enough()?;
            if !matches!(self.server.try_wait(), Ok(None)) {
                return Ok(false);
            }
            self.answer_step()?;
        }
    }

    /// How long to wait before looking around.
    fn pause(&self) -> Duration {
        match self.step {
            Some(_) => Duration::from_millis(1),
            None => PATIENCE,
        }
    }

    /// Whether the user wants it to stop, or time is over.
    fn is_enough(&self) -> Result<(), EngineError> {
        let interrupt = self.settings.interrupt.as_ref();
        if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(EngineError("interrupted".into()));
        }
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(EngineError("out of time".into()));
        }
        Ok(())
    }

    /// Lets an actor that asks for it take its step.
    fn answer_step(&mut self) -> Result<(), EngineError> {
        let control = self.mapping.control();
        let Some(step) = &mut self.step else {
            return Ok(());
        };
        if control.step.load(Ordering::Acquire) != STEP_ASKED {
            return Ok(());
        }
        let go_on = step(Standing {
            // SAFETY: the actor that owns the kernel waits for the answer.
            kernel: unsafe { &*self.mapping.kernel() },
            control,
        });
        if !go_on {
            return Err(EngineError("interrupted".into()));
        }
        control.step.store(STEP_NONE, Ordering::Release);
        system::futex_wake(&control.step);
        Ok(())
    }

    /// Whether what the program left in the kernel can be believed.
    fn is_sane(kernel: &Kernel) -> bool {
        let numbers = kernel.length as usize <= STEPS
            && kernel.planned as usize <= STEPS
            && kernel.population as usize <= ACTORS
            && kernel.numbered as usize <= ACTORS
            && usize::from(kernel.current) < ACTORS;
        numbers
            && kernel
                .trace()
                .iter()
                .all(|record| usize::from(record.actor) < ACTORS && record.choice < record.choices)
    }
}

impl Engine for Processes {
    fn kernel(&mut self) -> &mut Kernel {
        // SAFETY: no actor exists between executions.
        unsafe { &mut *self.mapping.kernel() }
    }

    fn run(&mut self) -> Result<(), EngineError> {
        let kernel = self.kernel();
        let (policy, planned) = (kernel.policy, kernel.planned);
        self.run_once()?;
        let control = self.mapping.control();
        if control.obstacle.load(Ordering::Relaxed) != 0
            && control.restart.swap(0, Ordering::Relaxed) != 0
        {
            // From here on, each execution has a process of its own.
            let kernel = self.kernel();
            (kernel.policy, kernel.planned) = (policy, planned);
            self.run_once()?;
        }
        if self.settings.ignore_races && self.has_learned() {
            self.kernel().ending = Ending::CHANGED;
            return Ok(());
        }
        if self.kernel().ending == Ending::NONE || !Processes::is_sane(self.kernel()) {
            return Err(EngineError(
                "the program has written over the memory it shares with the explorer".into(),
            ));
        }
        let kernel = self.kernel();
        let is_ordinary = matches!(kernel.ending, Ending::COMPLETE | Ending::ASLEEP);
        if kernel.failed > 0 || !is_ordinary {
            self.put_into_words();
        }
        Ok(())
    }

    fn put_into_words(&mut self) {
        if self.has_threads() {
            let base = self.mapping.control().base.load(Ordering::Relaxed);
            // SAFETY: no actor exists between executions.
            let kernel = unsafe { &mut *self.mapping.kernel() };
            self.symbols.resolve(kernel, base);
        }
    }

    fn stop_at(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    fn uncontrolled(&mut self) -> Option<String> {
        let control = self.mapping.control();
        let mut bits = control.uncontrolled.load(Ordering::Relaxed);
        if self.strays() > 0 {
            bits |= uncontrolled::FORK;
        }
        if self.kernel().bounded != 0 {
            bits |= uncontrolled::BOUNDED;
        }
        uncontrolled::describe(bits)
    }
}

impl Drop for Processes {
    /// Closing the socket ends a server that waits for work. One that watches an execution is told
    /// so, and ends it first.
    fn drop(&mut self) {
        if let Some(processors) = &self.processors {
            processors.use_by_this_thread();
        }
        if let Some(strays) = &self.settings.strays {
            strays.fetch_add(self.strays(), Ordering::Relaxed);
        }
        if let Some(notes) = self.settings.notes.clone() {
            lock(&notes).extend(self.notes());
        }
        self.mapping.control().abandoned.store(1, Ordering::Relaxed);
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        system::signal(self.server.id() as i32, libc::SIGTERM);
        let began = Instant::now();
        while let Ok(None) = self.server.try_wait() {
            if began.elapsed() > Duration::from_secs(5) {
                let _ = self.server.kill();
                let _ = self.server.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
