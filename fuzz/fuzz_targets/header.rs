//! Any bytes as the file of a saved search.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::headers::header;

fuzz_target!(|bytes: &[u8]| {
    header(bytes);
});
