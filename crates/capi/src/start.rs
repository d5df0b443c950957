//! Takes control before `main`.

use mazurka_processes::server;

/// The loader calls what is listed in this section before `main`.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

extern "C" fn before_main() {
    server::start();
}

/// The same, should the loader not have done it.
#[inline]
pub fn begin() {
    if !mazurka_processes::actor::is_actor() {
        server::start();
    }
}
