//! What is allowed and probably not meant: warnings about a model that is otherwise right.
//!
//! Each has a code, so that it can be allowed or denied. They look at the text alone, one construct at a time, and say nothing where the
//! usual idioms of the language would be called doubtful.

mod blocking;
mod comparisons;
mod names;
mod selection;
mod statements;
mod values;

use mazurka_span::{Code, Diagnostic, Span};

use crate::ast::Model;

macro_rules! table {
    ($($name:ident $id:literal $summary:literal;)*) => {
        $(pub(crate) const $name: Code = Code { id: $id, summary: $summary };)*

        /// The codes of all lints.
        pub const LINTS: &[Code] = &[$($name),*];
    };
}

table! {
    TOO_WIDE "P0200" "a constant that does not fit its type";
    ASSIGNMENT_AS_GUARD "P0201" "an assignment where a condition seems to be meant";
    CONSTANT_AS_GUARD "P0202" "a guard that is always true, or never";
    UNREACHABLE "P0203" "statements that nothing leads to";
    HIDES "P0204" "a local variable with the name of a global one";
    MESSAGE_LENGTH "P0205" "a message with another number of fields than its channel";
    MESSAGE_CUT "P0206" "a value that is cut to fit a field of a message";
    UNUSED_VARIABLE "P0207" "a variable or channel that nothing uses";
    UNUSED_PROCTYPE "P0208" "a proctype that is never run";
    UNUSED_LABEL "P0209" "a label that nothing goes to";
    ELSE_WITH_MESSAGES "P0210" "else beside a question about messages";
    BLOCKING_ATOMIC "P0211" "an atomic sequence that can be interrupted where it blocks";
}

/// Looks for what is probably not meant.
pub(crate) fn lint(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut found = Vec::new();
    names::look(model, &mut found);
    statements::look(model, &mut found);
    diagnostics.append(&mut found);
}

fn warn(found: &mut Vec<Diagnostic>, code: Code, span: Span, message: impl Into<String>) {
    found.push(Diagnostic::warning(code, span, message));
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_sorted() {
        assert!(super::LINTS.windows(2).all(|pair| pair[0].id < pair[1].id));
    }
}
