//! Objects that machines share, and kinds of object.

use mazurka_syntax::{Kind as Token, Parse, Parsed};

use super::Parser;
use crate::ast::{Kind, Model, Object, Operation, Sort};

impl Parser<'_, '_> {
    /// `semaphore slots[2](3) = 1, rooms(4);`
    pub(super) fn objects(&mut self, objects: &mut Vec<Object>) -> Parsed<()> {
        let sort = match self.peek() {
            Token::Word("mutex") => Sort::Mutex,
            Token::Word("semaphore") => Sort::Semaphore,
            Token::Word("counter") => Sort::Counter,
            _ => Sort::Barrier,
        };
        self.advance();
        let declared = self.separated(|parser| {
            let name = parser.name("the name of an object")?;
            let mut object = Object {
                name,
                sort: sort.clone(),
                length: None,
                bound: None,
                initial: None,
            };
            if parser.eat("[") {
                object.length = Some(parser.expression()?);
                parser.expect("]")?;
            }
            if sort != Sort::Mutex {
                parser.expect("(")?;
                object.bound = Some(parser.expression()?);
                parser.expect(")")?;
            }
            let counts = matches!(sort, Sort::Semaphore | Sort::Counter);
            if counts && parser.eat("=") {
                object.initial = Some(parser.expression()?);
            }
            Ok(object)
        })?;
        objects.extend(declared);
        self.expect(";")
    }

    /// `shared front, back: Door;` or `shared doors: Door[3];`
    pub(super) fn shared(&mut self, objects: &mut Vec<Object>) -> Parsed<()> {
        self.advance();
        let names = self.separated(|parser| parser.name("the name of an object"))?;
        self.expect(":")?;
        let kind = self.name("a kind of object")?;
        let mut length = None;
        if self.eat("[") {
            length = Some(self.expression()?);
            self.expect("]")?;
        }
        objects.extend(names.into_iter().map(|name| Object {
            name,
            sort: Sort::Own(kind.clone()),
            length: length.clone(),
            bound: None,
            initial: None,
        }));
        self.expect(";")
    }

    /// `object Door { start state open; state shut; close: open -> shut; }`
    pub(super) fn kind(&mut self, model: &mut Model) -> Parsed<()> {
        self.advance();
        let name = self.name("the name of a kind of object")?;
        let mut kind = Kind {
            name,
            states: Vec::new(),
            operations: Vec::new(),
        };
        let result = self.block(|parser| match parser.peek() {
            Token::Word("state" | "start") => parser.states(&mut kind.states),
            Token::Word(_) if parser.peek_after() == Token::Sign(":") => {
                let name = parser.name("the name of an operation")?;
                parser.expect(":")?;
                let edges = parser.separated(|parser| {
                    let from = parser.name("a state")?;
                    parser.expect("->")?;
                    Ok((from, parser.name("a state")?))
                })?;
                kind.operations.push(Operation { name, edges });
                parser.expect(";")
            }
            _ => Err(parser.unexpected("`state` or an operation `NAME: FROM -> TO`")),
        });
        self.eat(";");
        model.kinds.push(kind);
        result
    }
}
