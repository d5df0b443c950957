//! The search kernel on systems written by hand: no language, no program form.

mod along;
mod atomic;
mod costly;
mod deepening;
mod guided;
mod limits;
mod nearest;
mod orders;
mod reduced;
mod resumed;
mod shorter;
mod stores;
mod support;
mod walks;
mod workers;
