//! Tables of diagnostics.

use mazurka_span::Code;

/// Declares the diagnostics of a front end, in one table: a constant for each, and all of them as `ALL`. A code keeps its
/// meaning for ever. That codes are unique and in order is checked when the table is compiled.
///
/// ```
/// mazurka_syntax::codes! {
///     UNKNOWN_CHARACTER "X0001" "a character that is not part of the notation";
///     SOURCE_TOO_LARGE "X0002" "the source is larger than can be addressed";
/// }
/// assert_eq!(ALL[1], SOURCE_TOO_LARGE);
/// ```
#[macro_export]
macro_rules! codes {
    ($($name:ident $id:literal $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub const $name: $crate::Code = $crate::Code { id: $id, summary: $summary };
        )*

        /// Every code, in order.
        pub const ALL: &[$crate::Code] = &[$($name),*];

        const _: () = assert!($crate::are_sorted(ALL), "codes are unique and in order");
    };
}

/// Does each code come after the one before it?
pub const fn are_sorted(codes: &[Code]) -> bool {
    let mut at = 1;
    while at < codes.len() {
        if !is_before(codes[at - 1].id.as_bytes(), codes[at].id.as_bytes()) {
            return false;
        }
        at += 1;
    }
    true
}

const fn is_before(left: &[u8], right: &[u8]) -> bool {
    let mut at = 0;
    while at < left.len() && at < right.len() {
        if left[at] != right[at] {
            return left[at] < right[at];
        }
        at += 1;
    }
    left.len() < right.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_repetition_are_noticed() {
        let code = |id| Code { id, summary: "" };
        assert!(are_sorted(&[]));
        assert!(are_sorted(&[code("P0001"), code("P0002"), code("P0010")]));
        assert!(!are_sorted(&[code("P0002"), code("P0001")]));
        assert!(!are_sorted(&[code("P0001"), code("P0001")]));
    }
}
