//! A process as SDL people draw it: trees of symbols, one for the start and one for each state. Made of the tree as it was written.

use mazurka_span::{SourceMap, Span};

use crate::ast::{
    Action, ActionKind, Body, Composite, Procedure, Process, Question, State, States, System,
    Trigger, TriggerKind,
};

/// A drawing of a process.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// Its name.
    pub name: String,
    /// Trees, each with a heading if it belongs to a part of the process.
    pub trees: Vec<(Option<String>, Symbol)>,
}

/// A symbol, and what hangs below it.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// What it looks like.
    pub shape: Shape,
    /// What stands in it.
    pub text: String,
    /// Where a join leads to.
    pub label: Option<String>,
    /// The branches, each with what stands at it. One without a name goes straight on.
    pub branches: Vec<(Option<String>, Vec<Symbol>)>,
}

/// What a symbol looks like (Z.100, the graphic grammar of clause 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Where a process or a procedure begins.
    Start,
    /// A state, also as the end of a transition.
    State,
    /// A signal that is taken.
    Input,
    /// One that is taken before others.
    PriorityInput,
    /// A signal that stays in the queue.
    Save,
    /// A condition that sets a transition off, or allows one.
    Condition,
    /// Assignments, timers, informal text.
    Task,
    /// A signal that is sent.
    Output,
    /// A question.
    Decision,
    /// The call of a procedure.
    Call,
    /// A new process.
    Create,
    /// A way to a label.
    Join,
    /// The end of a process.
    Stop,
    /// The end of a procedure.
    Return,
}

/// The drawing of a process of a system that was completed; nothing if there is no such process.
pub(crate) fn flow(map: &SourceMap, system: &System, name: &str) -> Option<Flow> {
    let mut blocks: Vec<_> = system.blocks.iter().chain(&system.blocks_beside).collect();
    let mut open = 0;
    while open < blocks.len() {
        blocks.extend(blocks[open].substructure.iter().flat_map(|s| &s.blocks));
        open += 1;
    }
    let inside = blocks.iter().flat_map(|block| &block.processes);
    let mut all = inside.chain(&system.processes_beside);
    let process = all.find(|p| !p.referenced && p.name.text.eq_ignore_ascii_case(name))?;
    let mut drawing = Drawing {
        map,
        flow: Flow {
            name: process.name.to_string(),
            trees: Vec::new(),
        },
    };
    drawing.process(process, None);
    Some(drawing.flow)
}

struct Drawing<'m> {
    map: &'m SourceMap,
    flow: Flow,
}

fn symbol(shape: Shape, text: impl Into<String>) -> Symbol {
    Symbol {
        shape,
        text: text.into(),
        label: None,
        branches: Vec::new(),
    }
}

impl Drawing<'_> {
    fn text(&self, span: Span) -> String {
        let words = self.map.text(span).split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    }

    fn process(&mut self, process: &Process, heading: Option<&str>) {
        if let Some(start) = &process.start {
            self.start(start, "", heading);
        }
        for state in &process.states {
            let tree = self.state(state);
            self.flow.trees.push((heading.map(String::from), tree));
        }
        for body in &process.connections {
            let mut symbols = self.body(body);
            if !symbols.is_empty() {
                let mut first = symbols.remove(0);
                let label = first.label.take().unwrap_or_default();
                symbols.insert(0, first);
                let mut tree = symbol(Shape::Join, label);
                tree.branches.push((None, symbols));
                self.flow.trees.push((heading.map(String::from), tree));
            }
        }
        for composite in &process.composites {
            self.composite(composite, heading);
        }
        for procedure in &process.procedures {
            self.procedure(procedure, heading);
        }
    }

    fn start(&mut self, body: &Body, name: &str, heading: Option<&str>) {
        let mut tree = symbol(Shape::Start, name);
        tree.branches.push((None, self.body(body)));
        self.flow.trees.push((heading.map(String::from), tree));
    }

    fn composite(&mut self, composite: &Composite, heading: Option<&str>) {
        let name = match heading {
            Some(outer) => format!("{outer}, state {}", composite.name),
            None => format!("state {}", composite.name),
        };
        for (entry, body) in &composite.starts {
            let entry = entry.as_ref().map(|entry| entry.to_string());
            self.start(body, &entry.unwrap_or_default(), Some(&name));
        }
        self.process(&composite.inside, Some(&name));
    }

    fn procedure(&mut self, procedure: &Procedure, heading: Option<&str>) {
        if procedure.external || procedure.referenced {
            return;
        }
        let name = match heading {
            Some(outer) => format!("{outer}, procedure {}", procedure.name),
            None => format!("procedure {}", procedure.name),
        };
        if let Some(start) = &procedure.start {
            self.start(start, "", Some(&name));
        }
        for state in &procedure.states {
            let tree = self.state(state);
            self.flow.trees.push((Some(name.clone()), tree));
        }
        for inner in &procedure.procedures {
            self.procedure(inner, Some(&name));
        }
    }

    fn state(&self, state: &State) -> Symbol {
        let names = |names: &[crate::ast::Name]| {
            let names = names.iter().map(|name| name.to_string());
            names.collect::<Vec<_>>().join(", ")
        };
        let name = match &state.of {
            States::Named(all) => names(all),
            States::AllBut(but) if but.is_empty() => "*".into(),
            States::AllBut(but) => format!("*({})", names(but)),
        };
        let mut tree = symbol(Shape::State, name);
        for trigger in &state.triggers {
            tree.branches.push((None, self.trigger(trigger)));
        }
        tree
    }

    fn trigger(&self, trigger: &Trigger) -> Vec<Symbol> {
        let text = self.text(trigger.span);
        let strip = |words: &[&str]| {
            let mut rest = text.as_str();
            for word in words {
                let begin = rest.get(..word.len()).unwrap_or_default();
                if begin.eq_ignore_ascii_case(word) {
                    rest = rest[word.len()..].trim_start();
                }
            }
            rest.to_string()
        };
        let mut all = Vec::new();
        match &trigger.kind {
            TriggerKind::Continuous(priority) => {
                let mut condition = strip(&["provided"]);
                if *priority != u32::MAX {
                    condition = format!("{condition}; priority {priority}");
                }
                all.push(symbol(Shape::Condition, condition));
            }
            TriggerKind::Save(_) | TriggerKind::SaveAll => {
                return vec![symbol(Shape::Save, strip(&["save"]))];
            }
            TriggerKind::PriorityInput(_) => {
                let text = strip(&["priority", "input"]);
                all.push(symbol(Shape::PriorityInput, text));
            }
            // The end of a state that has states goes on by a plain line.
            TriggerKind::Exit(_) | TriggerKind::AnyExit => {
                all.push(symbol(Shape::Join, strip(&["connect"])));
            }
            _ => all.push(symbol(Shape::Input, strip(&["input"]))),
        }
        if let (Some(condition), false) = (
            &trigger.provided,
            matches!(trigger.kind, TriggerKind::Continuous(_)),
        ) {
            all.push(symbol(Shape::Condition, self.text(condition.span)));
        }
        all.extend(self.body(&trigger.body));
        all
    }

    fn body(&self, body: &Body) -> Vec<Symbol> {
        let mut all: Vec<Symbol> = Vec::new();
        for action in &body.actions {
            let mut drawn = self.action(action);
            drawn.label = action.label.as_ref().map(|label| label.to_string());
            // Assignments one below the other share a symbol.
            let joins = drawn.shape == Shape::Task && drawn.label.is_none();
            match all.last_mut() {
                Some(last) if joins && last.shape == Shape::Task => {
                    last.text = format!("{}\n{}", last.text, drawn.text);
                }
                _ => all.push(drawn),
            }
        }
        all
    }

    fn action(&self, action: &Action) -> Symbol {
        let text = self.text(action.span);
        match &action.kind {
            ActionKind::Output(output) => {
                let to = output.to.as_ref().map(|to| self.text(to.span));
                // Several signals may be sent by one output; each has a symbol.
                let values: Vec<String> = output.values.iter().map(|v| self.text(v.span)).collect();
                let mut text = output.signal.to_string();
                if !values.is_empty() {
                    text += &format!("({})", values.join(", "));
                }
                if let Some(to) = to {
                    text += &format!(" to {to}");
                }
                if output.everybody {
                    text += " to all";
                }
                if !output.via.is_empty() {
                    let via: Vec<String> = output.via.iter().map(|v| v.to_string()).collect();
                    text += &format!(" via {}", via.join(", "));
                }
                symbol(Shape::Output, text)
            }
            ActionKind::Decision(question, answers) => {
                let asked = match question {
                    Question::Value(value) => self.text(value.span),
                    Question::Any | Question::Only => {
                        let quoted = text.split('\'').nth(1);
                        quoted.map_or("any".into(), |text| format!("'{text}'"))
                    }
                };
                let mut tree = symbol(Shape::Decision, asked);
                for answer in answers {
                    let text = self.text(answer.span);
                    let text = text.trim_end_matches(':').trim();
                    tree.branches
                        .push((Some(text.to_string()), self.body(&answer.body)));
                }
                tree
            }
            ActionKind::NextState(Some(name)) => symbol(Shape::State, name.to_string()),
            ActionKind::NextState(None) => symbol(Shape::State, "-"),
            ActionKind::History => symbol(Shape::State, "-*"),
            ActionKind::Enter(name, entry) => symbol(Shape::State, format!("{name} via {entry}")),
            ActionKind::Join(label) => symbol(Shape::Join, label.to_string()),
            ActionKind::Stop => symbol(Shape::Stop, ""),
            ActionKind::Return(value) => {
                let value = value.as_ref().map(|value| self.text(value.span));
                symbol(Shape::Return, value.unwrap_or_default())
            }
            ActionKind::Call(..) => symbol(Shape::Call, without(&text, "call")),
            ActionKind::Create(..) => symbol(Shape::Create, without(&text, "create")),
            ActionKind::Set(..) => symbol(Shape::Task, format!("set {text}")),
            ActionKind::Reset(..) => symbol(Shape::Task, format!("reset ({text})")),
            _ => symbol(Shape::Task, text),
        }
    }
}

fn without(text: &str, word: &str) -> String {
    match text.get(..word.len()) {
        Some(first) if first.eq_ignore_ascii_case(word) => text[word.len()..].trim().to_string(),
        _ => text.to_string(),
    }
}
