//! Asking for memory before it is needed.
//!
//! A lookup in a large table waits for memory longer than everything else in a step takes. Who
//! knows early what will be looked up says so, and does other work in the meantime.

/// Asks for the cache line that something begins in.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is a hint. It reads nothing into the program and cannot fault, wherever it
    // points; and here it points to something that is there.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    #[test]
    fn changes_nothing() {
        let place = [1u64; 8];
        super::prefetch(&place);
        assert_eq!(place, [1; 8]);
    }
}
