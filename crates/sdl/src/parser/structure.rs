//! Files, packages, systems, blocks, channels and routes.

use mazurka_syntax::{Kind, Parse, Parsed, Reported};

use super::Parser;
use crate::ast::{Block, Name, Path, Substructure, System, Way};
use crate::codes;

impl Parser<'_, '_> {
    /// A file: the system, packages, and definitions that are referenced elsewhere.
    pub(super) fn file(&mut self, system: &mut System) {
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
                    system.procedures_beside.push(procedure);
                }),
                _ if self.eat(";") => Ok(()),
                _ => Err(self.refuse("`system`, `package`, `use`, `block` or `process`")),
            };
            if parsed.is_err() {
                wrong = true;
                self.recover();
            }
        }
        let is_part = !system.packages.is_empty()
            || !system.processes_beside.is_empty()
            || !system.blocks_beside.is_empty()
            || !system.procedures_beside.is_empty();
        if system.name.is_none() && !wrong && !is_part {
            self.unexpected("`system`");
        }
    }

    /// `use p;`: all of it may be used.
    pub(super) fn use_of(&mut self, system: &mut System) -> Parsed<()> {
        self.advance();
        let package = self.name("a package")?;
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
        let comment = self.end()?;
        if let Some(file) = comment.filter(|text| text.contains(".asn")) {
            // How OpenGEODE names the file of data types; the package may be called anything.
            system.asn1_files.push(Name {
                text: file.into(),
                span: package.span,
            });
        } else {
            system.uses.push(package);
        }
        Ok(())
    }

    pub(super) fn package(&mut self, system: &mut System) -> Parsed<()> {
        self.advance();
        let name = self.name("the name of the package")?;
        self.end()?;
        while !self.is_word("endpackage") {
            if self.at_end() {
                return Err(self.unexpected("`endpackage`"));
            }
            let expected = "a definition or `endpackage`";
            self.or_behind(|parser| parser.definition(system, expected));
        }
        self.closing(&name);
        system.packages.push(name);
        Ok(())
    }

    pub(super) fn system(&mut self, system: &mut System) -> Parsed<()> {
        self.advance();
        if self.is_word("type") {
            return Err(self.refuse("a name"));
        }
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
            self.or_behind(|parser| parser.in_system(system));
        }
        self.closing(&name);
        Ok(())
    }

    pub(super) fn in_system(&mut self, system: &mut System) -> Parsed<()> {
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

    /// A channel, or a signal route, whose ways need no word at the end.
    pub(super) fn path(&mut self, ending: &str, channel: bool) -> Parsed<Path> {
        self.advance();
        let name = self.way_name("a name")?;
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
        // OpenGEODE writes a route without ways where nothing goes in or out.
        if ways.is_empty() && channel {
            return Err(self.refuse("`from`"));
        }
        if channel {
            if self.is_word("substructure") {
                return Err(self.channel_substructure());
            }
            if !self.is_word(ending) {
                return Err(self.refuse("`from` or `endchannel`"));
            }
            self.advance();
            self.closing_way(&name);
        }
        let scope = 0;
        Ok(Path {
            name,
            scope,
            delays,
            ways,
        })
    }

    /// The name of a channel or a route. In Z.100 (clause 2.2.1) there may be points in names; in others, a point is before a part of a value.
    pub(super) fn way_name(&mut self, what: &str) -> Parsed<Name> {
        let mut name = self.name(what)?;
        while self.is_sign(".") && self.span().start == name.span.end {
            self.advance();
            let (Kind::Word(part) | Kind::Number(part)) = self.peek() else {
                return Err(self.unexpected(what));
            };
            name.text = format!("{name}.{part}").as_str().into();
            self.advance();
            name.span = self.since(name.span);
        }
        Ok(name)
    }

    /// Behind `endchannel`: the name again, or nothing.
    fn closing_way(&mut self, name: &Name) {
        if let Kind::Word(_) = self.peek()
            && !self.is_word("comment")
        {
            let Ok(again) = self.way_name("the name again") else {
                return self.recover();
            };
            self.is_closed(name, &again);
        }
        let _ = self.end();
    }

    /// What a channel is made of is refused as a whole (3.2.3).
    fn channel_substructure(&mut self) -> Reported {
        let (span, message) = (self.span(), "`substructure` of a channel is not supported");
        let told = self.error(codes::NOT_TAKEN, span, message);
        let mut inside = 0;
        while !self.at_end() && !self.is_word("endsystem") {
            inside += usize::from(self.is_word("substructure"));
            if self.is_word("endsubstructure") {
                inside -= 1;
                if inside == 0 {
                    self.recover();
                    break;
                }
            }
            self.advance();
        }
        if self.is_word("endchannel") {
            self.recover();
        }
        told
    }

    pub(super) fn place(&mut self) -> Parsed<Option<Name>> {
        match self.eat_word("env") {
            true => Ok(None),
            false => Ok(Some(self.name("a block, a process or `env`")?)),
        }
    }

    /// A block, and what it defines besides.
    pub(super) fn block_definition(&mut self) -> Parsed<(Block, System)> {
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
            own: Vec::new(),
            referenced: false,
            substructure: None,
            scope: 0,
        };
        if self.is_sign(":") {
            let (span, message) = (self.span(), "instances of block types are not supported");
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
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
            self.or_behind(|parser| parser.in_block(&mut inside, &mut block));
        }
        self.closing(&block.name);
        let inner = block.substructure.iter().flat_map(|s| &s.blocks);
        let inner: Vec<&Name> = inner.flat_map(all_own).collect();
        let signals = inside.signals.iter().map(|signal| &signal.name);
        let own = signals.chain(inside.lists.iter().map(|list| &list.name));
        let own = own.chain(inside.types.iter().map(|definition| &definition.name));
        let own = own.chain(inside.synonyms.iter().map(|synonym| &synonym.name));
        let own = own.chain(inside.procedures.iter().map(|procedure| &procedure.name));
        let processes = block.processes.iter().flat_map(|process| &process.own);
        let inner: Vec<&Name> = inner.into_iter().chain(processes).collect();
        let own = own.filter(|name| !inner.iter().any(|other| other.span == name.span));
        block.own = own.cloned().collect();
        Ok((block, inside))
    }

    /// The blocks that a block is made of (Z.100 clause 3.2.2).
    pub(super) fn substructure(&mut self, system: &mut System, block: &mut Block) -> Parsed<()> {
        let start = self.advance().span;
        let mut name = block.name.clone();
        if let Kind::Word(_) = self.peek()
            && !self.is_word("comment")
        {
            if self.is_word("referenced") {
                let message = "substructures that are `referenced` are not supported";
                return Err(self.error(codes::NOT_TAKEN, start, message));
            }
            name = self.name("the name of a substructure")?;
        }
        if self.is_word("referenced") {
            let message = "substructures that are `referenced` are not supported";
            return Err(self.error(codes::NOT_TAKEN, start, message));
        }
        self.end()?;
        let mut inside = Substructure::default();
        while !self.is_word("endsubstructure") {
            if self.at_end() || self.is_word("endblock") || self.is_word("endsystem") {
                return Err(self.unexpected("`endsubstructure`"));
            }
            self.or_behind(|parser| parser.in_substructure(system, &mut inside));
        }
        self.closing(&name);
        if block.substructure.replace(Box::new(inside)).is_some() || !block.processes.is_empty() {
            let message = format!(
                "`{}` has processes and a substructure, or two: which of the descriptions of a block is meant cannot be said here",
                block.name
            );
            self.error(codes::NOT_TAKEN, start, message);
        }
        Ok(())
    }

    pub(super) fn in_substructure(
        &mut self,
        system: &mut System,
        inside: &mut Substructure,
    ) -> Parsed<()> {
        match &*self.keyword() {
            "channel" => inside.channels.push(self.path("endchannel", true)?),
            "block" => {
                let (block, definitions) = self.block_definition()?;
                system.join(definitions);
                inside.blocks.push(block);
            }
            "connect" => inside
                .connections
                .extend(self.connection("a channel inside")?),
            _ => {
                let expected = "a definition, `channel`, `connect`, `block` or `endsubstructure`";
                return self.definition(system, expected);
            }
        }
        Ok(())
    }

    /// `connect c, d and r, s;`: each of those outside and those inside.
    pub(super) fn connection(&mut self, what: &str) -> Parsed<Vec<(Name, Vec<Name>)>> {
        self.advance();
        let channels = self.separated(|parser| parser.way_name("a channel"))?;
        if !self.eat_word("and") {
            return Err(self.refuse("`and`"));
        }
        let inner = self.separated(|parser| parser.way_name(what))?;
        self.end()?;
        let with_inner = |channel| (channel, inner.clone());
        Ok(channels.into_iter().map(with_inner).collect())
    }

    pub(super) fn in_block(&mut self, system: &mut System, block: &mut Block) -> Parsed<()> {
        match &*self.keyword() {
            "signalroute" => block.routes.push(self.path("", false)?),
            "connect" => block.connections.extend(self.connection("a signal route")?),
            "process" => {
                let process = self.process(system)?;
                block.processes.push(process);
            }
            "substructure" => self.deeper(|parser| parser.substructure(system, block))?,
            "block" => {
                let message = "blocks in a block are supported in its `substructure` only";
                let span = self.span();
                return Err(self.error(codes::NOT_TAKEN, span, message));
            }
            _ => {
                let expected = "a definition, `signalroute`, `connect`, `process`, `substructure` or `endblock`";
                return self.definition(system, expected);
            }
        }
        Ok(())
    }
}

/// What a block, its processes and the blocks inside it declare.
fn all_own(block: &Block) -> Vec<&Name> {
    let inner = block.substructure.iter().flat_map(|s| &s.blocks);
    let inner = inner.flat_map(all_own);
    let processes = block.processes.iter().flat_map(|process| &process.own);
    block.own.iter().chain(processes).chain(inner).collect()
}
