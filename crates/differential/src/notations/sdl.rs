//! Which features a system in SDL has, and where.

use mazurka_sdl::ast::*;
use mazurka_span::{SourceMap, Span};

use super::marks::Marks;

/// Everything that is taken of SDL, as the table names it.
pub const FEATURES: &[&str] = &[
    "signal-lists",
    "synonyms",
    "external-synonyms",
    "literals",
    "ranges",
    "two-parameters",
    "channels",
    "nodelay",
    "routes",
    "connect",
    "to-environment",
    "instances",
    "boolean",
    "pid",
    "timer",
    "state-lists",
    "all-states",
    "all-states-but",
    "end",
    "progress",
    "accept",
    "input",
    "input-list",
    "input-dropped",
    "input-all",
    "input-none",
    "provided",
    "continuous",
    "save",
    "save-all",
    "assign",
    "informal",
    "output",
    "output-to",
    "output-via",
    "set",
    "reset",
    "active",
    "decision",
    "decision-any",
    "decision-range",
    "decision-else",
    "label",
    "join",
    "same-state",
    "stop",
    "conditional",
    "self",
    "sender",
    "null",
    "logic",
    "modulo",
    "arithmetic",
    "ltl",
    "ltl-next",
    "ltl-until",
    "ltl-state",
    "ltl-variable",
    "ltl-length",
];

/// Why two features do not meet.
pub fn known_reason(one: &str, other: &str, column: &str) -> Option<&'static str> {
    let has = |feature: &str| one == feature || other == feature;
    if column == "spin" && has("ltl-next") {
        return Some("SPIN is usually built without next");
    }
    if column == "spin" && has("ltl-length") {
        return Some(
            "the export has its queues in two parts, so the length of one is not said there",
        );
    }
    let is = |a: &str, b: &str| (one, other) == (a, b) || (one, other) == (b, a);
    if is("label", "same-state") || is("join", "same-state") {
        return Some("refused: nextstate - in a transition with a label");
    }
    None
}

/// The features of a text and of formulas about it, and where they are.
pub fn marks(text: &str, formulas: &[String]) -> Marks {
    let mut map = SourceMap::new();
    let (system, _) = mazurka_sdl::parse(&mut map, "model.sdl", text.as_bytes());
    let mut reader = Reader {
        marks: Marks::new(FEATURES, text),
        part: None,
    };
    reader.system(&system);
    for formula in formulas {
        let has = |parts: &[&str]| parts.iter().any(|part| formula.contains(part));
        reader.add("ltl", true);
        reader.add("ltl-next", has(&["(X "]));
        reader.add("ltl-until", has(&[" U ", " W ", " V "]));
        reader.add("ltl-state", has(&[" at "]));
        reader.add("ltl-variable", has(&[".x", ".y"]));
        reader.add("ltl-length", has(&["len("]));
    }
    reader.marks
}

struct Reader {
    marks: Marks,
    /// What is read; outside of transitions, everywhere.
    part: Option<Span>,
}

impl Reader {
    fn add(&mut self, feature: &str, when: bool) {
        if when {
            self.marks.add(feature, self.part);
        }
    }

    fn system(&mut self, system: &System) {
        self.add("signal-lists", !system.lists.is_empty());
        self.add("synonyms", !system.synonyms.is_empty());
        let is_external = |synonym: &Synonym| synonym.value.is_none();
        self.add("external-synonyms", system.synonyms.iter().any(is_external));
        for signal in &system.signals {
            self.add("two-parameters", signal.parameters.len() > 1);
        }
        for defined in &system.types {
            let literals = matches!(defined.kind, TypeKind::Literals(_));
            self.add("literals", literals);
            self.add("ranges", !literals);
        }
        self.add("channels", !system.channels.is_empty());
        for path in &system.channels {
            self.path(path);
        }
        for block in &system.blocks {
            self.add("routes", !block.routes.is_empty());
            self.add("connect", !block.connections.is_empty());
            block.routes.iter().for_each(|route| {
                for way in &route.ways {
                    self.add("to-environment", way.to.is_none());
                }
            });
            block.processes.iter().for_each(|own| self.process(own));
        }
    }

    fn path(&mut self, path: &Path) {
        self.add("nodelay", !path.delays);
        for way in &path.ways {
            self.add("to-environment", way.to.is_none());
        }
    }

    fn process(&mut self, process: &Process) {
        self.add("instances", process.count.is_some());
        self.add("timer", !process.timers.is_empty());
        for variable in &process.variables {
            let of = variable.type_name.text.to_lowercase();
            self.add("boolean", of == "boolean");
            self.add("pid", of == "pid");
        }
        process.start.iter().for_each(|body| self.body(body));
        for state in &process.states {
            match &state.of {
                States::Named(names) => self.add("state-lists", names.len() > 1),
                States::AllBut(names) => {
                    self.add("all-states", names.is_empty());
                    self.add("all-states-but", !names.is_empty());
                }
            }
            for mark in &state.marks {
                self.add("end", mark == "end");
                self.add("progress", mark == "progress");
                self.add("accept", mark == "accept");
            }
            state
                .triggers
                .iter()
                .for_each(|trigger| self.trigger(trigger));
        }
    }

    fn trigger(&mut self, trigger: &Trigger) {
        let before = self.part.replace(trigger.span);
        self.add("provided", trigger.provided.is_some());
        match &trigger.kind {
            TriggerKind::Input(stimuli) => {
                self.add("input", true);
                self.add("input-list", stimuli.len() > 1);
                for stimulus in stimuli {
                    let dropped = stimulus.targets.iter().any(Option::is_none);
                    self.add("input-dropped", dropped);
                }
            }
            TriggerKind::AnyInput => self.add("input-all", true),
            TriggerKind::Spontaneous => self.add("input-none", true),
            TriggerKind::Continuous(_) => self.add("continuous", true),
            // Nothing is executed where a signal is left in its queue.
            TriggerKind::Save(_) => self.marks.add("save", None),
            TriggerKind::SaveAll => self.marks.add("save-all", None),
        }
        trigger
            .provided
            .iter()
            .for_each(|condition| self.expression(condition));
        self.body(&trigger.body);
        self.part = before;
    }

    fn body(&mut self, body: &Body) {
        for action in &body.actions {
            let before = self.part.replace(action.span);
            self.add("label", action.label.is_some());
            match &action.kind {
                ActionKind::Assign(_, value) => {
                    self.add("assign", true);
                    self.expression(value);
                }
                ActionKind::Informal => self.add("informal", true),
                ActionKind::Output(output) => {
                    self.add("output", true);
                    self.add("output-to", output.to.is_some());
                    self.add("output-via", !output.via.is_empty());
                    let values = output.values.iter().chain(&output.to);
                    values.for_each(|value| self.expression(value));
                }
                ActionKind::Set(_) => self.add("set", true),
                ActionKind::Reset(_) => self.add("reset", true),
                ActionKind::Decision(question, answers) => {
                    match question {
                        Question::Value(value) => {
                            self.add("decision", true);
                            self.expression(value);
                            let is_else = |answer: &Answer| answer.ranges.is_none();
                            self.add("decision-else", answers.iter().any(is_else));
                        }
                        Question::Any => self.add("decision-any", true),
                    }
                    for answer in answers {
                        let mut ranges = answer.ranges.iter().flatten();
                        let wide = ranges.any(|range| match range {
                            Range::Between(..) => true,
                            Range::Compared(operator, _) => *operator != BinaryOperator::Equal,
                        });
                        self.add("decision-range", wide);
                        // An answer is a part of the decision, but not of every way through it.
                        let inside = self.part.take();
                        self.body(&answer.body);
                        self.part = inside;
                    }
                }
                ActionKind::NextState(state) => self.add("same-state", state.is_none()),
                ActionKind::Stop => self.add("stop", true),
                ActionKind::Join(_) => self.add("join", true),
            }
            self.part = before;
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Null => self.add("null", true),
            ExpressionKind::Own => self.add("self", true),
            ExpressionKind::Sender => self.add("sender", true),
            ExpressionKind::Active(_) => self.add("active", true),
            ExpressionKind::Unary(operator, inner) => {
                let is_not = *operator == Unary::Value(UnaryOperator::Not);
                self.add("logic", is_not);
                self.expression(inner);
            }
            ExpressionKind::Binary(operator, one, other) => {
                use BinaryOperator as B;
                match operator {
                    Binary::Modulo => self.add("modulo", true),
                    Binary::Value(B::And | B::Or | B::BitXor) | Binary::Implies => {
                        self.add("logic", true);
                    }
                    Binary::Value(B::Add | B::Subtract | B::Multiply | B::Divide) => {
                        self.add("arithmetic", true);
                    }
                    _ => {}
                }
                self.expression(one);
                self.expression(other);
            }
            ExpressionKind::Conditional(condition, one, other) => {
                self.add("conditional", true);
                for part in [condition, one, other] {
                    self.expression(part);
                }
            }
            _ => {}
        }
    }
}
