//! Any bytes as `mazurka.toml`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::suites::suite;

fuzz_target!(|bytes: &[u8]| {
    suite(bytes);
});
