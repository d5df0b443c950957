//! The syntax tree: a Promela model as it was written.
//!
//! The tree is faithful to the source after preprocessing and the expansion of `inline`s: declarations stay where they
//! stand, names are not resolved (an `mtype` constant is a [`VariableRef`] here), `skip` and `true` are the number 1.
//! Every node has a [`Span`]; a statement's span covers the statement without its labels, so that its source text can be
//! shown as it is.
//!
//! The tree's height is limited by the parser ([`MAXIMUM_HEIGHT`]), so walking it by recursion is safe.

use std::sync::Arc;

use mazurka_span::Span;

pub use crate::annotation::{Annotation, Object};
pub use mazurka_syntax::{BinaryOperator, Name, UnaryOperator};

/// No expression is nested deeper than this; statements are nested less than a hundred deep.
pub const MAXIMUM_HEIGHT: u32 = 1000;

/// A whole model, in source order.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// What stands at the top level.
    pub units: Vec<Unit>,
}

/// What may stand at the top level.
// There are few units, so the room that small ones waste does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Unit {
    /// Names of messages.
    Mtype(MtypeDeclaration),
    /// A declaration of variables.
    Declaration(Declaration),
    /// A structure.
    Typedef(Typedef),
    /// A type of processes.
    Proctype(Proctype),
    /// The first process.
    Init(Init),
    /// A never claim.
    Never(Never),
    /// A trace assertion.
    Trace(Trace),
    /// A formula.
    Ltl(Ltl),
    /// Not of the model: an expression whose value somebody outside asks for.
    Expression(Expr),
    /// For information only: every call has been expanded in place.
    Inline(InlineDefinition),
}

/// `mtype = { a, b }` or `mtype:set = { a, b }`.
#[derive(Clone, Debug)]
pub struct MtypeDeclaration {
    /// The name of the set, if it has one.
    pub set: Option<Name>,
    /// In source order. (SPIN numbers them from the last: see its manual on `mtype`.)
    pub names: Vec<Name>,
    /// Where it stands.
    pub span: Span,
}

/// `hidden byte a, b[3] = 1`: one type and the variables of that type.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What a comment before it says about its channels.
    pub annotation: Option<Annotation>,
    /// Written before the type.
    pub visibility: Option<Visibility>,
    /// The type.
    pub type_name: TypeName,
    /// The variables.
    pub variables: Vec<Variable>,
    /// Where it stands.
    pub span: Span,
}

/// Who sees a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// `hidden`
    Hidden,
    /// `show`
    Show,
    /// `local`
    Local,
}

/// The name of a type where it is used.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`
    Unsigned,
    /// `mtype`, or `mtype:set`.
    Mtype(Option<Name>),
    /// `chan`
    Chan,
    /// The name of a `typedef`.
    User(Name),
}

/// One variable of a declaration, a field of a typedef, or a parameter of a proctype.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// `: 3` after the name, the width in bits of an `unsigned`.
    pub width: Option<Expr>,
    /// The bound between the brackets: a constant expression, or the name of an initialised variable.
    pub array: Option<Expr>,
    /// Its first value, if that is said.
    pub initializer: Option<Initializer>,
    /// Where it stands.
    pub span: Span,
}

/// A first value.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// An expression.
    Expression(Expr),
    /// `{ 1, 2, 3 }`, for arrays; the elements are constants.
    List {
        /// The elements.
        elements: Vec<Expr>,
        /// Where it stands.
        span: Span,
    },
    /// `[capacity] of { fields }`.
    Channel(ChannelInitializer),
}

/// `[2] of { byte, bit }`
#[derive(Clone, Debug)]
pub struct ChannelInitializer {
    /// How many messages it holds.
    pub capacity: Expr,
    /// The types of a message's fields.
    pub fields: Vec<TypeName>,
    /// Where it stands.
    pub span: Span,
}

/// `typedef T { byte a; bit b }`
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Declaration>,
    /// Where it stands.
    pub span: Span,
}

/// `proctype P(byte a) { … }`
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: Name,
    /// Written `D_proctype`.
    pub deterministic: bool,
    /// How many there are at the start.
    pub active: Option<Active>,
    /// Its parameters.
    pub parameters: Vec<Declaration>,
    /// Its priority, if that is said.
    pub priority: Option<Expr>,
    /// The condition under which the process may move.
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Sequence,
    /// Where it stands.
    pub span: Span,
}

/// `active` or `active [count]`.
#[derive(Clone, Debug)]
pub struct Active {
    /// A constant expression, or the name of an initialised variable. One instance without it.
    pub count: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// `init { … }`
#[derive(Clone, Debug)]
pub struct Init {
    /// Its priority, if that is said.
    pub priority: Option<Expr>,
    /// What it does.
    pub body: Sequence,
    /// The word `init`.
    pub keyword: Span,
    /// Where it stands.
    pub span: Span,
}

/// `never { … }`
#[derive(Clone, Debug)]
pub struct Never {
    /// Without one, SPIN calls the claim `never_N`, counting the claims before it.
    pub name: Option<Name>,
    /// What it does.
    pub body: Sequence,
    /// Where it stands.
    pub span: Span,
}

/// `trace { … }` or `notrace { … }`.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Written `notrace`.
    pub negated: bool,
    /// What it does.
    pub body: Sequence,
    /// Where it stands.
    pub span: Span,
}

/// `inline f(a, b) { … }`
#[derive(Clone, Debug)]
pub struct InlineDefinition {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// Where it stands.
    pub span: Span,
}

/// `ltl name { formula }`.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Without one, SPIN calls the formula `ltl_N`, counting the unnamed formulas before it.
    pub name: Option<Name>,
    /// The formula.
    pub formula: Formula,
    /// The formula as text, macros expanded.
    pub text: String,
    /// The formula in the source, without the braces.
    pub formula_span: Span,
    /// Does it stand beside the model, as `--ltl` gives it?
    pub is_given: bool,
    /// Where it stands.
    pub span: Span,
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What it is.
    pub kind: FormulaKind,
    /// Where it stands.
    pub span: Span,
}

/// A formula of linear temporal logic. Negation, conjunction and disjunction stand here, not inside the atoms, unless
/// an arithmetic or comparison operator is applied to them.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// A condition on a state.
    Atom(Expr),
    /// Negation.
    Not(Box<Formula>),
    /// `X` or `next`.
    Next(Box<Formula>),
    /// `[]` or `always`.
    Always(Box<Formula>),
    /// `<>` or `eventually`.
    Eventually(Box<Formula>),
    /// An operator between two operands.
    Binary {
        /// The operator.
        operator: FormulaOperator,
        /// The left operand.
        left: Box<Formula>,
        /// The right operand.
        right: Box<Formula>,
    },
}

/// Operators between two formulas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FormulaOperator {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// `->` or `implies`.
    Implies,
    /// `<->` or `equivalent`.
    Equivalent,
    /// `U`, `until` or `stronguntil`.
    Until,
    /// `W` or `weakuntil`.
    WeakUntil,
    /// `V` or `release`.
    Release,
}

/// Statements one after the other; `;` and `->` between them mean the same.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Where it stands.
    pub span: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Outermost first. For `L: a unless b` the label is that of `a`.
    pub labels: Vec<Name>,
    /// What it is.
    pub kind: StatementKind,
    /// Without the labels; a label with nothing behind it is a `skip` whose span is that of the label.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A declaration of variables.
    Declaration(Declaration),
    /// `xr a, b` or `xs a, b`.
    Exclusive {
        /// What nobody else may do.
        access: Exclusive,
        /// The channels.
        channels: Vec<VariableRef>,
    },
    /// Also a `return e` inside an inline called as `x = f(…)`: it assigns to `x`, and does not jump.
    Assign {
        /// The variable.
        target: VariableRef,
        /// The value.
        value: Expr,
    },
    /// `x++`
    Increment(VariableRef),
    /// `x--`
    Decrement(VariableRef),
    /// `assert(e)`
    Assert(Expr),
    /// `printf("…", a, b)`
    Printf {
        /// The text, with `%d` and the like.
        format: StringLiteral,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// The argument is a variable or a constant.
    Printm(Expr),
    /// A send.
    Send(Send),
    /// A receive.
    Receive(Receive),
    /// An expression.
    Expression(Expr),
    /// `else`
    Else,
    /// `goto l`
    Goto(Name),
    /// `break`
    Break,
    /// `if :: … fi`
    If(Vec<Sequence>),
    /// `do :: … od`
    Do(Vec<Sequence>),
    /// `for (variable : range) { body }`
    For {
        /// The variable.
        variable: VariableRef,
        /// The values that the variable takes.
        range: ForRange,
        /// What is repeated.
        body: Sequence,
    },
    /// `select (variable : from .. to)`
    Select {
        /// The variable.
        variable: VariableRef,
        /// The first value.
        from: Expr,
        /// The last value.
        to: Expr,
        /// What SPIN makes of it.
        form: SelectForm,
    },
    /// `atomic { … }`
    Atomic(Sequence),
    /// `d_step { … }`
    DStep(Sequence),
    /// `{ … }`
    Block(Sequence),
    /// An expanded call of an `inline`; the body is a block of its own scope.
    Inline(InlineCall),
    /// `main unless escape`
    Unless {
        /// What is done.
        main: Box<Statement>,
        /// What is done instead, as soon as it is possible.
        escape: Box<Statement>,
    },
    /// `set_priority(process, priority)`
    SetPriority {
        /// The process.
        process: Expr,
        /// Its new priority.
        priority: Expr,
    },
    /// What could not be parsed; a diagnostic has been given.
    Error,
}

/// What a process alone may do with a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusive {
    /// `xr`
    Receive,
    /// `xs`
    Send,
}

/// `q!a,b`, `q!a(b)`, `q!!a,b`.
#[derive(Clone, Debug)]
pub struct Send {
    /// The channel.
    pub channel: VariableRef,
    /// `!!`
    pub sorted: bool,
    /// All arguments, the first included when the form is `q!m(a, b)`.
    pub arguments: Vec<Expr>,
    /// Written `m(a, b)`, which means the same as `m, a, b`.
    pub tagged: bool,
}

/// `q?a,b`, `q??a(b)`, `q?<a,b>`, `q??<a,b>`.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: VariableRef,
    /// `??`: the first message that matches, wherever it is.
    pub random: bool,
    /// `<…>`: leave the message in the channel.
    pub peek: bool,
    /// What becomes of the fields.
    pub arguments: Vec<ReceiveArgument>,
    /// Written `m(a, b)`, which means the same as `m, a, b`.
    pub tagged: bool,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub struct ReceiveArgument {
    /// What it is.
    pub kind: ReceiveArgumentKind,
    /// Where it stands.
    pub span: Span,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub enum ReceiveArgumentKind {
    /// A number, possibly negated.
    Constant(Expr),
    /// `eval(e)`
    Eval(Expr),
    /// A variable to store into, or an `mtype` constant to match: the checker knows.
    Variable(VariableRef),
    /// `_`
    Anything,
}

/// What a `for` goes over.
#[derive(Clone, Debug)]
pub enum ForRange {
    /// `for (i : from .. to)`
    Interval {
        /// The first value.
        from: Expr,
        /// The last value.
        to: Expr,
    },
    /// `for (i in a)`: `a` is an array, or a channel whose messages go to the variable.
    In(VariableRef),
}

/// What SPIN makes of a `select`. It rewrites the text of a `select` whose bounds are plain numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelectForm {
    /// At most 33 values: `if :: i = a :: … :: i = b fi`.
    Options,
    /// More values: `i = a; do :: (i < b) -> i++ :: break od`.
    Loop,
    /// Any other bounds or variable, or inside an `inline`: the same loop, made of tree nodes.
    General,
}

/// `f(1, x)`, where `f` is an `inline`.
#[derive(Clone, Debug)]
pub struct InlineCall {
    /// Its name.
    pub name: Name,
    /// The arguments as text.
    pub arguments: Vec<String>,
    /// The `x` of `x = f(…)`.
    pub result: Option<VariableRef>,
    /// What it does.
    pub body: Sequence,
}

/// The text between the quotes, escapes not yet interpreted.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// The text.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Including the brackets around it, if any.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Number(Number),
    /// A variable.
    Variable(VariableRef),
    /// An operator and its operand.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// An operator between two operands.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `(condition -> yes : no)`
    Conditional {
        /// What decides.
        condition: Box<Expr>,
        /// Its value if the condition holds.
        yes: Box<Expr>,
        /// Its value if not.
        no: Box<Expr>,
    },
    /// `run P(1, x)`
    Run {
        /// The type of the process.
        proctype: Name,
        /// Its arguments.
        arguments: Vec<Expr>,
        /// Its priority, if that is said.
        priority: Option<Box<Expr>>,
    },
    /// `len(q)`
    Length(VariableRef),
    /// `empty(q)` and its kin
    Probe {
        /// What is asked.
        probe: Probe,
        /// The channel.
        channel: VariableRef,
    },
    /// `q?[a, b]` and `q??[a, b]`: could this message be received now?
    Poll {
        /// The channel.
        channel: VariableRef,
        /// Written `??`: anywhere in the channel.
        random: bool,
        /// What the fields must be.
        arguments: Vec<ReceiveArgument>,
    },
    /// `p[pid]@label` or `p@label`
    RemoteLabel {
        /// The type of the process.
        proctype: Name,
        /// Which process of that type.
        process: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `p[pid]:x` or `p:x`; the variable has one segment
    RemoteVariable {
        /// The type of the process.
        proctype: Name,
        /// Which process of that type.
        process: Option<Box<Expr>>,
        /// The variable.
        variable: VariableRef,
    },
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(pid)`
    Enabled(Box<Expr>),
    /// `pc_value(pid)`
    PcValue(Box<Expr>),
    /// `get_priority(pid)`
    GetPriority(Box<Expr>),
    /// What could not be parsed; a diagnostic has been given.
    Error,
}

/// A number and how it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// Its value.
    pub value: i32,
    /// How it was written.
    pub spelling: NumberSpelling,
}

/// How a number was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberSpelling {
    /// In decimal digits.
    Decimal,
    /// `'a'`
    Character,
    /// `true`
    True,
    /// `false`
    False,
    /// `skip`
    Skip,
}

/// What is asked about a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// `empty(q)`
    Empty,
    /// `nempty(q)`
    NotEmpty,
    /// `full(q)`
    Full,
    /// `nfull(q)`
    NotFull,
}

/// `a[i].b.c[j]`. The predefined `_pid`, `_last`, `_nr_pr`, `_priority` and the write-only `_` are such names too.
#[derive(Clone, Debug)]
pub struct VariableRef {
    /// Never empty.
    pub segments: Vec<Segment>,
    /// Where it stands.
    pub span: Span,
}

/// A name in a reference, and its index.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Its name.
    pub name: Name,
    /// The index, if there is one.
    pub index: Option<Box<Expr>>,
}

impl VariableRef {
    /// The name the reference starts with.
    pub fn name(&self) -> &Name {
        &self.segments[0].name
    }

    /// The name alone, if there is no index and no field.
    pub fn as_plain_name(&self) -> Option<&Name> {
        match self.segments.as_slice() {
            [Segment { name, index: None }] => Some(name),
            _ => None,
        }
    }
}

impl Unit {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Unit::Mtype(unit) => unit.span,
            Unit::Declaration(unit) => unit.span,
            Unit::Typedef(unit) => unit.span,
            Unit::Proctype(unit) => unit.span,
            Unit::Init(unit) => unit.span,
            Unit::Never(unit) => unit.span,
            Unit::Trace(unit) => unit.span,
            Unit::Ltl(unit) => unit.span,
            Unit::Expression(unit) => unit.span,
            Unit::Inline(unit) => unit.span,
        }
    }
}
