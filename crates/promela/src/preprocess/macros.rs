//! Macros: their definition and their expansion.
//!
//! Expansion follows the C standard: arguments are expanded before they are put into the body, the result is scanned again
//! together with what follows, and a macro met during its own expansion is painted and stays as it is. The scan keeps a
//! stack of its own instead of recursing; only the arguments of calls recurse, and not deeply.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mazurka_span::{Diagnostic, Expansion, ExpansionKind, Span};

use super::Preprocessor;
use crate::codes;
use crate::lexer::single_token;
use crate::token::{Interner, Punctuation, Symbol, Token, TokenKind};

/// Tokens that all expansions of a run may make together.
const BUDGET: usize = 2_000_000;
/// How deep macros may expand to other macros.
const NESTING: usize = 256;
/// How deep a macro may be called in the arguments of another.
const ARGUMENT_DEPTH: u32 = 64;

#[derive(Clone, Default)]
pub(crate) struct MacroTable {
    macros: HashMap<Symbol, Arc<Macro>>,
    /// Those that the command line defines.
    given: HashSet<Symbol>,
    /// Tokens made so far.
    spent: usize,
    argument_depth: u32,
    exhausted: bool,
}

struct Macro {
    name: Span,
    /// `None` for a macro without an argument list.
    parameters: Option<Parameters>,
    body: Vec<Token>,
}

#[derive(PartialEq)]
struct Parameters {
    names: Vec<Symbol>,
    /// The last one takes all remaining arguments, commas included.
    variadic: bool,
}

impl MacroTable {
    pub fn contains(&self, name: Symbol) -> bool {
        self.macros.contains_key(&name)
    }

    /// Whether a limit was hit, so that nothing more is expanded.
    pub fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// All macros so far are what the command line defines.
    pub fn are_given(&mut self) {
        self.given = self.macros.keys().copied().collect();
    }

    pub fn remove(&mut self, name: Symbol) {
        self.macros.remove(&name);
    }
}

/// `#define` with what follows it on the line. Gives a diagnostic if the definition is malformed or a different one exists.
pub(super) fn define(
    interner: &mut Interner,
    table: &mut MacroTable,
    start: Span,
    line: &[Token],
) -> Option<Diagnostic> {
    let Some((
        &Token {
            kind: TokenKind::Ident(symbol),
            span: name,
            ..
        },
        rest,
    )) = line.split_first()
    else {
        return Some(Diagnostic::error(
            codes::MALFORMED_DIRECTIVE,
            start,
            "`#define` needs a name",
        ));
    };
    // Only a bracket that touches the name starts a parameter list.
    let (parameters, body) = match rest {
        [open, rest @ ..] if open.is(Punctuation::LeftParen) && !open.space_before => {
            match parameter_list(interner, rest) {
                Some((parameters, body)) => (Some(parameters), body),
                None => {
                    let message = "the parameters of a macro are names with commas between them";
                    return Some(Diagnostic::error(
                        codes::MALFORMED_DIRECTIVE,
                        open.span,
                        message,
                    ));
                }
            }
        }
        _ => (None, rest),
    };
    let mut body = body.to_vec();
    if let Some(first) = body.first_mut() {
        first.space_before = false;
    }
    let previous = table.macros.insert(
        symbol,
        Arc::new(Macro {
            name,
            parameters,
            body,
        }),
    );
    let (previous, new) = (previous?, &table.macros[&symbol]);
    let same = previous.parameters == new.parameters
        && previous.body.len() == new.body.len()
        && previous
            .body
            .iter()
            .zip(&new.body)
            .all(|(a, b)| a.kind == b.kind);
    if same {
        return None;
    }
    let text = interner.text(symbol);
    // Otherwise another model would be checked than the one that was asked for.
    if table.given.contains(&symbol) {
        let message = format!("the model defines `{text}` itself, so it cannot be given a value");
        let diagnostic = Diagnostic::error(codes::MACRO_REDEFINED, name, message);
        let hint = format!("put `#ifndef {text}` before the definition and `#endif` behind it");
        return Some(diagnostic.hint(hint));
    }
    let message = format!("macro `{text}` is defined again, differently");
    let diagnostic = Diagnostic::warning(codes::MACRO_REDEFINED, name, message);
    Some(diagnostic.also(previous.name, "first defined here"))
}

/// The parameters up to the closing bracket, and the rest of the line.
fn parameter_list<'a>(
    interner: &mut Interner,
    mut line: &'a [Token],
) -> Option<(Parameters, &'a [Token])> {
    let mut parameters = Parameters {
        names: Vec::new(),
        variadic: false,
    };
    if let [close, rest @ ..] = line
        && close.is(Punctuation::RightParen)
    {
        return Some((parameters, rest));
    }
    loop {
        match line {
            [
                Token {
                    kind: TokenKind::Ident(name),
                    ..
                },
                rest @ ..,
            ] => {
                parameters.names.push(*name);
                line = rest;
            }
            [dots, dot, rest @ ..] if dots.is(Punctuation::DotDot) && dot.is(Punctuation::Dot) => {
                parameters.names.push(interner.intern("__VA_ARGS__"));
                parameters.variadic = true;
                line = rest;
            }
            _ => return None,
        }
        match line {
            [close, rest @ ..] if close.is(Punctuation::RightParen) => {
                return Some((parameters, rest));
            }
            [comma, rest @ ..] if comma.is(Punctuation::Comma) && !parameters.variadic => {
                line = rest
            }
            _ => return None,
        }
    }
}

/// Tokens still to be scanned, and the macro they came from, which is not expanded while they last.
struct Frame {
    tokens: std::vec::IntoIter<Token>,
    from: Option<Symbol>,
}

/// An argument of a call: as written, and expanded.
struct Argument {
    raw: Vec<Token>,
    expanded: Vec<Token>,
}

impl Preprocessor<'_> {
    /// Expands all macros in a text.
    pub(super) fn expand(&mut self, text: Vec<Token>) -> Vec<Token> {
        self.expand_within(text, &[])
    }

    /// The same, in a place where some macros are being expanded already.
    fn expand_within(&mut self, text: Vec<Token>, active: &[Symbol]) -> Vec<Token> {
        let mut output = Vec::with_capacity(text.len());
        let mut frames = vec![Frame {
            tokens: text.into_iter(),
            from: None,
        }];
        // White space before a macro goes to the first token of what it becomes, or to what follows it.
        let (mut newline, mut space) = (false, false);
        while let Some(mut token) = next(&mut frames) {
            let definition = match token.kind {
                TokenKind::Ident(symbol) if !token.painted => self
                    .macros
                    .macros
                    .get(&symbol)
                    .map(|definition| (symbol, definition.clone())),
                _ => None,
            };
            if let Some((symbol, definition)) = definition {
                let is_active = active.contains(&symbol)
                    || frames.iter().any(|frame| frame.from == Some(symbol));
                if is_active {
                    token.painted = true;
                } else if !self.macros.exhausted
                    && let Some(body) = self.call(token, symbol, &definition, &mut frames, active)
                {
                    newline |= token.newline_before;
                    space |= token.space_before;
                    frames.push(Frame {
                        tokens: body.into_iter(),
                        from: Some(symbol),
                    });
                    continue;
                }
            }
            token.newline_before |= std::mem::take(&mut newline);
            token.space_before |= std::mem::take(&mut space);
            output.push(token);
        }
        output
    }

    /// What a macro name becomes; `None` if it stays a name.
    fn call(
        &mut self,
        name: Token,
        symbol: Symbol,
        definition: &Macro,
        frames: &mut Vec<Frame>,
        active: &[Symbol],
    ) -> Option<Vec<Token>> {
        let mut call = name.span;
        let mut arguments = Vec::new();
        if let Some(parameters) = &definition.parameters {
            peek(frames).filter(|token| token.is(Punctuation::LeftParen))?;
            let mut raw;
            (raw, call) = self.collect_arguments(name, symbol, frames)?;
            raw = regroup(raw, parameters);
            if raw.len() != parameters.names.len() {
                let message = format!(
                    "macro `{}` takes {}, but {} given here",
                    self.interner.text(symbol),
                    count(parameters.names.len(), "argument"),
                    if raw.len() == 1 {
                        "1 is".to_string()
                    } else {
                        format!("{} are", raw.len())
                    },
                );
                let diagnostic = Diagnostic::error(codes::MACRO_ARGUMENTS, call, message);
                self.report(diagnostic.also(definition.name, "defined here"));
                // The name stays, so that one mistake does not become two.
                return Some(vec![Token {
                    painted: true,
                    newline_before: false,
                    space_before: false,
                    ..name
                }]);
            }
            let mut inner = active.to_vec();
            inner.extend(frames.iter().filter_map(|frame| frame.from));
            for raw in raw {
                let expanded = self.expand_argument(raw.clone(), &inner, name.span);
                arguments.push(Argument { raw, expanded });
            }
        }
        if self.macros.exhausted {
            return Some(Vec::new());
        }
        let context = self.map.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: self.interner.text(symbol).clone(),
            call,
            definition: Some(definition.name),
        });
        let mut body = self.substitute(definition, &arguments);
        for placed in body.iter_mut().filter(|placed| placed.from_body) {
            placed.token.span = placed.token.span.in_context(context);
        }
        self.macros.spent += body.len() + 1;
        if self.macros.spent > BUDGET {
            self.too_large(name.span, "macros expand to too many tokens");
        }
        if frames.len() > NESTING {
            self.too_large(name.span, "macros expand to macros too deeply");
        }
        Some(
            body.into_iter()
                .map(|token| Token {
                    newline_before: false,
                    ..token.token
                })
                .collect(),
        )
    }

    fn too_large(&mut self, span: Span, message: &str) {
        if !self.macros.exhausted {
            self.macros.exhausted = true;
            self.report(
                Diagnostic::error(codes::MACRO_TOO_LARGE, span, message)
                    .label("the model is not read any further"),
            );
        }
    }

    fn expand_argument(&mut self, raw: Vec<Token>, active: &[Symbol], name: Span) -> Vec<Token> {
        if self.macros.argument_depth >= ARGUMENT_DEPTH {
            self.too_large(name, "macro calls are nested too deeply");
            return Vec::new();
        }
        self.macros.argument_depth += 1;
        let expanded = self.expand_within(raw, active);
        self.macros.argument_depth -= 1;
        expanded
    }

    /// The arguments between the brackets that come next, split at the outer commas, and the span of the whole call. `None`, and the
    /// tokens given back, if there is no closing bracket.
    fn collect_arguments(
        &mut self,
        name: Token,
        symbol: Symbol,
        frames: &mut Vec<Frame>,
    ) -> Option<(Vec<Vec<Token>>, Span)> {
        let mut arguments = vec![Vec::new()];
        let mut taken: Vec<Token> = next(frames).into_iter().collect();
        let mut nesting = 0;
        while let Some(mut token) = next(frames) {
            taken.push(token);
            token.space_before |= token.newline_before;
            token.newline_before = false;
            match token.kind {
                TokenKind::Punctuation(Punctuation::LeftParen) => nesting += 1,
                TokenKind::Punctuation(Punctuation::RightParen) if nesting == 0 => {
                    return Some((arguments, self.map.join(name.span, token.span)));
                }
                TokenKind::Punctuation(Punctuation::RightParen) => nesting -= 1,
                TokenKind::Punctuation(Punctuation::Comma) if nesting == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
        let message = format!(
            "the arguments of macro `{}` are never closed",
            self.interner.text(symbol)
        );
        self.report(Diagnostic::error(
            codes::UNTERMINATED_MACRO_CALL,
            name.span,
            message,
        ));
        // Nothing of it is expanded: every name in it could start the same search for a bracket again.
        for token in &mut taken {
            token.painted = true;
        }
        frames.push(Frame {
            tokens: taken.into_iter(),
            from: None,
        });
        None
    }

    /// The body with the arguments in place of the parameters.
    fn substitute(&mut self, definition: &Macro, arguments: &[Argument]) -> Vec<Placed> {
        let parameter = |token: &Token| match (token.kind, &definition.parameters) {
            (TokenKind::Ident(symbol), Some(parameters)) => {
                let index = parameters.names.iter().position(|name| *name == symbol)?;
                arguments.get(index)
            }
            _ => None,
        };
        let body = &definition.body;
        let mut output: Vec<Placed> = Vec::new();
        let mut position = 0;
        while position < body.len() {
            // An argument may be long and used often: never make more than could be used.
            if output.len() > BUDGET {
                break;
            }
            let token = body[position];
            let next = body.get(position + 1);
            if token.is(Punctuation::DoubleHash)
                && !output.is_empty()
                && let Some(right) = next
            {
                let right = match parameter(right) {
                    Some(argument) => Placed::copies(&argument.raw, right),
                    None => vec![Placed::body(*right)],
                };
                self.paste(&mut output, right, token.span);
                position += 2;
                continue;
            }
            if token.is(Punctuation::Hash)
                && definition.parameters.is_some()
                && let Some(argument) = next.and_then(parameter)
            {
                let text = self
                    .interner
                    .join(&argument.raw)
                    .replace('\\', "\\\\")
                    .replace('"', "\\\"");
                let kind = TokenKind::String(self.interner.intern(&text));
                output.push(Placed::body(Token { kind, ..token }));
                position += 2;
                continue;
            }
            match parameter(&token) {
                Some(argument) => {
                    // Next to `##` an argument is taken as written.
                    let pasted = next.is_some_and(|next| next.is(Punctuation::DoubleHash));
                    let tokens = if pasted {
                        &argument.raw
                    } else {
                        &argument.expanded
                    };
                    output.extend(Placed::copies(tokens, &token));
                }
                None => output.push(Placed::body(token)),
            }
            position += 1;
        }
        output
    }

    fn paste(&mut self, output: &mut Vec<Placed>, right: Vec<Placed>, operator: Span) {
        let mut right = right.into_iter();
        if let (Some(left), Some(first)) = (output.last().copied(), right.next()) {
            let text =
                self.interner.spelling(left.token.kind) + &self.interner.spelling(first.token.kind);
            match single_token(&text, self.interner) {
                Some(kind) => {
                    if let Some(last) = output.last_mut() {
                        last.token.kind = kind;
                        last.token.painted = false;
                    }
                }
                None => {
                    let message = format!("`##` makes `{text}`, which is not one token");
                    self.report(Diagnostic::error(codes::BAD_PASTE, operator, message));
                    output.push(first);
                }
            }
        }
        output.extend(right);
    }
}

/// A token of an expanded body: only those spelled in the body belong to the expansion; an argument is spelled at the call.
#[derive(Clone, Copy)]
struct Placed {
    token: Token,
    from_body: bool,
}

impl Placed {
    fn body(token: Token) -> Placed {
        Placed {
            token,
            from_body: true,
        }
    }

    fn copies(tokens: &[Token], parameter: &Token) -> Vec<Placed> {
        let mut copies: Vec<Placed> = tokens
            .iter()
            .map(|&token| Placed {
                token,
                from_body: false,
            })
            .collect();
        if let Some(first) = copies.first_mut() {
            first.token.space_before = parameter.space_before;
        }
        copies
    }
}

/// `f()` has no argument if `f` has no parameter; a variadic last parameter takes the rest.
fn regroup(mut raw: Vec<Vec<Token>>, parameters: &Parameters) -> Vec<Vec<Token>> {
    let expected = parameters.names.len();
    if expected == 0 && raw.len() == 1 && raw[0].is_empty() {
        raw.clear();
    }
    if parameters.variadic {
        while raw.len() < expected {
            raw.push(Vec::new());
        }
        let rest: Vec<Vec<Token>> = raw.drain(expected - 1..).collect();
        let mut merged = Vec::new();
        for mut argument in rest {
            if let (Some(first), false) = (argument.first().copied(), merged.is_empty()) {
                merged.push(Token {
                    kind: TokenKind::Punctuation(Punctuation::Comma),
                    ..first
                });
            }
            merged.append(&mut argument);
        }
        raw.push(merged);
    }
    raw
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn next(frames: &mut Vec<Frame>) -> Option<Token> {
    loop {
        if let Some(token) = frames.last_mut()?.tokens.next() {
            return Some(token);
        }
        frames.pop();
    }
}

fn peek(frames: &[Frame]) -> Option<Token> {
    frames
        .iter()
        .rev()
        .find_map(|frame| frame.tokens.as_slice().first())
        .copied()
}
