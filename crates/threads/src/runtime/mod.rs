//! What is linked into a program.
//!
//! **Why it is sound.** The program is in C, and anything can be wrong in it. Of this library, one
//! coroutine runs at a time, in a process whose other threads are parked for ever; so its state
//! ([`state`]) is used by one at a time. References to it are made for a moment and never kept across
//! a hand-over. A program that nobody explores has real threads: then every function passes on what
//! it is asked to the C library, and touches no state.
//!
//! - [`state`]: who runs, and the way of a visible operation; [`switch`]: from one coroutine to another.
//! - [`shadow`]: data races, by what happens before what (`mazurka_runtime::clocks`). [`racing`]: where they are not reported.
//! - [`atomics`], [`wide`], [`accesses`]: what the compiler's instrumentation calls; [`left_out`]: what is called where that says nothing.
//! - [`threads`], [`locks`], [`robust`], [`streams`], [`conditions`], [`semaphores`], [`barriers`], [`once`], [`keys`], [`cleanup`], [`futex`], [`signals`]: POSIX and C11 threads.
//! - [`restart`], [`pages`], [`calls`]: one execution after the other in one process.
//! - [`outside`], [`formats`]: calls of libraries that nobody instrumented. [`beyond`]: what is not explored.
//! - [`preload`]: the same for programs that nobody compiled for it.
//! - [`waiting`], [`foreign`]: loops that wait.
//! - [`arena`]: memory that is the same in every execution. [`spurious`], [`time`], [`strings`], [`exits`], [`verifier`]: the rest.

mod accesses;
mod arena;
mod atomics;
mod barriers;
mod beyond;
mod calls;
mod cleanup;
mod conditions;
mod exits;
mod foreign;
mod formats;
mod futex;
mod global;
mod keys;
mod left_out;
mod locks;
mod once;
mod outside;
mod pages;
mod preload;
mod racing;
mod restart;
mod robust;
mod semaphores;
mod shadow;
mod signals;
mod spurious;
mod state;
mod streams;
mod strings;
mod switch;
mod threads;
mod time;
mod verifier;
mod waiting;
mod wide;
