//! Any bytes as a checkpoint of a real program.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::explorations::exploration;

fuzz_target!(|bytes: &[u8]| {
    exploration(bytes);
});
