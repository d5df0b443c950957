//! Memory of the program, at addresses that follow from what its threads do themselves: each has a
//! region of its own, and what it gives back is used again by it alone. So a block has the same address
//! in all equivalent executions, and one that is given back and asked for again has the same address
//! as before, which is what makes an ABA.

use std::ffi::{c_int, c_void};

use mazurka_runtime::ACTORS;

use super::accesses::freed;
use super::global;
use super::state::{self, current, hand_out, is_active};
use super::switch::entries;
use mazurka_runtime::FailureKind;

/// The region of an actor.
const REGION: usize = 1 << 32;
/// Where regions begin: far from all that systems use.
const START: usize = 0x1000_0000_0000;
/// What stands before each block.
const HEADER: usize = 16;
/// Classes of sizes: multiples of 16 up to a kilobyte, and powers of two.
const CLASSES: usize = 64 + 24;
/// What a block is filled with when it is handed out, as far as this many bytes.
const FRESH: u8 = 0xaa;
const STALE: u8 = 0xdd;
const FILLED: usize = 1 << 16;

const USED: u32 = 0x4d5a_0001;
const FREED: u32 = 0x4d5a_0002;

#[repr(C)]
struct Header {
    size: u64,
    state: u32,
    class: u32,
}

struct Arena {
    /// Per actor, how much of its region is in use.
    used: [usize; ACTORS],
    /// Per actor and class, the last block given back; each holds the address of the one before.
    free: [[usize; CLASSES]; ACTORS],
}

struct Cell(std::cell::UnsafeCell<Arena>);

// SAFETY: see the module `runtime`.
unsafe impl Sync for Cell {}

static ARENA: Cell = Cell(std::cell::UnsafeCell::new(Arena {
    used: [0; ACTORS],
    free: [[0; CLASSES]; ACTORS],
}));

fn arena() -> &'static mut Arena {
    // SAFETY: see the module `runtime`.
    unsafe { &mut *ARENA.0.get() }
}

/// Maps the regions.
pub fn prepare() {
    global::map(REGION * ACTORS, START);
}

fn is_ours(address: usize) -> bool {
    (START..START + REGION * ACTORS).contains(&address)
}

/// The class of a size, and how large its blocks are.
fn class_of(size: usize) -> Option<(usize, usize)> {
    let size = size.max(1);
    if size <= 1024 {
        let class = (size - 1) / 16;
        return Some((class, (class + 1) * 16));
    }
    let rounded = size.checked_next_power_of_two()?;
    let class = 64 + rounded.trailing_zeros() as usize - 11;
    (class < CLASSES).then_some((class, rounded))
}

/// A block of memory, or null.
fn allocate(size: usize, alignment: usize) -> *mut u8 {
    let me = current();
    let Some((class, room)) = class_of(size.saturating_add(alignment.saturating_sub(16))) else {
        return std::ptr::null_mut();
    };
    let arena = arena();
    let block = arena.free[me][class];
    // SAFETY: blocks lie in the region, one after the other, each behind its header.
    unsafe {
        let block = if block != 0 {
            arena.free[me][class] = *(block as *const usize);
            block
        } else {
            let used = arena.used[me];
            if used + HEADER + room > REGION {
                return std::ptr::null_mut();
            }
            arena.used[me] = used + HEADER + room;
            START + me * REGION + used + HEADER
        };
        let mut address = block;
        if alignment > 16 {
            address = (block + alignment - 1) & !(alignment - 1);
            if address != block {
                // Leads back to the block.
                let lead = (address - HEADER) as *mut Header;
                (*lead).size = (address - block) as u64;
                (*lead).state = LEAD;
            }
        }
        let header = (block - HEADER) as *mut Header;
        (*header).size = size as u64;
        (*header).state = USED;
        (*header).class = class as u32;
        hand_out(address, size.min(FILLED));
        address as *mut u8
    }
}

/// The header of an aligned block, which has another one before it.
const LEAD: u32 = 0x4d5a_0003;

/// The header of a block.
///
/// # Safety
///
/// The address is one that was handed out.
unsafe fn header_of(address: usize) -> *mut Header {
    // SAFETY: the caller's promise.
    unsafe {
        let header = (address - HEADER) as *mut Header;
        if (*header).state == LEAD {
            return (address - (*header).size as usize - HEADER) as *mut Header;
        }
        header
    }
}

/// # Safety
///
/// As `free`.
unsafe fn give_back(address: usize, from: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let header = header_of(address);
        let size = (*header).size as usize;
        match (*header).state {
            USED => {}
            FREED => state::fail(
                FailureKind::USE_AFTER_FREE,
                state::place(from),
                &format!(
                    "{{actor {}}} gives back {{address {address:x}}} a second time {{place {}}}",
                    current(),
                    state::place(from)
                ),
            ),
            _ => state::misuse(from, "it gives back memory that was never handed out"),
        }
        freed(address, size.min(FILLED), from);
        if size > FILLED {
            state::overlook();
        }
        state::forget_objects(address, size);
        libc::memset(address as *mut c_void, STALE.into(), size.min(FILLED));
        (*header).state = FREED;
        let block = header as usize + HEADER;
        let me = current();
        let class = (*header).class as usize % CLASSES;
        *(block as *mut usize) = arena().free[me][class];
        arena().free[me][class] = block;
    }
}

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
}

fn or_error(block: *mut u8) -> *mut c_void {
    if block.is_null() {
        // SAFETY: the place of the running thread's error number.
        unsafe { *libc::__errno_location() = libc::ENOMEM };
    }
    block.cast()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { __libc_malloc(size) };
    }
    let block = allocate(size, 16);
    if !block.is_null() {
        // SAFETY: the block is as large.
        unsafe { libc::memset(block.cast(), FRESH.into(), size.min(FILLED)) };
    }
    or_error(block)
}

entries! {
    "free", "rsi", "mazurka_free";
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_free(block: *mut c_void, from: usize) {
    if block.is_null() {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        match is_ours(block as usize) {
            true if is_active() => give_back(block as usize, from),
            // The execution has ended, or a child of the program's own gives back what it inherited.
            true => {}
            false => __libc_free(block),
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { __libc_calloc(count, size) };
    }
    let Some(size) = count.checked_mul(size) else {
        return or_error(std::ptr::null_mut());
    };
    let block = allocate(size, 16);
    if !block.is_null() {
        // SAFETY: the block is as large.
        unsafe { libc::memset(block.cast(), 0, size) };
    }
    or_error(block)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe {
        if block.is_null() {
            return malloc(size);
        }
        if !is_ours(block as usize) {
            return __libc_realloc(block, size);
        }
        let before = (*header_of(block as usize)).size as usize;
        let new = malloc(size);
        if !new.is_null() {
            state_reads(block as usize, before.min(size));
            libc::memcpy(new, block, before.min(size));
            mazurka_free(block, 0);
        }
        new
    }
}

fn state_reads(address: usize, size: usize) {
    if is_active() && size > 0 {
        state::access(address, size, 0, 0);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { __libc_memalign(alignment, size) };
    }
    or_error(allocate(size, alignment.max(16).next_power_of_two()))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { memalign(alignment, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(
    block: *mut *mut c_void,
    alignment: usize,
    size: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let new = memalign(alignment, size);
        if new.is_null() {
            return libc::ENOMEM;
        }
        *block = new;
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc_usable_size(block: *mut c_void) -> usize {
    if block.is_null() {
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe {
        if is_ours(block as usize) {
            return (*header_of(block as usize)).size as usize;
        }
        super::threads::real!("malloc_usable_size" as unsafe extern "C" fn(*mut c_void) -> usize)(
            block,
        )
    }
}
