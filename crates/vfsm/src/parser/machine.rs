//! Machine types: state blocks as the paper prints them, and mapping abstractions.

use mazurka_syntax::{Kind, Parse, Parsed};

use crate::ast::{
    Condition, EventMapping, How, InputAction, InputAlternative, InputChange, MachineType, Name,
    NextState, Operation, OutputAlternative, OutputMapping, Spontaneous, State, Timer, Tolerance,
};

use super::Parser;

impl Parser<'_, '_> {
    /// `machine NAME { … }`
    pub(super) fn machine(&mut self) -> Parsed<MachineType> {
        self.expect_word("machine")?;
        let mut machine = MachineType {
            name: self.name("the name of a machine type")?,
            initial: Vec::new(),
            end: Vec::new(),
            progress: Vec::new(),
            inputs: Vec::new(),
            timers: Vec::new(),
            states: Vec::new(),
            events: Vec::new(),
            outputs: Vec::new(),
            spontaneous: Vec::new(),
        };
        self.block(|parser| parser.machine_item(&mut machine))?;
        Ok(machine)
    }

    fn machine_item(&mut self, machine: &mut MachineType) -> Parsed<()> {
        if self.word().is_some() && self.peek_after() == Kind::Sign("{") {
            let state = self.state()?;
            machine.states.push(state);
            return Ok(());
        }
        let word = self.word().unwrap_or_default().to_string();
        match word.as_str() {
            "initial" => machine.initial.extend(self.list_of("a state")?),
            "end" => machine.end.extend(self.list_of("a state")?),
            "progress" => machine.progress.extend(self.list_of("a state")?),
            "inputs" | "input" => machine.inputs.extend(self.list_of("a virtual input")?),
            "timer" => {
                let start = self.span();
                self.advance();
                let name = self.name("a timer")?;
                self.expect_word("raises")?;
                let event = self.name("an event")?;
                let duration = match self.word() {
                    Some("after") => {
                        self.advance();
                        Some(self.duration()?)
                    }
                    _ => None,
                };
                let span = self.since(start);
                machine.timers.push(Timer {
                    name,
                    event,
                    duration,
                    span,
                });
            }
            "on" => {
                let mapping = self.event_mapping()?;
                machine.events.push(mapping);
            }
            "spontaneous" => {
                let mapping = self.spontaneous()?;
                machine.spontaneous.push(mapping);
            }
            "out" => {
                let mapping = self.output_mapping()?;
                machine.outputs.push(mapping);
            }
            _ => {
                return Err(self.unexpected(
                    "a state block, `initial`, `end`, `progress`, `inputs`, `timer`, `on`, \
                     `spontaneous`, `out`, `use` or `for`",
                ));
            }
        }
        self.expect(";")
    }

    /// A word and the names behind it.
    fn list_of(&mut self, what: &str) -> Parsed<Vec<Name>> {
        self.advance();
        self.names(what)
    }

    /// `S { E: …; X: …; IA: …; NS: …; }`
    fn state(&mut self) -> Parsed<State> {
        let mut state = State {
            name: self.name("a state")?,
            entry: Vec::new(),
            exit: Vec::new(),
            actions: Vec::new(),
            next: Vec::new(),
        };
        self.block(|parser| parser.section(&mut state))?;
        Ok(state)
    }

    fn section(&mut self, state: &mut State) -> Parsed<()> {
        let word = self.word().unwrap_or_default().to_string();
        if self.peek_after() != Kind::Sign(":") || !["E", "X", "IA", "NS"].contains(&word.as_str())
        {
            return Err(self.unexpected("`E:`, `X:`, `IA:`, `NS:` or `}`"));
        }
        self.advance();
        self.advance();
        match word.as_str() {
            "E" => state.entry.extend(self.outputs()?),
            "X" => state.exit.extend(self.outputs()?),
            "IA" => loop {
                let action = self.input_action()?;
                state.actions.push(action);
                if self.section_ends() {
                    return Ok(());
                }
            },
            _ => loop {
                let next = self.next_state()?;
                state.next.push(next);
                if self.section_ends() {
                    return Ok(());
                }
            },
        }
        Ok(())
    }

    /// Does another section begin, or the block end?
    fn section_ends(&self) -> bool {
        self.is_sign("}") || self.peek_after() == Kind::Sign(":") || self.at_end()
    }

    /// Outputs and a semicolon; none is allowed.
    fn outputs(&mut self) -> Parsed<Vec<Name>> {
        if self.eat(";") {
            return Ok(Vec::new());
        }
        let outputs = self.names("a virtual output")?;
        self.expect(";")?;
        Ok(outputs)
    }

    fn input_action(&mut self) -> Parsed<InputAction> {
        let start = self.span();
        let condition = self.condition()?;
        self.expect("?")?;
        let outputs = self.names("a virtual output")?;
        let span = self.since(start);
        self.expect(";")?;
        Ok(InputAction {
            condition,
            outputs,
            span,
        })
    }

    fn next_state(&mut self) -> Parsed<NextState> {
        let start = self.span();
        let condition = self.condition()?;
        self.expect(">")?;
        let target = self.name("a state")?;
        let span = self.since(start);
        self.expect(";")?;
        Ok(NextState {
            condition,
            target,
            span,
        })
    }

    /// `|` binds weaker than `&`, `&` weaker than `!`.
    fn condition(&mut self) -> Parsed<Condition> {
        self.chain(&["|", "||"], Self::conjunction, Condition::Or)
    }

    fn conjunction(&mut self) -> Parsed<Condition> {
        self.chain(&["&", "&&"], Self::literal, Condition::And)
    }

    fn literal(&mut self) -> Parsed<Condition> {
        if self.eat("!") {
            let inner = self.deeper(Self::literal)?;
            return Ok(Condition::Not(Box::new(inner)));
        }
        if self.eat("(") {
            let inner = self.deeper(Self::condition)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.eat_word("true") {
            return Ok(Condition::Always);
        }
        self.name("a virtual input, `true`, `!` or `(`")
            .map(Condition::Input)
    }

    fn event_mapping(&mut self) -> Parsed<EventMapping> {
        self.expect_word("on")?;
        let event = self.name("an event")?;
        self.expect(":")?;
        let alternatives = self.input_alternatives()?;
        let tolerance = if self.eat_word("anywhere") {
            Tolerance::Anywhere
        } else if self.eat_word("also") {
            self.expect_word("in")?;
            Tolerance::Also(self.names("a state")?)
        } else {
            Tolerance::Nowhere
        };
        Ok(EventMapping {
            event,
            alternatives,
            tolerance,
        })
    }

    fn spontaneous(&mut self) -> Parsed<Spontaneous> {
        let start = self.span();
        self.expect_word("spontaneous")?;
        let states = match self.eat_word("in") {
            true => self.names("a state")?,
            false => Vec::new(),
        };
        let span = self.since(start);
        self.expect(":")?;
        Ok(Spontaneous {
            states,
            alternatives: self.input_alternatives()?,
            span,
        })
    }

    fn input_alternatives(&mut self) -> Parsed<Vec<InputAlternative>> {
        let mut alternatives = Vec::new();
        loop {
            let start = self.span();
            let mut changes = Vec::new();
            if !self.eat_word("nothing") {
                loop {
                    let how = if self.eat("+") {
                        How::Insert
                    } else if self.eat("-") {
                        How::Delete
                    } else if self.eat("*") {
                        How::Pulse
                    } else {
                        break;
                    };
                    let input = self.name("a virtual input")?;
                    changes.push(InputChange { how, input });
                }
                if changes.is_empty() {
                    return Err(self.unexpected("`+`, `-`, `*` or `nothing`"));
                }
            }
            let span = self.since(start);
            alternatives.push(InputAlternative { changes, span });
            if !self.eat("|") {
                return Ok(alternatives);
            }
        }
    }

    fn output_mapping(&mut self) -> Parsed<OutputMapping> {
        self.expect_word("out")?;
        let output = self.name("a virtual output")?;
        self.expect(":")?;
        let mut alternatives = Vec::new();
        loop {
            let start = self.span();
            let mut operations = Vec::new();
            if !self.eat_word("nothing") {
                operations.push(self.operation()?);
                while self.eat(",") {
                    operations.push(self.operation()?);
                }
            }
            let span = self.since(start);
            alternatives.push(OutputAlternative { operations, span });
            if !self.eat("|") {
                break;
            }
        }
        Ok(OutputMapping {
            output,
            alternatives,
        })
    }

    fn operation(&mut self) -> Parsed<Operation> {
        if self.eat_word("send") {
            let event = self.name("an event")?;
            self.expect_word("to")?;
            let to = self.name("a machine")?;
            Ok(Operation::Send { event, to })
        } else if self.eat_word("start") {
            Ok(Operation::Start(self.name("a timer")?))
        } else if self.eat_word("stop") {
            Ok(Operation::Stop(self.name("a timer")?))
        } else if self.eat_word("feedback") {
            Ok(Operation::Feedback(self.name("an event")?))
        } else if self.eat_word("clear") {
            Ok(Operation::Clear(self.name("a virtual input")?))
        } else {
            Err(self.unexpected("`send`, `start`, `stop`, `feedback`, `clear` or `nothing`"))
        }
    }
}
