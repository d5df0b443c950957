//! Random systems in SDL: a few processes that send each other signals, with everything the front end takes, a part of it in each
//! system.

use crate::random::Random;

/// A random system.
#[derive(Clone, Debug)]
pub struct System {
    pub text: String,
    /// Options `--define`.
    pub defines: Vec<String>,
    /// What formulas may be about: as SDL has it, and as the export does, if it can say so.
    pub atoms: Vec<(String, Option<String>)>,
}

/// The system that a seed names.
pub fn system(seed: u64) -> System {
    let mut random = Random::new(seed);
    let random = &mut random;
    let signals = 2 + random.below(3);
    let with_value = |signal: usize| signal % 2 == 1;
    let processes = 2 + random.below(2);
    let kit = Kit::draw(random);
    let mut text = String::from("system s;\n  syntype small = Natural constants 0:2 endsyntype;\n");
    if kit.literals {
        text += "  newtype colour literals red, green endnewtype;\n";
    }
    if kit.synonyms {
        let value = if kit.external { "external" } else { "3" };
        text += &format!("  synonym three Integer = {value};\n");
    }
    for signal in 0..signals {
        let parameters = match (with_value(signal), kit.pairs && signal == 3) {
            (true, false) => "(small)",
            (true, true) if kit.literals => "(small, colour)",
            (true, true) => "(small, small)",
            _ => "",
        };
        text += &format!("  signal g{signal}{parameters};\n");
    }
    if kit.several {
        text += "  signal extra, more;\n";
    }
    if kit.lists {
        text += "  signallist some = g0, g1;\n";
    }
    if kit.environment {
        text += "  signal outside;\n  channel off from b0 to env with outside; endchannel off;\n";
    }
    let rest = if kit.lists { 2 } else { 0 };
    let mut all: Vec<String> = (rest..signals).map(|signal| format!("g{signal}")).collect();
    if kit.lists {
        all.push("(some)".into());
    }
    if kit.several {
        all.extend(["extra".into(), "more".into()]);
    }
    let all = all.join(", ");
    // Two blocks with a channel between them, or one.
    let blocks = 1 + random.below(2);
    if blocks == 2 {
        for (name, from, to) in [("there", "b0", "b1"), ("back", "b1", "b0")] {
            let delay = if random.below(2) == 0 { " nodelay" } else { "" };
            text += &format!(
                "  channel {name}{delay} from {from} to {to} with {all}; endchannel {name};\n"
            );
        }
    }
    let mut atoms = Vec::new();
    // The first process of an export starts the others.
    let mut number = 1;
    for block in 0..blocks {
        text += &format!("  block b{block};\n");
        let own: Vec<usize> = (0..processes)
            .filter(|process| process % blocks == block)
            .collect();
        if kit.routes {
            text += &routes(&kit, block, blocks, &own, &all);
        }
        for process in own {
            let generator = Process {
                process,
                signals,
                states: 2 + random.below(2),
                timer: random.below(3) == 0,
                kit: &kit,
                block,
                blocks,
                label: None,
                // Those that others say by name can be sent; asterisks know all.
                outputs: 0,
                allowed: 0,
            };
            let count = if random.below(6) == 0 { 2 } else { 1 };
            for instance in 1..=count {
                generator.atoms(instance, number, &mut atoms);
                number += 1;
            }
            text += &generator.text(random, count);
        }
        text += &format!("  endblock b{block};\n");
    }
    System {
        text: text + "endsystem s;\n",
        defines: kit.defines(random),
        atoms,
    }
}

/// Routes of a block. They are said for all or for none.
fn routes(kit: &Kit, block: usize, blocks: usize, own: &[usize], all: &str) -> String {
    let mut text = String::new();
    for one in own {
        for other in own {
            text += &format!("    signalroute r{one}{other} from p{one} to p{other} with {all};\n");
        }
    }
    let named = |letter: char| {
        let names = own.iter().map(|one| format!("{letter}{one}"));
        names.collect::<Vec<_>>().join(", ")
    };
    if blocks == 2 {
        let (out, into) = if block == 0 {
            ("there", "back")
        } else {
            ("back", "there")
        };
        for one in own {
            text += &format!("    signalroute o{one} from p{one} to env with {all};\n");
            text += &format!("    signalroute i{one} from env to p{one} with {all};\n");
        }
        text += &format!("    connect {out} and {};\n", named('o'));
        text += &format!("    connect {into} and {};\n", named('i'));
    }
    if kit.environment && block == 0 {
        for one in own {
            text += &format!("    signalroute e{one} from p{one} to env with outside;\n");
        }
        text += &format!("    connect off and {};\n", named('e'));
    }
    text
}

/// Which parts of the notation a system may have besides the plainest.
struct Kit {
    literals: bool,
    synonyms: bool,
    lists: bool,
    /// A signal with two parameters.
    pairs: bool,
    environment: bool,
    routes: bool,
    /// Inputs of several signals, lists of states, and what is said of all states.
    several: bool,
    labels: bool,
    via: bool,
    logic: bool,
    marks: bool,
    identities: bool,
    /// Values that may be out of the range of their variable.
    faults: bool,
    /// Synonyms whose values are given from outside.
    external: bool,
    /// Nothing goes wrong: a process may stay wherever it is, and no more signals are under way than queues can hold.
    calm: bool,
    /// Every state says something about every signal.
    total: bool,
}

impl Kit {
    fn draw(random: &mut Random) -> Kit {
        let mut some = |percent: usize| random.chance(percent);
        Kit {
            literals: some(40),
            synonyms: some(40),
            lists: some(40),
            pairs: some(40),
            environment: some(25),
            routes: some(40),
            several: some(40),
            labels: some(40),
            via: some(40),
            logic: some(40),
            marks: some(40),
            identities: some(40),
            faults: some(15),
            external: some(40),
            calm: some(55),
            total: some(40),
        }
        .consistent()
    }

    fn consistent(self) -> Kit {
        Kit {
            faults: self.faults && !self.calm,
            ..self
        }
    }

    fn defines(&self, random: &mut Random) -> Vec<String> {
        // Six processes with a signal each, and a timer.
        let queue = match self.calm {
            true => 7,
            false => [2, 2, 3, 1][random.below(4)],
        };
        let mut defines = vec![format!("QUEUE={queue}")];
        if (self.total || !self.calm) && random.chance(25) {
            defines.push("UNEXPECTED=report".into());
        }
        if self.synonyms && self.external {
            defines.push("three=3".into());
        }
        defines
    }
}

struct Process<'k> {
    kit: &'k Kit,
    block: usize,
    blocks: usize,
    /// A label that may be joined.
    label: Option<String>,
    process: usize,
    signals: usize,
    states: usize,
    timer: bool,
    outputs: usize,
    /// How many signals the transition at hand may still send, where that counts.
    allowed: usize,
}

impl Process<'_> {
    /// What can be said of an instance. `number` is that of its process in the export.
    fn atoms(&self, instance: usize, number: usize, atoms: &mut Vec<(String, Option<String>)>) {
        let name = match instance {
            1 => format!("p{}", self.process),
            _ => format!("p{}({instance})", self.process),
        };
        let exported = format!("P_p{}[{number}]", self.process);
        for state in 0..self.states {
            let there = format!("{exported}@S_s{state}");
            atoms.push((format!("{name} at s{state}"), Some(there)));
        }
        for variable in ["x", "y"] {
            let value = format!("{exported}:v_{variable} == 1");
            atoms.push((format!("{name}.{variable} = 1"), Some(value)));
        }
        atoms.push((format!("len({name}) > 0"), None));
    }

    fn text(mut self, random: &mut Random, count: usize) -> String {
        let count = if count == 2 { "(2, 2)" } else { "" };
        let mut text = format!(
            "    process p{}{count};\n      dcl x, y small := 0, who PId;\n",
            self.process
        );
        if self.kit.literals {
            text += "      dcl c colour;\n";
        }
        if self.kit.logic {
            text += "      dcl b Boolean := true;\n";
        }
        if self.timer {
            text += "      timer t;\n";
        }
        let start = self.transition(random, 1, 2, false);
        text += &format!("      start;{start}\n");
        for state in 0..self.states {
            let mark = match (random.below(6), self.kit.calm) {
                (0 | 1, false) => " comment 'end'",
                (2, false) if self.kit.marks => " comment 'progress'",
                (3, false) if self.kit.marks => " comment 'accept'",
                (_, false) => "",
                (2, true) if self.kit.marks => " comment 'end progress'",
                (3, true) if self.kit.marks => " comment 'end accept'",
                (_, true) => " comment 'end'",
            };
            text += &format!("      state s{state}{mark};\n");
            // Every signal is named by every process, so that it can be sent to it.
            let rest = match self.kit.total && state > 0 {
                true => 7,
                false => random.below(8),
            };
            for signal in 0..self.signals {
                match (random.below(6), state) {
                    (0, 1..) if rest < 6 => continue,
                    (1, _) if state > 0 => text += &format!("        save g{signal};\n"),
                    (choice, _) => {
                        let two = self.kit.pairs && signal == 3;
                        let target = match (signal % 2, random.below(3)) {
                            (1, 0) if two && self.kit.literals => "(x, c)",
                            (1, 0) if two => "(x, y)",
                            (1, 1) if two => "(, )",
                            (1, 0) => "(x)",
                            (1, 1) => "(y)",
                            _ => "",
                        };
                        let provided = match choice {
                            2 if self.kit.logic => " provided b or x = 1;",
                            2 => " provided x /= 1;",
                            3 if self.kit.identities => " provided sender /= self;",
                            4 if self.timer && self.kit.logic => " provided not active(t);",
                            _ => "",
                        };
                        let body = self.transition(random, 1, 2, true);
                        text += &format!("        input g{signal}{target};{provided}{body}\n");
                    }
                }
            }
            if self.timer && random.below(2) == 0 {
                let body = self.transition(random, 0, 1, true);
                text += &format!("        input t;{body}\n");
            }
            if random.below(6) == 0 {
                let body = self.transition(random, 0, 1, true);
                text += &format!(
                    "        provided x = {}; priority {};{body}\n",
                    1 + random.below(2),
                    1 + random.below(2)
                );
            }
            if random.below(8) == 0 {
                let body = self.transition(random, 0, 1, true);
                text += &format!("        input none;{body}\n");
            }
            if rest == 7 && !text.contains("input *;") && state > 0 {
                let word = if random.below(2) == 0 {
                    "input *;"
                } else {
                    "save *;"
                };
                let body = if word == "input *;" {
                    self.transition(random, 1, 1, true)
                } else {
                    String::new()
                };
                text += &format!("        {word}{body}\n");
            }
            text += "      endstate;\n";
        }
        // Only what no state has said yet may be said of several.
        if self.kit.several {
            let states = match random.below(3) {
                0 => "s0, s1".to_string(),
                1 => "*".to_string(),
                _ => "*(s0)".to_string(),
            };
            let body = self.transition(random, 1, 1, true);
            text += &format!(
                "      state {states};\n        input extra, more;{body}\n      endstate;\n"
            );
        }
        text + "    endprocess;\n"
    }

    /// A transition that takes a signal may send one for it.
    fn transition(
        &mut self,
        random: &mut Random,
        signals: usize,
        depth: usize,
        back: bool,
    ) -> String {
        self.allowed = match self.kit.calm {
            true => signals,
            false => usize::MAX,
        };
        self.body(random, depth, back)
    }

    /// Actions and an end.
    fn body(&mut self, random: &mut Random, depth: usize, back: bool) -> String {
        let mut text = String::new();
        for _ in 0..random.below(3) {
            match random.below(12) {
                0 if self.kit.faults => text += " task x := x + 1;",
                0 if self.kit.synonyms => text += " task x := (x + 1) mod three;",
                0 => text += &format!(" task x := (x + {}) mod 3;", 1 + random.below(2)),
                1 => text += " task y := if x > y then x else y fi;",
                2 if self.kit.identities && random.chance(50) => {
                    text += [" task who := self;", " task who := null;"][random.below(2)];
                }
                2 => text += " task who := sender;",
                7 if self.kit.literals => {
                    text += " task c := if c = red then green else red fi;";
                }
                8 if self.kit.logic => {
                    text += [
                        " task b := not b and x < 2;",
                        " task b := b or y = 1;",
                        " task b := b xor x > 0;",
                    ][random.below(3)];
                }
                9 if self.kit.environment && self.block == 0 => text += " output outside;",
                10 if self.kit.several && self.allowed > 0 => {
                    self.allowed -= 1;
                    text += [" output extra;", " output more;"][random.below(2)];
                }
                3 if self.timer => {
                    text += match random.below(3) {
                        0 => " reset(t);",
                        _ => " set(now + 1, t);",
                    }
                }
                _ if self.outputs < 5 && self.allowed > 0 => {
                    self.outputs += 1;
                    self.allowed -= 1;
                    let signal = random.below(self.signals);
                    let two = self.kit.pairs && signal == 3;
                    let value = match signal % 2 {
                        1 if two && self.kit.literals => ["(x, c)", "(1, green)"][random.below(2)],
                        1 if two => ["(x, y)", "(1, x)"][random.below(2)],
                        1 => ["(x)", "(y)", "(1)"][random.below(3)],
                        _ => "",
                    };
                    let to = match random.below(6) {
                        0 => " to sender",
                        1 => " to who",
                        2 if self.kit.identities => " to self",
                        3 if self.kit.via && self.blocks == 2 && self.block == 0 => " via there",
                        3 if self.kit.via && self.blocks == 2 => " via back",
                        _ => "",
                    };
                    text += &format!(" output g{signal}{value}{to};");
                }
                _ => text += " task 'nothing';",
            }
        }
        if depth > 0 && random.below(3) == 0 {
            let allowed = self.allowed;
            let first = self.body(random, depth - 1, back);
            // Either is a way of its own.
            self.allowed = allowed;
            let second = self.body(random, depth - 1, back);
            let decision = match random.below(4) {
                0 => format!(" decision any; ( ):{first} ( ):{second}"),
                1 => format!(" decision x; (0):{first} else:{second}"),
                2 => format!(" decision x; (1:2):{first} (< 1):{second}"),
                _ => format!(" decision x = y; (true):{first} (false):{second}"),
            };
            return format!("{text}{decision} enddecision;");
        }
        if self.kit.labels && random.chance(25) {
            // A label is joined later in the text; what goes round without an input would never end.
            match &self.label {
                Some(label) => return format!("{text} join {label};"),
                None => {
                    let label = format!("l{}", self.process);
                    let target = random.below(self.states);
                    text += &format!(" {label}: task x := (x + 1) mod 3; nextstate s{target};");
                    self.label = Some(label);
                    return text;
                }
            }
        }
        match random.below(12) {
            0 => text + " stop;",
            // Not in a transition with a label.
            1 | 2 if back && !self.kit.labels => text + " nextstate -;",
            _ => format!("{text} nextstate s{};", random.below(self.states)),
        }
    }
}
