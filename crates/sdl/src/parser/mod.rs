//! Tokens to the syntax tree, by recursive descent.
//!
//! Words mean the same in capitals and in small letters. What SDL has and this front end does not take is refused by name.

mod behaviour;
mod expression;

use mazurka_span::{Diagnostic, SourceFile};
use mazurka_syntax::{Kind, Parse, ParseCodes, Parsed, Reading, Reported, Style};

use crate::ast::{
    Block, Expression, Member, Name, Path, Signal, SignalList, Synonym, System, TypeDefinition,
    TypeKind, Way,
};
use crate::{codes, files};

/// Parses a file. There is always a tree.
pub(crate) fn parse(file: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> System {
    let mut parser = Parser {
        reading: Parser::start(file, diagnostics),
        temporal: false,
    };
    let mut system = System::default();
    parser.file(&mut system);
    system.asn1_files = files::asn1_files(file.text(), file.base());
    system
}

/// Parses a formula, or an expression, that is given besides a model.
pub(crate) fn parse_snippet(
    file: &SourceFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expression> {
    let mut parser = Parser {
        reading: Parser::start(file, diagnostics),
        temporal: true,
    };
    parser.whole(Parser::expression).ok()
}

struct Parser<'t, 'd> {
    reading: Reading<'t, 'd>,
    /// Is a formula being read?
    temporal: bool,
}

impl<'t, 'd> Parse<'t, 'd> for Parser<'t, 'd> {
    const STYLE: Style = Style {
        signs: &[
            "<->", "->", ":=", "=>", "/=", "<=", ">=", "<<", ">>", "(.", ".)", "//", "[]", "<>",
            "&&", "||", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "!", "=", "<", ">", "+",
            "-", "*", "/", "^",
        ],
        line_comments: false,
        dashes: true,
        quote: Some('\''),
    };
    /// The reserved words of Z.100 (1993), clause 2.2.1.
    const KEYWORDS: &'static [&'static str] = &[
        "active",
        "adding",
        "all",
        "alternative",
        "and",
        "any",
        "as",
        "atleast",
        "axioms",
        "block",
        "call",
        "channel",
        "comment",
        "connect",
        "connection",
        "constant",
        "constants",
        "create",
        "dcl",
        "decision",
        "default",
        "else",
        "endalternative",
        "endblock",
        "endchannel",
        "endconnection",
        "enddecision",
        "endgenerator",
        "endmacro",
        "endnewtype",
        "endoperator",
        "endpackage",
        "endprocedure",
        "endprocess",
        "endrefinement",
        "endselect",
        "endservice",
        "endstate",
        "endsubstructure",
        "endsyntype",
        "endsystem",
        "env",
        "error",
        "export",
        "exported",
        "external",
        "fi",
        "finalized",
        "for",
        "fpar",
        "from",
        "gate",
        "generator",
        "if",
        "import",
        "imported",
        "in",
        "inherits",
        "input",
        "interface",
        "join",
        "literal",
        "literals",
        "macro",
        "macrodefinition",
        "macroid",
        "map",
        "mod",
        "nameclass",
        "newtype",
        "nextstate",
        "nodelay",
        "noequality",
        "none",
        "not",
        "now",
        "offspring",
        "operator",
        "operators",
        "or",
        "ordering",
        "out",
        "output",
        "package",
        "parent",
        "priority",
        "procedure",
        "process",
        "provided",
        "redefined",
        "referenced",
        "refinement",
        "rem",
        "remote",
        "reset",
        "return",
        "returns",
        "revealed",
        "reverse",
        "save",
        "select",
        "self",
        "sender",
        "service",
        "set",
        "signal",
        "signallist",
        "signalroute",
        "signalset",
        "spelling",
        "start",
        "state",
        "stop",
        "struct",
        "substructure",
        "synonym",
        "syntype",
        "system",
        "task",
        "then",
        "this",
        "timer",
        "to",
        "type",
        "use",
        "via",
        "view",
        "viewed",
        "virtual",
        "with",
        "xor",
        "true",
        "false",
        "null",
    ];
    const CODES: ParseCodes = ParseCodes {
        unknown_character: codes::UNKNOWN_CHARACTER,
        open_comment: codes::UNTERMINATED_COMMENT,
        unexpected: codes::UNEXPECTED_TOKEN,
        too_deep: codes::TOO_DEEP,
    };
    const DEEPEST: u32 = 100;

    fn reading(&self) -> &Reading<'t, 'd> {
        &self.reading
    }

    fn reading_mut(&mut self) -> &mut Reading<'t, 'd> {
        &mut self.reading
    }

    fn is_word(&self, word: &str) -> bool {
        self.word()
            .is_some_and(|found| found.eq_ignore_ascii_case(word))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek() {
            Kind::Word(text) if !Self::KEYWORDS.contains(&&*text.to_ascii_lowercase()) => {
                Ok(Name {
                    text: text.into(),
                    span: self.advance().span,
                })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// There are no blocks in braces: goes on behind the next `;`.
    fn recover(&mut self) {
        while !self.at_end() && !self.eat(";") {
            self.advance();
        }
    }
}

/// Words that begin what this front end does not take.
const NOT_TAKEN: &[(&str, &str)] = &[
    ("service", "services"),
    ("substructure", "substructures"),
    ("interface", "interfaces of packages"),
    ("operators", "operators of new types"),
    ("operator", "operators of new types"),
    ("literal", "operators of new types"),
    ("adding", "operators of new types"),
    ("nameclass", "classes of names"),
    ("spelling", "classes of names"),
    ("error", "error expressions"),
    ("macro", "macros"),
    ("macrodefinition", "macros"),
    ("generator", "generators"),
    ("select", "optional definitions"),
    ("alternative", "transition options"),
    ("import", "imported values"),
    ("imported", "imported values"),
    ("remote", "remote procedures and variables"),
    ("export", "exported values"),
    ("exported", "exported values"),
    ("view", "viewed values"),
    ("viewed", "viewed values"),
    ("revealed", "revealed variables"),
    ("virtual", "types that are inherited"),
    ("redefined", "types that are inherited"),
    ("finalized", "types that are inherited"),
    ("inherits", "types that are inherited"),
    ("gate", "gates"),
    ("type", "block and process types"),
    ("refinement", "the refinement of signals"),
    ("axioms", "axioms"),
    ("signalset", "signal sets"),
];

impl<'t> Parser<'t, '_> {
    /// The word that comes next, in small letters.
    fn keyword(&self) -> String {
        self.word().unwrap_or_default().to_ascii_lowercase()
    }

    /// Reports what comes next: as something that SDL has and this front end does not, or as unexpected.
    fn refuse(&mut self, expected: &str) -> Reported {
        let word = self.keyword();
        match NOT_TAKEN.iter().find(|(known, _)| *known == word) {
            Some((_, what)) => {
                let (span, message) = (self.span(), format!("`{word}` is not supported ({what})"));
                self.error(codes::NOT_TAKEN, span, message)
            }
            None => self.unexpected(expected),
        }
    }

    /// `;` with a comment before it, if any; the comment is given back.
    fn end(&mut self) -> Parsed<Option<&'t str>> {
        let mut comment = None;
        if self.eat_word("comment") {
            let Kind::Quoted(text) = self.peek() else {
                return Err(self.unexpected("text between apostrophes"));
            };
            self.advance();
            comment = Some(text);
        }
        if !self.eat(";") {
            return Err(self.refuse("`;`"));
        }
        Ok(comment)
    }

    /// `endX name;`, where the name may be left out.
    fn closing(&mut self, name: &Name) -> Parsed<()> {
        self.advance();
        if let Kind::Word(_) = self.peek()
            && !self.is_word("comment")
        {
            let again = self.name("the name again")?;
            if !again.text.eq_ignore_ascii_case(&name.text) {
                let message = format!("this ends `{name}`, not `{again}`");
                self.error(codes::WRONG_END, again.span, message);
            }
        }
        self.end()?;
        Ok(())
    }

    /// A file: the system, packages, and definitions that are referenced elsewhere.
    fn file(&mut self, system: &mut System) {
        let mut wrong = false;
        while !self.at_end() {
            let parsed = match &*self.keyword() {
                "system" => self.system(system),
                "use" => self.use_of(system),
                "package" => self.package(system),
                "block" => self.block_definition().map(|(block, inside)| {
                    system.join(inside);
                    system.blocks_beside.push(block);
                }),
                "process" => self.process(system).map(|process| {
                    system.processes_beside.push(process);
                }),
                "procedure" => self.procedure(system).map(|procedure| {
                    system.procedures.push(procedure);
                }),
                _ if self.eat(";") => Ok(()),
                _ => Err(self.refuse("`system`, `package`, `use`, `block` or `process`")),
            };
            if parsed.is_err() {
                wrong = true;
                self.recover();
            }
        }
        let is_part = !system.packages.is_empty() || !system.processes_beside.is_empty();
        if system.name.is_none() && !wrong && !is_part {
            self.unexpected("`system`");
        }
    }

    /// `use p;`: all of it may be used.
    fn use_of(&mut self, system: &mut System) -> Parsed<()> {
        self.advance();
        system.uses.push(self.name("a package")?);
        if self.eat("/") {
            // Some of it; names are put together, so the rest does no harm.
            self.separated(|parser| {
                if let "signal" | "type" | "newtype" | "synonym" | "procedure" | "signallist" =
                    &*parser.keyword()
                {
                    parser.advance();
                }
                parser.name("a name of the package")
            })?;
        }
        self.end()?;
        Ok(())
    }

    fn package(&mut self, system: &mut System) -> Parsed<()> {
        self.advance();
        let name = self.name("the name of the package")?;
        self.end()?;
        while !self.is_word("endpackage") {
            if self.at_end() {
                return Err(self.unexpected("`endpackage`"));
            }
            let expected = "a definition or `endpackage`";
            if self.definition(system, expected).is_err() {
                self.recover();
            }
        }
        self.closing(&name)?;
        system.packages.push(name);
        Ok(())
    }

    fn system(&mut self, system: &mut System) -> Parsed<()> {
        self.advance();
        if let (Some(first), true) = (&system.name, self.word().is_some()) {
            let message = format!("there is a system already: `{first}`");
            let span = self.span();
            self.error(codes::DUPLICATE, span, message);
        }
        let name = self.name("the name of the system")?;
        system.name = Some(name.clone());
        if self.end().is_err() {
            self.recover();
        }
        while !self.is_word("endsystem") {
            if self.at_end() {
                return Err(self.unexpected("`endsystem`"));
            }
            if self.in_system(system).is_err() {
                self.recover();
            }
        }
        self.closing(&name)
    }

    fn in_system(&mut self, system: &mut System) -> Parsed<()> {
        match &*self.keyword() {
            "channel" => {
                let channel = self.path("endchannel", true)?;
                system.channels.push(channel);
                Ok(())
            }
            "block" => {
                let (block, inside) = self.block_definition()?;
                system.join(inside);
                system.blocks.push(block);
                Ok(())
            }
            _ => self.definition(system, "a definition, `channel`, `block` or `endsystem`"),
        }
    }

    /// What may stand in a system, a block and a process alike.
    fn definition(&mut self, system: &mut System, expected: &str) -> Parsed<()> {
        match &*self.keyword() {
            "" if self.eat(";") => {}
            "procedure" => {
                let procedure = self.procedure(system)?;
                system.procedures.push(procedure);
            }
            "signal" => {
                self.advance();
                let signals = self.separated(|parser| {
                    let name = parser.name("the name of a signal")?;
                    let parameters = parser.list(|parser| parser.name("a type"))?;
                    Ok(Signal { name, parameters })
                })?;
                self.end()?;
                system.signals.extend(signals);
            }
            "signallist" => {
                self.advance();
                let name = self.name("the name of a list of signals")?;
                self.expect("=")?;
                let members = self.members()?;
                self.end()?;
                system.lists.push(SignalList { name, members });
            }
            "synonym" => {
                self.advance();
                let synonyms = self.separated(Self::synonym)?;
                self.end()?;
                system.synonyms.extend(synonyms);
            }
            "newtype" => {
                self.advance();
                let name = self.name("the name of a type")?;
                let kind = self.new_type()?;
                self.eat(";");
                if !self.is_word("endnewtype") {
                    return Err(self.refuse("`endnewtype`"));
                }
                self.closing(&name)?;
                system.types.push(TypeDefinition { name, kind });
            }
            "syntype" => {
                self.advance();
                let name = self.name("the name of a type")?;
                self.expect("=")?;
                let of = self.name("a type")?;
                let mut bounds = None;
                if self.eat_word("constants") {
                    let low = self.expression()?;
                    self.expect(":")?;
                    bounds = Some((low, self.expression()?));
                }
                self.eat(";");
                if !self.is_word("endsyntype") {
                    return Err(self.refuse("`constants` or `endsyntype`"));
                }
                self.closing(&name)?;
                let kind = TypeKind::Range { of, bounds };
                system.types.push(TypeDefinition { name, kind });
            }
            _ => return Err(self.refuse(expected)),
        }
        Ok(())
    }

    fn new_type(&mut self) -> Parsed<TypeKind> {
        if self.eat_word("literals") {
            let literals = self.separated(|parser| parser.name("a literal"))?;
            return Ok(TypeKind::Literals(literals));
        }
        if self.eat_word("struct") {
            let mut fields = Vec::new();
            while matches!(self.peek(), Kind::Word(_)) && !self.is_word("endnewtype") {
                if Self::KEYWORDS.contains(&&*self.keyword()) {
                    return Err(self.refuse("a field"));
                }
                let names = self.separated(|parser| parser.name("a field"))?;
                let type_name = self.name("a type")?;
                fields.extend(names.into_iter().map(|name| (name, type_name.clone())));
                if !self.eat(";") {
                    break;
                }
            }
            return Ok(TypeKind::Structure(fields));
        }
        if self.is_word("array") {
            self.advance();
            self.expect("(")?;
            let index = self.name("the type of the index")?;
            self.expect(",")?;
            let element = self.name("the type of the elements")?;
            self.expect(")")?;
            return Ok(TypeKind::Array { index, element });
        }
        let generators = ["string", "powerset", "bag"];
        if generators.contains(&&*self.keyword()) {
            let message = format!("the generator `{}` is not supported", self.keyword());
            let span = self.span();
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        Err(self.refuse("`literals`, `struct` or `array`"))
    }

    fn synonym(&mut self) -> Parsed<Synonym> {
        let name = self.name("the name of a constant")?;
        let mut type_name = None;
        if !self.is_sign("=") {
            type_name = Some(self.name("a type or `=`")?);
        }
        self.expect("=")?;
        let value = match self.eat_word("external") {
            true => None,
            false => Some(self.expression()?),
        };
        Ok(Synonym {
            name,
            type_name,
            value,
        })
    }

    /// Signals and, in brackets, lists of them.
    fn members(&mut self) -> Parsed<Vec<Member>> {
        self.separated(|parser| {
            let list = parser.eat("(");
            let name = match list {
                true => parser.name("the name of a list of signals")?,
                false => parser.name("a signal")?,
            };
            if list {
                parser.expect(")")?;
            }
            Ok(Member { name, list })
        })
    }

    /// A channel, or a signal route, whose ways need no word at the end.
    fn path(&mut self, ending: &str, channel: bool) -> Parsed<Path> {
        self.advance();
        let name = self.name("a name")?;
        let delays = channel && !self.eat_word("nodelay");
        self.eat(";");
        let mut ways = Vec::new();
        while self.eat_word("from") {
            let start = self.span();
            let from = self.place()?;
            if !self.eat_word("to") {
                return Err(self.refuse("`to`"));
            }
            let to = self.place()?;
            if !self.eat_word("with") {
                return Err(self.refuse("`with`"));
            }
            let signals = self.members()?;
            let span = self.since(start);
            self.end()?;
            ways.push(Way {
                from,
                to,
                signals,
                span,
            });
        }
        if ways.is_empty() {
            return Err(self.refuse("`from`"));
        }
        if channel {
            if !self.is_word(ending) {
                return Err(self.refuse("`from` or `endchannel`"));
            }
            self.closing(&name)?;
        }
        Ok(Path { name, delays, ways })
    }

    fn place(&mut self) -> Parsed<Option<Name>> {
        match self.eat_word("env") {
            true => Ok(None),
            false => Ok(Some(self.name("a block, a process or `env`")?)),
        }
    }

    /// `<<system s/block b>>` before a name that is defined elsewhere than it is referenced.
    fn qualifier(&mut self) {
        if self.eat("<<") {
            while !self.at_end() && !self.eat(">>") {
                self.advance();
            }
        }
    }

    /// A block, and what it defines besides.
    fn block_definition(&mut self) -> Parsed<(Block, System)> {
        self.advance();
        if self.is_word("type") {
            return Err(self.refuse("a name"));
        }
        self.qualifier();
        let mut inside = System::default();
        let mut block = Block {
            name: self.name("the name of a block")?,
            routes: Vec::new(),
            connections: Vec::new(),
            processes: Vec::new(),
            referenced: false,
        };
        if self.eat_word("referenced") {
            self.end()?;
            block.referenced = true;
            return Ok((block, inside));
        }
        if self.end().is_err() {
            self.recover();
        }
        while !self.is_word("endblock") {
            if self.at_end() || self.is_word("endsystem") {
                self.unexpected("`endblock`");
                return Ok((block, inside));
            }
            if self.in_block(&mut inside, &mut block).is_err() {
                self.recover();
            }
        }
        let _ = self.closing(&block.name);
        Ok((block, inside))
    }

    fn in_block(&mut self, system: &mut System, block: &mut Block) -> Parsed<()> {
        match &*self.keyword() {
            "signalroute" => block.routes.push(self.path("", false)?),
            "connect" => {
                self.advance();
                let channel = self.name("a channel")?;
                if !self.eat_word("and") {
                    return Err(self.refuse("`and`"));
                }
                let routes = self.separated(|parser| parser.name("a signal route"))?;
                self.end()?;
                block.connections.push((channel, routes));
            }
            "process" => {
                let process = self.process(system)?;
                block.processes.push(process);
            }
            _ => {
                let expected = "a definition, `signalroute`, `connect`, `process` or `endblock`";
                return self.definition(system, expected);
            }
        }
        Ok(())
    }
}
