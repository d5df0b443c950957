//! Any bytes as a network of virtual finite state machines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::models::vfsm;

fuzz_target!(|bytes: &[u8]| {
    vfsm(bytes);
});
