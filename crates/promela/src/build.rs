//! Short ways to make a syntax tree, for those who translate to Promela. What is made so has no place in a source.

use mazurka_span::Span;

use crate::ast::*;

const NOWHERE: Span = Span {
    start: 0,
    end: 0,
    context: mazurka_span::ExpansionId::NONE,
};

/// A name.
pub fn name(text: &str) -> Name {
    Name {
        text: text.into(),
        span: NOWHERE,
    }
}

/// A variable, or a channel.
pub fn variable(text: &str) -> VariableRef {
    reference(text, None)
}

/// An element of an array.
pub fn element(text: &str, index: Expr) -> VariableRef {
    reference(text, Some(Box::new(index)))
}

fn reference(text: &str, index: Option<Box<Expr>>) -> VariableRef {
    let name = name(text);
    VariableRef {
        segments: vec![Segment { name, index }],
        span: NOWHERE,
    }
}

/// An expression of any kind.
pub fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: NOWHERE,
    }
}

/// A number.
pub fn number(value: i32) -> Expr {
    let spelling = NumberSpelling::Decimal;
    match value {
        // What is written behind its sign does not fit.
        i32::MIN => binary(BinaryOperator::Subtract, number(value + 1), number(1)),
        _ if value < 0 => unary(UnaryOperator::Minus, number(-value)),
        _ => expr(ExprKind::Number(Number { value, spelling })),
    }
}

/// `true` or `false`.
pub fn truth(value: bool) -> Expr {
    let spelling = match value {
        true => NumberSpelling::True,
        false => NumberSpelling::False,
    };
    let value = i32::from(value);
    expr(ExprKind::Number(Number { value, spelling }))
}

/// The value of a variable.
pub fn read(variable: VariableRef) -> Expr {
    expr(ExprKind::Variable(variable))
}

/// The value of a variable that is no array.
pub fn value(text: &str) -> Expr {
    read(variable(text))
}

/// An operator and its operand.
pub fn unary(operator: UnaryOperator, operand: Expr) -> Expr {
    let operand = Box::new(operand);
    expr(ExprKind::Unary { operator, operand })
}

/// Logical negation.
pub fn not(operand: Expr) -> Expr {
    unary(UnaryOperator::Not, operand)
}

/// An operator and its operands.
pub fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary {
        operator,
        left: Box::new(left),
        right: Box::new(right),
    })
}

/// `left == right`
pub fn equal(left: Expr, right: Expr) -> Expr {
    binary(BinaryOperator::Equal, left, right)
}

/// All of some conditions; `true` if there are none.
pub fn all(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    let joined = (conditions.into_iter()).reduce(|a, b| binary(BinaryOperator::And, a, b));
    joined.unwrap_or_else(|| truth(true))
}

/// One of some conditions at least; `false` if there are none.
pub fn any(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    let joined = (conditions.into_iter()).reduce(|a, b| binary(BinaryOperator::Or, a, b));
    joined.unwrap_or_else(|| truth(false))
}

/// `len(channel)`
pub fn length(channel: VariableRef) -> Expr {
    expr(ExprKind::Length(channel))
}

/// `empty(channel)` and its kin.
pub fn probe(probe: Probe, channel: VariableRef) -> Expr {
    expr(ExprKind::Probe { probe, channel })
}

/// `channel?[arguments]`
pub fn poll(channel: VariableRef, arguments: Vec<ReceiveArgument>) -> Expr {
    expr(ExprKind::Poll {
        channel,
        random: false,
        arguments,
    })
}

/// An argument of a receive.
pub fn argument(kind: ReceiveArgumentKind) -> ReceiveArgument {
    ReceiveArgument {
        kind,
        span: NOWHERE,
    }
}

/// A statement of any kind.
pub fn statement(kind: StatementKind) -> Statement {
    Statement {
        labels: Vec::new(),
        kind,
        span: NOWHERE,
    }
}

/// A statement with labels.
pub fn labelled(labels: impl IntoIterator<Item = Name>, mut statement: Statement) -> Statement {
    statement.labels.splice(0..0, labels);
    statement
}

/// A condition as a statement.
pub fn condition(expr: Expr) -> Statement {
    statement(StatementKind::Expression(expr))
}

/// `skip`
pub fn skip() -> Statement {
    let spelling = NumberSpelling::Skip;
    condition(expr(ExprKind::Number(Number { value: 1, spelling })))
}

/// `else`
pub fn otherwise() -> Statement {
    statement(StatementKind::Else)
}

/// `break`
pub fn leave() -> Statement {
    statement(StatementKind::Break)
}

/// `goto label`
pub fn go_to(label: &str) -> Statement {
    statement(StatementKind::Goto(name(label)))
}

/// `target = value`
pub fn assign(target: VariableRef, value: Expr) -> Statement {
    statement(StatementKind::Assign { target, value })
}

/// `assert(claim)`
pub fn assert(claim: Expr) -> Statement {
    statement(StatementKind::Assert(claim))
}

/// `channel!arguments`
pub fn send(channel: VariableRef, arguments: Vec<Expr>) -> Statement {
    statement(StatementKind::Send(Send {
        channel,
        sorted: false,
        arguments,
        tagged: false,
    }))
}

/// `channel!!arguments`
pub fn sorted_send(channel: VariableRef, arguments: Vec<Expr>) -> Statement {
    statement(StatementKind::Send(Send {
        channel,
        sorted: true,
        arguments,
        tagged: false,
    }))
}

/// `channel?arguments`
pub fn receive(channel: VariableRef, arguments: Vec<ReceiveArgument>) -> Statement {
    statement(StatementKind::Receive(Receive {
        channel,
        random: false,
        peek: false,
        arguments,
        tagged: false,
    }))
}

/// Statements one after the other; `skip` if there are none.
pub fn sequence(mut statements: Vec<Statement>) -> Sequence {
    if statements.is_empty() {
        statements.push(skip());
    }
    Sequence {
        statements,
        span: NOWHERE,
    }
}

/// `if :: option … fi`
pub fn select(options: Vec<Vec<Statement>>) -> Statement {
    statement(StatementKind::If(
        options.into_iter().map(sequence).collect(),
    ))
}

/// `do :: option … od`
pub fn repeat(options: Vec<Vec<Statement>>) -> Statement {
    statement(StatementKind::Do(
        options.into_iter().map(sequence).collect(),
    ))
}

/// `atomic { … }`
pub fn atomic(statements: Vec<Statement>) -> Statement {
    statement(StatementKind::Atomic(sequence(statements)))
}

/// `d_step { … }`
pub fn d_step(statements: Vec<Statement>) -> Statement {
    statement(StatementKind::DStep(sequence(statements)))
}

/// `run proctype(arguments)`
pub fn run(proctype: &str, arguments: Vec<Expr>) -> Statement {
    condition(expr(ExprKind::Run {
        proctype: name(proctype),
        arguments,
        priority: None,
    }))
}

/// A type.
pub fn type_name(kind: TypeKind) -> TypeName {
    TypeName {
        kind,
        span: NOWHERE,
    }
}

/// The declaration of one variable.
pub fn declare(
    kind: TypeKind,
    text: &str,
    length: Option<u32>,
    initial: Option<Initializer>,
) -> Declaration {
    Declaration {
        annotation: None,
        visibility: None,
        type_name: type_name(kind),
        variables: vec![Variable {
            name: name(text),
            width: None,
            array: length.map(|length| number(length as i32)),
            initializer: initial,
            span: NOWHERE,
        }],
        span: NOWHERE,
    }
}

/// The declaration of a channel, or of an array of them.
pub fn declare_channel(
    text: &str,
    length: Option<u32>,
    capacity: u32,
    fields: impl IntoIterator<Item = TypeKind>,
) -> Declaration {
    let channel = ChannelInitializer {
        capacity: number(capacity as i32),
        fields: fields.into_iter().map(type_name).collect(),
        span: NOWHERE,
    };
    let initial = Initializer::Channel(channel);
    declare(TypeKind::Chan, text, length, Some(initial))
}

/// `mtype = { names }`
pub fn mtype(names: impl IntoIterator<Item = Name>) -> Unit {
    Unit::Mtype(MtypeDeclaration {
        set: None,
        names: names.into_iter().collect(),
        span: NOWHERE,
    })
}

/// A proctype without a priority.
pub fn proctype(
    text: &str,
    active: bool,
    parameters: Vec<Declaration>,
    provided: Option<Expr>,
    body: Vec<Statement>,
) -> Unit {
    Unit::Proctype(Proctype {
        name: name(text),
        deterministic: false,
        active: active.then_some(Active {
            count: None,
            span: NOWHERE,
        }),
        parameters,
        priority: None,
        provided,
        body: sequence(body),
        span: NOWHERE,
    })
}

/// `init { … }`
pub fn init(body: Vec<Statement>) -> Unit {
    Unit::Init(Init {
        priority: None,
        body: sequence(body),
        keyword: NOWHERE,
        span: NOWHERE,
    })
}

/// `ltl name { formula }`
pub fn ltl(text: &str, formula: Formula) -> Unit {
    Unit::Ltl(Ltl {
        name: Some(name(text)),
        text: formula.to_string(),
        formula,
        formula_span: NOWHERE,
        is_given: false,
        span: NOWHERE,
    })
}

/// A formula of any kind.
pub fn formula(kind: FormulaKind) -> Formula {
    Formula {
        kind,
        span: NOWHERE,
    }
}

/// A condition as a formula.
pub fn atom(condition: Expr) -> Formula {
    formula(FormulaKind::Atom(condition))
}

/// Two formulas, joined.
pub fn join(operator: FormulaOperator, left: Formula, right: Formula) -> Formula {
    formula(FormulaKind::Binary {
        operator,
        left: Box::new(left),
        right: Box::new(right),
    })
}

/// A formula about the time after a variable has become true.
pub fn once_started(variable: &str, body: Formula) -> Formula {
    let started = || atom(value(variable));
    let before = formula(FormulaKind::Not(Box::new(started())));
    let after = join(FormulaOperator::And, started(), body);
    join(FormulaOperator::WeakUntil, before, after)
}

/// A formula over numbered atoms.
pub fn formula_of(of: &mazurka_ltl::Formula, atom_of: &impl Fn(u32) -> Expr) -> Formula {
    use mazurka_ltl::Formula as F;
    let inside = |part: &F| Box::new(formula_of(part, atom_of));
    let join = |operator, left: &F, right: &F| FormulaKind::Binary {
        operator,
        left: inside(left),
        right: inside(right),
    };
    formula(match of {
        F::Constant(value) => FormulaKind::Atom(truth(*value)),
        F::Atom(number) => FormulaKind::Atom(atom_of(*number)),
        F::Not(part) => FormulaKind::Not(inside(part)),
        F::Next(part) => FormulaKind::Next(inside(part)),
        F::Always(part) => FormulaKind::Always(inside(part)),
        F::Eventually(part) => FormulaKind::Eventually(inside(part)),
        F::And(left, right) => join(FormulaOperator::And, left, right),
        F::Or(left, right) => join(FormulaOperator::Or, left, right),
        F::Implies(left, right) => join(FormulaOperator::Implies, left, right),
        F::Equivalent(left, right) => join(FormulaOperator::Equivalent, left, right),
        F::Until(left, right) => join(FormulaOperator::Until, left, right),
        F::WeakUntil(left, right) => join(FormulaOperator::WeakUntil, left, right),
        F::Release(left, right) => join(FormulaOperator::Release, left, right),
    })
}
