//! Memory as it was: all that the process can write is made read-only; what is written nevertheless is copied first, page by page,
//! and can be written from then on. To put memory back is to copy these pages back.
//!
//! So a page that is not among the copies has not changed, by whomever; and after some executions nothing is left to be noticed.

use std::ffi::c_void;

use mazurka_processes::shared::obstacle;

use super::calls;
use super::global;

const PAGE: usize = 1 << 12;
/// How many pages are put back; to put back more would take longer than a new process.
const MOST: usize = 1 << 12;
/// How many pieces memory can be in.
const REGIONS: usize = 1 << 9;
/// The stack of the first actor is extended to its limit, so that it does not grow unnoticed. This is the highest limit.
const STACK: usize = 64 << 20;

/// A piece of memory, by its start and end.
pub type Region = (usize, usize);

/// What is watched. Memory that is all zero is one that watches nothing.
pub struct Pages {
    regions: [Region; REGIONS],
    count: usize,
    written: [usize; MOST],
    used: usize,
    copies: usize,
}

impl Pages {
    /// Finds the memory that the process can write and shares with nobody, but for these pieces (start and length); or tells why that
    /// is not known. No mapping may be made after this.
    pub fn look_around(&mut self, kept: &[(usize, usize)]) -> Result<(), u32> {
        extend_stack()?;
        self.copies = global::map(MOST * PAGE, 0) as usize;
        let maps = std::fs::read_to_string("/proc/self/maps").map_err(|_| obstacle::SYSTEM)?;
        let mut regions: Vec<Region> = maps.lines().filter_map(writable).collect();
        for &(start, length) in kept.iter().chain(&[(self.copies, MOST * PAGE)]) {
            let (start, end) = (start & !(PAGE - 1), (start + length).next_multiple_of(PAGE));
            let outside = |&(from, to): &Region| [(from, to.min(start)), (from.max(end), to)];
            regions = regions.iter().flat_map(outside).collect();
            regions.retain(|(from, to)| from < to);
        }
        if regions.len() > REGIONS {
            return Err(obstacle::MEMORY);
        }
        self.regions[..regions.len()].copy_from_slice(&regions);
        self.count = regions.len();
        Ok(())
    }

    /// Begins to watch.
    pub fn watch(&self) -> Result<(), u32> {
        let mut regions = self.regions[..self.count].iter();
        let is_done = |(start, end): &Region| allow(*start, end - start, libc::PROT_READ);
        match regions.all(is_done) {
            true => Ok(()),
            false => Err(obstacle::SYSTEM),
        }
    }

    /// Somebody wants to write to this address. Tells whether it is watched; nothing if there is no room for one more copy.
    pub fn touched(&mut self, address: usize) -> Option<bool> {
        let mut is_watched = false;
        for (start, end) in &self.regions[..self.count] {
            is_watched |= (*start..*end).contains(&address);
        }
        if !is_watched {
            return Some(false);
        }
        if self.used == MOST {
            return None;
        }
        let page = address & !(PAGE - 1);
        // SAFETY: a page that can be read, and room for as much.
        unsafe {
            let copy = (self.copies + self.used * PAGE) as *mut c_void;
            libc::memcpy(copy, page as *const c_void, PAGE);
        }
        self.written[self.used] = page;
        self.used += 1;
        allow(page, PAGE, libc::PROT_READ | libc::PROT_WRITE).then_some(true)
    }

    /// Makes memory what it was.
    ///
    /// # Safety
    ///
    /// The caller uses nothing of it.
    pub unsafe fn put_back(&self) {
        for (at, page) in self.written[..self.used].iter().enumerate() {
            // SAFETY: a page that can be written, and its copy.
            unsafe {
                let copy = (self.copies + at * PAGE) as *const c_void;
                libc::memcpy(*page as *mut c_void, copy, PAGE);
            }
        }
    }
}

fn allow(start: usize, size: usize, protection: i32) -> bool {
    // SAFETY: memory of this process; who is not allowed to write it asks for it.
    let arguments = [start, size, protection as usize, 0, 0, 0];
    unsafe { calls::system(libc::SYS_mprotect, arguments) == 0 }
}

/// A line of the system's list of mappings, if it is of memory that can be written and is not shared.
fn writable(line: &str) -> Option<Region> {
    let mut words = line.split_whitespace();
    let (range, rights) = (words.next()?, words.next()?);
    let (start, end) = range.split_once('-')?;
    let number = |word| usize::from_str_radix(word, 16).ok();
    let is_private = rights.starts_with("rw-p");
    is_private.then_some((number(start)?, number(end)?))
}

/// Extends the stack of the first actor to its limit.
fn extend_stack() -> Result<(), u32> {
    // SAFETY: the call fills what it is given.
    let limit = unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_STACK, &mut limit);
        limit.rlim_cur as usize
    };
    if !(16 * PAGE..=STACK).contains(&limit) {
        return Err(obstacle::STACK);
    }
    let maps = std::fs::read_to_string("/proc/self/maps").map_err(|_| obstacle::SYSTEM)?;
    let stack = maps.lines().find(|line| line.ends_with("[stack]"));
    let (_, top) = stack.and_then(writable).ok_or(obstacle::STACK)?;
    let lowest = (top - limit).next_multiple_of(PAGE);
    // The system reads a set of signals there, which is empty, and extends the stack for it. Where it does not, it says so.
    // SAFETY: the system looks at addresses itself.
    let read = unsafe {
        let arguments = [libc::SIG_BLOCK as usize, lowest, 0, 8, 0, 0];
        calls::system(libc::SYS_rt_sigprocmask, arguments)
    };
    if read == 0 {
        Ok(())
    } else {
        Err(obstacle::STACK)
    }
}
