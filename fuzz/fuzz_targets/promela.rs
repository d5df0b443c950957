//! Any bytes as a Promela model.
#![no_main]

#[path = "../survive.rs"]
mod survive;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    survive::survive(bytes);
});
