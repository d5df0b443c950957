//! The C preprocessor, as far as models use it: directives, files and conditions. Macros are in [`macros`].
//!
//! It works on tokens, not on text, so that every token keeps the span of its spelling and, through
//! [`mazurka_span::Expansion`], the chain of macro uses that brought it where it is.

mod condition;
mod macros;

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use mazurka_span::{Diagnostic, FileId, SourceMap, Span};

use crate::codes;
use crate::lexer::tokenize;
use crate::loader::{FileLoader, MemoryLoader};
use crate::token::{Interner, Punctuation, Symbol, Token, TokenKind};
pub(crate) use macros::MacroTable;
use macros::define;

/// How deep files may include files.
const INCLUDE_DEPTH: usize = 64;
/// How many files may be included altogether: two files that include each other twice would never end.
const INCLUDE_COUNT: usize = 2000;

/// Preprocesses a file, and then each of the snippets, which know its macros; the results have no end marker. `defines` are `NAME` or
/// `NAME=VALUE`, as after a `-D`. The macros are those at the end.
pub(crate) fn preprocess(
    map: &mut SourceMap,
    interner: &mut Interner,
    diagnostics: &mut Vec<Diagnostic>,
    loader: &dyn FileLoader,
    defines: &[String],
    file: FileId,
    snippets: &[FileId],
) -> (Vec<Token>, Vec<Vec<Token>>, MacroTable) {
    let mut preprocessor = Preprocessor {
        map,
        interner,
        diagnostics,
        loader,
        macros: MacroTable::default(),
        cache: HashMap::new(),
        included: 0,
        text: Vec::new(),
        output: Vec::new(),
    };
    preprocessor.command_line(defines);
    preprocessor.file(file, 0);
    let model = std::mem::take(&mut preprocessor.output);
    let expanded = snippets.iter().map(|snippet| {
        preprocessor.file(*snippet, 0);
        std::mem::take(&mut preprocessor.output)
    });
    let snippets = expanded.collect();
    (model, snippets, preprocessor.macros)
}

/// Preprocesses a snippet that knows these macros.
pub(crate) fn preprocess_snippet(
    map: &mut SourceMap,
    interner: &mut Interner,
    diagnostics: &mut Vec<Diagnostic>,
    macros: MacroTable,
    snippet: FileId,
) -> Vec<Token> {
    let mut preprocessor = Preprocessor {
        map,
        interner,
        diagnostics,
        loader: &MemoryLoader::default(),
        macros,
        cache: HashMap::new(),
        included: 0,
        text: Vec::new(),
        output: Vec::new(),
    };
    preprocessor.file(snippet, 0);
    preprocessor.output
}

struct Preprocessor<'a> {
    map: &'a mut SourceMap,
    interner: &'a mut Interner,
    diagnostics: &'a mut Vec<Diagnostic>,
    loader: &'a dyn FileLoader,
    macros: MacroTable,
    /// Files read before, by path.
    cache: HashMap<String, FileId>,
    included: usize,
    /// Tokens since the last directive, not yet expanded: the arguments of a macro may go over several lines.
    text: Vec<Token>,
    output: Vec<Token>,
}

/// An `#if` that is open.
struct Conditional {
    start: Span,
    /// The lines we are in count.
    active: bool,
    /// One of the branches was active, or none may be because the whole is skipped.
    decided: bool,
    seen_else: bool,
}

impl Preprocessor<'_> {
    fn command_line(&mut self, defines: &[String]) {
        let mut text = String::new();
        for define in defines {
            let line = define.replace(['\n', '\r'], " ");
            let (name, value) = line.split_once('=').unwrap_or((&line, "1"));
            text += &format!("#define {name} {value}\n");
        }
        if let Ok(file) = self.map.add("<command line>", text.as_bytes()) {
            self.file(file, 0);
        }
        self.macros.are_given();
    }

    fn file(&mut self, file: FileId, depth: usize) {
        let tokens: Rc<[Token]> = tokenize(self.map.file(file), self.interner).into();
        let mut conditionals: Vec<Conditional> = Vec::new();
        let mut position = 0;
        while position < tokens.len() {
            let token = tokens[position];
            if token.newline_before && token.is(Punctuation::Hash) {
                let rest = &tokens[position + 1..];
                let length = rest
                    .iter()
                    .position(|token| token.newline_before)
                    .unwrap_or(rest.len());
                self.directive(file, depth, token.span, &rest[..length], &mut conditionals);
                position += 1 + length;
            } else {
                if conditionals
                    .last()
                    .is_none_or(|conditional| conditional.active)
                {
                    self.text.push(token);
                }
                position += 1;
            }
        }
        self.flush();
        for conditional in conditionals {
            self.report(
                Diagnostic::error(
                    codes::UNBALANCED_CONDITIONAL,
                    conditional.start,
                    "this condition is never closed",
                )
                .hint("add `#endif`"),
            );
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let expanded = self.expand(text);
        self.output.extend(expanded);
        // Half-expanded text would only lead to more errors.
        if self.macros.exhausted() {
            self.output.clear();
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn malformed(&mut self, span: Span, message: &str) {
        self.report(Diagnostic::error(codes::MALFORMED_DIRECTIVE, span, message));
    }

    /// One directive: the tokens between `#` and the end of the line.
    fn directive(
        &mut self,
        file: FileId,
        depth: usize,
        hash: Span,
        line: &[Token],
        conditionals: &mut Vec<Conditional>,
    ) {
        self.flush();
        let active = conditionals
            .last()
            .is_none_or(|conditional| conditional.active);
        let (name, span) = match line.first() {
            Some(Token {
                kind: TokenKind::Ident(symbol),
                span,
                ..
            }) => (self.interner.text(*symbol).clone(), *span),
            // `#` alone does nothing; `# 12 "file"` says where a text that was preprocessed before came from.
            None
            | Some(Token {
                kind: TokenKind::Number(_),
                ..
            }) => return,
            Some(other) if active => {
                return self.malformed(other.span, "a directive starts with a word");
            }
            Some(_) => return,
        };
        let start = self.map.join(hash, span);
        let arguments = &line[1..];
        match &*name {
            "if" | "ifdef" | "ifndef" => {
                let holds = active && self.condition(&name, start, arguments);
                conditionals.push(Conditional {
                    start,
                    active: holds,
                    decided: holds || !active,
                    seen_else: false,
                });
            }
            "elif" | "else" => self.alternative(&name, start, arguments, conditionals),
            "endif" => {
                if conditionals.pop().is_none() {
                    self.report(Diagnostic::error(
                        codes::UNBALANCED_CONDITIONAL,
                        start,
                        "`#endif` without an `#if`",
                    ));
                }
            }
            _ if !active => {}
            "define" => {
                let outcome = define(self.interner, &mut self.macros, start, arguments);
                self.diagnostics.extend(outcome);
            }
            "undef" => match self.single_name(arguments) {
                Some(symbol) => self.macros.remove(symbol),
                None => self.malformed(start, "`#undef` needs one name"),
            },
            "include" => self.include(file, depth, start, arguments),
            "error" | "warning" => {
                let text = self.interner.join(arguments);
                self.report(match &*name {
                    "error" => {
                        Diagnostic::error(codes::ERROR_DIRECTIVE, start, format!("#error {text}"))
                    }
                    _ => Diagnostic::warning(
                        codes::WARNING_DIRECTIVE,
                        start,
                        format!("#warning {text}"),
                    ),
                });
            }
            "line" | "pragma" | "ident" => {}
            _ => {
                let known = [
                    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif",
                    "error", "line", "pragma",
                ];
                let mut diagnostic = Diagnostic::error(
                    codes::UNKNOWN_DIRECTIVE,
                    start,
                    format!("there is no directive `#{name}`"),
                );
                if let Some(near) = mazurka_span::nearest(&name, known.into_iter()) {
                    diagnostic = diagnostic.hint(format!("did you mean `#{near}`?"));
                }
                self.report(diagnostic);
            }
        }
    }

    fn single_name(&self, arguments: &[Token]) -> Option<Symbol> {
        match arguments {
            [
                Token {
                    kind: TokenKind::Ident(symbol),
                    ..
                },
            ] => Some(*symbol),
            _ => None,
        }
    }

    fn condition(&mut self, name: &str, start: Span, arguments: &[Token]) -> bool {
        if name == "if" {
            return self.evaluate(start, arguments);
        }
        match self.single_name(arguments) {
            Some(symbol) => self.macros.contains(symbol) == (name == "ifdef"),
            None => {
                self.malformed(start, &format!("`#{name}` needs one name"));
                false
            }
        }
    }

    fn alternative(
        &mut self,
        name: &str,
        start: Span,
        arguments: &[Token],
        conditionals: &mut [Conditional],
    ) {
        let Some(conditional) = conditionals.last_mut() else {
            let message = format!("`#{name}` without an `#if`");
            return self.report(Diagnostic::error(
                codes::UNBALANCED_CONDITIONAL,
                start,
                message,
            ));
        };
        if conditional.seen_else {
            let message = format!("`#{name}` after `#else`");
            let first = conditional.start;
            return self.report(
                Diagnostic::error(codes::UNBALANCED_CONDITIONAL, start, message)
                    .also(first, "of this condition"),
            );
        }
        conditional.seen_else = name == "else";
        conditional.active = false;
        if !conditional.decided {
            let holds = name == "else" || self.evaluate(start, arguments);
            conditional.active = holds;
            conditional.decided = holds;
        }
    }

    fn evaluate(&mut self, start: Span, arguments: &[Token]) -> bool {
        // `defined` looks at names before they are expanded.
        let mut tokens = Vec::new();
        let mut position = 0;
        while position < arguments.len() {
            let token = arguments[position];
            let is_defined = matches!(token.kind, TokenKind::Ident(symbol) if &**self.interner.text(symbol) == "defined");
            let operand = match arguments[position + 1..] {
                [
                    Token {
                        kind: TokenKind::Ident(name),
                        ..
                    },
                    ..,
                ] => Some((name, 1)),
                [
                    open,
                    Token {
                        kind: TokenKind::Ident(name),
                        ..
                    },
                    close,
                    ..,
                ] if open.is(Punctuation::LeftParen) && close.is(Punctuation::RightParen) => {
                    Some((name, 3))
                }
                _ => None,
            };
            match operand {
                Some((name, length)) if is_defined => {
                    let value = if self.macros.contains(name) { "1" } else { "0" };
                    tokens.push(Token {
                        kind: TokenKind::Number(self.interner.intern(value)),
                        ..token
                    });
                    position += length;
                }
                _ => tokens.push(token),
            }
            position += 1;
        }
        let tokens = self.expand(tokens);
        match condition::evaluate(&tokens, self.interner) {
            Ok(value) => value != 0,
            Err(problem) => {
                let span = problem.span.unwrap_or(start);
                self.report(Diagnostic::error(
                    codes::MALFORMED_CONDITION,
                    span,
                    problem.message,
                ));
                false
            }
        }
    }

    fn include(&mut self, file: FileId, depth: usize, start: Span, arguments: &[Token]) {
        let expanded;
        let arguments = if matches!(
            arguments.first(),
            Some(Token {
                kind: TokenKind::Ident(_),
                ..
            })
        ) {
            expanded = self.expand(arguments.to_vec());
            &expanded
        } else {
            arguments
        };
        let name = match arguments {
            [
                Token {
                    kind: TokenKind::String(symbol),
                    ..
                },
            ] => self.interner.text(*symbol).to_string(),
            [open, .., close] if open.is(Punctuation::Less) && close.is(Punctuation::Greater) => {
                let inner = Span::new(open.span.end, close.span.start);
                self.map.text(inner).to_string()
            }
            _ => {
                return self.malformed(start, "`#include` needs the name of a file between quotes");
            }
        };
        let from = self.map.file(file).name();
        let path = match Path::new(from).parent() {
            Some(folder) => folder.join(&name).to_string_lossy().into_owned(),
            None => name,
        };
        if depth >= INCLUDE_DEPTH || self.included >= INCLUDE_COUNT {
            return self.report(
                Diagnostic::error(
                    codes::INCLUDE_TOO_DEEP,
                    start,
                    "files include each other too deeply",
                )
                .label("this one is left out")
                .hint("does a file include itself?"),
            );
        }
        self.included += 1;
        let found = match self.cache.get(&path) {
            Some(&file) => Ok(file),
            None => self.loader.load(&path).and_then(|bytes| {
                let file = self
                    .map
                    .add(&path, &bytes)
                    .map_err(|error| error.to_string())?;
                self.cache.insert(path.clone(), file);
                Ok(file)
            }),
        };
        match found {
            Ok(file) => self.file(file, depth + 1),
            Err(reason) => {
                let message = format!("cannot read `{path}`: {reason}");
                self.report(Diagnostic::error(codes::INCLUDE_NOT_FOUND, start, message));
            }
        }
    }
}
