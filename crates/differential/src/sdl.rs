//! Random systems in SDL: a few processes that send each other signals, with everything the front end takes.

use crate::random::Random;

/// The text of a system. A seed names one.
pub fn system(seed: u64) -> String {
    let mut random = Random::new(seed);
    let random = &mut random;
    let signals = 2 + random.below(3);
    let with_value = |signal: usize| signal % 2 == 1;
    let processes = 2 + random.below(2);
    let mut text = String::from("system s;\n  syntype small = Natural constants 0:2 endsyntype;\n");
    for signal in 0..signals {
        let parameters = if with_value(signal) { "(small)" } else { "" };
        text += &format!("  signal g{signal}{parameters};\n");
    }
    // Two blocks with a channel between them, or one.
    let blocks = 1 + random.below(2);
    if blocks == 2 {
        let all: Vec<String> = (0..signals).map(|signal| format!("g{signal}")).collect();
        let all = all.join(", ");
        for (name, from, to) in [("there", "b0", "b1"), ("back", "b1", "b0")] {
            let delay = if random.below(2) == 0 { " nodelay" } else { "" };
            text += &format!(
                "  channel {name}{delay} from {from} to {to} with {all}; endchannel {name};\n"
            );
        }
    }
    for block in 0..blocks {
        text += &format!("  block b{block};\n");
        for process in (0..processes).filter(|process| process % blocks == block) {
            let generator = Process {
                process,
                signals,
                states: 2 + random.below(2),
                timer: random.below(3) == 0,
                // Those that others say by name can be sent; asterisks know all.
                outputs: 0,
            };
            text += &generator.text(random);
        }
        text += &format!("  endblock b{block};\n");
    }
    text + "endsystem s;\n"
}

struct Process {
    process: usize,
    signals: usize,
    states: usize,
    timer: bool,
    outputs: usize,
}

impl Process {
    fn text(mut self, random: &mut Random) -> String {
        let count = if random.below(6) == 0 { "(2, 2)" } else { "" };
        let mut text = format!(
            "    process p{}{count};\n      dcl x, y small := 0, who PId;\n",
            self.process
        );
        if self.timer {
            text += "      timer t;\n";
        }
        text += &format!("      start;{}\n", self.body(random, 2, false));
        for state in 0..self.states {
            let mark = match random.below(3) {
                0 => " comment 'end'",
                _ => "",
            };
            text += &format!("      state s{state}{mark};\n");
            // Every signal is named by every process, so that it can be sent to it.
            let rest = random.below(8);
            for signal in 0..self.signals {
                match (random.below(6), state) {
                    (0, 1..) if rest < 6 => continue,
                    (1, _) if state > 0 => text += &format!("        save g{signal};\n"),
                    (choice, _) => {
                        let target = match (signal % 2, random.below(3)) {
                            (1, 0) => "(x)",
                            (1, 1) => "(y)",
                            _ => "",
                        };
                        let provided = match choice {
                            2 => " provided x /= 1;",
                            _ => "",
                        };
                        let body = self.body(random, 2, true);
                        text += &format!("        input g{signal}{target};{provided}{body}\n");
                    }
                }
            }
            if self.timer && random.below(2) == 0 {
                let body = self.body(random, 1, true);
                text += &format!("        input t;{body}\n");
            }
            if random.below(6) == 0 {
                let body = self.body(random, 1, true);
                text += &format!(
                    "        provided x = {}; priority {};{body}\n",
                    1 + random.below(2),
                    1 + random.below(2)
                );
            }
            if random.below(8) == 0 {
                let body = self.body(random, 1, true);
                text += &format!("        input none;{body}\n");
            }
            if rest == 7 && !text.contains("input *;") && state > 0 {
                let word = if random.below(2) == 0 {
                    "input *;"
                } else {
                    "save *;"
                };
                let body = if word == "input *;" {
                    self.body(random, 1, true)
                } else {
                    String::new()
                };
                text += &format!("        {word}{body}\n");
            }
            text += "      endstate;\n";
        }
        text + "    endprocess;\n"
    }

    /// Actions and an end.
    fn body(&mut self, random: &mut Random, depth: usize, back: bool) -> String {
        let mut text = String::new();
        for _ in 0..random.below(3) {
            match random.below(7) {
                0 => text += &format!(" task x := (x + {}) mod 3;", 1 + random.below(2)),
                1 => text += " task y := if x > y then x else y fi;",
                2 => text += " task who := sender;",
                3 if self.timer => {
                    text += match random.below(3) {
                        0 => " reset(t);",
                        _ => " set(now + 1, t);",
                    }
                }
                _ if self.outputs < 5 => {
                    self.outputs += 1;
                    let signal = random.below(self.signals);
                    let value = match signal % 2 {
                        1 => ["(x)", "(y)", "(1)"][random.below(3)],
                        _ => "",
                    };
                    let to = match random.below(6) {
                        0 => " to sender",
                        1 => " to who",
                        _ => "",
                    };
                    text += &format!(" output g{signal}{value}{to};");
                }
                _ => text += " task 'nothing';",
            }
        }
        if depth > 0 && random.below(3) == 0 {
            let first = self.body(random, depth - 1, back);
            let second = self.body(random, depth - 1, back);
            let decision = match random.below(4) {
                0 => format!(" decision any; ( ):{first} ( ):{second}"),
                1 => format!(" decision x; (0):{first} else:{second}"),
                2 => format!(" decision x; (1:2):{first} (< 1):{second}"),
                _ => format!(" decision x = y; (true):{first} (false):{second}"),
            };
            return format!("{text}{decision} enddecision;");
        }
        match random.below(12) {
            0 => text + " stop;",
            1 | 2 if back => text + " nextstate -;",
            _ => format!("{text} nextstate s{};", random.below(self.states)),
        }
    }
}
