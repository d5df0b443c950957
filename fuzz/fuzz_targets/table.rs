//! Any bytes as state tables.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::tables::table;

fuzz_target!(|bytes: &[u8]| {
    table(bytes);
});
