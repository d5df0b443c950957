//! Any bytes as a Promela model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::models::promela;

fuzz_target!(|bytes: &[u8]| {
    promela(bytes);
});
