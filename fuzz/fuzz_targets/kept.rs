//! Any bytes as the part of a divided search that was kept.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::clusters::kept;

fuzz_target!(|bytes: &[u8]| {
    kept(bytes);
});
