//! Formulas as text, in SPIN's signs and words.
//!
//! What is not an operator is an atom, taken as it stands: a name such as `p`, `door.Open` or
//! `sender[1]@waiting`, a call such as `len(q)`, a comparison of two such things, or anything in
//! braces. Two atoms with the same text, spaces aside, are one.
//!
//! From loose to tight: `-> <->`, `||`, `&&`, `U W V R`, and the operators before their operand.
//! Operators of the same strength group to the left, as in SPIN. (Models in Promela have a parser
//! of their own, in which an atom is any expression of the language.)

use std::fmt;

use crate::formula::{Formula, MOST_ATOMS};

/// Why a text is not a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where, in bytes.
    pub position: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at column {}", self.message, self.position + 1)
    }
}

impl std::error::Error for ParseError {}

/// Reads a formula. Gives the texts of its atoms, in the order of their numbers, too.
pub fn parse(text: &str) -> Result<(Formula, Vec<String>), ParseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens,
        next: 0,
        end: text.len(),
        atoms: Vec::new(),
        depth: 0,
    };
    let formula = parser.formula(0)?;
    match parser.peek() {
        None => Ok((formula, parser.atoms)),
        Some(_) => Err(parser.unexpected("an operator or the end")),
    }
}

/// Deeper nesting is refused, so that recursion is safe.
const DEEPEST: u32 = 200;

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Open,
    Close,
    Not,
    And,
    Or,
    Implies,
    Equivalent,
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
    /// A comparison or an arithmetic sign inside an atom.
    Sign(String),
    /// A name, number, call, or what stood in braces.
    Operand(String),
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    end: usize,
    atoms: Vec<String>,
    depth: u32,
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ParseError> {
    // Longer signs first.
    const SIGNS: [(&str, Token); 14] = [
        ("<->", Token::Equivalent),
        ("->", Token::Implies),
        ("[]", Token::Always),
        ("<>", Token::Eventually),
        ("&&", Token::And),
        ("||", Token::Or),
        ("/\\", Token::And),
        ("\\/", Token::Or),
        ("(", Token::Open),
        (")", Token::Close),
        ("!", Token::Not),
        ("~", Token::Not),
        ("&", Token::And),
        ("|", Token::Or),
    ];
    const COMPARISONS: [&str; 11] = ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%"];
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().unwrap_or(' ');
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        // `!=` is not a negation.
        let comparison = COMPARISONS.iter().find(|sign| rest.starts_with(**sign));
        let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        let (length, token) = match (sign, comparison) {
            (Some(_), Some(&"!=")) => (2, Token::Sign("!=".into())),
            (Some((sign, token)), _) => (sign.len(), token.clone()),
            (None, Some(sign)) => (sign.len(), Token::Sign((*sign).into())),
            (None, None) => operand(text, at)?,
        };
        tokens.push((at, token));
        at += length;
    }
    Ok(tokens)
}

/// A word, with brackets and calls that follow it directly, or something in braces.
fn operand(text: &str, start: usize) -> Result<(usize, Token), ParseError> {
    let rest = &text[start..];
    let fail = |message: &str| {
        Err(ParseError {
            position: start,
            message: message.into(),
        })
    };
    if let Some(inside) = rest.strip_prefix('{') {
        return match inside.find('}') {
            Some(length) => Ok((length + 2, Token::Operand(inside[..length].trim().into()))),
            None => fail("a brace that is not closed"),
        };
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | ':' | '#' | '\'');
    let word_end = |from: usize| {
        rest[from..]
            .find(|c| !is_word(c))
            .map_or(rest.len(), |distance| from + distance)
    };
    let mut length = word_end(0);
    if length == 0 {
        let sign = rest.chars().next().unwrap_or(' ');
        return fail(&format!("`{sign}` is neither an operator nor an atom"));
    }
    let token = match &rest[..length] {
        "U" | "until" | "stronguntil" => Token::Until,
        "W" | "weakuntil" => Token::WeakUntil,
        "V" | "R" | "release" => Token::Release,
        "X" | "next" => Token::Next,
        "always" | "G" => Token::Always,
        "eventually" | "F" => Token::Eventually,
        "implies" => Token::Implies,
        "equivalent" => Token::Equivalent,
        "and" => Token::And,
        "or" => Token::Or,
        "not" => Token::Not,
        _ => {
            // Brackets and calls belong to the name they follow directly.
            while rest[length..].starts_with(['[', '(']) {
                match brackets(&rest[length..]) {
                    Some(distance) => length = word_end(length + distance),
                    None => return fail("a bracket that is not closed"),
                }
            }
            Token::Operand(rest[..length].to_string())
        }
    };
    Ok((length, token))
}

/// How long what stands in brackets is, with all that are inside; nothing if they do not close. A brace would end the atom elsewhere.
fn brackets(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, sign) in text.char_indices() {
        match sign {
            '[' => open.push(']'),
            '(' => open.push(')'),
            ']' | ')' if open.pop() != Some(sign) => return None,
            '{' | '}' | '"' => return None,
            _ => {}
        }
        if open.is_empty() {
            return Some(at + 1);
        }
    }
    None
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn unexpected(&self, wanted: &str) -> ParseError {
        let position = self.tokens.get(self.next).map_or(self.end, |(at, _)| *at);
        ParseError {
            position,
            message: format!("expected {wanted}"),
        }
    }

    fn formula(&mut self, minimum: u8) -> Result<Formula, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ParseError {
                position: self.tokens.get(self.next).map_or(self.end, |(at, _)| *at),
                message: "the formula is nested too deeply".into(),
            });
        }
        let mut left = self.prefix()?;
        loop {
            type Make = fn(Box<Formula>, Box<Formula>) -> Formula;
            let (strength, make): (u8, Make) = match self.peek() {
                Some(Token::Implies) => (0, Formula::Implies),
                Some(Token::Equivalent) => (0, Formula::Equivalent),
                Some(Token::Or) => (1, Formula::Or),
                Some(Token::And) => (2, Formula::And),
                Some(Token::Until) => (3, Formula::Until),
                Some(Token::WeakUntil) => (3, Formula::WeakUntil),
                Some(Token::Release) => (3, Formula::Release),
                _ => break,
            };
            if strength < minimum {
                break;
            }
            self.next += 1;
            let right = self.formula(strength + 1)?;
            left = make(left.into(), right.into());
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Formula, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.unexpected("less nesting"));
        }
        let make: fn(Box<Formula>) -> Formula = match self.peek() {
            Some(Token::Not) => Formula::Not,
            Some(Token::Next) => Formula::Next,
            Some(Token::Always) => Formula::Always,
            Some(Token::Eventually) => Formula::Eventually,
            _ => {
                let primary = self.primary();
                self.depth -= 1;
                return primary;
            }
        };
        self.next += 1;
        let operand = self.prefix()?;
        self.depth -= 1;
        Ok(make(operand.into()))
    }

    fn primary(&mut self) -> Result<Formula, ParseError> {
        match self.peek() {
            Some(Token::Open) if !self.is_arithmetic() => {
                self.next += 1;
                let inside = self.formula(0)?;
                if self.peek() != Some(&Token::Close) {
                    return Err(self.unexpected("an operator or `)`"));
                }
                self.next += 1;
                Ok(inside)
            }
            Some(Token::Open | Token::Operand(_)) => self.atom(),
            _ => Err(self.unexpected("a formula")),
        }
    }

    /// Is what is in parentheses here a side of a comparison?
    fn is_arithmetic(&self) -> bool {
        let mut open = 0;
        for (index, (_, token)) in self.tokens.iter().enumerate().skip(self.next) {
            match token {
                Token::Open => open += 1,
                Token::Close => open -= 1,
                _ => {}
            }
            if open == 0 {
                return matches!(self.tokens.get(index + 1), Some((_, Token::Sign(_))));
            }
        }
        false
    }

    fn atom(&mut self) -> Result<Formula, ParseError> {
        let mut text = String::new();
        loop {
            self.side(&mut text)?;
            match self.peek() {
                Some(Token::Sign(sign)) => {
                    text += &format!(" {sign} ");
                    self.next += 1;
                }
                _ => break,
            }
        }
        match text.as_str() {
            "true" | "1" => return Ok(Formula::Constant(true)),
            "false" | "0" => return Ok(Formula::Constant(false)),
            _ => {}
        }
        let known = self.atoms.iter().position(|atom| *atom == text);
        let number = known.unwrap_or_else(|| {
            self.atoms.push(text);
            self.atoms.len() - 1
        });
        if number >= MOST_ATOMS {
            return Err(self.unexpected(&format!("at most {MOST_ATOMS} different atoms")));
        }
        Ok(Formula::Atom(number as u32))
    }

    /// One side of a comparison.
    fn side(&mut self, text: &mut String) -> Result<(), ParseError> {
        match self.peek() {
            Some(Token::Operand(word)) => {
                *text += word;
                self.next += 1;
                Ok(())
            }
            Some(Token::Open) => {
                let mut open = 0;
                while let Some((_, token)) = self.tokens.get(self.next) {
                    match token {
                        Token::Open => {
                            open += 1;
                            text.push('(');
                        }
                        Token::Close => {
                            open -= 1;
                            text.push(')');
                        }
                        Token::Operand(word) => *text += word,
                        Token::Sign(sign) => *text += &format!(" {sign} "),
                        _ => return Err(self.unexpected("an arithmetic expression")),
                    }
                    self.next += 1;
                    if open == 0 {
                        return Ok(());
                    }
                }
                Err(self.unexpected("`)`"))
            }
            _ => Err(self.unexpected("a name or a number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::formula_text;

    fn read(text: &str) -> String {
        match parse(text) {
            Ok((formula, atoms)) => formula_text(&formula, &atoms),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn strength_and_grouping() {
        assert_eq!(read("a U b U c"), "(a U b) U c");
        assert_eq!(read("a && b || c -> d"), "((a && b) || c) -> d");
        assert_eq!(read("[] a U b"), "([] a) U b");
        assert_eq!(read("!p U <>q"), "(! p) U (<> q)");
        assert_eq!(read("always (a implies eventually b)"), "[] (a -> (<> b))");
        assert_eq!(read("a -> b -> c"), "(a -> b) -> c");
        assert_eq!(read("X X p W q V r"), "((X (X p)) W q) V r");
        assert_eq!(read("p R q"), "p V q");
    }

    #[test]
    fn atoms() {
        assert_eq!(
            read("[] (x>3 && len(q) != 0)"),
            "[] ({x > 3} && {len(q) != 0})"
        );
        assert_eq!(read("<> P[1]@done"), "<> P[1]@done");
        assert_eq!(read("(a + b) > 3 U true"), "{(a + b) > 3} U true");
        assert_eq!(read("[]{any thing}"), "[] {any thing}");
        assert_eq!(read("<> a[b[len(q)]].f(1)"), "<> a[b[len(q)]].f(1)");
        assert!(parse("[] !q((((\"((( |} <> (q && <> p)").is_err());
        assert_eq!(parse("p && q && p").unwrap().1, ["p", "q"]);
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(read("[] "), "expected a formula at column 4");
        assert_eq!(read("p q"), "expected an operator or the end at column 3");
        assert_eq!(read("(p"), "expected an operator or `)` at column 3");
        assert_eq!(read("{p"), "a brace that is not closed at column 1");
        assert_eq!(
            read("p $ q"),
            "`$` is neither an operator nor an atom at column 3"
        );
        assert!(read(&"(".repeat(10_000)).contains("nested too deeply"));
        assert!(read(&"!".repeat(10_000)).contains("less nesting"));
    }
}
