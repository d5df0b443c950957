//! What transitions do with objects of few values, as tables that are worked out from the program.
//!
//! A transition that takes from a semaphore asks whether there is something to take, and takes it: for the analysis two operations, the second of
//! which happens in a state that is not known. Together they are one, a table of what becomes of each value. It is made by performing guard
//! and effect in each value, where they look at the object alone: so it holds for the library's objects as for a model's own, and
//! cannot say anything else than the program.

use mazurka_model::{
    Base, Expression, ExpressionId, Handshake, Instruction, Kind, PlaceId, Program, Transition,
};
use mazurka_objects::table::{self, Table};

use crate::bounds::reach;
use crate::constancy::{Constancy, written};
use crate::operation::{Action, Object, Operation, conjuncts};

/// More instructions than this are no operation of an object.
const LONGEST: usize = 10_000;

/// The tables of a program, each once.
#[derive(Debug, Default)]
pub(crate) struct Tables(Vec<Table>);

impl Tables {
    /// The number of a table.
    pub fn number(&mut self, table: Table) -> u32 {
        let known = self.0.iter().position(|known| *known == table);
        known.unwrap_or_else(|| {
            self.0.push(table);
            self.0.len() - 1
        }) as u32
    }

    /// Two actions of which one is a table, as operations of the library, and the number of values.
    /// Nothing if neither is, or if they are not on one variable.
    fn both(
        &self,
        a: Action,
        b: Action,
    ) -> Option<(table::Operation<'_>, table::Operation<'_>, u32)> {
        let of = |action| match action {
            Action::Table(number) => Some(table::Operation::Table(&self.0[number as usize])),
            Action::Variable(operation) => Some(table::Operation::Variable(operation)),
            Action::Channel(_) | Action::Population(_) => None,
        };
        let values = [a, b].into_iter().find_map(|action| match action {
            Action::Table(number) => Some(self.0[number as usize].values()),
            _ => None,
        })?;
        Some((of(a)?, of(b)?, values))
    }

    /// Does the order of the two matter, in this value or, if that is not known, in any? Not answered if neither is a table.
    pub fn dependent(&self, a: Action, b: Action, value: Option<i64>) -> Option<bool> {
        let (a, b, values) = self.both(a, b)?;
        Some(match value.and_then(|value| u8::try_from(value).ok()) {
            Some(value) => table::dependent_in(a, b, values, value),
            None => table::dependent(a, b, values),
        })
    }

    /// Might the second interact with the first? Not answered if neither is a table.
    pub fn might_interact(&self, a: Action, b: Action, value: Option<i64>) -> Option<bool> {
        let (a, b, values) = self.both(a, b)?;
        Some(match value.and_then(|value| u8::try_from(value).ok()) {
            Some(value) => table::might_interact(a, b, values, value),
            None => table::dependent(a, b, values),
        })
    }

    /// Can an operation that is a table change its object?
    pub fn changes(&self, number: u32) -> bool {
        !self.0[number as usize].keeps_values()
    }
}

/// What a transition does with each object of its program for which that can be said in a table. `operations` is all
/// that it does.
pub(crate) fn tables_of(
    program: &Program,
    transition: &Transition,
    operations: &[Operation],
) -> Vec<(Object, Table)> {
    if program.objects.is_empty()
        || transition.handshake != Handshake::Apart
        || transition.otherwise
    {
        return Vec::new();
    }
    let mut found: Vec<(Object, Table)> = Vec::new();
    for operation in operations {
        let Object::Memory {
            place,
            start,
            end,
            constancy,
            ..
        } = operation.object
        else {
            continue;
        };
        if constancy > Constancy::Standing {
            continue;
        }
        let is_object = program
            .objects
            .iter()
            .any(|(from, to)| *from <= start && end <= *to);
        if !is_object || found.iter().any(|(object, _)| *object == operation.object) {
            continue;
        }
        // Another name for it, or another element: the two may be the same or not.
        let meets = |other: &Operation| match other.object {
            Object::Memory {
                start: from,
                end: to,
                hidden: false,
                ..
            } => other.object != operation.object && start < to && from < end,
            Object::Everything => true,
            _ => false,
        };
        if operations.iter().any(meets) {
            continue;
        }
        let reader = Reader {
            program,
            transition,
            place,
            start,
            end,
        };
        if let Some(table) = reader.table() {
            found.push((operation.object, table));
        }
    }
    found
}

/// Works out a table: what a transition does with the object at a place.
struct Reader<'p> {
    program: &'p Program,
    transition: &'p Transition,
    place: PlaceId,
    start: u32,
    end: u32,
}

impl Reader<'_> {
    fn table(&self) -> Option<Table> {
        let kind = self.program.places[self.place.index()].kind;
        let values = match kind {
            Kind::Bit => 2,
            Kind::Byte => 256,
            _ => return None,
        };
        if !self.is_one_element() {
            return None;
        }
        let mut paths: Vec<Vec<u32>> = Vec::new();
        let mut rows = Vec::new();
        for value in 0..values {
            if !self.is_possible(value)? {
                rows.push(None);
                continue;
            }
            let (path, after) = self.perform(value)?;
            let told = paths.iter().position(|known| *known == path);
            let told = told.unwrap_or_else(|| {
                paths.push(path);
                paths.len() - 1
            });
            rows.push(Some((told as u32, u8::try_from(kind.cast(after)).ok()?)));
        }
        Some(Table::new(rows))
    }

    /// Is the place the same element before the transition and whenever its effect comes to it?
    fn is_one_element(&self) -> bool {
        let indices = self.program.places[self.place.index()].indices.clone();
        let mut named = Vec::new();
        for index in indices {
            let expression = self.program.indices[index as usize].expression;
            if self.touches(expression) || !self.loads(expression, &mut named) {
                return false;
            }
        }
        let effect = self.transition.effect.clone();
        let mut writes =
            effect.flat_map(|code| written(self.program, &self.program.code[code as usize]));
        writes.all(|place| {
            let (start, end) = reach(self.program, place);
            let base = self.program.places[place.index()].base;
            named.iter().all(|load| {
                let (from, to) = reach(self.program, *load);
                base != self.program.places[load.index()].base || end <= from || to <= start
            })
        })
    }

    /// Collects what an expression reads. Not if it is not plain.
    fn loads(&self, expression: ExpressionId, loads: &mut Vec<PlaceId>) -> bool {
        match self.program.expressions[expression.index()] {
            Expression::Constant(_) | Expression::SelfProcess => true,
            Expression::Load(place) => {
                loads.push(place);
                self.program.places[place.index()].indices.is_empty()
            }
            Expression::Unary(_, operand) => self.loads(operand, loads),
            Expression::Binary(_, left, right) => {
                self.loads(left, loads) && self.loads(right, loads)
            }
            _ => false,
        }
    }

    /// Do the parts of the guard that ask for the object hold? Nothing if they ask for more than that.
    fn is_possible(&self, value: i32) -> Option<bool> {
        let mut holds = true;
        for part in conjuncts(self.program, self.transition) {
            if self.touches(part) {
                holds &= self.value(part, value)? != 0;
            }
        }
        Some(holds)
    }

    /// Which other instructions are carried out in front, which may hang on the value, and the value that is left. Nothing if
    /// more is done with the object than that.
    fn perform(&self, mut value: i32) -> Option<(Vec<u32>, i32)> {
        let effect = self.transition.effect.clone();
        let of = |code: u32| &self.program.code[code as usize];
        // The last instruction that has to do with the object; jumps up to there lead no further than behind it.
        let Some(last) = effect.clone().rev().find(|code| self.concerns(of(*code))) else {
            return Some((Vec::new(), value));
        };
        let mut path = Vec::new();
        let mut code = effect.start;
        while code <= last {
            if path.len() > LONGEST {
                return None;
            }
            let leads_to = |target: u32| (code < target && target <= last + 1).then_some(target);
            code = match of(code) {
                Instruction::Assign(place, assigned) if *place == self.place => {
                    let kind = self.program.places[place.index()].kind;
                    value = kind.cast(self.value(*assigned, value)?);
                    code + 1
                }
                Instruction::Jump(target) => leads_to(*target)?,
                Instruction::JumpUnless(condition, target) => {
                    let target = leads_to(*target)?;
                    match self.value(*condition, value)? {
                        0 => target,
                        _ => code + 1,
                    }
                }
                other @ (Instruction::Assign(..) | Instruction::Receive(_))
                    if !self.concerns(other) =>
                {
                    path.push(code);
                    code + 1
                }
                _ => return None,
            };
        }
        Some((path, value))
    }

    /// Has an instruction to do with the object?
    fn concerns(&self, instruction: &Instruction) -> bool {
        let writes = written(self.program, instruction);
        if writes.iter().any(|place| self.meets(*place)) {
            return true;
        }
        let in_place = |place: &PlaceId| self.address_touches(*place);
        match instruction {
            Instruction::Assign(_, value) => self.touches(*value) || writes.iter().any(in_place),
            Instruction::JumpUnless(condition, _) | Instruction::Assert(condition) => {
                self.touches(*condition)
            }
            Instruction::Jump(_) | Instruction::Stop(_) | Instruction::Breach(_) => false,
            Instruction::Receive(receive) => {
                let receive = &self.program.receives[receive.index()];
                let fields = receive.fields.start as usize..receive.fields.end as usize;
                let matched = self.program.fields[fields].iter().any(|field| match field {
                    mazurka_model::Field::Match(value) => self.touches(*value),
                    mazurka_model::Field::Bind(_) | mazurka_model::Field::Discard => false,
                });
                matched || self.touches(receive.channel) || writes.iter().any(in_place)
            }
            Instruction::Send(send) => {
                let send = &self.program.sends[send.index()];
                let mut values = send.values.clone();
                self.touches(send.channel)
                    || values.any(|value| self.touches(self.program.lists[value as usize]))
            }
            _ => true,
        }
    }

    fn meets(&self, place: PlaceId) -> bool {
        let (start, end) = reach(self.program, place);
        let base = self.program.places[place.index()].base;
        base == Base::Shared && start < self.end && self.start < end
    }

    fn address_touches(&self, place: PlaceId) -> bool {
        let mut indices = self.program.places[place.index()].indices.clone();
        indices.any(|index| self.touches(self.program.indices[index as usize].expression))
    }

    /// Does an expression read the object, or anything that is not plain?
    fn touches(&self, expression: ExpressionId) -> bool {
        match self.program.expressions[expression.index()] {
            Expression::Constant(_) | Expression::SelfProcess => false,
            Expression::Load(place) => self.meets(place) || self.address_touches(place),
            Expression::Unary(_, operand) | Expression::Channel(_, operand) => {
                self.touches(operand)
            }
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => self.touches(left) || self.touches(right),
            Expression::CanReceive(receive) => {
                let receive = &self.program.receives[receive.index()];
                let fields = receive.fields.start as usize..receive.fields.end as usize;
                let matched = self.program.fields[fields].iter().any(|field| match field {
                    mazurka_model::Field::Match(value) => self.touches(*value),
                    mazurka_model::Field::Bind(_) | mazurka_model::Field::Discard => false,
                });
                matched || self.touches(receive.channel)
            }
            _ => true,
        }
    }

    /// The value of an expression over the object alone.
    fn value(&self, expression: ExpressionId, object: i32) -> Option<i32> {
        match self.program.expressions[expression.index()] {
            Expression::Constant(value) => Some(value),
            Expression::Load(place) if place == self.place => Some(object),
            Expression::Unary(operator, operand) => {
                Some(operator.apply(self.value(operand, object)?))
            }
            Expression::Binary(operator, left, right) => {
                operator.apply(self.value(left, object)?, self.value(right, object)?)
            }
            Expression::And(left, right) => {
                let both = self.value(left, object)? != 0 && self.value(right, object)? != 0;
                Some(i32::from(both))
            }
            Expression::Or(left, right) => {
                let any = self.value(left, object)? != 0 || self.value(right, object)? != 0;
                Some(i32::from(any))
            }
            _ => None,
        }
    }
}
