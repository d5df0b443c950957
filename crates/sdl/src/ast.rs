//! The syntax tree. Every node knows where it stands.

use mazurka_span::Span;
pub use mazurka_syntax::{BinaryOperator, Name, UnaryOperator};

/// A whole system; what its blocks declare besides processes and routes is put together with what it declares itself.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub name: Option<Name>,
    pub signals: Vec<Signal>,
    pub lists: Vec<SignalList>,
    pub synonyms: Vec<Synonym>,
    pub types: Vec<TypeDefinition>,
    pub channels: Vec<Path>,
    pub blocks: Vec<Block>,
    /// Not of the model: formulas and an expression that are asked for besides.
    pub formulas: Vec<(Name, Expression)>,
    pub asked_for: Option<Expression>,
}

/// `signal a(Integer);` One for each name.
#[derive(Clone, Debug)]
pub struct Signal {
    pub name: Name,
    pub parameters: Vec<Name>,
}

/// `signallist l = a, (m);`
#[derive(Clone, Debug)]
pub struct SignalList {
    pub name: Name,
    pub members: Vec<Member>,
}

/// A signal, or in brackets a list of them.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Name,
    pub list: bool,
}

/// `synonym n Integer = 3;`
#[derive(Clone, Debug)]
pub struct Synonym {
    pub name: Name,
    pub type_name: Option<Name>,
    /// None if it is external: given from outside.
    pub value: Option<Expression>,
}

/// `newtype c literals a, b endnewtype;` or `syntype s = Integer constants 0:3 endsyntype;`
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    pub name: Name,
    pub kind: TypeKind,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Literals(Vec<Name>),
    Range {
        of: Name,
        bounds: Option<(Expression, Expression)>,
    },
}

/// A channel between blocks, or a signal route between processes.
#[derive(Clone, Debug)]
pub struct Path {
    pub name: Name,
    pub delays: bool,
    pub ways: Vec<Way>,
}

/// `from a to b with s, t;` Without a name: the environment.
#[derive(Clone, Debug)]
pub struct Way {
    pub from: Option<Name>,
    pub to: Option<Name>,
    pub signals: Vec<Member>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub name: Name,
    pub routes: Vec<Path>,
    /// `connect channel and routes;`
    pub connections: Vec<(Name, Vec<Name>)>,
    pub processes: Vec<Process>,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: Name,
    /// How many there are at the start.
    pub count: Option<Expression>,
    pub variables: Vec<Variable>,
    pub timers: Vec<Name>,
    pub start: Option<Body>,
    pub states: Vec<State>,
}

/// `dcl x Integer := 0;` One for each name.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub type_name: Name,
    pub initial: Option<Expression>,
}

/// What is said about some states, together.
#[derive(Clone, Debug)]
pub struct State {
    pub of: States,
    /// `comment 'end'` and the like.
    pub marks: Vec<String>,
    pub triggers: Vec<Trigger>,
    pub span: Span,
}

/// Which states.
#[derive(Clone, Debug)]
pub enum States {
    Named(Vec<Name>),
    /// `*(a, b)`: all but these.
    AllBut(Vec<Name>),
}

/// What sets a transition off, and the transition.
#[derive(Clone, Debug)]
pub struct Trigger {
    pub kind: TriggerKind,
    pub provided: Option<Expression>,
    pub body: Body,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TriggerKind {
    /// `input a(x), b;`
    Input(Vec<Stimulus>),
    /// `input *;`
    AnyInput,
    /// `input none;`
    Spontaneous,
    /// `provided e; priority 1;`
    Continuous(u32),
    /// `save a, b;`
    Save(Vec<Member>),
    /// `save *;`
    SaveAll,
}

/// A signal and the variables that take its parameters; an empty place drops one.
#[derive(Clone, Debug)]
pub struct Stimulus {
    pub signal: Name,
    pub targets: Vec<Option<Name>>,
}

/// Actions one after the other.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub actions: Vec<Action>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Action {
    pub label: Option<Name>,
    pub kind: ActionKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ActionKind {
    /// `task x := 1;`
    Assign(Name, Expression),
    /// `task 'text';`
    Informal,
    Output(Output),
    /// `set(now + 5, t);`
    Set(Name),
    Reset(Name),
    Decision(Question, Vec<Answer>),
    /// None: `nextstate -`.
    NextState(Option<Name>),
    Stop,
    Join(Name),
}

/// `output a(1, x) to p via r;`
#[derive(Clone, Debug)]
pub struct Output {
    pub signal: Name,
    pub values: Vec<Expression>,
    pub to: Option<Expression>,
    pub via: Vec<Name>,
}

#[derive(Clone, Debug)]
pub enum Question {
    Value(Expression),
    /// `any`, or informal text: a free choice.
    Any,
}

#[derive(Clone, Debug)]
pub struct Answer {
    /// None: `else`, or the answer of a free choice.
    pub ranges: Option<Vec<Range>>,
    pub body: Body,
    pub span: Span,
}

/// `3`, `1:4` or `>= 2`.
#[derive(Clone, Debug)]
pub enum Range {
    Between(Expression, Expression),
    Compared(BinaryOperator, Expression),
}

#[derive(Clone, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExpressionKind {
    Number(i32),
    Truth(bool),
    Null,
    Own,
    Sender,
    Name(Name),
    /// `active(t)`
    Active(Name),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `if c then a else b fi`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// Of a formula: `p at s`, `p(2) at s`.
    At(Instance, Name),
    /// Of a formula: `p.x`.
    Member(Instance, Name),
    /// Of a formula: `len(p)`.
    Length(Instance),
    /// What could not be read; a diagnostic says why.
    Wrong,
}

/// An instance of a process: the first, or the one with that number.
#[derive(Clone, Debug)]
pub struct Instance {
    pub process: Name,
    pub number: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Value(UnaryOperator),
    Always,
    Eventually,
    Next,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Value(BinaryOperator),
    /// Not negative for a positive divisor, unlike the remainder.
    Modulo,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
}
