//! Prints: the formats of `printf` and `printm`.

use mazurka_model::{FormatPart, Instruction, Meaning};
use mazurka_span::counted;

use crate::ast::{Expr, ExprKind, StringLiteral};

use super::action::plain;
use super::graph::{Action, Idle};
use super::symbols::Type;
use super::{Lowerer, problem};

impl Lowerer<'_> {
    pub(super) fn print(&mut self, format: &StringLiteral, arguments: &[Expr]) -> Action {
        let parts = self.parts(format, arguments);
        let wanted = parts
            .iter()
            .filter(|part| !matches!(part, FormatPart::Text(_)))
            .count();
        if wanted != arguments.len() {
            let message = format!(
                "the format takes {}, not {}",
                counted(wanted as u64, "argument"),
                arguments.len()
            );
            self.warn(problem::BAD_FORMAT, format.span, message);
        }
        let values = arguments
            .iter()
            .map(|argument| self.expression(argument))
            .collect();
        self.print_action(parts, values)
    }

    pub(super) fn print_name(&mut self, argument: &Expr) -> Action {
        let parts = vec![FormatPart::Name(self.enumeration_of(argument))];
        let value = self.expression(argument);
        self.print_action(parts, vec![value])
    }

    fn print_action(
        &mut self,
        parts: Vec<FormatPart>,
        values: Vec<mazurka_model::ExpressionId>,
    ) -> Action {
        self.program.formats.push(parts);
        let format = self.program.formats.len() as u32 - 1;
        let values = self.push_list(values);
        let mut action = plain(self.constant(1), vec![Instruction::Print(format, values)]);
        action.idle = Some(Idle::Print);
        action
    }

    fn parts(&mut self, format: &StringLiteral, arguments: &[Expr]) -> Vec<FormatPart> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut used = 0;
        let mut characters = format.text.chars();
        while let Some(character) = characters.next() {
            let part = match character {
                '\\' => {
                    text.push(match characters.next() {
                        Some('n') => '\n',
                        Some('t') => '\t',
                        Some('r') => '\r',
                        Some(other) => other,
                        None => '\\',
                    });
                    continue;
                }
                '%' => match characters.next() {
                    Some('d' | 'i') => FormatPart::Decimal,
                    Some('u') => FormatPart::Unsigned,
                    Some('c') => FormatPart::Character,
                    Some('x') => FormatPart::Hexadecimal,
                    Some('o') => FormatPart::Octal,
                    Some('e') => {
                        let which = arguments
                            .get(used)
                            .map_or(0, |argument| self.enumeration_of(argument));
                        FormatPart::Name(which)
                    }
                    Some('%') | None => {
                        text.push('%');
                        continue;
                    }
                    Some(other) => {
                        let message = format!("printf has no conversion `%{other}`");
                        self.warn(problem::BAD_FORMAT, format.span, message);
                        text.extend(['%', other]);
                        continue;
                    }
                },
                other => {
                    text.push(other);
                    continue;
                }
            };
            if !text.is_empty() {
                parts.push(FormatPart::Text(std::mem::take(&mut text)));
            }
            parts.push(part);
            used += 1;
        }
        if !text.is_empty() {
            parts.push(FormatPart::Text(text));
        }
        parts
    }

    /// The enumeration that the value of an expression is read in.
    fn enumeration_of(&self, argument: &Expr) -> u32 {
        let ExprKind::Variable(reference) = &argument.kind else {
            return 0;
        };
        if let Some((_, which)) = self.names.constants.get(&reference.name().text) {
            return *which;
        }
        match self.find(reference.name()).map(|symbol| symbol.of) {
            Some(Type::Scalar {
                meaning: Meaning::Enumeration(which),
                ..
            }) => which,
            _ => 0,
        }
    }
}
