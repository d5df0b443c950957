//! Unmodified threaded programs: the library that stands behind a compiler's thread instrumentation.
//!
//! `mazurka cc` compiles a program with `-fsanitize=thread`, which calls a function before every access
//! to memory and in place of every atomic operation, and links it with this library instead of the
//! sanitizer's. Threads become coroutines of one thread, which meet in the [`Kernel`] like any
//! actors; a plain access is no step, but is checked against all others by what happens before it, by
//! the memory orders that the program wrote.
//!
//! Without the feature `runtime`, the crate carries that library as bytes, [`LIBRARY`], and [`compiler`] calls the compiler with it.
//!
//! [`Kernel`]: https://docs.rs/mazurka-runtime

#![deny(missing_docs)]

#[cfg(not(feature = "runtime"))]
mod assembler;
#[cfg(not(feature = "runtime"))]
mod assembly;
#[cfg(not(feature = "runtime"))]
mod compiler;
#[cfg(not(feature = "runtime"))]
mod packed;
#[cfg(feature = "runtime")]
mod runtime;
#[cfg(not(feature = "runtime"))]
mod unpacked;

#[cfg(not(feature = "runtime"))]
pub use assembler::{assemble, is_assembler};
#[cfg(not(feature = "runtime"))]
pub use assembly::announce;
#[cfg(not(feature = "runtime"))]
pub use compiler::{Language, compiler};
#[cfg(not(feature = "runtime"))]
pub use packed::Packed;
#[cfg(not(feature = "runtime"))]
pub use unpacked::preloaded;

/// The static library that programs are linked with; empty where there is none for this machine.
#[cfg(not(feature = "runtime"))]
pub static LIBRARY: Packed = Packed(include_bytes!(concat!(
    env!("OUT_DIR"),
    "/libmazurka_threads.packed"
)));

/// The shared library that is preloaded into programs which were not built for it; empty where there is none for this machine.
#[cfg(not(feature = "runtime"))]
pub static PRELOADED: Packed = Packed(include_bytes!(concat!(
    env!("OUT_DIR"),
    "/preloaded.packed"
)));

/// What every source file is compiled with: the memory functions of the C library are named anew, so
/// that what they read and write is seen.
pub static HEADER: &str = include_str!("names.h");
