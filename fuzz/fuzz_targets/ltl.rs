//! Any bytes as a formula over names.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::formulas::ltl;

fuzz_target!(|bytes: &[u8]| {
    ltl(bytes);
});
