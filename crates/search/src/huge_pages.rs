//! Large tables in large pages.
//!
//! A lookup touches a table at a random place, so with small pages it misses the processor's cache of
//! addresses as well as the one of memory. Linux gives memory in pages of 2 MiB if asked to. What that
//! gains has not been measured on an idle machine yet; on a busy one no difference could be told.

use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Less memory than this is not worth it.
#[cfg(target_os = "linux")]
const WORTHWHILE: usize = 4 << 20;

/// What is a value when all its bits are zero.
///
/// # Safety
///
/// All bits zero must be a valid value, and the size must not be zero.
#[allow(unsafe_code)]
pub(crate) unsafe trait Zeroed {}

// SAFETY: an atomic integer has the representation of the integer, for which zero is a value.
#[allow(unsafe_code)]
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: the same.
#[allow(unsafe_code)]
unsafe impl Zeroed for AtomicU64 {}

/// A line of the processor's cache.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Line<W, const N: usize>(pub [W; N]);

// SAFETY: an array of such values has no other bits than theirs, and what alignment adds may be anything.
// An empty one is as large as its alignment.
#[allow(unsafe_code)]
unsafe impl<W: Zeroed, const N: usize> Zeroed for Line<W, N> {}

/// A vector of this many values that are zero, in large pages if it is large. The system clears a page
/// when it is first used, so what is never used costs nothing, and several workers who fill a
/// table share that work.
#[allow(unsafe_code)]
pub(crate) fn zeroed<T: Zeroed>(length: usize) -> Vec<T> {
    if length == 0 {
        return Vec::new();
    }
    let layout = Layout::array::<T>(length).expect("a table fits into the address space");
    // SAFETY: neither the length nor the size of a value is zero. The vector gets what the allocator of all
    // vectors gave for just this layout, and `Zeroed` promises that its values are there.
    unsafe {
        let start = alloc_zeroed(layout).cast::<T>();
        if start.is_null() {
            handle_alloc_error(layout);
        }
        advise(start, layout.size());
        Vec::from_raw_parts(start, length, length)
    }
}

/// A vector of this many default values, in large pages if it is large.
pub(crate) fn table<T: Default>(length: usize) -> Vec<T> {
    let mut table = Vec::with_capacity(length);
    advise(table.as_ptr(), length * size_of::<T>());
    table.resize_with(length, T::default);
    table
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise<T>(start: *const T, bytes: usize) {
    const PAGE: usize = 4096;
    if bytes < WORTHWHILE {
        return;
    }
    let first = (start as usize).next_multiple_of(PAGE);
    let length = (start as usize + bytes).saturating_sub(first) / PAGE * PAGE;
    // SAFETY: the range lies within an allocation that the caller owns. MADV_HUGEPAGE changes how the
    // range is backed, never what it contains or whether it is there. If it fails, nothing happens.
    unsafe {
        libc::madvise(first as *mut libc::c_void, length, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: *const T, _: usize) {}

#[cfg(test)]
mod tests {
    use super::Line;
    use std::sync::atomic::{AtomicU32, AtomicU64};

    #[test]
    fn a_large_table_is_as_good_as_a_small_one() {
        for length in [0, 10, 3 << 20] {
            let mut table = super::table::<u32>(length);
            assert_eq!(table.len(), length);
            assert!(table.iter().all(|word| *word == 0));
            if let Some(last) = table.last_mut() {
                *last = 7;
            }
            assert_eq!(table.last().copied().unwrap_or(7), 7);
        }
    }

    #[test]
    fn a_zeroed_table_can_be_used_and_given_back() {
        for length in [0, 1, 10, 3 << 17] {
            let mut lines = super::zeroed::<Line<AtomicU32, 16>>(length);
            assert_eq!((lines.len(), lines.capacity()), (length, length));
            assert!(lines.iter_mut().all(|line| {
                let start = std::ptr::from_ref(line) as usize;
                start.is_multiple_of(64) && line.0.iter_mut().all(|word| *word.get_mut() == 0)
            }));
            let mut words = super::zeroed::<AtomicU64>(length);
            words.iter_mut().for_each(|word| *word.get_mut() = u64::MAX);
            words.push(AtomicU64::new(1));
            assert_eq!(words.len(), length + 1);
        }
    }
}
