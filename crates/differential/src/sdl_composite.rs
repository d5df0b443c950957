//! States that are made of states: one after the other, and several at once.

use super::{Carries, Process, Random};

impl Process<'_> {
    /// A state that has states: how it is entered and left, and what is said about it from outside.
    pub(super) fn nested(&mut self, random: &mut Random) -> String {
        let mut text = String::from("      state n; substructure in (side); out (off);\n");
        let (entry, exit) = (random.chance(50), random.chance(50));
        if entry {
            text +=
                "        procedure entry; start; task y := (y + 1) mod 3; return; endprocedure;\n";
        }
        if exit {
            text +=
                "        procedure exit; start; task x := (x + y) mod 3; return; endprocedure;\n";
        }
        text += "        dcl m small := 1;\n        start; task m := x; nextstate i0;\n        start side; nextstate i1;\n";
        let deeper = random.chance(30);
        if deeper {
            text += "        state i1; substructure start; nextstate j; state j comment 'end'; input g1; return; endstate; endsubstructure;\n";
        }
        let ends = [
            " return;",
            " return off;",
            " nextstate i1;",
            " nextstate -;",
        ];
        for state in 0..2 {
            text += &format!("        state i{state} comment 'end';\n");
            if deeper && state == 1 {
                text += &format!(
                    "          connect;{}\n",
                    ends[random.below(3)].replace("i1", "i0")
                );
            }
            for signal in 0..self.signals {
                if random.chance(50) {
                    let end = ends[random.below(4)];
                    text += &format!("          input g{signal}; task m := (m + 1) mod 3;{end}\n");
                }
            }
            text += "        endstate;\n";
        }
        text += "      endsubstructure;\n      state n;\n";
        let target = random.below(self.states);
        text += &format!(
            "        connect; nextstate s{target};\n        connect off; task x := 0; nextstate s0;\n"
        );
        for signal in 0..self.signals {
            if random.chance(40) {
                let end = ["-", "-*", "s0", "n via side"][random.below(4)];
                let round = match self.kit.copies && random.chance(50) {
                    true => format!(
                        " n{signal}: task x := (x + 1) mod 3; decision x; (0): join n{signal}; else: enddecision;"
                    ),
                    false => String::new(),
                };
                text += &format!("        input g{signal};{round} nextstate {end};\n");
            }
        }
        text + "      endstate;\n"
    }

    /// A state of two parts; each takes every other signal.
    pub(super) fn parallel(&mut self, random: &mut Random) -> String {
        let mut text = String::from("      state aggregation v; substructure\n");
        if random.chance(40) {
            text +=
                "        procedure entry; start; task x := (x + 1) mod 3; return; endprocedure;\n";
        }
        if random.chance(40) {
            text += "        procedure exit; start; task y := 0; return; endprocedure;\n";
        }
        for part in 0..2 {
            text += &format!("        state m{part}; substructure\n");
            if random.chance(30) {
                text += "          procedure exit; start; task x := (x + 2) mod 3; return; endprocedure;\n";
            }
            let starts = ["nextstate k0", "nextstate k1", "return"][random.below(8).min(2)];
            let starts = if random.chance(70) {
                "nextstate k0"
            } else {
                starts
            };
            text += &format!("          start; task y := (y + 1) mod 3; {starts};\n");
            for state in 0..2 {
                text += &format!("          state k{state};\n");
                for signal in (0..self.signals).filter(|signal| signal % 2 == part) {
                    let targets = self.kit.carries(signal).targets(random);
                    let end =
                        ["nextstate k0", "nextstate k1", "nextstate -", "return"][random.below(4)];
                    let more = match random.below(4) {
                        0 if !self.kit.calm => " output g0;",
                        0 => " task y := x;",
                        1 if part == 0 && self.timer => " set(now + 1, t);",
                        _ => "",
                    };
                    // A signal whose value is needed is not sent without one.
                    let more = match self.kit.carries(0) {
                        Carries::Nothing => more,
                        _ => more.strip_prefix(" output g0;").unwrap_or(more),
                    };
                    match random.below(6) {
                        0 => text += &format!("            save g{signal};\n"),
                        1 => {}
                        2 => {
                            text += &format!(
                                "            input g{signal}{targets}; provided x < 2;{more} {end};\n"
                            );
                        }
                        _ => {
                            text += &format!("            input g{signal}{targets};{more} {end};\n")
                        }
                    }
                }
                if part == 0 && self.timer && random.chance(50) {
                    text += "            input t; nextstate k1;\n";
                }
                if random.chance(20) {
                    text += &format!(
                        "            provided x = {}; task x := 0; nextstate k{};\n",
                        1 + random.below(2),
                        random.below(2)
                    );
                }
                text += "          endstate;\n";
            }
            text += "        endsubstructure;\n";
        }
        let target = random.below(self.states);
        text += &format!(
            "      endsubstructure;\n      state v comment 'end';\n        connect; nextstate s{target};\n"
        );
        for signal in 0..self.signals {
            if random.chance(40) {
                let end = ["-", "-*", "s0"][random.below(3)];
                text += &format!("        input g{signal}; nextstate {end};\n");
            }
        }
        text + "      endstate;\n"
    }
}
