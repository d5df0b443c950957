//! Linear temporal logic: formulas, and small Büchi automata for them.
//!
//! A [`Formula`] is a tree over numbered atoms; what an atom means is the business of whoever
//! made it. [`translate`] makes a [`Buchi`] automaton that accepts exactly the infinite words on
//! which the formula is true. The way there:
//!
//! 1. [`normal`]: negation normal form, shared and simplified (Etessami and Holzmann 2000, Somenzi
//!    and Bloem 2000);
//! 2. [`generalised`]: a very weak alternating automaton, read off the formula, and from it a
//!    generalised Büchi automaton with marks on transitions, simplified while it is built (Gastin and
//!    Oddoux 2001);
//! 3. [`simulation`]: states that others simulate are merged, transitions that others cover are
//!    dropped (direct simulation);
//! 4. [`degeneralise`]: one set of accepting states, and the same simplification again.
//!
//! [`Word`] evaluates formulas and automata on words by their definitions, and
//! [`Buchi::intersects`] tells whether two automata accept a common word: with these two the tests judge
//! the rest.
//!
//! ```
//! use mazurka_ltl::{parse, translate};
//!
//! let (formula, atoms) = parse("[] (request -> <> reply)").unwrap();
//! let automaton = translate(&formula.negation()).unwrap();
//! assert_eq!(atoms, ["request", "reply"]);
//! assert_eq!(automaton.states.len(), 2);
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod buchi;
mod components;
mod cube;
pub mod degeneralise;
mod formula;
pub mod generalised;
pub mod normal;
mod parser;
mod print;
mod property;
pub mod simulation;
mod translate;
mod word;

pub use buchi::{Buchi, Edge, State, Strength};
pub use cube::Cube;
pub use formula::{Formula, MOST_ATOMS};
pub use parser::{ParseError, parse};
pub use print::{dot, formula_text, formula_words, hoa, never, text};
pub use property::Property;
pub use translate::{TooLarge, Untranslated, translate, translate_until};
pub use word::Word;
