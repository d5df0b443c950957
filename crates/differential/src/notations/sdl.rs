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
    "pid-parameter",
    "boolean-parameter",
    "channels",
    "two-way",
    "nodelay",
    "routes",
    "connect",
    "to-environment",
    "instances",
    "boolean",
    "integer",
    "natural",
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
    "none-provided",
    "provided",
    "continuous",
    "save",
    "save-several",
    "save-list",
    "save-all",
    "assign",
    "informal",
    "output",
    "output-to",
    "output-to-process",
    "output-via",
    "set",
    "reset",
    "active",
    "decision",
    "decision-any",
    "decision-range",
    "decision-several",
    "decision-else",
    "behind-decision",
    "label",
    "join",
    "same-state",
    "stop",
    "conditional",
    "self",
    "sender",
    "null",
    "logic",
    "implies",
    "modulo",
    "remainder",
    "negative",
    "arithmetic",
    "structures",
    "arrays",
    "rows",
    "row-parameter",
    "operators",
    "procedures",
    "procedure-states",
    "revealed",
    "exported",
    "blocks-inside",
    "own-of-block",
    "own-of-process",
    "connection",
    "timer-parameters",
    "created",
    "from-environment",
    "nested",
    "aggregation",
    "history",
    "enter-by",
    "left-by",
    "priority-input",
    "create",
    "call",
    "value-call",
    "loop",
    "loop-over-elements",
    "export",
    "import",
    "view",
    "output-to-all",
    "any-value",
    "parent",
    "offspring",
    "field",
    "element",
    "aggregate",
    "append",
    "one-of",
    "if-needed",
    "ltl",
    "ltl-next",
    "ltl-until",
    "ltl-state",
    "ltl-variable",
    "ltl-boolean",
    "ltl-literal",
    "ltl-length",
    "ltl-row",
    "ltl-part",
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
    None
}

/// The features of a text and of formulas about it, and where they are.
pub fn marks(text: &str, formulas: &[String]) -> Marks {
    let mut map = SourceMap::new();
    let (system, _) = mazurka_sdl::parse(&mut map, "model.sdl", text.as_bytes());
    let mut reader = Reader {
        marks: Marks::new(FEATURES, text),
        part: None,
        processes: Vec::new(),
        rows: Vec::new(),
    };
    reader.know(&system.blocks);
    reader.system(&system);
    for formula in formulas {
        let has = |parts: &[&str]| parts.iter().any(|part| formula.contains(part));
        reader.add("ltl", true);
        reader.add("ltl-next", has(&["(X "]));
        reader.add("ltl-until", has(&[" U ", " W ", " V "]));
        reader.add("ltl-state", has(&[" at "]));
        reader.add("ltl-variable", has(&[".x", ".y"]));
        reader.add("ltl-boolean", has(&[".d"]));
        reader.add("ltl-literal", has(&[".c"]));
        reader.add("ltl-length", has(&["len("]));
        reader.add("ltl-row", has(&["length("]));
        reader.add("ltl-part", has(&["v.m"]));
    }
    reader.marks
}

struct Reader {
    marks: Marks,
    /// What is read; outside of transitions, everywhere.
    part: Option<Span>,
    /// The names of processes.
    processes: Vec<String>,
    /// The types whose values have a number of elements that changes.
    rows: Vec<String>,
}

impl Reader {
    fn add(&mut self, feature: &str, when: bool) {
        if when {
            self.marks.add(feature, self.part);
        }
    }

    /// Notes the names in some blocks.
    fn know(&mut self, blocks: &[Block]) {
        for block in blocks {
            for process in &block.processes {
                self.processes.push(process.name.text.to_string());
            }
            if let Some(inside) = &block.substructure {
                self.know(&inside.blocks);
            }
        }
    }

    fn system(&mut self, system: &System) {
        self.add("signal-lists", !system.lists.is_empty());
        self.add("synonyms", !system.synonyms.is_empty());
        let is_external = |synonym: &Synonym| synonym.value.is_none();
        self.add("external-synonyms", system.synonyms.iter().any(is_external));
        for defined in &system.types {
            match &defined.kind {
                TypeKind::Literals(_) => self.add("literals", true),
                TypeKind::Range { .. } => self.add("ranges", true),
                TypeKind::Structure(_) => self.add("structures", true),
                TypeKind::Array { .. } => self.add("arrays", true),
                TypeKind::Row { .. } => {
                    self.add("rows", true);
                    self.rows.push(defined.name.text.to_lowercase());
                }
            }
        }
        self.add("operators", !system.procedures.is_empty());
        for signal in &system.signals {
            self.add("two-parameters", signal.parameters.len() > 1);
            for parameter in &signal.parameters {
                let of = parameter.text.to_lowercase();
                self.add("pid-parameter", of == "pid");
                self.add("boolean-parameter", of == "boolean");
                self.add("row-parameter", self.rows.contains(&of));
            }
        }
        self.add("channels", !system.channels.is_empty());
        for path in &system.channels {
            self.path(path);
        }
        system.blocks.iter().for_each(|block| self.block(block));
    }

    fn block(&mut self, block: &Block) {
        self.add("own-of-block", !block.own.is_empty());
        self.add("routes", !block.routes.is_empty());
        self.add("connect", !block.connections.is_empty());
        block.routes.iter().for_each(|route| {
            for way in &route.ways {
                self.add("to-environment", way.to.is_none());
            }
        });
        block.processes.iter().for_each(|own| self.process(own));
        if let Some(inside) = &block.substructure {
            self.add("blocks-inside", true);
            self.add("connect", !inside.connections.is_empty());
            inside.channels.iter().for_each(|path| self.path(path));
            inside.blocks.iter().for_each(|block| self.block(block));
        }
    }

    fn path(&mut self, path: &Path) {
        self.add("nodelay", !path.delays);
        self.add("two-way", path.ways.len() > 1);
        for way in &path.ways {
            self.add("to-environment", way.to.is_none());
            self.add("from-environment", way.from.is_none());
        }
    }

    fn process(&mut self, process: &Process) {
        self.add("instances", process.count.is_some());
        self.add("created", process.parameters > 0);
        self.add("own-of-process", !process.own.is_empty());
        self.add("connection", !process.connections.is_empty());
        self.add("timer", !process.timers.is_empty());
        let mut timers = process.timers.iter();
        let has_parameters = timers.any(|timer| !timer.parameters.is_empty());
        self.add("timer-parameters", has_parameters);
        self.inside(process);
        for procedure in &process.procedures {
            self.add("procedures", true);
            self.add("procedure-states", !procedure.states.is_empty());
            if let Some(start) = &procedure.start {
                self.body(start, start.span);
            }
            self.states(&procedure.states);
        }
    }

    /// What a process has, and a state that has states.
    fn inside(&mut self, process: &Process) {
        for variable in &process.variables {
            let of = variable.type_name.text.to_lowercase();
            self.add("boolean", of == "boolean");
            self.add("integer", of == "integer");
            self.add("natural", of == "natural");
            self.add("pid", of == "pid");
            self.add("revealed", variable.revealed);
            self.add("exported", variable.exported.is_some());
        }
        for composite in &process.composites {
            self.add("aggregation", composite.aggregation);
            self.add("nested", !composite.aggregation);
            for (_, start) in &composite.starts {
                self.body(start, start.span);
            }
            self.inside(&composite.inside);
        }
        if let Some(start) = &process.start {
            self.body(start, start.span);
        }
        self.states(&process.states);
    }

    fn states(&mut self, states: &[State]) {
        for state in states {
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
            TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) => {
                let is_first = matches!(trigger.kind, TriggerKind::PriorityInput(_));
                self.add("priority-input", is_first);
                self.add("input", true);
                self.add("input-list", stimuli.len() > 1);
                for stimulus in stimuli {
                    let dropped = stimulus.targets.iter().any(Option::is_none);
                    self.add("input-dropped", dropped);
                }
            }
            TriggerKind::AnyInput => self.add("input-all", true),
            TriggerKind::Spontaneous => {
                self.add("input-none", true);
                self.add("none-provided", trigger.provided.is_some());
            }
            TriggerKind::Continuous(_) => self.add("continuous", true),
            TriggerKind::Save(members) => {
                self.add("save", true);
                self.add("save-several", members.len() > 1);
                self.add("save-list", members.iter().any(|member| member.list));
            }
            TriggerKind::SaveAll => self.add("save-all", true),
            TriggerKind::Exit(_) | TriggerKind::AnyExit => self.add("left-by", true),
        }
        trigger
            .provided
            .iter()
            .for_each(|condition| self.expression(condition));
        self.body(&trigger.body, trigger.span);
        self.part = before;
    }

    /// Reads actions. `opening` is the part that comes before them; what comes last, if they have no end, is given back.
    fn body(&mut self, body: &Body, opening: Span) -> Vec<Span> {
        let mut last = vec![opening];
        for action in &body.actions {
            let before = self.part.replace(action.span);
            self.add("label", action.label.is_some());
            let mut reached = vec![action.span];
            match &action.kind {
                ActionKind::Assign(target, value) => {
                    self.add("assign", true);
                    self.expression(target);
                    self.expression(value);
                }
                ActionKind::Informal => self.add("informal", true),
                ActionKind::Output(output) => {
                    self.add("output", true);
                    let is_named = |to: &Expression| match &to.kind {
                        ExpressionKind::Name(name) => {
                            self.processes.contains(&name.text.to_string())
                        }
                        _ => false,
                    };
                    let named = output.to.as_ref().is_some_and(is_named);
                    self.add("output-to", output.to.is_some() && !named);
                    self.add("output-to-process", named);
                    self.add("output-via", !output.via.is_empty());
                    self.add("output-to-all", output.everybody);
                    let values = output.values.iter().chain(&output.to);
                    values.for_each(|value| self.expression(value));
                }
                ActionKind::Set(..) => self.add("set", true),
                ActionKind::Reset(..) => self.add("reset", true),
                ActionKind::Create(_, values) => {
                    self.add("create", true);
                    values.iter().for_each(|value| self.expression(value));
                }
                ActionKind::Call(_, values) => {
                    self.add("call", true);
                    values.iter().for_each(|value| self.expression(value));
                }
                ActionKind::Return(value) => {
                    value.iter().for_each(|value| self.expression(value));
                    reached.clear();
                }
                ActionKind::For(_, over, inside) => {
                    self.add("loop", true);
                    self.add("loop-over-elements", matches!(over, Over::Elements(_)));
                    self.body(inside, action.span);
                }
                ActionKind::Export(_) => self.add("export", true),
                ActionKind::Choose(..)
                | ActionKind::Clear(_)
                | ActionKind::Nothing
                | ActionKind::Unexpected(_)
                | ActionKind::Leave(_) => {}
                ActionKind::Enter(..) => self.ends(&last, "enter-by", &mut reached),
                ActionKind::History => self.ends(&last, "history", &mut reached),
                ActionKind::Decision(question, answers) => {
                    match question {
                        Question::Value(value) => {
                            self.add("decision", true);
                            self.expression(value);
                            let is_else = |answer: &Answer| answer.ranges.is_none();
                            self.add("decision-else", answers.iter().any(is_else));
                        }
                        Question::Any | Question::Only => self.add("decision-any", true),
                    }
                    reached.clear();
                    for answer in answers {
                        let several = answer.ranges.as_ref().is_some_and(|all| all.len() > 1);
                        self.add("decision-several", several);
                        let mut ranges = answer.ranges.iter().flatten();
                        let wide = ranges.any(|range| match range {
                            Range::Between(..) => true,
                            Range::Compared(operator, _) => *operator != BinaryOperator::Equal,
                        });
                        self.add("decision-range", wide);
                        // An answer is a part of the decision, but not of every way through it.
                        let inside = self.part.take();
                        reached.extend(self.body(&answer.body, answer.span));
                        self.part = inside;
                    }
                    self.marks_of(&reached, "behind-decision");
                }
                ActionKind::NextState(None) => self.ends(&last, "same-state", &mut reached),
                ActionKind::NextState(Some(_)) => reached.clear(),
                ActionKind::Stop => self.ends(&last, "stop", &mut reached),
                ActionKind::Join(_) => self.ends(&last, "join", &mut reached),
            }
            last = reached;
            self.part = before;
        }
        last
    }

    /// An end has no step of its own: it is reached with what comes before it.
    fn ends(&mut self, last: &[Span], feature: &str, reached: &mut Vec<Span>) {
        reached.clear();
        self.marks_of(last, feature);
    }

    fn marks_of(&mut self, parts: &[Span], feature: &str) {
        for part in parts {
            self.marks.add(feature, Some(*part));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Null => self.add("null", true),
            ExpressionKind::Own => self.add("self", true),
            ExpressionKind::Sender => self.add("sender", true),
            ExpressionKind::Active(..) => self.add("active", true),
            ExpressionKind::Parent => self.add("parent", true),
            ExpressionKind::Offspring => self.add("offspring", true),
            ExpressionKind::AnyOf(_) => self.add("any-value", true),
            ExpressionKind::View(..) => self.add("view", true),
            ExpressionKind::Import(..) => self.add("import", true),
            ExpressionKind::Call(_, values) => {
                self.add("value-call", true);
                values.iter().for_each(|value| self.expression(value));
            }
            ExpressionKind::Applied(of, values) => {
                self.add("element", true);
                self.expression(of);
                values.iter().for_each(|value| self.expression(value));
            }
            ExpressionKind::Field(of, _) => {
                self.add("field", true);
                self.expression(of);
            }
            ExpressionKind::Aggregate(values) => {
                self.add("aggregate", true);
                values.iter().for_each(|value| self.expression(value));
            }
            ExpressionKind::Unary(operator, inner) => {
                let is_not = *operator == Unary::Value(UnaryOperator::Not);
                self.add("logic", is_not);
                let is_minus = *operator == Unary::Value(UnaryOperator::Minus);
                self.add("negative", is_minus);
                self.expression(inner);
            }
            ExpressionKind::Binary(operator, one, other) => {
                use BinaryOperator as B;
                match operator {
                    Binary::Modulo => self.add("modulo", true),
                    Binary::Value(B::And | B::Or) => self.add("logic", true),
                    Binary::Implies => self.add("implies", true),
                    Binary::AndThen | Binary::OrElse => self.add("if-needed", true),
                    Binary::In => self.add("one-of", true),
                    Binary::Append => self.add("append", true),
                    Binary::Value(B::Remainder) => self.add("remainder", true),
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
