//! Any bytes as a system in SDL.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_hostile::models::sdl;

fuzz_target!(|bytes: &[u8]| {
    sdl(bytes);
});
