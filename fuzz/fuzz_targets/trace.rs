//! Any bytes as the trace of a program.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::traces::trace;

fuzz_target!(|bytes: &[u8]| {
    trace(bytes);
});
