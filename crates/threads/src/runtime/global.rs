//! The memory of this library itself. It must not come from the program's, whose addresses are to be
//! the same in every execution.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr;

/// How much there can be.
const SIZE: usize = 1 << 30;

struct Bump(UnsafeCell<(usize, usize)>);

// SAFETY: used by one coroutine at a time, and before there are any.
unsafe impl Sync for Bump {}

#[global_allocator]
static MEMORY: Bump = Bump(UnsafeCell::new((0, 0)));

// SAFETY: pieces of one mapping that do not overlap; nothing is given back, and a process lasts for
// one execution.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: see above.
        let (next, end) = unsafe { &mut *self.0.get() };
        if *next == 0 {
            *next = map(SIZE, 0) as usize;
            *end = *next + SIZE;
        }
        let place = next.next_multiple_of(layout.align());
        if place + layout.size() > *end {
            return ptr::null_mut();
        }
        *next = place + layout.size();
        place as *mut u8
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

/// New memory that is all zero and costs nothing until it is used, at an address of our choice or
/// (zero) anywhere.
pub fn map(size: usize, address: usize) -> *mut u8 {
    let fixed = if address == 0 {
        0
    } else {
        libc::MAP_FIXED_NOREPLACE
    };
    // SAFETY: a new mapping, which replaces nothing.
    let mapped = unsafe {
        libc::syscall(
            libc::SYS_mmap,
            address,
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | fixed,
            -1,
            0,
        )
    };
    if mapped == -1 {
        mazurka_processes::server::tell_cramped();
        super::state::give_up("no memory for the program");
    }
    mapped as *mut u8
}
