//! Any bytes as results of `check --json`, to be merged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::results::result;

fuzz_target!(|bytes: &[u8]| {
    result(bytes);
});
