//! Temporal properties of a system in the common program form.
//!
//! A property becomes a [`Claim`](mazurka_model::Claim), an automaton that watches the system:
//! [`claim_of`] makes one that accepts what a formula forbids, [`livelock`] one that accepts a cycle
//! without progress, and a notation may have claims of its own. [`Product`] is the system and the
//! claim together, as one more system to search: what fails in it is a step by which the claim is
//! violated, what accepts are executions that violate it in the long run. [`Lasso`] judges such an
//! execution once more, by the definition of the property.
//!
//! Start reading at [`Product`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod claim;
mod defined;
mod endless;
mod errors;
mod foreseen;
mod lasso;
mod product;
mod reduction;
mod structure;
mod trial;
mod unexpected;

pub use claim::{acceptance, claim_of, claim_until, livelock};
pub use defined::{fallible, follows_everything, watcher};
pub use endless::round_inside;
pub use lasso::{Lasso, NotShown};
pub use product::{Product, ProductFailure, ProductStep, Watch, What};

/// A formula over expressions of the program.
pub type Property = mazurka_ltl::Property<mazurka_model::ExpressionId>;
pub use reduction::{Cycles, Invisible, NotSound, SparesLast};
pub use structure::{Structure, structured};
pub use unexpected::without_reports;

#[cfg(test)]
mod tests {
    use mazurka_model::Interpreter;
    use mazurka_promela::{MemoryLoader, compile};
    use mazurka_span::SourceMap;

    /// What runs a model.
    pub(crate) fn interpreter(model: &str) -> Interpreter {
        let loader = MemoryLoader::default();
        let source = model.as_bytes();
        let compiled = compile(&mut SourceMap::new(), "m.pml", source, &[], &loader);
        Interpreter::new(compiled.expect("a model").program)
    }
}
