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
pub use mazurka_syntax::{BinaryOperator, Name, UnaryOperator};

/// No expression is nested deeper than this; statements are nested less than a hundred deep.
pub const MAXIMUM_HEIGHT: u32 = 1000;

/// A whole model, in source order.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub units: Vec<Unit>,
}

/// What may stand at the top level.
// There are few units, so the room that small ones waste does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Unit {
    Mtype(MtypeDeclaration),
    Declaration(Declaration),
    Typedef(Typedef),
    Proctype(Proctype),
    Init(Init),
    Never(Never),
    Trace(Trace),
    Ltl(Ltl),
    /// Not of the model: an expression whose value somebody outside asks for.
    Expression(Expr),
    /// For information only: every call has been expanded in place.
    Inline(InlineDefinition),
}

/// `mtype = { a, b }` or `mtype:set = { a, b }`.
#[derive(Clone, Debug)]
pub struct MtypeDeclaration {
    pub set: Option<Name>,
    /// In source order. (SPIN numbers them from the last: see its manual on `mtype`.)
    pub names: Vec<Name>,
    pub span: Span,
}

/// `hidden byte a, b[3] = 1`: one type and the variables of that type.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub visibility: Option<Visibility>,
    pub type_name: TypeName,
    pub variables: Vec<Variable>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    Hidden,
    Show,
    Local,
}

#[derive(Clone, Debug)]
pub struct TypeName {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    /// `mtype`, or `mtype:set`.
    Mtype(Option<Name>),
    Chan,
    /// The name of a `typedef`.
    User(Name),
}

/// One variable of a declaration, a field of a typedef, or a parameter of a proctype.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    /// `: 3` after the name, the width in bits of an `unsigned`.
    pub width: Option<Expr>,
    /// The bound between the brackets: a constant expression, or the name of an initialised variable.
    pub array: Option<Expr>,
    pub initializer: Option<Initializer>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Initializer {
    Expression(Expr),
    /// `{ 1, 2, 3 }`, for arrays; the elements are constants.
    List {
        elements: Vec<Expr>,
        span: Span,
    },
    /// `[capacity] of { fields }`.
    Channel(ChannelInitializer),
}

#[derive(Clone, Debug)]
pub struct ChannelInitializer {
    pub capacity: Expr,
    pub fields: Vec<TypeName>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: Name,
    pub fields: Vec<Declaration>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Proctype {
    pub name: Name,
    /// Written `D_proctype`.
    pub deterministic: bool,
    pub active: Option<Active>,
    pub parameters: Vec<Declaration>,
    pub priority: Option<Expr>,
    pub provided: Option<Expr>,
    pub body: Sequence,
    pub span: Span,
}

/// `active` or `active [count]`.
#[derive(Clone, Debug)]
pub struct Active {
    /// A constant expression, or the name of an initialised variable. One instance without it.
    pub count: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Init {
    pub priority: Option<Expr>,
    pub body: Sequence,
    /// The word `init`.
    pub keyword: Span,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Never {
    /// Without one, SPIN calls the claim `never_N`, counting the claims before it.
    pub name: Option<Name>,
    pub body: Sequence,
    pub span: Span,
}

/// `trace { … }` or `notrace { … }`.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Written `notrace`.
    pub negated: bool,
    pub body: Sequence,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InlineDefinition {
    pub name: Name,
    pub parameters: Vec<Name>,
    pub span: Span,
}

/// `ltl name { formula }`.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Without one, SPIN calls the formula `ltl_N`, counting the unnamed formulas before it.
    pub name: Option<Name>,
    pub formula: Formula,
    /// The formula as text, macros expanded.
    pub text: String,
    /// The formula in the source, without the braces.
    pub formula_span: Span,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Formula {
    pub kind: FormulaKind,
    pub span: Span,
}

/// A formula of linear temporal logic. Negation, conjunction and disjunction stand here, not inside the atoms, unless
/// an arithmetic or comparison operator is applied to them.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    Atom(Expr),
    Not(Box<Formula>),
    /// `X` or `next`.
    Next(Box<Formula>),
    /// `[]` or `always`.
    Always(Box<Formula>),
    /// `<>` or `eventually`.
    Eventually(Box<Formula>),
    Binary {
        operator: FormulaOperator,
        left: Box<Formula>,
        right: Box<Formula>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FormulaOperator {
    And,
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
    pub statements: Vec<Statement>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Statement {
    /// Outermost first. For `L: a unless b` the label is that of `a`.
    pub labels: Vec<Name>,
    pub kind: StatementKind,
    /// Without the labels; a label with nothing behind it is a `skip` whose span is that of the label.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Declaration(Declaration),
    /// `xr a, b` or `xs a, b`.
    Exclusive {
        access: Exclusive,
        channels: Vec<VariableRef>,
    },
    /// Also a `return e` inside an inline called as `x = f(…)`: it assigns to `x`, and does not jump.
    Assign {
        target: VariableRef,
        value: Expr,
    },
    Increment(VariableRef),
    Decrement(VariableRef),
    Assert(Expr),
    Printf {
        format: StringLiteral,
        arguments: Vec<Expr>,
    },
    /// The argument is a variable or a constant.
    Printm(Expr),
    Send(Send),
    Receive(Receive),
    Expression(Expr),
    Else,
    Goto(Name),
    Break,
    If(Vec<Sequence>),
    Do(Vec<Sequence>),
    For {
        variable: VariableRef,
        range: ForRange,
        body: Sequence,
    },
    Select {
        variable: VariableRef,
        from: Expr,
        to: Expr,
        form: SelectForm,
    },
    Atomic(Sequence),
    DStep(Sequence),
    Block(Sequence),
    /// An expanded call of an `inline`; the body is a block of its own scope.
    Inline(InlineCall),
    Unless {
        main: Box<Statement>,
        escape: Box<Statement>,
    },
    SetPriority {
        process: Expr,
        priority: Expr,
    },
    /// What could not be parsed; a diagnostic has been given.
    Error,
}

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
    pub channel: VariableRef,
    /// `??`: the first message that matches, wherever it is.
    pub random: bool,
    /// `<…>`: leave the message in the channel.
    pub peek: bool,
    pub arguments: Vec<ReceiveArgument>,
    /// Written `m(a, b)`, which means the same as `m, a, b`.
    pub tagged: bool,
}

#[derive(Clone, Debug)]
pub struct ReceiveArgument {
    pub kind: ReceiveArgumentKind,
    pub span: Span,
}

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

#[derive(Clone, Debug)]
pub enum ForRange {
    /// `for (i : from .. to)`
    Interval { from: Expr, to: Expr },
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

#[derive(Clone, Debug)]
pub struct InlineCall {
    pub name: Name,
    /// The arguments as text.
    pub arguments: Vec<String>,
    /// The `x` of `x = f(…)`.
    pub result: Option<VariableRef>,
    pub body: Sequence,
}

/// The text between the quotes, escapes not yet interpreted.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    pub text: Arc<str>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Including the brackets around it, if any.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(Number),
    Variable(VariableRef),
    Unary {
        operator: UnaryOperator,
        operand: Box<Expr>,
    },
    Binary {
        operator: BinaryOperator,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `(condition -> yes : no)`
    Conditional {
        condition: Box<Expr>,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
    Run {
        proctype: Name,
        arguments: Vec<Expr>,
        priority: Option<Box<Expr>>,
    },
    /// `len(q)`
    Length(VariableRef),
    /// `empty(q)` and its kin
    Probe {
        probe: Probe,
        channel: VariableRef,
    },
    /// `q?[a, b]` and `q??[a, b]`: could this message be received now?
    Poll {
        channel: VariableRef,
        random: bool,
        arguments: Vec<ReceiveArgument>,
    },
    /// `p[pid]@label` or `p@label`
    RemoteLabel {
        proctype: Name,
        process: Option<Box<Expr>>,
        label: Name,
    },
    /// `p[pid]:x` or `p:x`; the variable has one segment
    RemoteVariable {
        proctype: Name,
        process: Option<Box<Expr>>,
        variable: VariableRef,
    },
    Timeout,
    /// `np_`
    NonProgress,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    /// What could not be parsed; a diagnostic has been given.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    pub value: i32,
    pub spelling: NumberSpelling,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberSpelling {
    Decimal,
    /// `'a'`
    Character,
    True,
    False,
    Skip,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    Empty,
    NotEmpty,
    Full,
    NotFull,
}

/// `a[i].b.c[j]`. The predefined `_pid`, `_last`, `_nr_pr`, `_priority` and the write-only `_` are such names too.
#[derive(Clone, Debug)]
pub struct VariableRef {
    /// Never empty.
    pub segments: Vec<Segment>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Segment {
    pub name: Name,
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
