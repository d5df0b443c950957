//! Any bytes as a system of multi-port machines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::models::efsm;

fuzz_target!(|bytes: &[u8]| {
    efsm(bytes);
});
