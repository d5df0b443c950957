//! Statements and blocks of a random model.

use super::*;

#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Condition,
    Send,
    Receive,
    Relay,
    If,
    Do,
    For,
    Select,
    Atomic,
    DeterministicStep,
    Unless,
    Assert,
    Print,
    Call,
    Run,
    Braces,
    Leave,
    ChannelAssign,
    ForChannel,
    SetPriority,
    StepLoop,
    OwnMessage,
    Skip,
}

impl Generator {
    /// A block of about `length` statements, never empty.
    pub(super) fn block(&mut self, length: usize) -> Block {
        let mut block = Vec::new();
        for position in 0..length {
            if self.context.budget == 0 && !block.is_empty() {
                break;
            }
            // After a jump nothing is reached.
            if matches!(block.last(), Some(Statement::Break | Statement::Goto(_))) {
                break;
            }
            if self.inner_declaration_fits() && self.sometimes(Feature::InnerDeclarations, 8) {
                block.push(self.inner_declaration());
            }
            let statement = self.statement(position > 0);
            push_statement(&mut block, statement);
        }
        block
    }

    fn inner_declaration_fits(&self) -> bool {
        !self.context.deterministic && !self.context.inlined
    }

    fn inner_declaration(&mut self) -> Statement {
        let initial = self
            .random
            .chance(60)
            .then(|| Initial::Value(self.value(1)));
        let name = self.fresh("t");
        let mut declaration = self.variable(name, false);
        if matches!(declaration.kind, Type::Structure(_)) {
            declaration.initial = None;
        } else if declaration.length.is_none() && declaration.kind != Type::Mtype {
            // Cut to the range of the others, because the initial value may be read from them and grow from loop to loop.
            declaration.initial = initial.map(|initial| match initial {
                Initial::Value(value) => {
                    Initial::Value(Expression::binary("%", value, Expression::Number(3)))
                }
                other => other,
            });
        } else if declaration.length.is_some() {
            declaration.initial = None;
        }
        Statement::Declare(declaration)
    }

    /// One statement. `follows`: something precedes it in its block, so that it may jump away.
    fn statement(&mut self, follows: bool) -> Statement {
        self.context.budget = self.context.budget.saturating_sub(1);
        let context = self.context.clone();
        // At the top of a body a statement that blocks is likely to end the model before it began, hence fewer.
        let blocking = !context.deterministic;
        let nests = context.depth < 4 && context.budget > 1;
        let when = |condition: bool, weight: usize| if condition { weight } else { 0 };
        let kinds = [
            (14, Kind::Assign),
            (
                when(blocking, if context.depth == 0 { 1 } else { 4 }),
                Kind::Condition,
            ),
            (
                when(blocking, if context.depth == 0 { 6 } else { 9 }),
                Kind::Send,
            ),
            (
                when(blocking, if context.depth == 0 { 3 } else { 9 }),
                Kind::Receive,
            ),
            (when(blocking && !context.inlined, 3), Kind::Relay),
            (when(nests, 6), Kind::If),
            (
                when(
                    nests
                        && blocking
                        && (!context.atomic || self.has(Feature::AtomicLoops))
                        && !context.inlined,
                    if context.atomic { 6 } else { 3 },
                ),
                Kind::Do,
            ),
            (
                when(nests && self.has(Feature::For) && !context.inlined, 2),
                Kind::For,
            ),
            (when(blocking && self.has(Feature::Select), 2), Kind::Select),
            (
                when(nests && blocking && self.has(Feature::Atomic), 4),
                Kind::Atomic,
            ),
            (
                when(nests && blocking && self.has(Feature::DeterministicStep), 3),
                Kind::DeterministicStep,
            ),
            (
                when(nests && blocking && self.has(Feature::Unless), 4),
                Kind::Unless,
            ),
            (when(self.has(Feature::Assertions), 2), Kind::Assert),
            (when(self.has(Feature::Print), 1), Kind::Print),
            (
                when(!context.inlined && self.has(Feature::Inlines), 2),
                Kind::Call,
            ),
            (
                when(blocking && !context.inlined && self.has(Feature::Run), 2),
                Kind::Run,
            ),
            (when(nests && self.has(Feature::Blocks), 1), Kind::Braces),
            (
                when(
                    follows && context.depth > 0 && blocking && !context.inlined,
                    3,
                ),
                Kind::Leave,
            ),
            (
                when(!context.inlined && self.has(Feature::ChannelVariables), 4),
                Kind::ChannelAssign,
            ),
            (
                when(
                    nests && blocking && !context.inlined && self.has(Feature::ForChannel),
                    4,
                ),
                Kind::ForChannel,
            ),
            (
                when(blocking && self.has(Feature::SetPriority), 3),
                Kind::SetPriority,
            ),
            (
                when(
                    nests
                        && context.deterministic
                        && !context.inlined
                        && self.has(Feature::StepLoops),
                    8,
                ),
                Kind::StepLoop,
            ),
            (
                when(
                    nests && blocking && !context.inlined && self.has(Feature::OnePlace),
                    5,
                ),
                Kind::OwnMessage,
            ),
            (1, Kind::Skip),
        ];
        let kind = self.random.weighted(&kinds).unwrap_or(Kind::Skip);
        self.statement_of(kind).unwrap_or_else(|| self.assignment())
    }

    fn statement_of(&mut self, kind: Kind) -> Option<Statement> {
        Some(match kind {
            Kind::Assign => self.assignment(),
            Kind::Condition => self.guard(),
            Kind::Send => self.send()?,
            Kind::Receive => self.receive()?,
            Kind::Relay => self.relayed()?,
            Kind::If => self.selection(true),
            Kind::Do => self.repetition(),
            Kind::For => self.for_loop()?,
            Kind::Select => self.select()?,
            Kind::Atomic => {
                let length = self.random.between(2, 3) as usize;
                Statement::Atomic(
                    self.within(|context| context.atomic = true, |inner| inner.block(length)),
                )
            }
            Kind::DeterministicStep => self.deterministic_step(),
            Kind::Unless => self.unless(),
            Kind::Assert => Statement::Assert(self.assertion()),
            Kind::Print => {
                let value = match self.sometimes(Feature::Division, 30) {
                    true => Expression::binary("/", self.simple_value(), self.simple_value()),
                    false => self.value(1),
                };
                Statement::Print(vec![value])
            }
            Kind::Call => self.call()?,
            Kind::Run => self.guarded_run()?,
            Kind::Braces => {
                let length = self.random.between(1, 3) as usize;
                Statement::Braces(self.within(|_| (), |inner| inner.block(length)))
            }
            Kind::Leave => self.leave()?,
            Kind::ChannelAssign => self.channel_assignment()?,
            Kind::ForChannel => self.for_channel()?,
            Kind::SetPriority => self.set_priority(),
            Kind::StepLoop => self.step_loop(),
            Kind::OwnMessage => self.own_message()?,
            Kind::Skip => Statement::Skip,
        })
    }

    pub(super) fn assignment(&mut self) -> Statement {
        if self.sometimes(Feature::Hidden, 10)
            && let Some(place) = self.place(|variable| variable.hidden)
        {
            let value = self.value(1);
            let value = match self.has(Feature::HiddenReads) {
                true => Expression::binary("%", value, Expression::Number(3)),
                false => value,
            };
            return Statement::Assign(place, value);
        }
        if self.sometimes(Feature::Scratch, 4) {
            return Statement::Assign(Place::plain("_"), self.value(1));
        }
        if self.sometimes(Feature::Mtypes, 20)
            && let Some(place) =
                self.place(|variable| variable.kind == Type::Mtype && variable.writable)
        {
            return Statement::Assign(place, self.mtype_value());
        }
        let Some(place) = self.numeric_place(|variable| variable.writable && !variable.hidden)
        else {
            return Statement::Skip;
        };
        let kind = self.kind_of(&place);
        let narrow = matches!(kind, Type::Bit | Type::Bool | Type::Unsigned(_));
        if self.random.chance(35)
            && ((narrow && self.has(Feature::Wrap)) || !self.context.repeating)
        {
            return match self.random.chance(60) {
                true => Statement::Increment(place),
                false => Statement::Decrement(place),
            };
        }
        let value = self.value(2);
        let value = match kind {
            Type::Bit | Type::Bool if self.random.chance(50) => self.condition(1, false),
            _ if self.random.chance(25) => self.simple_number(&kind),
            // A value just above the range of the type, cut to it by the assignment.
            Type::Byte if self.sometimes(Feature::Wrap, 15) => self.above(254, value),
            Type::Short if self.sometimes(Feature::Wrap, 30) => self.above(32766, value),
            Type::Unsigned(width) => {
                Expression::binary("%", value, Expression::Number(1 << width.min(2)))
            }
            Type::Byte => self.unsigned_remainder(value),
            _ => Expression::binary("%", value, Expression::Number(self.random.between(2, 4))),
        };
        Statement::Assign(place, value)
    }

    /// `value % n`, which for a negative value wraps around in a byte unless the feature is off.
    fn unsigned_remainder(&mut self, value: Expression) -> Expression {
        let divisor = Expression::Number(self.random.between(2, 4));
        if self.has(Feature::Wrap) {
            return Expression::binary("%", value, divisor);
        }
        Expression::binary("&", value, Expression::Number(3))
    }

    fn above(&mut self, base: i64, value: Expression) -> Expression {
        let remainder = Expression::binary("%", value, Expression::Number(4));
        Expression::binary("+", Expression::Number(base), remainder)
    }

    fn simple_number(&mut self, kind: &Type) -> Expression {
        let highest = if matches!(kind, Type::Bit | Type::Bool | Type::Unsigned(_)) {
            1
        } else {
            3
        };
        Expression::Number(self.random.between(0, highest))
    }

    pub(super) fn kind_of(&self, place: &Place) -> Type {
        let known = self.variables.iter().rev();
        let mut kind = known
            .into_iter()
            .find(|variable| variable.name == place.name)
            .map_or(Type::Byte, |variable| variable.kind.clone());
        for (name, _) in &place.fields {
            let field = self.fields_of(&kind).into_iter();
            kind = field
                .into_iter()
                .find(|field| field.name == *name)
                .map_or(Type::Byte, |field| field.kind);
        }
        kind
    }

    /// The fields of a structure; none of anything else.
    pub(super) fn fields_of(&self, kind: &Type) -> Vec<Declaration> {
        let Type::Structure(name) = kind else {
            return Vec::new();
        };
        let known = self.program.structures.iter();
        let structure = known.into_iter().find(|known| known.name == *name);
        structure.map_or(Vec::new(), |structure| structure.fields.clone())
    }

    /// In a calm model, something that is likely to be true.
    fn assertion(&mut self) -> Expression {
        if !self.calm || self.random.chance(15) {
            return self.condition(1, true);
        }
        let condition = self.condition(1, true);
        let place = self.numeric_place(|variable| !variable.hidden);
        let bound = match place {
            Some(place) => Expression::binary("!=", Expression::Read(place), Expression::Number(9)),
            None => Expression::Number(1),
        };
        match self.random.chance(50) {
            true => bound,
            false => Expression::binary("||", bound, condition),
        }
    }

    fn set_priority(&mut self) -> Statement {
        let pid = match self.random.chance(60) {
            true => Expression::Predefined("_pid"),
            false => Expression::Number(self.random.between(0, 3)),
        };
        Statement::SetPriority(pid, Expression::Number(self.random.between(1, 3)))
    }

    /// A statement that may block, to begin an option or an escape.
    pub(super) fn guard(&mut self) -> Statement {
        if self.sometimes(Feature::Timeout, 8) && !self.context.deterministic {
            let timeout = Expression::Predefined("timeout");
            if self.sometimes(Feature::TimeoutParts, 50) {
                let operator = *self.random.pick(&["&&", "||"]);
                let more = self.condition(1, false);
                return Statement::Condition(Expression::binary(operator, timeout, more));
            }
            return Statement::Condition(timeout);
        }
        Statement::Condition(self.condition(2, true))
    }

    fn call(&mut self) -> Option<Statement> {
        let inline = self.inlines.first()?;
        if self.context.deterministic && !inline.never_blocks {
            return None;
        }
        let (name, parameters) = (inline.name.clone(), inline.parameters);
        let place = self.numeric_place(|variable| {
            variable.writable
                && !variable.hidden
                && variable.length.is_none()
                // Never negative: the inline may use it as an index.
                && matches!(variable.kind, Type::Byte | Type::Bit | Type::Unsigned(_))
        })?;
        let mut arguments = vec![Expression::Read(place)];
        for _ in 1..parameters {
            arguments.push(self.simple_value());
        }
        Some(Statement::Call(name, arguments))
    }

    pub(super) fn leave(&mut self) -> Option<Statement> {
        let labels = self.context.labels.clone();
        if self.has(Feature::Goto) && !labels.is_empty() && self.random.chance(60) {
            return Some(Statement::Goto(self.random.pick(&labels).clone()));
        }
        self.context.breakable.then_some(Statement::Break)
    }
}

/// Adds a statement to a block. SPIN refuses a loop right before a d_step, because its `break` would jump into the
/// d_step; so does a block that ends in a loop, and a `select`, which is one.
pub(super) fn push_statement(block: &mut Block, statement: Statement) {
    use Statement::*;
    let compound = matches!(
        block.last(),
        Some(
            Do(_)
                | Select { .. }
                | For { .. }
                | ForIn { .. }
                | Braces(_)
                | Unless(..)
                | If(_)
                | Atomic(_)
        )
    );
    if compound && begins_deterministic(&statement) {
        block.push(Skip);
    }
    block.push(statement);
}

fn begins_deterministic(statement: &Statement) -> bool {
    use Statement::*;
    match statement {
        DeterministicStep(_) => true,
        Unless(body, _) | Atomic(body) | Braces(body) => {
            body.first().is_some_and(begins_deterministic)
        }
        _ => false,
    }
}
