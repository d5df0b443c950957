//! The syntax tree. Every node knows where it stands.

use std::sync::Arc;

use mazurka_span::Span;
pub use mazurka_syntax::{BinaryOperator, Name, UnaryOperator};

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub constants: Vec<Constant>,
    pub enumerations: Vec<Enumeration>,
    pub globals: Vec<Variable>,
    pub machines: Vec<Machine>,
    pub instances: Vec<Instance>,
    pub formulas: Vec<Formula>,
    /// Not of the model: an expression whose value somebody outside asks for.
    pub asked_for: Option<Expression>,
    /// Where the `system` is, if there is one.
    pub system: Option<Span>,
}

/// `const N = 3;`
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: Name,
    pub value: Expression,
}

/// `enum Colour { red, green }`
#[derive(Clone, Debug)]
pub struct Enumeration {
    pub name: Name,
    pub values: Vec<Name>,
}

/// `var x: byte[4] = 1;` One for each name.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub type_name: Name,
    pub length: Option<Expression>,
    pub initial: Option<Expression>,
}

/// `machine Node(me: byte, next: Node) { … }`
#[derive(Clone, Debug)]
pub struct Machine {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub ports: Vec<Port>,
    pub variables: Vec<Variable>,
    pub states: Vec<State>,
    pub transitions: Vec<Transition>,
    pub span: Span,
}

/// `me: byte`
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Name,
    pub type_name: Name,
}

/// `port in[2] waits { data(byte), ack }`
#[derive(Clone, Debug)]
pub struct Port {
    pub name: Name,
    /// How many messages it holds; one if it is not said.
    pub capacity: Option<Expression>,
    /// Does a sender wait for room, instead of running into an overflow?
    pub waits: bool,
    pub messages: Vec<Message>,
}

/// `data(byte, bool)`
#[derive(Clone, Debug)]
pub struct Message {
    pub name: Name,
    pub fields: Vec<Name>,
}

/// `start state Idle;` One for each name.
#[derive(Clone, Debug)]
pub struct State {
    pub name: Name,
    pub start: bool,
    pub last: bool,
    pub progress: bool,
    pub accept: bool,
}

/// `Idle -> Busy when n > 0 ?in.data(x) { n := n - 1; } !other.in.ack;`
#[derive(Clone, Debug)]
pub struct Transition {
    pub from: Name,
    pub to: Name,
    pub predicate: Option<Expression>,
    pub receive: Option<Receive>,
    pub block: Vec<Statement>,
    pub sends: Vec<Send>,
    pub span: Span,
}

/// `?in.data(x, _, =y)`
#[derive(Clone, Debug)]
pub struct Receive {
    pub port: Name,
    pub message: Name,
    pub patterns: Vec<Pattern>,
    pub span: Span,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// `_`
    Ignore(Span),
    /// `x` or `x[1]`
    Store(Place),
    /// `=x + 1`
    Match(Expression),
}

/// `!other.in.data(1, x)`
#[derive(Clone, Debug)]
pub struct Send {
    pub target: Expression,
    pub port: Name,
    pub message: Name,
    pub values: Vec<Expression>,
    pub span: Span,
}

/// A variable or an element of one.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: Name,
    pub index: Option<Box<Expression>>,
}

/// A part of a computation block.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `x := 1;`
    Assign(Place, Expression),
    /// `if c { … } else { … }`
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// `while c { … }`
    While(Expression, Vec<Statement>),
    /// `for i in 0..n { … }`
    For(Name, Expression, Expression, Vec<Statement>),
    /// `assert c;`
    Assert(Expression),
}

/// `node[i < N]: Node(i, node[(i + 1) % N]);`
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: Name,
    /// The variable that counts the instances, and their number.
    pub count: Option<(Name, Expression)>,
    pub machine: Name,
    pub arguments: Vec<Expression>,
}

/// `ltl p { [] (x -> <> y) }`
#[derive(Clone, Debug)]
pub struct Formula {
    pub name: Name,
    pub body: Expression,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    Number(i32),
    Truth(bool),
    Name(Arc<str>),
    /// `x[i]`, or an instance of an array of them.
    Index(Name, Box<Expression>),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `len(in)`: the number of messages of a port.
    Length(Box<Expression>),
    /// `node[1].x`: a variable or port of an instance.
    Member(Box<Expression>, Name),
    /// `node[1] at Done`: is the instance in that state?
    At(Box<Expression>, Name),
    /// What could not be read; a diagnostic says why.
    Wrong,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// On a value.
    Value(UnaryOperator),
    Always,
    Eventually,
    Next,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// On values; `&&` and `||` also join formulas.
    Value(BinaryOperator),
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
}

impl Unary {
    /// Is it an operator of temporal logic?
    pub fn is_temporal(self) -> bool {
        matches!(self, Unary::Always | Unary::Eventually | Unary::Next)
    }
}

impl Binary {
    /// Is it an operator of temporal logic?
    pub fn is_temporal(self) -> bool {
        matches!(self, Binary::Until | Binary::WeakUntil | Binary::Release)
    }
}
