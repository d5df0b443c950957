//! Text about a model that is not part of it.

/// A formula or an expression that is given besides a model. It is read for itself, with spans of its own, and knows the names of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snippet<'a> {
    /// What it is called in the source map and in diagnostics, such as `--ltl`.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// What is said about a model from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Snippets<'a> {
    /// A formula of temporal logic, which becomes the last of the model's.
    pub formula: Option<Snippet<'a>>,
    /// An expression whose value in a state is asked for.
    pub expression: Option<Snippet<'a>>,
}
