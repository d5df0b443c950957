//! Takes control before `main`.

use mazurka_processes::{actor, server};

/// The loader calls what is listed in this section before `main`.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

extern "C" fn before_main() {
    server::start();
}

/// The same, should the loader not have done it. Since this mentions the list, a program that
/// uses the library has it.
#[inline]
pub fn begin() {
    if !actor::is_actor() {
        std::hint::black_box(&BEFORE_MAIN)();
    }
}
