//! What is worked out before the tokens of a model are read: included files, constants, tables that are used in several
//! places, and repetition.
//!
//! All of it is about tokens, so it may stand wherever an item may begin: among machines, in a machine, in a state block, in
//! the network. A name with an index, `line[i + 1]`, is one name: `line` and the value, written together.

mod value;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use mazurka_promela::FileLoader;
use mazurka_span::{Diagnostic, FileId, SourceMap, Span, nearest};
use mazurka_syntax::{Kind, Parse, Token, add_source, tokenize};

use crate::codes;
use crate::parser::Parser;

/// More tokens than this, or more turns of a repetition, are a mistake.
const MOST_PIECES: usize = 2_000_000;
/// Files that include each other, tables that use each other and repetitions may be nested this deep.
const DEEPEST: usize = 100;

/// A token that owns its text, since a name may be written together.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub kind: PieceKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum PieceKind {
    Word(Rc<str>),
    Number(Rc<str>),
    Sign(&'static str),
    Quoted(Rc<str>),
    End,
}

impl Piece {
    /// The token, which borrows its text.
    pub fn token(&self) -> Token<'_> {
        let kind = match &self.kind {
            PieceKind::Word(text) => Kind::Word(text),
            PieceKind::Number(text) => Kind::Number(text),
            PieceKind::Sign(sign) => Kind::Sign(sign),
            PieceKind::Quoted(text) => Kind::Quoted(text),
            PieceKind::End => Kind::End,
        };
        let span = self.span;
        Token { kind, span }
    }

    fn word(&self) -> Option<&str> {
        match &self.kind {
            PieceKind::Word(text) => Some(text),
            _ => None,
        }
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.kind, PieceKind::Sign(found) if found == sign)
    }
}

/// The tokens of a model, with an end marker.
pub(crate) fn expand(
    map: &mut SourceMap,
    file: FileId,
    defines: &[String],
    loader: Option<&dyn FileLoader>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Piece> {
    let mut expander = Expander {
        map,
        loader,
        diagnostics,
        given: HashMap::new(),
        constants: HashMap::new(),
        counters: Vec::new(),
        tables: Vec::new(),
        included: HashSet::new(),
        pieces: Vec::new(),
        turns: 0,
    };
    expander.definitions(defines);
    let end = expander.file(file, 0);
    expander.pieces.push(end);
    expander.unknown_definitions();
    expander.pieces
}

struct Expander<'a> {
    map: &'a mut SourceMap,
    loader: Option<&'a dyn FileLoader>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Values of constants from outside.
    given: HashMap<String, i64>,
    constants: HashMap<Rc<str>, i64>,
    /// The counters of repetitions, the innermost last.
    counters: Vec<(Rc<str>, i64)>,
    tables: Vec<Table>,
    included: HashSet<String>,
    pieces: Vec<Piece>,
    turns: usize,
}

struct Table {
    name: Rc<str>,
    body: Rc<[Piece]>,
}

/// What went wrong has been reported.
struct Wrong;

impl Expander<'_> {
    fn error(&mut self, code: mazurka_span::Code, span: Span, message: impl Into<String>) -> Wrong {
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
        Wrong
    }

    fn definitions(&mut self, defines: &[String]) {
        for define in defines {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            match value.trim().parse::<i32>() {
                Ok(value) => drop(self.given.insert(name.into(), value.into())),
                Err(_) => {
                    let message = format!("the value of `{name}` must be a number, not `{value}`");
                    self.error(codes::BAD_NUMBER, Span::default(), message);
                }
            }
        }
    }

    fn unknown_definitions(&mut self) {
        let mut unknown: Vec<String> = self.given.keys().cloned().collect();
        unknown.retain(|name| !self.constants.contains_key(&**name));
        unknown.sort();
        for name in unknown {
            let message = format!("the model has no constant `{name}` that could be defined");
            let known = self.constants.keys().map(|known| &**known);
            let near = nearest(&name, known).map(|near| format!("did you mean `{near}`?"));
            let diagnostic = Diagnostic::error(codes::UNDECLARED, Span::default(), message);
            self.diagnostics.push(match near {
                Some(near) => diagnostic.hint(near),
                None => diagnostic,
            });
        }
    }

    /// The tokens of a file. Its end marker is not among them.
    fn file(&mut self, file: FileId, depth: usize) -> Piece {
        let source = self.map.file(file);
        let tokens = tokenize(source, &Parser::STYLE, &Parser::CODES, self.diagnostics);
        let owned = |token: &Token<'_>| Piece {
            kind: match token.kind {
                Kind::Word(text) => PieceKind::Word(text.into()),
                Kind::Number(text) => PieceKind::Number(text.into()),
                Kind::Sign(sign) => PieceKind::Sign(sign),
                Kind::Quoted(text) => PieceKind::Quoted(text.into()),
                Kind::End => PieceKind::End,
            },
            span: token.span,
        };
        let mut pieces: Vec<Piece> = tokens.iter().map(owned).collect();
        let end = pieces.pop().expect("the tokens of a file have an end");
        let known = self.tables.len();
        self.run(&pieces, known, depth);
        end
    }

    /// Adds pieces, with everything in them worked out. Of the tables, `known` and those that are declared here can be used.
    fn run(&mut self, pieces: &[Piece], mut known: usize, depth: usize) {
        let mut at = 0;
        while at < pieces.len() {
            if self.pieces.len() > MOST_PIECES || self.turns > MOST_PIECES {
                return;
            }
            let before = self.tables.len();
            match self.directive(pieces, at, known, depth) {
                Ok(Some(next)) => at = next,
                Ok(None) => at = self.name(pieces, at),
                // What is left of it would only lead to more errors.
                Err(Wrong) => at = after_item(pieces, at),
            }
            if self.tables.len() > before && known == before {
                known = self.tables.len();
            }
        }
    }

    /// What is not for the parser: where it ends, if it is that.
    fn directive(
        &mut self,
        pieces: &[Piece],
        at: usize,
        known: usize,
        depth: usize,
    ) -> Result<Option<usize>, Wrong> {
        if !self.at_item() {
            return Ok(None);
        }
        let (first, rest) = (&pieces[at], &pieces[at + 1..]);
        match (first.word(), rest) {
            (Some("for"), [counter, word, ..])
                if counter.word().is_some() && word.word() == Some("in") =>
            {
                self.repeat(pieces, at, known, depth).map(Some)
            }
            (Some("const"), [name, equals, ..]) if equals.is("=") => {
                let PieceKind::Word(name) = name.kind.clone() else {
                    return Ok(None);
                };
                self.constant(pieces, at, name).map(Some)
            }
            (Some("include"), [file, ..]) => {
                let PieceKind::Quoted(path) = file.kind.clone() else {
                    return Ok(None);
                };
                self.expect(pieces, at + 2, ";")?;
                self.include(&path, file.span, depth)?;
                Ok(Some(at + 3))
            }
            (Some("table"), [name, brace, ..]) if brace.is("{") => {
                let PieceKind::Word(name) = name.kind.clone() else {
                    return Ok(None);
                };
                let end = self.closing(pieces, at + 2)?;
                if self.tables.iter().any(|table| table.name == name) {
                    let message = format!("table `{name}` is declared twice");
                    return Err(self.error(codes::REDECLARED, rest[0].span, message));
                }
                let body = pieces[at + 3..end].into();
                self.tables.push(Table { name, body });
                Ok(Some(end + 1))
            }
            (Some("use"), [name, end, ..]) if name.word().is_some() && end.is(";") => {
                self.use_table(name, known, depth)?;
                Ok(Some(at + 3))
            }
            _ => Ok(None),
        }
    }

    /// May an item begin behind what there is?
    fn at_item(&self) -> bool {
        let last = self.pieces.last();
        last.is_none_or(|last| [";", "{", "}", ":"].iter().any(|sign| last.is(sign)))
    }

    fn expect(&mut self, pieces: &[Piece], at: usize, sign: &str) -> Result<(), Wrong> {
        match pieces.get(at) {
            Some(piece) if piece.is(sign) => Ok(()),
            found => {
                let span = found.or(pieces.last()).map_or(Span::default(), |p| p.span);
                let message = format!("expected `{sign}` here");
                Err(self.error(codes::UNEXPECTED_TOKEN, span, message))
            }
        }
    }

    /// Where the brace that opens at a place is closed.
    fn closing(&mut self, pieces: &[Piece], open: usize) -> Result<usize, Wrong> {
        let mut depth = 0;
        for (at, piece) in pieces.iter().enumerate().skip(open) {
            if piece.is("{") {
                depth += 1;
            } else if piece.is("}") {
                depth -= 1;
                if depth == 0 {
                    return Ok(at);
                }
            }
        }
        let message = "this brace is never closed";
        Err(self.error(codes::UNEXPECTED_TOKEN, pieces[open].span, message))
    }

    /// `const NAME = VALUE;`
    fn constant(&mut self, pieces: &[Piece], at: usize, name: Rc<str>) -> Result<usize, Wrong> {
        let (value, end) = self.value(pieces, at + 3)?;
        self.expect(pieces, end, ";")?;
        if self.constants.contains_key(&name) {
            let message = format!("`{name}` is declared twice");
            return Err(self.error(codes::REDECLARED, pieces[at + 1].span, message));
        }
        let value = self.given.get(&*name).copied().unwrap_or(value);
        self.constants.insert(name, value);
        Ok(end + 1)
    }

    /// `for NAME in FIRST..LAST { … }`
    fn repeat(
        &mut self,
        pieces: &[Piece],
        at: usize,
        known: usize,
        depth: usize,
    ) -> Result<usize, Wrong> {
        let counter = &pieces[at + 1];
        let (first, dots) = self.value(pieces, at + 3)?;
        self.expect(pieces, dots, "..")?;
        let (last, open) = self.value(pieces, dots + 1)?;
        self.expect(pieces, open, "{")?;
        let end = self.closing(pieces, open)?;
        self.enter(counter.span, depth)?;
        let PieceKind::Word(name) = counter.kind.clone() else {
            unreachable!("a counter is a word");
        };
        for value in first..=last {
            self.turns += 1;
            if self.turns > MOST_PIECES || self.pieces.len() > MOST_PIECES {
                let message = "this makes the model too large";
                return Err(self.error(codes::TOO_MANY, counter.span, message));
            }
            self.counters.push((name.clone(), value));
            self.run(&pieces[open + 1..end], known, depth + 1);
            self.counters.pop();
        }
        Ok(end + 1)
    }

    fn use_table(&mut self, name: &Piece, known: usize, depth: usize) -> Result<(), Wrong> {
        let wanted = name.word().unwrap_or_default();
        // A table uses only those before it, so none uses itself.
        let tables = &self.tables[..known];
        let Some(number) = tables.iter().position(|table| *table.name == *wanted) else {
            let message = format!("there is no table `{wanted}` before this place");
            return Err(self.error(codes::UNDECLARED, name.span, message));
        };
        self.enter(name.span, depth)?;
        let body = self.tables[number].body.clone();
        self.run(&body, number, depth + 1);
        if self.pieces.len() > MOST_PIECES {
            let message = "this makes the model too large";
            return Err(self.error(codes::TOO_MANY, name.span, message));
        }
        Ok(())
    }

    fn enter(&mut self, span: Span, depth: usize) -> Result<(), Wrong> {
        match depth < DEEPEST {
            true => Ok(()),
            false => Err(self.error(codes::TOO_DEEP, span, "the model is nested too deeply")),
        }
    }

    /// Every file is read once, where it is included first.
    fn include(&mut self, name: &str, span: Span, depth: usize) -> Result<(), Wrong> {
        self.enter(span, depth)?;
        let from = self.map.file_of(span).map_or("", |file| file.name());
        let path = match Path::new(from).parent() {
            Some(folder) => folder.join(name).to_string_lossy().into_owned(),
            None => name.to_string(),
        };
        if !self.included.insert(path.clone()) {
            return Ok(());
        }
        let loaded = match self.loader {
            Some(loader) => loader.load(&path),
            None => Err("there is no such file".into()),
        };
        let bytes = loaded.map_err(|reason| {
            let message = format!("cannot read `{path}`: {reason}");
            self.error(codes::UNREADABLE, span, message)
        })?;
        let too_large = codes::SOURCE_TOO_LARGE;
        let file = add_source(self.map, &path, &bytes, too_large, self.diagnostics);
        self.file(file.ok_or(Wrong)?, depth + 1);
        Ok(())
    }

    /// A token, or a name that is written together of several. Says where it ends.
    fn name(&mut self, pieces: &[Piece], at: usize) -> usize {
        let piece = &pieces[at];
        let PieceKind::Word(word) = &piece.kind else {
            self.pieces.push(piece.clone());
            return at + 1;
        };
        if self.is_length()
            && let Some(value) = self.named(word)
        {
            let kind = PieceKind::Number(value.to_string().into());
            let span = piece.span;
            self.pieces.push(Piece { kind, span });
            return at + 1;
        }
        let (mut text, mut end) = (word.to_string(), at + 1);
        while let Some(next) = pieces.get(end)
            && next.span.start == pieces[end - 1].span.end
        {
            match &next.kind {
                PieceKind::Sign("[") => match self.index(pieces, end) {
                    Ok((value, after)) => {
                        text += &value.to_string();
                        end = after;
                    }
                    Err(Wrong) => {
                        end = after_index(pieces, end);
                        break;
                    }
                },
                PieceKind::Word(more) | PieceKind::Number(more) => {
                    text += more;
                    end += 1;
                }
                _ => break,
            }
        }
        let span = Span::new(piece.span.start, pieces[end - 1].span.end);
        let kind = PieceKind::Word(text.into());
        self.pieces.push(Piece { kind, span });
        end
    }

    /// Does the length of a queue or the duration of a timer come next?
    fn is_length(&self) -> bool {
        let mut last = self.pieces.iter().rev();
        let words = last.clone().take(3).map(Piece::word);
        if let [Some("after"), Some(_), Some("raises")] = words.collect::<Vec<_>>()[..] {
            return true;
        }
        let word = last.next().and_then(Piece::word);
        let begins = last.next().is_some_and(|before| !before.is(","));
        begins && matches!(word, Some("queue" | "high" | "low"))
    }

    /// `[VALUE]`
    fn index(&mut self, pieces: &[Piece], open: usize) -> Result<(i64, usize), Wrong> {
        let (value, end) = self.value(pieces, open + 1)?;
        self.expect(pieces, end, "]")?;
        if value < 0 {
            let message = format!("an index is 0 or more, not {value}");
            return Err(self.error(codes::BAD_NUMBER, pieces[open].span, message));
        }
        Ok((value, end + 1))
    }

    /// The value of a counter or constant.
    fn named(&self, name: &str) -> Option<i64> {
        let counters = self.counters.iter().rev();
        let counter = counters.clone().find(|(known, _)| **known == *name);
        counter
            .map(|(_, value)| *value)
            .or_else(|| self.constants.get(name).copied())
    }
}

/// Behind the next semicolon or block.
fn after_item(pieces: &[Piece], from: usize) -> usize {
    let mut depth = 0;
    for (at, piece) in pieces.iter().enumerate().skip(from) {
        if piece.is("{") {
            depth += 1;
        } else if piece.is("}") {
            depth -= 1;
        }
        if depth <= 0 && (piece.is(";") || piece.is("}")) {
            return at + 1;
        }
    }
    pieces.len()
}

/// Behind the next bracket that closes, if it comes before anything else ends.
fn after_index(pieces: &[Piece], from: usize) -> usize {
    for (at, piece) in pieces.iter().enumerate().skip(from) {
        if piece.is("]") {
            return at + 1;
        }
        if [";", "{", "}"].iter().any(|sign| piece.is(sign)) {
            return at;
        }
    }
    pieces.len()
}
