//! What things are called in Promela.

use mazurka_promela::Names;

/// The names given so far, with a prefix for each kind.
pub(super) struct Naming(Names);

impl Default for Naming {
    fn default() -> Naming {
        Naming(Names::without(&["broken", "Broken", "started", "self"]))
    }
}

impl Naming {
    pub fn message(&mut self, message: &str) -> String {
        self.0.given("t", message, "")
    }

    pub fn port(&mut self, machine: &str, port: &str) -> String {
        self.0.given("port", machine, port)
    }

    pub fn global(&mut self, variable: &str) -> String {
        self.0.given("var", variable, "")
    }

    pub fn local(&mut self, variable: &str) -> String {
        self.0.given("v", variable, "")
    }

    pub fn proctype(&mut self, machine: &str) -> String {
        self.0.given("M", machine, "")
    }

    pub fn state(&mut self, state: &str) -> String {
        self.0.given("S", state, "")
    }

    /// A formula keeps its name if it can.
    pub fn formula(&mut self, formula: &str) -> String {
        self.0.given("", formula, "")
    }
}
