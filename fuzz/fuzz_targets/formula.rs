//! Any bytes as a formula, and as a cost, in each notation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::formulas::formula;

fuzz_target!(|bytes: &[u8]| {
    formula(bytes);
});
