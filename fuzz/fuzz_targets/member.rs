//! Any bytes as what a member of a cluster sends.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::clusters::member;

fuzz_target!(|bytes: &[u8]| {
    member(bytes);
});
