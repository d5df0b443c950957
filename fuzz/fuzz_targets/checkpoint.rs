//! Any bytes as a checkpoint of a search.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::checkpoints::checkpoint;

fuzz_target!(|bytes: &[u8]| {
    checkpoint(bytes);
});
