//! The syntax tree. Every node knows where it stands.

use std::sync::Arc;

use mazurka_span::Span;
pub use mazurka_syntax::{BinaryOperator, Name, UnaryOperator};

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The constants.
    pub constants: Vec<Constant>,
    /// The enumerations.
    pub enumerations: Vec<Enumeration>,
    /// The variables that all machines share.
    pub globals: Vec<Variable>,
    /// The kinds of object that the model makes itself.
    pub kinds: Vec<Kind>,
    /// The objects that all machines share.
    pub objects: Vec<Object>,
    /// The machines.
    pub machines: Vec<Machine>,
    /// The instances of machines.
    pub instances: Vec<Instance>,
    /// The formulas.
    pub formulas: Vec<Formula>,
    /// Not of the model: an expression whose value somebody outside asks for.
    pub asked_for: Option<Expression>,
    /// Where the `system` is, if there is one.
    pub system: Option<Span>,
}

/// `const N = 3;`
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expression,
}

/// `enum Colour { red, green }`
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: Name,
    /// Its values, in the order of the text.
    pub values: Vec<Name>,
}

/// `var x: byte[4] = 1;` One for each name.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// The name of its type.
    pub type_name: Name,
    /// The number of elements of an array.
    pub length: Option<Expression>,
    /// Its first value, if that is said.
    pub initial: Option<Expression>,
}

/// `object Door { start state open; state shut; close: open -> shut; }`
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: Name,
    /// Its states.
    pub states: Vec<State>,
    /// What can be done with it.
    pub operations: Vec<Operation>,
}

/// `close: open -> shut, shut -> shut;`
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name.
    pub name: Name,
    /// From which states it leads where; in others it waits.
    pub edges: Vec<(Name, Name)>,
}

/// `semaphore slots[2](3) = 1;` or `shared door: Door;`. One for each name.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub sort: Sort,
    /// The number of elements of an array.
    pub length: Option<Expression>,
    /// The number in parentheses: how far it counts, or how many meet at a barrier.
    pub bound: Option<Expression>,
    /// Where it counts from, if that is said.
    pub initial: Option<Expression>,
}

/// What an object is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    /// `lock` and `unlock`.
    Mutex,
    /// `take` and `release`, which wait.
    Semaphore,
    /// `increase` and `decrease`, which fail.
    Counter,
    /// `arrive` and `pass`.
    Barrier,
    /// Of the model's own.
    Own(Name),
}

/// `slots[1].take`
#[derive(Clone, Debug)]
pub struct Use {
    /// The object, and which element of an array.
    pub object: Place,
    /// What is done.
    pub operation: Name,
    /// Where it stands.
    pub span: Span,
}

/// `machine Node(me: byte, next: Node) { … }`
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The ports.
    pub ports: Vec<Port>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The states.
    pub states: Vec<State>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// Where it stands.
    pub span: Span,
}

/// `me: byte`
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// The name of its type.
    pub type_name: Name,
}

/// `port in[2] waits { data(byte), ack }`, or `loses`, `duplicates`, `sorted`, `reorders`
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name.
    pub name: Name,
    /// How many messages it holds; one if it is not said.
    pub capacity: Option<Expression>,
    /// Does a sender wait for room, instead of running into an overflow?
    pub waits: bool,
    /// May it lose what is sent to it?
    pub loses: bool,
    /// May it have twice what is sent to it once?
    pub duplicates: bool,
    /// In which order its messages can be taken.
    pub order: Order,
    /// What it takes.
    pub messages: Vec<Message>,
}

/// In which order the messages of a port can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As they were sent.
    Sent,
    /// As they stand in the declaration, and then by their fields.
    Sorted,
    /// In any order.
    Any,
}

/// `data(byte, bool)`
#[derive(Clone, Debug)]
pub struct Message {
    /// Its name.
    pub name: Name,
    /// The types of its fields.
    pub fields: Vec<Name>,
}

/// `start state Idle;` One for each name.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// Does the machine begin here?
    pub start: bool,
    /// May the machine stop here?
    pub last: bool,
    /// Is being here progress?
    pub progress: bool,
    /// Is it marked as accepting?
    pub accept: bool,
}

/// `Idle -> Busy when n > 0 do slots.take ?in.data(x) { n := n - 1; } !other.in.ack;`
#[derive(Clone, Debug)]
pub struct Transition {
    /// The state that it leaves.
    pub from: Name,
    /// The state that it leads to.
    pub to: Name,
    /// When it is possible.
    pub predicate: Option<Expression>,
    /// What it does with objects.
    pub uses: Vec<Use>,
    /// What it receives.
    pub receive: Option<Receive>,
    /// What it computes.
    pub block: Vec<Statement>,
    /// What it sends, in this order.
    pub sends: Vec<Send>,
    /// Where it stands.
    pub span: Span,
}

/// `?in.data(x, _, =y)`
#[derive(Clone, Debug)]
pub struct Receive {
    /// The port.
    pub port: Name,
    /// The message.
    pub message: Name,
    /// What becomes of the fields.
    pub patterns: Vec<Pattern>,
    /// Where it stands.
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
    /// The instance that it goes to.
    pub target: Expression,
    /// The port.
    pub port: Name,
    /// The message.
    pub message: Name,
    /// The values that are sent.
    pub values: Vec<Expression>,
    /// Where it stands.
    pub span: Span,
}

/// A variable or an element of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its name.
    pub name: Name,
    /// The index, if it is an element.
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
    /// Its name.
    pub name: Name,
    /// The variable that counts the instances, and their number.
    pub count: Option<(Name, Expression)>,
    /// The machine.
    pub machine: Name,
    /// What its parameters are.
    pub arguments: Vec<Expression>,
}

/// `ltl p { [] (x -> <> y) }`
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its name.
    pub name: Name,
    /// The formula.
    pub body: Expression,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A number.
    Number(i32),
    /// True or false.
    Truth(bool),
    /// A name.
    Name(Arc<str>),
    /// `x[i]`, or an instance of an array of them.
    Index(Name, Box<Expression>),
    /// An operator and its operand.
    Unary(Unary, Box<Expression>),
    /// An operator between two operands.
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
    /// Always.
    Always,
    /// Now or later.
    Eventually,
    /// In the next state.
    Next,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// On values; `&&` and `||` also join formulas.
    Value(BinaryOperator),
    /// Implication.
    Implies,
    /// Equivalence.
    Equivalent,
    /// Until.
    Until,
    /// Until, or for ever.
    WeakUntil,
    /// Release.
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
