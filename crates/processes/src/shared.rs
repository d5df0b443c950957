//! The memory that explorer, fork server and actors share.
//!
//! **Why it is sound.** The mapping holds a `Shared`: only numbers and atomics, valid whatever
//! their bits, at any address. The atomics of [`Control`] may be used by anybody at any time. The
//! [`Kernel`] belongs to one process at a time, and a reference to it is made only by its owner
//! and does not outlive the ownership:
//!
//! - the explorer owns it between executions: no actor exists then;
//! - during an execution the actor with the turn owns it. It gives the turn away by a release
//!   store that the next owner acquires;
//! - the server owns it after the actor with the turn has died, which `waitpid` has told it, and
//!   when it has ended all actors.
//!
//! A program that writes over the mapping can break this, as it can break itself. The explorer
//! looks at what it reads before it believes it; see `engine.rs`.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

use mazurka_runtime::{ACTORS, Kernel};

/// Changes whenever the layout does.
const MAGIC: u64 = 0x6d61_7a75_726b_6109;

/// Where a process reads a page for the first time, the system maps those around it as well, up to
/// the next multiple of this. What every step needs should be among them.
const AROUND: usize = 1 << 16;
/// The size of a page, or a multiple of it.
const PAGE: usize = 1 << 12;

/// It is not this actor's turn.
pub const WAIT: u32 = 0;
/// It is.
pub const GO: u32 = 1;
/// The execution has ended.
pub const CLOSE: u32 = 2;

/// No step is being waited for.
pub const STEP_NONE: u32 = 0;
/// An actor asks the explorer whether to go on.
pub const STEP_ASKED: u32 = 1;

/// No execution of threads goes on, and the explorer knows it.
pub const IDLE: u32 = 0;
/// An execution of threads is wanted, or goes on.
pub const RUN: u32 = 1;
/// It has ended.
pub const DONE: u32 = 2;

/// Why the process of a threaded program cannot begin again: the number of a system call that nobody can undo, or one of these.
pub mod obstacle {
    /// The system does not let a process watch its own calls.
    pub const SYSTEM: u32 = 1 << 16;
    /// Too much memory would have to be put back.
    pub const MEMORY: u32 = 2 << 16;
    /// The stack has no limit, or too high a one.
    pub const STACK: u32 = 3 << 16;
    /// A system call, by its number.
    pub const CALL: u32 = 4 << 16;

    /// In words.
    #[cfg(feature = "explorer")]
    pub fn describe(obstacle: u32) -> Option<String> {
        match obstacle & !0xffff {
            0 => None,
            SYSTEM => Some("a process cannot watch its own system calls here".into()),
            MEMORY => Some("the program writes to too much memory".into()),
            STACK => Some("there is no limit on the stack, or too high a one (ulimit -s)".into()),
            _ => Some(format!(
                "the program makes a system call that cannot be undone ({})",
                crate::calls::name(obstacle & 0xffff)
            )),
        }
    }
}

/// What could happen to a program and was not tried.
pub mod untried {
    /// A wait for a condition variable ends although nobody has notified it.
    pub const WAKEUP: u32 = 1;
    /// A weak compare-and-swap fails although the value is the expected one.
    pub const EXCHANGE: u32 = 2;

    /// In words, one sentence each.
    pub fn describe(bits: u32) -> Vec<String> {
        let names = [
            (
                WAKEUP,
                "that a wait for a condition variable ends without a notification was not tried",
            ),
            (
                EXCHANGE,
                "that a weak compare-and-swap fails for no reason was not tried",
            ),
        ];
        let found = names.iter().filter(|(bit, _)| bits & bit != 0);
        found.map(|(_, words)| (*words).into()).collect()
    }
}

/// What a program may do that the kernel does not see.
pub mod uncontrolled {
    /// It made a thread.
    pub const THREAD: u32 = 1;
    /// It forked.
    pub const FORK: u32 = 2;
    /// It ran another program.
    pub const PROGRAM: u32 = 4;
    /// It mapped memory that others can write.
    pub const MEMORY: u32 = 8;
    /// An actor waited for something that is no object.
    pub const WAIT: u32 = 16;
    /// A nondeterministic number was taken from a few only.
    pub const BOUNDED: u32 = 32;
    /// Not all of the memory that it uses was looked at.
    pub const LARGE: u32 = 64;
    /// Atomic operations overlapped that do not concern the same bytes.
    pub const MIXED: u32 = 128;

    /// It sent signals to threads, or set timers.
    pub const SIGNAL: u32 = 256;
    /// Threads could talk through the system.
    pub const TALK: u32 = 512;
    /// It waited for a thread for some time only.
    pub const JOIN: u32 = 1024;
    /// Some of those who waited were to be woken, and all were.
    pub const WAKE: u32 = 2048;
    /// A read-write lock was to prefer writers.
    pub const WRITERS: u32 = 4096;
    /// It ended without telling the C library, or became another program.
    pub const PAST: u32 = 8192;
    /// One access concerned several pieces of memory that are in races.
    pub const RACES: u32 = 16384;
    /// It called a function that is not known, while there were other threads.
    pub const UNKNOWN: u32 = 1 << 15;
    /// It closed or changed its standard output, while there were other threads.
    pub const OUTPUT: u32 = 1 << 16;
    /// Instructions ran that nobody looked at.
    pub const ASSEMBLY: u32 = 1 << 17;
    /// A copy of a structure may have read memory behind it that others write.
    pub const WIDER: u32 = 1 << 18;
    /// A thread was cancelled.
    pub const CANCEL: u32 = 1 << 19;
    /// Its accesses to memory are not seen, as the library was preloaded.
    pub const UNSEEN: u32 = 1 << 20;
    /// It did nothing that is seen for a long time.
    pub const LONG: u32 = 1 << 21;

    /// In words.
    pub fn describe(bits: u32) -> Option<String> {
        let names = [
            (THREAD, "it makes threads (build it with mazurka cc)"),
            (FORK, "it makes processes by itself"),
            (PROGRAM, "it runs other programs"),
            (MEMORY, "it maps memory that processes share"),
            (
                WAIT,
                "an actor waits for something that is not an object of Mazurka",
            ),
            (
                BOUNDED,
                "of nondeterministic numbers only 0, 1 and 2 were tried",
            ),
            (
                LARGE,
                "only the ends of a piece of memory larger than 64 KiB were checked for races",
            ),
            (
                MIXED,
                "atomic operations on different ranges of bytes overlap",
            ),
            (
                SIGNAL,
                "it sends signals to threads or sets timers, which do not come at every moment here",
            ),
            (
                TALK,
                "threads may talk through pipes, sockets or semaphores of the system, whose order is not explored",
            ),
            (
                JOIN,
                "it waits for a thread by a function that is not explored",
            ),
            (
                WAKE,
                "a futex wakes some of those who wait, and here it wakes all",
            ),
            (
                WRITERS,
                "a read-write lock prefers writers, and here it prefers nobody",
            ),
            (
                PAST,
                "it ends without telling the C library, or becomes another program",
            ),
            (
                RACES,
                "one access concerns several pieces of memory that are in races, and was not taken as a step",
            ),
            (
                UNKNOWN,
                "while there are several threads it calls functions of which it is not known what they do",
            ),
            (
                OUTPUT,
                "it closes or changes its standard output while there are several threads",
            ),
            (
                ASSEMBLY,
                "while there are several threads it runs assembly of its own, whose use of memory is not seen",
            ),
            (CANCEL, "it cancels threads, which is not explored"),
            (
                LONG,
                "a thread computes for long, or waits in a loop for memory that another thread writes (see --divergence)",
            ),
            (
                UNSEEN,
                "it was not built with mazurka cc, so what its threads do to memory is not seen",
            ),
            (
                WIDER,
                "a structure is passed by value, and the copy reads bytes that another thread writes, perhaps behind the structure",
            ),
        ];
        let found = names.iter().filter(|(bit, _)| bits & bit != 0);
        let words: Vec<&str> = found.map(|(_, words)| *words).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// What the processes tell each other beside the kernel.
#[repr(C)]
pub struct Control {
    magic: AtomicU64,
    size: AtomicU64,
    /// After how many milliseconds without a visible operation an execution diverges; 0 for never.
    pub divergence: AtomicU32,
    /// Whether an exit code other than zero is a crash.
    pub judge_exit_codes: AtomicU32,
    /// Whether anybody sees what actors write, so that they must not keep it in buffers.
    pub flush: AtomicU32,
    /// The actor whose turn it is.
    pub running: AtomicU32,
    /// How many actors of this execution have been forked.
    pub forked: AtomicU32,
    /// How many processes that are no actors were left behind, in all executions.
    pub strays: AtomicU32,
    /// What was done that is not under control, in all executions: bits of [`uncontrolled`].
    pub uncontrolled: AtomicU32,
    /// Whether the explorer has given the execution up.
    pub abandoned: AtomicU32,
    /// Whether an actor ended because another thread than its first wanted to perform something.
    pub threaded: AtomicU32,
    /// Whether the actors are threads of one process.
    pub threads: AtomicU32,
    /// Whether every step waits for the explorer.
    pub stepping: AtomicU32,
    /// [`STEP_NONE`] or [`STEP_ASKED`].
    pub step: AtomicU32,
    /// Per actor, [`WAIT`], [`GO`] or [`CLOSE`]: what it sleeps on.
    pub turns: [AtomicU32; ACTORS],
    /// Per actor, its process.
    pub pids: [AtomicI32; ACTORS],
    /// Where the program begins in memory.
    pub base: AtomicU64,
    /// Whether a process of threads may begin again where it began, rather than end.
    pub restart: AtomicU32,
    /// Why it cannot: see [`obstacle`].
    pub obstacle: AtomicU32,
    /// [`IDLE`], [`RUN`] or [`DONE`]: what explorer and threads wait for.
    pub baton: AtomicU32,
    /// Whether there is a process that waits for the baton.
    pub is_resident: AtomicU32,
    /// How many executions there have been.
    pub executions: AtomicU32,
    /// Whether what may fail for no reason does.
    pub spurious: AtomicU32,
    /// What was not tried, in all executions: bits of [`untried`].
    pub untried: AtomicU32,
    /// The memory that is in races, where these are not reported.
    pub racing: Racing,
}

/// Memory that is in races: granules of eight bytes, and for each the address of the object that accesses to it are about.
#[repr(C)]
pub struct Racing {
    /// Whether races are not reported.
    pub is_ignoring: AtomicU32,
    count: AtomicU32,
    known: [[AtomicU64; 2]; Racing::MOST],
}

impl Racing {
    /// How much there can be.
    pub const MOST: usize = 1 << 10;
    /// The object of a granule in which there are several.
    pub const SEVERAL: u64 = u64::MAX;

    /// What tells the object of plain memory from that of an atomic at the same address: an address that no program has.
    pub const PLAIN: u64 = 1 << 62;

    /// Behind this many bits of an address comes the size of an atomic.
    const SIZE: u32 = 56;

    /// The object of a granule in which there is no atomic.
    pub fn plain(granule: u64) -> u64 {
        granule << 3 | Racing::PLAIN
    }

    /// The object of a granule with one atomic, of this size.
    pub fn atomic(address: u64, size: u32) -> u64 {
        address | u64::from(size.trailing_zeros()) << Racing::SIZE
    }

    /// Where the memory of an object is, and how large that is.
    pub fn place(object: u64) -> (u64, usize) {
        let address = object & ((1 << Racing::SIZE) - 1);
        match object & Racing::PLAIN {
            0 => (address, 1 << (object >> Racing::SIZE & 7)),
            _ => (address, 8),
        }
    }

    /// All that is known.
    pub fn all(&self) -> Vec<(u64, u64)> {
        let known = self.known.iter().take(self.count());
        known
            .map(|[granule, object]| {
                (
                    granule.load(Ordering::Relaxed),
                    object.load(Ordering::Relaxed),
                )
            })
            .collect()
    }

    fn count(&self) -> usize {
        (self.count.load(Ordering::Relaxed) as usize).min(Racing::MOST)
    }

    /// Adds a granule; tells whether there was room for it. Only whoever owns the kernel does so.
    pub fn add(&self, granule: u64, object: u64) -> bool {
        let count = self.count();
        let known = self.known[..count].iter();
        for [other, its_object] in known {
            if other.load(Ordering::Relaxed) != granule {
                continue;
            }
            let before = its_object.load(Ordering::Relaxed);
            // An atomic says more than the memory that it is in.
            let is_plain = |object: u64| object == Racing::plain(granule);
            let both = match (before, object) {
                (before, object) if before == object || is_plain(object) => before,
                (before, object) if is_plain(before) => object,
                _ => Racing::SEVERAL,
            };
            its_object.store(both, Ordering::Relaxed);
            return true;
        }
        let Some([new, its_object]) = self.known.get(count) else {
            return false;
        };
        new.store(granule, Ordering::Relaxed);
        its_object.store(object, Ordering::Relaxed);
        self.count.store(count as u32 + 1, Ordering::Relaxed);
        true
    }
}

#[repr(C)]
struct Shared {
    control: Control,
    kernel: Kernel,
}

/// The mapping of this process. It stays for ever, or until the explorer drops it.
pub struct Mapping {
    shared: *mut Shared,
}

// SAFETY: a mapping may be used from any thread; who may make references is told above.
unsafe impl Send for Mapping {}
// SAFETY: the same.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// New memory, which is all zero, and the file that stands for it.
    pub fn create() -> io::Result<(Mapping, OwnedFd)> {
        // SAFETY: plain system calls; the descriptor is owned from here on.
        let file = unsafe {
            let fd = libc::memfd_create(c"mazurka".as_ptr(), libc::MFD_CLOEXEC);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            OwnedFd::from_raw_fd(fd)
        };
        // SAFETY: the descriptor is open.
        if unsafe { libc::ftruncate(file.as_raw_fd(), size_of::<Shared>() as i64) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let mapping = Mapping::of(file.as_raw_fd())?;
        let control = mapping.control();
        control.magic.store(MAGIC, Ordering::Relaxed);
        control
            .size
            .store(size_of::<Shared>() as u64, Ordering::Relaxed);
        Ok((mapping, file))
    }

    /// The memory that a file stands for, if it is of our making.
    pub fn open(fd: RawFd) -> io::Result<Mapping> {
        let foreign = || io::Error::other("made by another version of Mazurka");
        // SAFETY: `stat` is plain numbers, and the call fills it.
        let length = unsafe {
            let mut stat: libc::stat = std::mem::zeroed();
            if libc::fstat(fd, &mut stat) != 0 {
                return Err(io::Error::last_os_error());
            }
            stat.st_size
        };
        if length != size_of::<Shared>() as i64 {
            return Err(foreign());
        }
        let mapping = Mapping::of(fd)?;
        let control = mapping.control();
        let ours = control.magic.load(Ordering::Relaxed) == MAGIC
            && control.size.load(Ordering::Relaxed) == size_of::<Shared>() as u64;
        if ours { Ok(mapping) } else { Err(foreign()) }
    }

    fn of(fd: RawFd) -> io::Result<Mapping> {
        let size = size_of::<Shared>();
        let result = |address: *mut libc::c_void| match address {
            libc::MAP_FAILED => Err(io::Error::last_os_error()),
            address => Ok(address),
        };
        // SAFETY: a new mapping, anywhere, of which a part is given back and the rest is replaced
        // by a mapping of a file that is long enough.
        unsafe {
            let anywhere = result(libc::mmap(
                ptr::null_mut(),
                size + AROUND,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            ))?;
            let before = anywhere.align_offset(AROUND);
            let address = anywhere.byte_add(before);
            if before > 0 {
                libc::munmap(anywhere, before);
            }
            let rest = size.next_multiple_of(PAGE);
            libc::munmap(address.byte_add(rest), size + AROUND - before - rest);
            let shared = result(libc::mmap(
                address,
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_FIXED,
                fd,
                0,
            ))?;
            Ok(Mapping {
                shared: shared.cast(),
            })
        }
    }

    /// What may be used at any time.
    #[inline]
    pub fn control(&self) -> &Control {
        // SAFETY: the mapping is there and holds only atomics in this place.
        unsafe { &(*self.shared).control }
    }

    /// The kernel, for its owner.
    #[inline]
    pub fn kernel(&self) -> *mut Kernel {
        // SAFETY: the mapping is there; no reference is made.
        unsafe { &raw mut (*self.shared).kernel }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: it was mapped with this size, and references borrow the mapping.
        unsafe { libc::munmap(self.shared.cast(), size_of::<Shared>()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mappings_of_one_file_are_one_memory() {
        let (first, file) = Mapping::create().unwrap();
        let second = Mapping::open(file.as_raw_fd()).unwrap();
        first.control().running.store(7, Ordering::Relaxed);
        assert_eq!(second.control().running.load(Ordering::Relaxed), 7);
    }

    #[test]
    fn other_files_are_refused() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert!(Mapping::open(file.as_raw_fd()).is_err());
    }
}
