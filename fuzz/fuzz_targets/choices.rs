//! Any bytes as what to explore of a real program, and how.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::choices::choices;

fuzz_target!(|bytes: &[u8]| {
    choices(bytes);
});
