//! The syntax tree of a generated model.
//!
//! Smaller than Promela's real grammar and owned by this crate, so that the judge shares nothing with the front end it
//! judges. It exists to be printed ([`crate::print`]) and cut to pieces ([`crate::shrink`]); it is never checked.

/// A whole model, in the order in which it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub mtypes: Vec<String>,
    pub macros: Vec<Macro>,
    pub structures: Vec<Structure>,
    pub globals: Vec<Declaration>,
    pub inlines: Vec<Inline>,
    pub processes: Vec<Process>,
    pub trace: Option<Trace>,
    pub claims: Vec<Claim>,
}

/// `trace { body }`, or `notrace` if it must not happen. Its body is made of sends and receives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub negated: bool,
    pub body: Block,
}

/// What a model says about its executions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    Formula { name: String, formula: Formula },
    Never { name: String, body: Block },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Atom(Expression),
    Unary(&'static str, Box<Formula>),
    Binary(&'static str, Box<Formula>, Box<Formula>),
}

/// `#define name (value)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Macro {
    pub name: String,
    pub value: Expression,
}

/// `typedef name { fields }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    pub name: String,
    pub fields: Vec<Declaration>,
}

/// `inline name(parameters) { body }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Block,
}

/// A declaration of one name, global, local or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// `hidden`, `local` or `show`
    pub prefix: Option<&'static str>,
    pub kind: Type,
    pub name: String,
    /// `Some(n)` for an array of n elements.
    pub length: Option<u32>,
    pub initial: Option<Initial>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    Value(Expression),
    Elements(Vec<i64>),
    Channel { capacity: u32, fields: Vec<Type> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Mtype,
    /// `unsigned name : width`
    Unsigned(u8),
    Channel,
    Structure(String),
}

impl Type {
    /// How many bits a variable of this type keeps; a sign counts as one more.
    pub fn width(&self) -> u8 {
        match self {
            Type::Bit | Type::Bool => 1,
            Type::Byte | Type::Mtype | Type::Channel => 8,
            Type::Short => 17,
            Type::Int => 33,
            Type::Unsigned(width) => *width,
            Type::Structure(_) => 0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub name: String,
    pub start: Start,
    /// `D_proctype` instead of `proctype`
    pub deterministic: bool,
    pub parameters: Vec<Declaration>,
    pub priority: Option<u8>,
    pub provided: Option<Expression>,
    pub body: Block,
}

/// How a process comes to life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The `init` process.
    Init,
    /// `active [n] proctype`
    Active(u32),
    /// Only by `run`.
    Run,
}

pub type Block = Vec<Statement>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Declare(Declaration),
    Assign(Place, Expression),
    Increment(Place),
    Decrement(Place),
    Condition(Expression),
    Skip,
    Else,
    Assert(Expression),
    Print(Vec<Expression>),
    Send {
        channel: Place,
        sorted: bool,
        arguments: Vec<Expression>,
    },
    Receive {
        channel: Place,
        /// `??`: the first message that matches, not only the oldest.
        random: bool,
        /// `?< >`: leave the message in the channel.
        copy: bool,
        patterns: Vec<Pattern>,
    },
    If(Vec<Block>),
    Do(Vec<Block>),
    Break,
    Goto(String),
    Label(String, Box<Statement>),
    Atomic(Block),
    DeterministicStep(Block),
    Braces(Block),
    Unless(Block, Block),
    For {
        variable: Place,
        from: Expression,
        to: Expression,
        body: Block,
    },
    ForIn {
        variable: Place,
        /// An array, or a channel whose messages are taken one after the other.
        array: String,
        body: Block,
    },
    Select {
        variable: Place,
        from: Expression,
        to: Expression,
    },
    Run {
        /// `Some(p)` for `p = run …`.
        result: Option<Place>,
        /// `(run …)`, a condition
        tested: bool,
        process: String,
        arguments: Vec<Expression>,
        priority: Option<u8>,
    },
    /// A call of an inline.
    Call(String, Vec<Expression>),
    SetPriority(Expression, Expression),
    /// `xr` or `xs`: a promise that no other process receives from these channels, or sends to them.
    Exclusive(&'static str, Place),
}

/// Something that can be assigned to: `name[index].field[field_index].field`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    pub index: Option<Box<Expression>>,
    /// The way from a structure to one of its parts.
    pub fields: Vec<(String, Option<Box<Expression>>)>,
}

/// One argument of a receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    Store(Place),
    /// A number, an mtype name or a macro.
    Constant(Expression),
    Evaluate(Expression),
    Ignore,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    Number(i64),
    /// An mtype constant or a macro.
    Name(String),
    Read(Place),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `len`, `empty`, `nempty`, `full` or `nfull`.
    Probe(&'static str, Place),
    Poll {
        channel: Place,
        random: bool,
        patterns: Vec<Pattern>,
    },
    /// `process[pid]:variable`
    RemoteVariable(String, Option<Box<Expression>>, String),
    /// `process[pid]@label`
    RemoteLabel(String, Option<Box<Expression>>, String),
    /// `_pid`, `_nr_pr`, `_last`, `timeout`, `np_`
    Predefined(&'static str),
    /// `enabled`, `pc_value` or `get_priority`
    Query(&'static str, Box<Expression>),
}

impl Place {
    pub fn plain(name: impl Into<String>) -> Place {
        Place {
            name: name.into(),
            index: None,
            fields: Vec::new(),
        }
    }
}

impl Expression {
    pub fn read(name: impl Into<String>) -> Expression {
        Expression::Read(Place::plain(name))
    }

    pub fn binary(operator: &'static str, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }
}

impl Program {
    /// How many statements the model has, inner ones included.
    pub fn statement_count(&self) -> usize {
        let bodies = self.processes.iter().map(|process| &process.body);
        let inlines = self.inlines.iter().map(|inline| &inline.body);
        bodies.chain(inlines).map(count).sum()
    }
}

fn count(block: &Block) -> usize {
    block.iter().map(Statement::count).sum()
}

impl Statement {
    fn count(&self) -> usize {
        use Statement::*;
        match self {
            If(options) | Do(options) => 1 + options.iter().map(count).sum::<usize>(),
            Atomic(body) | DeterministicStep(body) | Braces(body) => 1 + count(body),
            For { body, .. } | ForIn { body, .. } => 1 + count(body),
            Unless(main, escape) => 1 + count(main) + count(escape),
            Label(_, inner) => inner.count(),
            _ => 1,
        }
    }
}
