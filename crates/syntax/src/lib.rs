//! What the front ends have in common.
//!
//! Every parser moves a [`Cursor`] over its tokens, limits its recursion by [`Nesting`], and gives
//! [`Reported`] when it has told what is wrong. A notation of words and signs needs no lexer of its own
//! ([`tokenize`]), and most of its parser is the trait [`Parse`]; [`Climb`] reads expressions by the
//! strength of their operators. [`Lower`] makes a program of a tree. Of a notation whose models are one file, [`FrontEnd`] is all
//! the way from text to program. Promela has a preprocessor and a layout, hence its own tokens, and uses the rest.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod climb;
mod codes;
mod cursor;
mod front_end;
mod lower;
mod name;
mod nesting;
mod operator;
mod parse;
mod source;
mod token;

pub use climb::{Climb, Infix};
pub use codes::are_sorted;
pub use cursor::Cursor;
pub use front_end::{Compiled, FrontEnd, Lowered, Scope};
pub use lower::{Atom, Building, Lower, LowerFormulas, Part};
pub use name::Name;
pub use nesting::Nesting;
pub use operator::{BinaryOperator, UnaryOperator};
pub use parse::{Parse, ParseCodes, Parsed, Reading, Reported};
pub use source::add_source;
pub use token::{Kind, Style, Token, tokenize};

#[doc(hidden)]
pub use mazurka_span::Code;
