//! Large tables in large pages.
//!
//! A lookup touches a table at a random place, so with small pages it misses the processor's cache of
//! addresses as well as the one of memory. Linux gives memory in pages of 2 MiB if asked to. What that
//! gains has not been measured on an idle machine yet; on a busy one no difference could be told.

/// Less memory than this is not worth it.
const WORTHWHILE: usize = 4 << 20;

/// A vector of so many default values, in large pages if it is large.
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
}
