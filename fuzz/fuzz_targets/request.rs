//! Any bytes as requests to the studio.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::requests::request;

fuzz_target!(|bytes: &[u8]| {
    request(bytes);
});
