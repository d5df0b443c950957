//! Any bytes as what to check and how.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::configs::config;

fuzz_target!(|bytes: &[u8]| {
    config(bytes);
});
