//! The syntax tree. Every node knows where it stands.

use mazurka_span::Span;
pub use mazurka_syntax::{BinaryOperator, Name, UnaryOperator};

/// A whole system; what its blocks declare besides processes and routes is put together with what it declares itself.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Its signals.
    pub signals: Vec<Signal>,
    /// Its lists of signals.
    pub lists: Vec<SignalList>,
    /// Its synonyms.
    pub synonyms: Vec<Synonym>,
    /// Its types.
    pub types: Vec<TypeDefinition>,
    /// The channels between its blocks.
    pub channels: Vec<Path>,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// Not written: the blocks that were made of blocks, from scope 1 on.
    pub scopes: Vec<Scope>,
    /// Not written: signals that go to everybody who takes them, by no channel.
    pub implicit: Vec<String>,
    /// Procedures that every process knows, and operators of types.
    pub procedures: Vec<Procedure>,
    /// Operators of types of which only the signature is known.
    pub signatures: Vec<Name>,
    /// Types of ASN.1 that are one of several: their first field says which.
    pub choices: Vec<Name>,
    /// Constants of several values: their name, their type and their value.
    pub constants: Vec<(Name, Name, Expression)>,
    /// The numbers of the literals of these types, where they are not 0, 1, 2 and so on.
    pub numbers: Vec<(Name, Vec<i32>)>,
    /// Types whose range goes beyond 32 bits; a value beyond is an error.
    pub cut: Vec<Name>,
    /// What the fields of these types are if nothing is said (`DEFAULT`).
    pub defaults: Vec<(Name, Expression)>,
    /// What variables of these types are at the start if nothing is said: `newtype c literals a, b default b; endnewtype;`
    pub initials: Vec<(Name, Expression)>,
    /// `remote x Integer;`
    pub remotes: Vec<(Name, Name)>,
    /// The packages that are there, whose definitions are put together with the others.
    pub packages: Vec<Name>,
    /// The packages that are used.
    pub uses: Vec<Name>,
    /// Definitions that stand beside the system, for those that are `referenced` in it.
    pub blocks_beside: Vec<Block>,
    /// Likewise.
    pub processes_beside: Vec<Process>,
    /// Likewise.
    pub procedures_beside: Vec<Procedure>,
    /// Files of data types in ASN.1, as comments name them.
    pub asn1_files: Vec<Name>,
    /// Types and constants that are not supported, and why; whoever uses one is told.
    pub refused: Vec<(Name, String)>,
    /// Not of the model: formulas and an expression that are asked for besides.
    pub formulas: Vec<(Name, Expression)>,
    /// An expression whose value somebody outside asks for.
    pub asked_for: Option<Expression>,
}

impl System {
    /// Puts definitions together.
    pub fn join(&mut self, other: System) {
        self.signals.extend(other.signals);
        self.lists.extend(other.lists);
        self.synonyms.extend(other.synonyms);
        self.types.extend(other.types);
        self.channels.extend(other.channels);
        self.blocks.extend(other.blocks);
        self.procedures.extend(other.procedures);
        self.signatures.extend(other.signatures);
        self.choices.extend(other.choices);
        self.constants.extend(other.constants);
        self.defaults.extend(other.defaults);
        self.initials.extend(other.initials);
        self.numbers.extend(other.numbers);
        self.cut.extend(other.cut);
        self.remotes.extend(other.remotes);
        self.packages.extend(other.packages);
        self.uses.extend(other.uses);
        self.blocks_beside.extend(other.blocks_beside);
        self.processes_beside.extend(other.processes_beside);
        self.procedures_beside.extend(other.procedures_beside);
        self.asn1_files.extend(other.asn1_files);
        self.refused.extend(other.refused);
    }
}

/// `signal a(Integer);` One for each name.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// Not written: for each parameter that is a part of a value, which other parts say whether it is there. A part that is not there is
    /// as at the start.
    pub parts: Vec<Vec<Presence>>,
}

/// A part of a value is there if another part, by its number, is in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Presence {
    /// The number of the other part.
    pub part: usize,
    /// The least value that it has then.
    pub low: i32,
    /// The greatest.
    pub high: i32,
}

/// `signallist l = a, (m);`
#[derive(Clone, Debug)]
pub struct SignalList {
    /// Its name.
    pub name: Name,
    /// What it stands for.
    pub members: Vec<Member>,
}

/// A signal, or in brackets a list of them.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub name: Name,
    /// Is it a list?
    pub list: bool,
}

/// `synonym n Integer = 3;`
#[derive(Clone, Debug)]
pub struct Synonym {
    /// Its name.
    pub name: Name,
    /// The name of its type, if that is said.
    pub type_name: Option<Name>,
    /// None if it is external: given from outside.
    pub value: Option<Expression>,
}

/// `newtype c literals a, b endnewtype;`, `struct`, `array`, or `syntype s = Integer constants 0:3 endsyntype;`
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: TypeKind,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `newtype c literals a, b`
    Literals(Vec<Name>),
    /// `syntype s = Integer constants 0:3`
    Range {
        /// The type that it is a part of.
        of: Name,
        /// The least and the greatest value.
        bounds: Option<(Expression, Expression)>,
    },
    /// `newtype s struct x Integer; b Boolean; endnewtype`
    Structure(Vec<(Name, Name)>),
    /// `newtype a array(index, element) endnewtype`
    Array {
        /// The type of the index, which has a range or literals.
        index: Name,
        /// The type of the elements.
        element: Name,
    },
    /// Elements whose number changes: of ASN.1, and `newtype s String(t, none) constants size(0:4)`.
    Row {
        /// The index of the first element.
        first: i32,
        /// The type of the number of elements, which has a range.
        length: Name,
        /// The type of the elements.
        element: Name,
    },
}

impl TypeKind {
    /// The types that it is made of.
    pub fn parts(&self) -> Vec<&Name> {
        match self {
            TypeKind::Range { of, .. } => vec![of],
            TypeKind::Structure(fields) => fields.iter().map(|(_, type_)| type_).collect(),
            TypeKind::Array { index, element } => vec![index, element],
            TypeKind::Row {
                length, element, ..
            } => vec![length, element],
            TypeKind::Literals(_) => Vec::new(),
        }
    }
}

/// A channel between blocks, or a signal route between processes.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its name.
    pub name: Name,
    /// The block that it is a part of, by the number of its scope; 0 is the system.
    pub scope: usize,
    /// Does a signal take time on it?
    pub delays: bool,
    /// What goes which way.
    pub ways: Vec<Way>,
}

/// `from a to b with s, t;` Without a name: the environment.
#[derive(Clone, Debug)]
pub struct Way {
    /// Where from.
    pub from: Option<Name>,
    /// Where to.
    pub to: Option<Name>,
    /// What goes there.
    pub signals: Vec<Member>,
    /// Where it stands.
    pub span: Span,
}

/// `block b; … endblock;`
#[derive(Clone, Debug)]
pub struct Block {
    /// Its name.
    pub name: Name,
    /// The routes between its processes.
    pub routes: Vec<Path>,
    /// `connect channel and routes;`
    pub connections: Vec<(Name, Vec<Name>)>,
    /// Its processes.
    pub processes: Vec<Process>,
    /// What it declares itself: signals, lists of signals, types, synonyms and procedures.
    pub own: Vec<Name>,
    /// Is its definition elsewhere?
    pub referenced: bool,
    /// The blocks that it is made of, if it has no processes of its own.
    pub substructure: Option<Box<Substructure>>,
    /// The scope that it stands in; 0 is the system.
    pub scope: usize,
}

/// `substructure s; … endsubstructure;`
#[derive(Clone, Debug, Default)]
pub struct Substructure {
    /// The channels between its blocks.
    pub channels: Vec<Path>,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// `connect outer and inner;`
    pub connections: Vec<(Name, Vec<Name>)>,
}

/// A block that is made of blocks, when they have been put into one list.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The block.
    pub block: Name,
    /// The scope that it stands in.
    pub outer: usize,
    /// Which channels outside and inside are connected.
    pub connections: Vec<(Name, Vec<Name>)>,
}

/// `process p; … endprocess;`
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// How many there are at the start.
    pub count: Option<Expression>,
    /// How many there can be at a time.
    pub most: Option<Expression>,
    /// What it is given when it is created: the first of its variables.
    pub parameters: usize,
    /// The variables.
    pub variables: Vec<Variable>,
    /// Its timers.
    pub timers: Vec<Timer>,
    /// Its own procedures.
    pub procedures: Vec<Procedure>,
    /// Is its definition elsewhere?
    pub referenced: bool,
    /// What is done at the start.
    pub start: Option<Body>,
    /// The states.
    pub states: Vec<State>,
    /// `connection l: … endconnection;`: what only a `join` leads to.
    pub connections: Vec<Body>,
    /// Its states that have states.
    pub composites: Vec<Composite>,
    /// `viewed x Integer;`: variables of others that it sees.
    pub viewed: Vec<(Name, Name)>,
    /// `imported x Integer;`: variables of others that it asks for.
    pub imported: Vec<(Name, Name)>,
    /// The types and synonyms that it declares itself.
    pub own: Vec<Name>,
    /// `signalset a, b;`: signals that it takes, also if no state says anything about them.
    pub signals: Vec<Member>,
}

/// `state s; substructure … endsubstructure;` of OpenGEODE.
#[derive(Clone, Debug)]
pub struct Composite {
    /// The state.
    pub name: Name,
    /// Where it can be entered, besides its start.
    pub entries: Vec<Name>,
    /// Where it can be left, besides by a plain `return`.
    pub exits: Vec<Name>,
    /// The starts, with the names of the entries.
    pub starts: Vec<(Option<Name>, Body)>,
    /// What is declared in it, and its states.
    pub inside: Process,
    /// `state aggregation`: are its states parts that each are in a state of their own?
    pub aggregation: bool,
}

/// `timer t(small) := 5;`
#[derive(Clone, Debug)]
pub struct Timer {
    /// Its name.
    pub name: Name,
    /// The types of its parameters.
    pub parameters: Vec<Name>,
    /// Has it a duration of its own?
    pub has_duration: bool,
}

/// `procedure f; fpar in x Integer; … endprocedure;`
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// What it is given.
    pub parameters: Vec<Parameter>,
    /// The type of its value, with the name of the variable that has it, if that is said.
    pub returns: Option<(Option<Name>, Name)>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// Procedures that only this one knows.
    pub procedures: Vec<Procedure>,
    /// What is done at the start.
    pub start: Option<Body>,
    /// The states.
    pub states: Vec<State>,
    /// What only a `join` leads to.
    pub connections: Vec<Body>,
    /// Is it written in another language?
    pub external: bool,
    /// Is its definition elsewhere?
    pub referenced: bool,
}

/// A parameter of a procedure.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name and type.
    pub variable: Variable,
    /// `in/out`: the variable of the caller itself.
    pub out: bool,
}

/// `dcl x Integer := 0;` One for each name.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// The name of its type.
    pub type_name: Name,
    /// The number of elements, of a variable that is a part of an array.
    pub length: Option<u32>,
    /// Its first value, if that is said.
    pub initial: Option<Expression>,
    /// Do other processes of the block see it?
    pub revealed: bool,
    /// The name by which other processes ask for it.
    pub exported: Option<Name>,
}

/// What is said about some states, together.
#[derive(Clone, Debug)]
pub struct State {
    /// Which states.
    pub of: States,
    /// `comment 'end'` and the like.
    pub marks: Vec<String>,
    /// What sets transitions off.
    pub triggers: Vec<Trigger>,
    /// Where it stands.
    pub span: Span,
}

/// Which states.
#[derive(Clone, Debug)]
pub enum States {
    /// These.
    Named(Vec<Name>),
    /// `*(a, b)`: all but these.
    AllBut(Vec<Name>),
}

/// What sets a transition off, and the transition.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// What sets it off.
    pub kind: TriggerKind,
    /// The condition under which it happens.
    pub provided: Option<Expression>,
    /// What is done.
    pub body: Body,
    /// Where it stands.
    pub span: Span,
}

/// What sets a transition off.
#[derive(Clone, Debug)]
pub enum TriggerKind {
    /// `input a(x), b;`
    Input(Vec<Stimulus>),
    /// `priority input a(x), b;`
    PriorityInput(Vec<Stimulus>),
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
    /// `connect e;`: a state that has states was left by one of these exits, by the plain one if there are none.
    Exit(Vec<Name>),
    /// `connect *;`
    AnyExit,
}

/// A signal and the variables that take its parameters; an empty place drops one.
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// The signal.
    pub signal: Name,
    /// The variables.
    pub targets: Vec<Option<Expression>>,
}

/// Actions one after the other.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// One after the other.
    pub actions: Vec<Action>,
    /// Where it stands.
    pub span: Span,
}

/// One thing that a transition does, with its label.
#[derive(Clone, Debug)]
pub struct Action {
    /// Where a `join` leads to.
    pub label: Option<Name>,
    /// What it does.
    pub kind: ActionKind,
    /// Where it stands.
    pub span: Span,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// `task x := 1;`, `task a(i)!b := 1;`
    Assign(Expression, Expression),
    /// `task 'text';`
    Informal,
    /// `output a to p;`
    Output(Output),
    /// `set(now + 5, t(1));`
    Set(Name, Vec<Expression>),
    /// `reset(t(1));`
    Reset(Name, Vec<Expression>),
    /// `create p(1);`
    Create(Name, Vec<Expression>),
    /// `call f(1, x);`
    Call(Name, Vec<Expression>),
    /// `return 1;`
    Return(Option<Expression>),
    /// `for x in range(1, 4): … endfor`
    For(Name, Over, Body),
    /// `export(x);`
    Export(Vec<Name>),
    /// Not written: a variable gets any of these values.
    Choose(Expression, i32, i32),
    /// Not written: a variable gets the value that it had at the start if nothing was said.
    Clear(Expression),
    /// Not written: a join to what is done when a state that has states is left.
    Leave(Name),
    /// Not written: a signal that nobody says anything about was taken; where that is to be reported, it is an error.
    Unexpected(Name),
    /// Not written: a place for a label.
    Nothing,
    /// `decision q; (a): …; enddecision;`
    Decision(Question, Vec<Answer>),
    /// None: `nextstate -`.
    NextState(Option<Name>),
    /// `nextstate s via e`
    Enter(Name, Name),
    /// `nextstate -*`: where the state that has states was.
    History,
    /// `stop`
    Stop,
    /// `join l;`
    Join(Name),
}

/// What a loop goes over.
#[derive(Clone, Debug)]
pub enum Over {
    /// From the first value up to the last, which is not one of them.
    Range(Expression, Expression, i32),
    /// The elements of an array.
    Elements(Expression),
}

/// `output a(1, x) to p via r;`
#[derive(Clone, Debug)]
pub struct Output {
    /// The signal.
    pub signal: Name,
    /// The values that are sent.
    pub values: Vec<Expression>,
    /// To whom.
    pub to: Option<Expression>,
    /// By which routes or channels.
    pub via: Vec<Name>,
    /// By each of them?
    pub all: bool,
    /// `to all`: to everybody who can get it.
    pub everybody: bool,
}

/// What a decision is about.
#[derive(Clone, Debug)]
pub enum Question {
    /// A value.
    Value(Expression),
    /// `any`, or informal text: a free choice.
    Any,
    /// Not written: there is one answer, what a procedure does.
    Only,
}

/// An answer to a decision, and what is done then.
#[derive(Clone, Debug)]
pub struct Answer {
    /// None: `else`, or the answer of a free choice.
    pub ranges: Option<Vec<Range>>,
    /// What is done.
    pub body: Body,
    /// Where it stands.
    pub span: Span,
}

/// `3`, `1:4` or `>= 2`.
#[derive(Clone, Debug)]
pub enum Range {
    /// From one value to another.
    Between(Expression, Expression),
    /// Values that compare so.
    Compared(BinaryOperator, Expression),
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
    /// `null`
    Null,
    /// `self`
    Own,
    /// `sender`
    Sender,
    /// `parent`
    Parent,
    /// `offspring`
    Offspring,
    /// `'a'`
    Text(String),
    /// `any(t)`
    AnyOf(Name),
    /// `a(i)`, or an operator of a type: what it is depends on what `a` is.
    Applied(Box<Expression>, Vec<Expression>),
    /// `call f(x)` of a procedure with a value.
    Call(Name, Vec<Expression>),
    /// `s!f`
    Field(Box<Expression>, Name),
    /// `(. 1, 2 .)`
    Aggregate(Vec<Expression>),
    /// `{ x 1, y 2 }`
    Record(Vec<(Name, Expression)>),
    /// `foo: 5`, a value of a type that is one of several.
    Tagged(Name, Box<Expression>),
    /// `view(x, p)`
    View(Name, Option<Box<Expression>>),
    /// Not written: a part of a variable of that process of the block, or of the only one that reveals it.
    Seen(Name, Option<u32>, Option<Box<Expression>>),
    /// `import(x, p)`
    Import(Name, Option<Box<Expression>>),
    /// A variable that nobody wrote: its type and its name.
    Temporary(Box<Name>, String),
    /// An element of a variable that is a part of an array.
    Element(Name, Box<Expression>),
    /// A name.
    Name(Name),
    /// `active(t(1))`
    Active(Name, Vec<Expression>),
    /// An operator and its operand.
    Unary(Unary, Box<Expression>),
    /// An operator between two operands.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `if c then a else b fi`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// Of a formula: `p at s`, `p(2) at s`.
    At(Instance, Name),
    /// Of a formula: `p.x`, `p.a(1)!f`.
    Member(Instance, Box<Expression>),
    /// Of a formula: `len(p)`.
    Length(Instance),
    /// What could not be read; a diagnostic says why.
    Wrong,
}

/// An instance of a process: the first, or the one with that number.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The process.
    pub process: Name,
    /// Which of them, from 1.
    pub number: u32,
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
    /// On values.
    Value(BinaryOperator),
    /// Not negative for a positive divisor, unlike the remainder.
    Modulo,
    /// `and then`: the right side only if the left is true.
    AndThen,
    /// `or else`: the right side only if the left is false.
    OrElse,
    /// Is a value one of several?
    In,
    /// `//`: the elements of both sides.
    Append,
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
