//! Which features a system of multi-port machines has, and where.

use mazurka_efsm::ast::*;
use mazurka_span::{SourceMap, Span};

use super::marks::Marks;

/// Everything that the notation has, as the table names it.
pub const FEATURES: &[&str] = &[
    "constants",
    "enumerations",
    "globals",
    "types",
    "arrays",
    "initial-values",
    "parameters",
    "instance-parameters",
    "instance-arrays",
    "several-ports",
    "capacity",
    "capacity-unsaid",
    "waits",
    "loses",
    "duplicates",
    "sorted",
    "reorders",
    "mutex",
    "semaphore",
    "counter",
    "barrier",
    "own-object",
    "object-array",
    "several-uses",
    "several-messages",
    "no-field",
    "two-fields",
    "final",
    "progress",
    "accept",
    "predicate",
    "receive",
    "store",
    "store-element",
    "ignore",
    "match",
    "match-variable",
    "assign",
    "assign-element",
    "if",
    "while",
    "for",
    "assert",
    "send",
    "several-sends",
    "send-to-computed",
    "send-to-parameter",
    "send-to-itself",
    "one-place",
    "index",
    "arithmetic",
    "bits",
    "division-by-variable",
    "index-by-variable",
    "comparison",
    "logic",
    "negation",
    "length",
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
    if column == "spin" && has("division-by-variable") {
        return Some("a division by zero ends pan");
    }
    None
}

/// The features of a text, line by line.
pub fn marks(text: &str) -> Marks {
    let mut map = SourceMap::new();
    let (model, _) = mazurka_efsm::parse(&mut map, "model.efsm", text.as_bytes());
    let mut reader = Reader {
        marks: Marks::new(FEATURES, text),
        parameters: Vec::new(),
        itself: Vec::new(),
        single: Vec::new(),
        line: None,
    };
    reader.model(&model);
    reader.marks
}

/// Has a port one place?
fn is_single(port: &Port) -> bool {
    port.capacity
        .as_ref()
        .is_none_or(|capacity| matches!(capacity.kind, ExpressionKind::Number(1)))
}

struct Reader {
    marks: Marks,
    /// The parameters of the machine that is read, if they are instances.
    parameters: Vec<String>,
    /// The instances of the machine that is read, and its ports of one place.
    itself: Vec<String>,
    single: Vec<String>,
    /// Where the transition is that is read; outside of them, everywhere.
    line: Option<Span>,
}

impl Reader {
    fn add(&mut self, feature: &str, when: bool) {
        if when {
            self.marks.add(feature, self.line);
        }
    }

    fn model(&mut self, model: &Model) {
        self.add("constants", !model.constants.is_empty());
        self.add("enumerations", !model.enumerations.is_empty());
        self.add("globals", !model.globals.is_empty());
        model
            .globals
            .iter()
            .for_each(|global| self.variable(global));
        for instance in &model.instances {
            self.add("instance-arrays", instance.count.is_some());
        }
        for machine in &model.machines {
            self.machine(model, machine);
        }
        for formula in &model.formulas {
            self.add("ltl", true);
            self.formula(&formula.body);
        }
    }

    fn variable(&mut self, variable: &Variable) {
        let plain = ["byte"].contains(&&*variable.type_name.text);
        self.add("types", !plain);
        self.add("arrays", variable.length.is_some());
        self.add("initial-values", variable.initial.is_some());
    }

    fn machine(&mut self, model: &Model, machine: &Machine) {
        self.parameters.clear();
        for parameter in &machine.parameters {
            let mut types = model.machines.iter();
            let is_instance = types.any(|other| other.name.text == parameter.type_name.text);
            self.add("parameters", !is_instance);
            self.add("instance-parameters", is_instance);
            if is_instance {
                self.parameters.push(parameter.name.text.to_string());
            }
        }
        let of_it = model.instances.iter();
        let of_it = of_it.filter(|instance| instance.machine.text == machine.name.text);
        self.itself = of_it
            .map(|instance| instance.name.text.to_string())
            .collect();
        let single = machine.ports.iter().filter(|port| is_single(port));
        self.single = single.map(|port| port.name.text.to_string()).collect();
        self.add("several-ports", machine.ports.len() > 1);
        for port in &machine.ports {
            self.add("capacity", port.capacity.is_some());
            self.add("capacity-unsaid", port.capacity.is_none());
            self.add("waits", port.waits);
            self.add("loses", port.loses);
            self.add("duplicates", port.duplicates);
            self.add("sorted", port.order == Order::Sorted);
            self.add("reorders", port.order == Order::Any);
            self.add("several-messages", port.messages.len() > 1);
            for message in &port.messages {
                self.add("no-field", message.fields.is_empty());
                self.add("two-fields", message.fields.len() > 1);
            }
        }
        machine.variables.iter().for_each(|own| self.variable(own));
        for state in &machine.states {
            self.add("final", state.last);
            self.add("progress", state.progress);
            self.add("accept", state.accept);
        }
        for transition in &machine.transitions {
            self.line = Some(transition.span);
            self.transition(model, transition);
        }
        self.line = None;
    }

    fn transition(&mut self, model: &Model, transition: &Transition) {
        if let Some(predicate) = &transition.predicate {
            self.add("predicate", true);
            self.expression(predicate);
        }
        self.add("several-uses", transition.uses.len() > 1);
        for used in &transition.uses {
            let mut objects = model.objects.iter();
            let Some(object) = objects.find(|o| o.name.text == used.object.name.text) else {
                continue;
            };
            let sort = match object.sort {
                Sort::Mutex => "mutex",
                Sort::Semaphore => "semaphore",
                Sort::Counter => "counter",
                Sort::Barrier => "barrier",
                Sort::Own(_) => "own-object",
            };
            self.add(sort, true);
            if let Some(index) = &used.object.index {
                self.add("object-array", true);
                self.index(index);
            }
        }
        if let Some(receive) = &transition.receive {
            self.add("receive", true);
            for pattern in &receive.patterns {
                match pattern {
                    Pattern::Ignore(_) => self.add("ignore", true),
                    Pattern::Store(place) => {
                        self.add("store", place.index.is_none());
                        self.add("store-element", place.index.is_some());
                    }
                    Pattern::Match(value) => {
                        let is_known = matches!(value.kind, ExpressionKind::Number(_));
                        self.add("match", is_known);
                        self.add("match-variable", !is_known);
                        self.expression(value);
                    }
                }
            }
        }
        self.block(&transition.block);
        self.add("several-sends", transition.sends.len() > 1);
        for send in &transition.sends {
            self.add("send", true);
            let named = match &send.target.kind {
                ExpressionKind::Index(name, _) => Some(name.text.to_string()),
                ExpressionKind::Name(name) => Some(name.to_string()),
                _ => None,
            };
            let itself = named.is_some_and(|name| self.itself.contains(&name));
            let single = self.single.iter().any(|port| **port == *send.port.text);
            self.add("send-to-itself", itself);
            self.add("one-place", itself && single);
            match &send.target.kind {
                ExpressionKind::Index(_, index) => {
                    let is_known = matches!(index.kind, ExpressionKind::Number(_));
                    self.add("send-to-computed", !is_known);
                }
                ExpressionKind::Name(name) => {
                    let is_parameter = self.parameters.iter().any(|known| **known == **name);
                    self.add("send-to-parameter", is_parameter);
                }
                _ => {}
            }
            send.values.iter().for_each(|value| self.expression(value));
        }
    }

    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            match statement {
                Statement::Assign(place, value) => {
                    self.add("assign", place.index.is_none());
                    if let Some(index) = &place.index {
                        self.add("assign-element", true);
                        self.index(index);
                    }
                    self.expression(value);
                }
                Statement::If(condition, one, other) => {
                    self.add("if", true);
                    self.expression(condition);
                    self.block(one);
                    self.block(other);
                }
                Statement::While(condition, body) => {
                    self.add("while", true);
                    self.expression(condition);
                    self.block(body);
                }
                Statement::For(_, _, _, body) => {
                    self.add("for", true);
                    self.block(body);
                }
                Statement::Assert(condition) => {
                    self.add("assert", true);
                    self.expression(condition);
                }
            }
        }
    }

    fn index(&mut self, index: &Expression) {
        // Anything but a variable alone is taken to be in the range.
        let is_variable = matches!(index.kind, ExpressionKind::Name(_));
        self.add("index-by-variable", is_variable);
        self.expression(index);
    }

    fn expression(&mut self, expression: &Expression) {
        use BinaryOperator as B;
        match &expression.kind {
            ExpressionKind::Index(_, index) => {
                self.add("index", true);
                self.index(index);
            }
            ExpressionKind::Unary(operator, inner) => {
                let is_not = *operator == Unary::Value(UnaryOperator::Not);
                self.add("negation", is_not);
                self.add("arithmetic", !is_not);
                self.expression(inner);
            }
            ExpressionKind::Binary(operator, one, other) => {
                if let Binary::Value(operator) = operator {
                    match operator {
                        B::Or | B::And => self.add("logic", true),
                        B::BitOr | B::BitXor | B::BitAnd | B::ShiftLeft | B::ShiftRight => {
                            self.add("bits", true);
                        }
                        B::Divide | B::Remainder => {
                            let is_known = matches!(other.kind, ExpressionKind::Number(_));
                            let name = match &other.kind {
                                ExpressionKind::Name(name) => &**name,
                                _ => "",
                            };
                            self.add("division-by-variable", !is_known && name != "K");
                            self.add("arithmetic", true);
                        }
                        B::Add | B::Subtract | B::Multiply => self.add("arithmetic", true),
                        _ => self.add("comparison", true),
                    }
                }
                self.expression(one);
                self.expression(other);
            }
            ExpressionKind::Length(_) => self.add("length", true),
            _ => {}
        }
    }

    fn formula(&mut self, body: &Expression) {
        match &body.kind {
            ExpressionKind::Unary(operator, inner) => {
                self.add("ltl-next", *operator == Unary::Next);
                self.formula(inner);
            }
            ExpressionKind::Binary(operator, one, other) => {
                self.add("ltl-until", operator.is_temporal());
                self.formula(one);
                self.formula(other);
            }
            ExpressionKind::At(..) => self.add("ltl-state", true),
            ExpressionKind::Member(..) | ExpressionKind::Name(_) => self.add("ltl-variable", true),
            ExpressionKind::Length(_) => self.add("ltl-length", true),
            _ => {}
        }
    }
}
