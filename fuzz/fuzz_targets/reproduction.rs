//! Any bytes as the file of a failed audit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::reproductions::reproduction;

fuzz_target!(|bytes: &[u8]| {
    reproduction(bytes);
});
