//! Any bytes as a model and the files beside it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::files::files;

fuzz_target!(|bytes: &[u8]| {
    files(bytes);
});
