//! Any bytes as a scenario.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::scenarios::scenario;

fuzz_target!(|bytes: &[u8]| {
    scenario(bytes);
});
