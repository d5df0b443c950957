//! Going on behind what is wrong or refused, so that the next mistake is a mistake of its own.

use mazurka_syntax::{Kind, Parse, Parsed};

use super::Parser;

/// Words that end a transition, whatever is wrong in it.
const BEHIND_TRANSITIONS: &[&str] = &[
    "input",
    "save",
    "provided",
    "connect",
    "state",
    "endstate",
    "endprocess",
    "endprocedure",
    "endoperator",
    "endsubstructure",
    "endblock",
    "endsystem",
];

/// Words that begin an action.
const ACTIONS: &[&str] = &[
    "task",
    "output",
    "set",
    "reset",
    "decision",
    "nextstate",
    "stop",
    "join",
    "create",
    "call",
    "return",
    "export",
    "alternative",
];

/// How definitions begin and end, and what can stand in none of them.
const DEFINITIONS: &[(&str, &str, &[&str])] = &[
    (
        "newtype",
        "endnewtype",
        &[
            "newtype", "syntype", "signal", "process", "channel", "block",
        ],
    ),
    (
        "syntype",
        "endsyntype",
        &[
            "newtype", "syntype", "synonym", "signal", "dcl", "start", "state", "process",
            "channel", "block",
        ],
    ),
    (
        "channel",
        "endchannel",
        &["channel", "newtype", "signal", "process", "block", "system"],
    ),
    ("generator", "endgenerator", &[]),
    ("service", "endservice", &["endprocess"]),
    ("select", "endselect", &[]),
    ("macrodefinition", "endmacro", &[]),
    ("procedure", "endprocedure", &["endprocess"]),
    ("process", "endprocess", &[]),
    ("block", "endblock", &[]),
    ("substructure", "endsubstructure", &["endblock"]),
    ("system", "endsystem", &[]),
];

/// What ends before the system does.
const OUTER_ENDS: &[&str] = &["endprocess", "endblock", "endpackage", "endsystem"];

/// Does this word begin an action?
pub(super) fn begins_action(word: &str) -> bool {
    ACTIONS.contains(&word)
}

impl Parser<'_, '_> {
    /// Goes on behind an action that began with this word.
    pub(super) fn recover_action(&mut self, began: &str) {
        let end = match began {
            "decision" => "enddecision",
            "alternative" => "endalternative",
            _ => return self.recover_simple_action(),
        };
        let mut inside = 0;
        while !self.at_end() && !self.is_one_of(BEHIND_TRANSITIONS) {
            if self.is_word(began) {
                inside += 1;
            } else if self.is_word(end) {
                if inside == 0 {
                    return self.recover();
                }
                inside -= 1;
            }
            self.advance();
        }
    }

    fn recover_simple_action(&mut self) {
        // What stands where a value should be is part of the action, whatever it is.
        if let Kind::Sign(sign) = self.previous()
            && ![")", ".)", "}", ";"].contains(&sign)
            && !self.is_sign(";")
        {
            self.advance();
        }
        while !self.at_end()
            && !self.is_one_of(ACTIONS)
            && !self.ends_body()
            && !self.is_one_of(BEHIND_TRANSITIONS)
            && !self.eat(";")
        {
            // Of SDL-2000: actions in braces.
            if self.eat("{") {
                while !self.at_end() && !self.is_one_of(BEHIND_TRANSITIONS) && !self.is_sign("}") {
                    self.advance();
                }
            }
            self.advance();
        }
    }

    /// Goes on at the next word that cannot belong to a transition.
    pub(super) fn recover_trigger(&mut self) {
        while !self.at_end() && !self.is_one_of(BEHIND_TRANSITIONS) {
            self.advance();
        }
    }

    /// Reads a definition, or goes on behind it.
    pub(super) fn or_behind(&mut self, definition: impl FnOnce(&mut Self) -> Parsed<()>) {
        let (began, start) = (self.keyword(), self.span());
        if definition(self).is_err() {
            self.recover_definition(&began, self.span() != start);
        }
    }

    fn recover_definition(&mut self, began: &str, advanced: bool) {
        let Some((_, end, others)) = DEFINITIONS.iter().find(|(word, ..)| *word == began) else {
            if !advanced || self.previous() != Kind::Sign(";") {
                self.recover();
            }
            return;
        };
        let refused = ["service", "generator", "select", "macrodefinition"];
        if !advanced && !refused.contains(&began) {
            return self.recover();
        }
        if advanced && self.previous() == Kind::Sign(";") && began != "newtype" {
            // The end may have been read, and what comes next be wrong.
            return;
        }
        while !self.at_end() {
            if self.is_word(end) {
                return self.recover();
            }
            if self.is_one_of(others) || self.is_one_of(OUTER_ENDS) && began != "system" {
                return;
            }
            self.advance();
        }
    }

    fn is_one_of(&self, words: &[&str]) -> bool {
        words.contains(&&*self.keyword())
    }
}
