//! Any bytes as a schedule.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::schedules::schedule;

fuzz_target!(|bytes: &[u8]| {
    schedule(bytes);
});
