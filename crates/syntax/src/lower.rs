//! A program while it is made of a syntax tree.

use std::collections::HashMap;

use mazurka_ltl::{Formula, MOST_ATOMS, Property};
use mazurka_model::{
    Base, Expression, ExpressionId, Instruction, Kind, Origin, Place, PlaceId, ProcessTypeId,
    Program, Statement, StatementId,
};
use mazurka_span::{Code, Diagnostic, SourceMap, Span};

use crate::Name;

/// A program that is being made, and what is said about its text.
#[derive(Debug)]
pub struct Building<'a> {
    /// The text.
    pub map: &'a SourceMap,
    /// What is wrong with it.
    pub diagnostics: &'a mut Vec<Diagnostic>,
    /// As far as it is made.
    pub program: Program,
    constants: HashMap<i32, ExpressionId>,
}

impl<'a> Building<'a> {
    /// An empty program with the name of its first file.
    pub fn new(map: &'a SourceMap, diagnostics: &'a mut Vec<Diagnostic>) -> Building<'a> {
        let files = map.files().iter().map(|file| file.name().to_owned());
        let files: Vec<String> = files.collect();
        Building {
            map,
            diagnostics,
            program: Program {
                name: files.first().cloned().unwrap_or_default(),
                files,
                ..Program::default()
            },
            constants: HashMap::new(),
        }
    }
}

/// What makes a program of a syntax tree.
pub trait Lower<'a> {
    /// The program so far.
    fn building(&self) -> &Building<'a>;

    /// The program so far, to add to it.
    fn building_mut(&mut self) -> &mut Building<'a>;

    /// Reports an error.
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        let diagnostic = Diagnostic::error(code, span, message);
        self.building_mut().diagnostics.push(diagnostic);
    }

    /// Adds an expression; a constant only once.
    fn node(&mut self, expression: Expression) -> ExpressionId {
        let building = self.building_mut();
        if let Expression::Constant(value) = expression
            && let Some(known) = building.constants.get(&value)
        {
            return *known;
        }
        building.program.expressions.push(expression);
        let id = ExpressionId(building.program.expressions.len() as u32 - 1);
        if let Expression::Constant(value) = expression {
            building.constants.insert(value, id);
        }
        id
    }

    /// A constant.
    fn constant(&mut self, value: i32) -> ExpressionId {
        self.node(Expression::Constant(value))
    }

    /// A place; each is there once.
    fn place(&mut self, place: Place) -> PlaceId {
        let places = &mut self.building_mut().program.places;
        let known = places.iter().position(|known| *known == place);
        let number = known.unwrap_or_else(|| {
            places.push(place);
            places.len() - 1
        });
        PlaceId(number as u32)
    }

    /// A place without an index.
    fn simple_place(&mut self, base: Base, offset: u32, kind: Kind) -> PlaceId {
        self.place(Place {
            base,
            offset,
            kind,
            indices: 0..0,
        })
    }

    /// Adds an instruction and says where it is.
    fn emit(&mut self, instruction: Instruction) -> u32 {
        let code = &mut self.building_mut().program.code;
        code.push(instruction);
        code.len() as u32 - 1
    }

    /// Replaces an instruction, such as a jump whose end is known now.
    fn patch(&mut self, at: u32, instruction: Instruction) {
        self.building_mut().program.code[at as usize] = instruction;
    }

    /// Where the next instruction will be.
    fn here(&self) -> u32 {
        self.building().program.code.len() as u32
    }

    /// Adds a statement of a type of processes, by its number.
    fn add_statement(
        &mut self,
        process_type: usize,
        text: String,
        span: Span,
        reported: bool,
    ) -> StatementId {
        let origin = self.origin(span);
        let statements = &mut self.building_mut().program.statements;
        statements.push(Statement {
            text,
            origin,
            process_type: ProcessTypeId(process_type as u32),
            reported,
        });
        StatementId(statements.len() as u32 - 1)
    }

    /// Where a span is.
    fn origin(&self, span: Span) -> Origin {
        let map = self.building().map;
        match (map.location(span), map.location(span.at_end())) {
            (Some(start), Some(end)) => Origin {
                file: map
                    .files()
                    .iter()
                    .position(|file| file.name() == start.file)
                    .unwrap_or(0) as _,
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
            },
            _ => Origin::default(),
        }
    }

    /// The text of a span on one line.
    fn text(&self, span: Span) -> String {
        let words = self.building().map.text(span).split_whitespace();
        words.collect::<Vec<&str>>().join(" ")
    }
}

/// What a part of a formula is.
#[derive(Clone, Copy, Debug)]
pub enum Part<'e, E> {
    /// An operator and its operand.
    Unary(fn(Box<Formula>) -> Formula, &'e E),
    /// An operator between two operands.
    Binary(fn(Box<Formula>, Box<Formula>) -> Formula, &'e E, &'e E),
    /// A condition on a state.
    Condition,
}

/// A condition of a formula.
#[derive(Debug)]
pub struct Atom {
    /// What is the same for conditions that are one.
    same: String,
    /// As it is written.
    written: String,
    condition: ExpressionId,
}

/// What makes formulas over conditions of a program.
pub trait LowerFormulas<'a>: Lower<'a> {
    /// A formula, or a part of one, in the syntax tree.
    type Expression;
    /// The code of a formula with too many conditions.
    const TOO_LARGE: Code;

    /// What a part of a formula is. What has no temporal operator on top and does not join formulas is a condition.
    fn part(expression: &Self::Expression) -> Part<'_, Self::Expression>;

    /// Where it stands.
    fn span(expression: &Self::Expression) -> Span;

    /// A condition on a state.
    fn condition_of(&mut self, expression: &Self::Expression) -> ExpressionId;

    /// Texts of conditions that give the same here are one condition.
    fn same(text: String) -> String {
        text
    }

    /// A formula over conditions.
    fn property(&mut self, name: &Name, body: &Self::Expression) -> Property<ExpressionId> {
        let mut atoms = Vec::new();
        let formula = self.formula_part(body, &mut atoms);
        let span = Self::span(body);
        if atoms.len() > MOST_ATOMS {
            let message = format!("a formula with more than {MOST_ATOMS} different conditions");
            self.error(Self::TOO_LARGE, span, message);
        }
        Property {
            name: name.to_string(),
            formula,
            atoms: atoms.iter().map(|atom| atom.condition).collect(),
            words: atoms.into_iter().map(|atom| atom.written).collect(),
            text: self.text(span),
            start: span.start,
        }
    }

    /// A part of a formula; conditions that are written alike are one atom.
    fn formula_part(&mut self, part: &Self::Expression, atoms: &mut Vec<Atom>) -> Formula {
        match Self::part(part) {
            Part::Unary(operator, operand) => operator(Box::new(self.formula_part(operand, atoms))),
            Part::Binary(operator, left, right) => {
                let left = Box::new(self.formula_part(left, atoms));
                operator(left, Box::new(self.formula_part(right, atoms)))
            }
            Part::Condition => {
                let condition = self.condition_of(part);
                let known = &self.building().program.expressions[condition.index()];
                if let Expression::Constant(value) = *known {
                    return Formula::Constant(value != 0);
                }
                let written = self.text(Self::span(part));
                let same = Self::same(written.clone());
                let known = atoms.iter().position(|known| known.same == same);
                let number = known.unwrap_or_else(|| {
                    atoms.push(Atom {
                        same,
                        written,
                        condition,
                    });
                    atoms.len() - 1
                });
                // Too many are reported by the caller.
                Formula::Atom(number.min(MOST_ATOMS - 1) as u32)
            }
        }
    }
}
