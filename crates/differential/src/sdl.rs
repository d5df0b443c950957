//! Random systems in SDL: a few processes that send each other signals, with everything the front end takes, a part of it in each
//! system.

#[path = "sdl_composite.rs"]
mod composite;
#[path = "sdl_kit.rs"]
mod kit;

use crate::random::Random;
use kit::{Carries, Kit};

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
    let processes = 2 + random.below(2);
    let kit = Kit::draw(random);
    let mut text = String::from("system s;\n  syntype small = Natural constants 0:2 endsyntype;\n");
    if kit.literals {
        text += "  newtype colour literals red, green endnewtype;\n";
    }
    if kit.operators {
        text += "  newtype hue literals blue, red, grey operators turned: small -> small; operator turned; fpar k small; returns small; start; return (k + 2) mod 3; endoperator; endnewtype;\n";
    }
    if kit.exports {
        text += "  remote told small;\n";
    }
    if kit.structures {
        text += "  newtype pair struct a small; b Boolean; endnewtype;\n";
    }
    if kit.arrays {
        text += "  newtype row array(small, small) endnewtype;\n";
    }
    if kit.rows {
        text += "  newtype list String(small, nothing) constants size(0:2) endnewtype;\n";
    }
    if kit.structures && kit.arrays {
        text += "  newtype pairs array(small, pair) endnewtype;\n";
    }
    if kit.synonyms {
        let value = if kit.external { "external" } else { "3" };
        text += &format!("  synonym three Integer = {value};\n");
    }
    for signal in 0..signals {
        let parameters = kit.carries(signal).types();
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
    if blocks == 2 && kit.two_way {
        let delay = if random.below(2) == 0 { " nodelay" } else { "" };
        text += &format!(
            "  channel both{delay} from b0 to b1 with {all}; from b1 to b0 with {all}; endchannel both;\n"
        );
    } else if blocks == 2 {
        for (name, from, to) in [("there", "b0", "b1"), ("back", "b1", "b0")] {
            let delay = if random.below(2) == 0 { " nodelay" } else { "" };
            text += &format!(
                "  channel {name}{delay} from {from} to {to} with {all}; endchannel {name};\n"
            );
        }
    }
    if kit.open {
        text += "  channel inwards from env to b0 with g0; endchannel inwards;\n";
    }
    let mut atoms = Vec::new();
    // The first process of an export starts the others.
    let mut number = 1;
    for block in 0..blocks {
        // One that is made of one.
        let is_inner = kit.inner && blocks == 2 && block == 1;
        text += &format!("  block b{block};\n");
        if kit.hides {
            text += "    syntype small = Natural constants 0:2 endsyntype;\n";
            if kit.synonyms && block == 1 {
                text += "    synonym three Integer = 2;\n";
            }
        }
        if is_inner {
            let delay = if random.chance(30) { "" } else { " nodelay" };
            text += &format!(
                "  substructure;\n  channel inner{delay} from deep to env with {all}; from env to deep with {all}; endchannel inner;\n"
            );
            let outer: &[&str] = if kit.two_way {
                &["both"]
            } else {
                &["there", "back"]
            };
            for channel in outer {
                text += &format!("  connect {channel} and inner;\n");
            }
            text += "  block deep;\n";
        }
        let own: Vec<usize> = (0..processes)
            .filter(|process| process % blocks == block)
            .collect();
        if kit.routes {
            text += &routes(&kit, block, blocks, &own, &all, is_inner);
        }
        for process in own {
            let generator = Process {
                process,
                processes,
                signals,
                states: 2 + random.below(2),
                timer: random.below(3) == 0,
                kit: &kit,
                block,
                blocks,
                label: None,
                has_label: false,
                goes_back: false,
                joins_back: false,
                // Those that others say by name can be sent; asterisks know all.
                outputs: 0,
                allowed: 0,
            };
            let count = if random.below(6) == 0 { 2 } else { 1 };
            // What everybody sees is that of one.
            let count = if kit.reveals && process == 0 {
                1
            } else {
                count
            };
            for instance in 1..=count {
                generator.atoms(instance, number, &mut atoms);
                number += 1;
            }
            text += &generator.text(random, count);
        }
        if kit.creates && block == 0 {
            text += &child(&kit, random);
            number += 2;
        }
        if is_inner {
            text += "  endblock deep;\n  endsubstructure;\n";
        }
        text += &format!("  endblock b{block};\n");
    }
    System {
        text: text + "endsystem s;\n",
        defines: kit.defines(random),
        atoms,
    }
}

/// A process that others create.
fn child(kit: &Kit, random: &mut Random) -> String {
    let value = match kit.carries(0) {
        Carries::Truth => "(true)",
        _ => "",
    };
    let end = match kit.calm && !kit.reuses {
        true => "nextstate s0",
        false => ["stop", "nextstate s0"][random.below(2)],
    };
    let to = ["to parent", "to parent", "", "to sender"][random.below(4)];
    format!(
        "    process c(0, 2);\n      fpar k small, o PId;\n      dcl l small := 1;\n      start; decision k; (0): {end}; else: output g0{value} {to}; task l := k; nextstate s0; enddecision;\n      state s0 comment 'end';\n        input g0; task l := 0; {end};\n        input g1; nextstate -;\n      endstate;\n    endprocess;\n"
    )
}

/// Routes of a block. They are said for all or for none.
fn routes(
    kit: &Kit,
    block: usize,
    blocks: usize,
    own: &[usize],
    all: &str,
    is_inner: bool,
) -> String {
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
    if kit.creates && block == 0 {
        for one in own {
            text += &format!(
                "    signalroute c{one} from p{one} to c with {all}; from c to p{one} with {all};\n"
            );
        }
    }
    if blocks == 2 {
        let (out, into) = (way(kit, block), way(kit, 1 - block));
        for one in own {
            text += &format!("    signalroute o{one} from p{one} to env with {all};\n");
            text += &format!("    signalroute i{one} from env to p{one} with {all};\n");
        }
        if kit.two_way || is_inner {
            let out = if is_inner { "inner" } else { out };
            let all = [named('o'), named('i')].join(", ");
            text += &format!("    connect {out} and {all};\n");
        } else {
            text += &format!("    connect {out} and {};\n", named('o'));
            text += &format!("    connect {into} and {};\n", named('i'));
        }
    }
    if kit.environment && block == 0 {
        for one in own {
            text += &format!("    signalroute e{one} from p{one} to env with outside;\n");
        }
        text += &format!("    connect off and {};\n", named('e'));
    }
    text
}

/// The channel out of a block.
fn way(kit: &Kit, block: usize) -> &'static str {
    match block {
        _ if kit.two_way => "both",
        0 => "there",
        _ => "back",
    }
}

struct Process<'k> {
    kit: &'k Kit,
    block: usize,
    blocks: usize,
    /// A label that may be joined.
    label: Option<String>,
    /// Has the transition at hand a label, or a way back to where it began? It cannot have both.
    has_label: bool,
    goes_back: bool,
    /// May the transition at hand join the way back to where it began?
    joins_back: bool,
    process: usize,
    processes: usize,
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
        if self.kit.logic {
            // Of what is true at the start SPIN says otherwise until the first process of the export has started this one.
            let value = format!("{exported}:v_d == 1");
            atoms.push((format!("{name}.d"), Some(value)));
        }
        if self.kit.literals {
            let value = format!("{exported}:v_c == 1");
            atoms.push((format!("{name}.c = green"), Some(value)));
        }
        if self.kit.rows {
            atoms.push((format!("length({name}.q) = 1"), None));
        }
        if self.kit.parallel {
            atoms.push((format!("{name} at v.m0.k1"), None));
        }
        atoms.push((format!("len({name}) > 0"), None));
    }

    fn text(mut self, random: &mut Random, count: usize) -> String {
        let count = if count == 2 { "(2, 2)" } else { "" };
        let mut text = format!(
            "    process p{}{count};\n      dcl x, y small := 0, who PId;\n",
            self.process
        );
        if self.kit.hides && self.process != 1 {
            text += "      syntype small = Natural constants 0:2 endsyntype;\n";
            if self.kit.synonyms {
                text += "      synonym three Integer = 1;\n";
            }
        }
        if self.kit.literals {
            text += "      dcl c colour;\n";
        }
        if self.kit.logic {
            text += "      dcl b Boolean := true, d Boolean;\n";
        }
        if self.kit.numbers {
            text += "      dcl n Integer := -1, m Natural;\n";
        }
        if self.timer {
            text += match self.kit.many_timers {
                true => "      timer t, u(small) := 2;\n",
                false => "      timer t;\n",
            };
        }
        if self.kit.structures {
            text += "      dcl z pair;\n";
        }
        if self.kit.arrays {
            text += "      dcl r row := (. 1 .);\n";
        }
        if self.kit.structures && self.kit.arrays {
            text += "      dcl w pairs;\n";
        }
        if self.kit.rows {
            text += "      dcl q list;\n";
        }
        if self.kit.procedures {
            text += "      procedure f; fpar in k small, in/out o small; dcl l small := 2; start; decision k < o; (true): task l := k; return; (false): enddecision; task o := (o + l) mod 3; return; endprocedure;\n";
            text += "      procedure g; fpar in k small; returns small; dcl l small; start; call f(k, l); return l; endprocedure;\n";
        }
        if self.kit.copies && self.kit.procedures {
            text += "      procedure e; fpar in/out o small; start; join turn; connection turn: decision o; (0): task o := 1; join turn; else: task y := o; return; enddecision; endconnection turn; endprocedure;\n";
        }
        if self.kit.choices {
            text += "      procedure elsewhere; fpar in k small, in/out o small; external;\n";
        }
        if self.kit.numbers {
            text += "      dcl ch Character := 'a';\n";
        }
        if self.kit.waits {
            text += "      procedure wait; start; nextstate w; state w comment 'end'; input g0; return; input g1(x); nextstate -; save *; endstate; endprocedure;\n";
        }
        if self.kit.operators {
            text += "      dcl h hue := red;\n";
        }
        match (self.process, self.block) {
            (0, _) if self.kit.reveals => text += "      dcl revealed shown small := 1;\n",
            (_, 0) if self.kit.reveals => text += "      viewed shown small;\n",
            _ => {}
        }
        match self.process {
            0 if self.kit.exports => text += "      dcl exported own as told small := 2;\n",
            _ if self.kit.exports => text += "      imported told small;\n",
            _ => {}
        }
        if self.kit.nested {
            text += &self.nested(random);
        }
        if self.kit.parallel {
            text += &self.parallel(random);
        }
        let start = self.transition(random, 1, 2, false);
        // Whoever is created late meets little else.
        let creates = match self.kit.creates && self.block == 0 && random.chance(50) {
            true => [
                " create c(2, self);",
                " create c(1, null); task who := offspring;",
            ][random.below(2)],
            false => "",
        };
        text += &format!("      start;{creates}{start}\n");
        if self.kit.copies {
            text += "      connection back: task y := (y + 1) mod 3; nextstate -; endconnection back;\n";
        }
        self.joins_back = self.kit.copies;
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
            // What takes all the rest needs something to be left.
            let star = rest == 7 && !text.contains("input *;") && state > 0;
            let mut saved = Vec::new();
            let both = self.kit.saves && self.kit.lists && state > 0 && random.chance(40);
            for signal in 0..self.signals {
                match (random.below(6), state) {
                    _ if both && signal < 2 => saved.push(signal),
                    (0, 1..) if rest < 6 => continue,
                    (0 | 2, _) if star => continue,
                    (1, _) if state > 0 => saved.push(signal),
                    (choice, _) => {
                        let carries = self.kit.carries(signal);
                        let target = carries.targets(random);
                        let provided = match choice {
                            2 if self.kit.logic => " provided b or x = 1;",
                            2 => " provided x /= 1;",
                            3 if self.kit.identities => " provided sender /= self;",
                            4 if self.timer && self.kit.logic => " provided not active(t);",
                            _ => "",
                        };
                        let first = match provided.is_empty() && self.kit.priorities {
                            true if random.chance(40) => "priority ",
                            _ => "",
                        };
                        let body = self.transition(random, 1, 2, true);
                        text +=
                            &format!("        {first}input g{signal}{target};{provided}{body}\n");
                    }
                }
            }
            text += &self.saves(&saved);
            if self.timer && random.below(2) == 0 {
                let body = self.transition(random, 0, 1, true);
                text += &format!("        input t;{body}\n");
            }
            if self.timer && self.kit.many_timers && random.below(2) == 0 {
                let body = self.transition(random, 0, 1, true);
                text += &format!("        input u(x);{body}\n");
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
                let provided = match self.kit.guarded {
                    true => " provided x < 2;",
                    false => "",
                };
                text += &format!("        input none;{provided}{body}\n");
            }
            if star {
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
            // For states that have states the way back depends on which it is.
            self.joins_back &= !self.kit.nested && !self.kit.parallel;
            let body = match self.kit.copies && random.chance(60) {
                true => self.round("again", random),
                false => self.transition(random, 1, 1, true),
            };
            text += &format!(
                "      state {states};\n        input extra, more;{body}\n      endstate;\n"
            );
        }
        text + "    endprocess;\n"
    }

    /// A transition that comes to a label again, with what calls and waits on the way.
    fn round(&self, label: &str, random: &mut Random) -> String {
        let more = match random.below(4) {
            0 if self.kit.waits => " call wait;",
            1 if self.kit.exports && self.process > 0 => " task y := import(told);",
            2 if self.kit.procedures => " task y := call g(x);",
            3 if self.kit.loops => " task for i in range(2): y := (y + i) mod 3 endfor;",
            _ => "",
        };
        let end = ["nextstate -", "nextstate -", "nextstate s0"][random.below(3)];
        format!(
            " {label}: task x := (x + 1) mod 3;{more} decision x; (0): join {label}; else: enddecision; {end};"
        )
    }

    /// What leaves signals in the queue: one by one, or together.
    fn saves(&self, saved: &[usize]) -> String {
        let mut names: Vec<String> = saved.iter().map(|signal| format!("g{signal}")).collect();
        if !self.kit.saves {
            let lines = names.iter().map(|name| format!("        save {name};\n"));
            return lines.collect();
        }
        // The list has the first two.
        if self.kit.lists && saved.starts_with(&[0, 1]) {
            names.splice(..2, ["(some)".to_string()]);
        }
        match names.is_empty() {
            true => String::new(),
            false => format!("        save {};\n", names.join(", ")),
        }
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
        (self.has_label, self.goes_back) = (false, false);
        self.body(random, depth, back)
    }

    /// Actions and an end.
    fn body(&mut self, random: &mut Random, depth: usize, back: bool) -> String {
        let mut text = self.actions(random);
        if depth > 0 && random.below(3) == 0 {
            let allowed = self.allowed;
            // What an answer does not end goes on behind the decision.
            let open = [0, 1].map(|_| self.kit.decisions && random.chance(40));
            let mut least = allowed;
            let answers = open.map(|is_open| {
                // Either is a way of its own.
                self.allowed = allowed;
                let answer = match is_open {
                    true => self.actions(random),
                    false => self.body(random, depth - 1, back),
                };
                least = least.min(self.allowed);
                answer
            });
            text += &self.decision(random, &answers);
            if open.contains(&true) {
                self.allowed = least;
                text += &self.body(random, depth - 1, back);
            }
            return text;
        }
        text + &self.end(random, back)
    }

    fn decision(&self, random: &mut Random, [first, second]: &[String; 2]) -> String {
        let more = self.kit.decisions;
        let text = match random.below(if more { 8 } else { 4 }) {
            0 => format!(" decision any; ( ):{first} ( ):{second}"),
            1 => format!(" decision x; (0):{first} else:{second}"),
            2 => format!(" decision x; (1:2):{first} (< 1):{second}"),
            3 => format!(" decision x = y; (true):{first} (false):{second}"),
            4 => format!(" decision 'whatever'; ('yes'):{first} ('no'):{second}"),
            5 => format!(" decision y; (0, 2):{first} (1):{second}"),
            // Where answers overlap, the choice is free.
            6 => format!(" decision x; (<= 1):{first} (>= 1):{second}"),
            // No answer fits: an error.
            _ if self.kit.faults => format!(" decision x; (0):{first} (/= 1):{second}"),
            _ => format!(" decision x; (/= 0):{first} (0):{second}"),
        };
        format!("{text} enddecision;")
    }

    fn actions(&mut self, random: &mut Random) -> String {
        let mut text = String::new();
        for _ in 0..random.below(3) {
            if random.chance(30)
                && let Some(more) = self.newer(random)
            {
                text += &more;
                continue;
            }
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
                        " task b := b => x >= y;",
                        " task d := not d;",
                        " task d := d or x = y;",
                    ][random.below(6)];
                }
                4 if self.kit.numbers => text += self.arithmetic(random),
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
                    let value = self.kit.carries(signal).values(random);
                    let to = match random.below(6) {
                        0 => " to sender".into(),
                        1 => " to who".into(),
                        2 if self.kit.identities => " to self".into(),
                        3 if self.kit.via && self.blocks == 2 => {
                            format!(" via {}", way(self.kit, self.block))
                        }
                        4 if self.kit.named => format!(" to p{}", random.below(self.processes)),
                        _ => String::new(),
                    };
                    text += &format!(" output g{signal}{value}{to};");
                }
                _ => text += " task 'nothing';",
            }
        }
        text
    }

    /// Actions with variables of several values, procedures, free choices and new processes.
    fn newer(&mut self, random: &mut Random) -> Option<String> {
        let text = match random.below(14) {
            13 if self.kit.rows && self.kit.faults && random.chance(30) => {
                [" task q := q // mkstring(y);", " task x := q(x);"][random.below(2)]
            }
            13 if self.kit.rows && self.kit.loops && random.chance(20) => {
                " task for e in q: y := (y + e) mod 3 endfor;"
            }
            13 if self.kit.rows => [
                " decision length(q); (2): task q := substring(q, 2, 1); else: task q := q // mkstring(x); enddecision;",
                " task x := if length(q) > 0 then q(1) else 0 fi;",
                " task q := nothing, x := length(q);",
                " task y := if x in q then 1 else 0 fi;",
                " decision q; (nothing): task x := 0; (mkstring(1)): task x := 1; else: enddecision;",
                " task q := if q = mkstring(y) then mkstring(x) // q else mkstring(y) fi;",
                " decision length(q); (0): else: task q(length(q)) := x, y := last(q); enddecision;",
            ][random.below(7)],
            0 if self.kit.structures && self.kit.arrays && random.chance(50) => [
                " task w(x) := z;",
                " task z := w(y), w(0)!a := x;",
                " task w(y)!b := z = w(x);",
            ][random.below(3)],
            0 if self.kit.structures => [
                " task z!a := x;",
                " task z := (. y, x = y .);",
                " task z!b := not z!b, x := z!a;",
                " task x := if z = (. 1, true .) then 1 else z!a fi;",
            ][random.below(4)],
            1 if self.kit.arrays && self.kit.faults => " task r(x + 1) := y;",
            1 if self.kit.arrays => [
                " task r(x) := y;",
                " task x := r(y);",
                " task r := (. x .), y := r(r(0));",
                " task y := if r = (. 1 .) then 0 else r(2) fi;",
            ][random.below(4)],
            2 if self.kit.procedures && self.kit.copies && random.chance(30) => " call e(x);",
            3 if self.kit.choices && random.chance(30) => " call elsewhere(x, y);",
            12 if self.kit.numbers && random.chance(30) => {
                " decision ch; ('a'): task ch := 'b'; else: task ch := 'a', x := 0; enddecision;"
            }
            1 if self.kit.synonyms && random.chance(30) => {
                " alternative three; (1:2): task x := 0; else: task x := 2; endalternative;"
            }
            2 if self.kit.procedures => [
                " call f(x, y);",
                " task x := call g(y);",
                " task y := (call g(x) + call g(1)) mod 3;",
                " decision call g(y); (0): task x := 1; else: enddecision;",
            ][random.below(4)],
            3 if self.kit.choices => [
                " task x := any(small);",
                " decision any(Boolean); (true): task y := 0; (false): enddecision;",
            ][random.below(2)],
            4 if self.kit.waits => " call wait;",
            7 if self.kit.loops && self.kit.arrays && random.chance(40) => {
                " task for e in r: y := (y + e) mod 3 endfor;"
            }
            7 if self.kit.loops => [
                " task for i in range(3): task x := (x + i) mod 3; endfor;",
                " task for i in range(x, 3): y := (y + 1) mod 3; endfor;",
                " for i in range(0, 3, 2): decision i; (0): task y := 0; else: for k in range(i): x := (x + 1) mod 3 endfor; enddecision; endfor;",
            ][random.below(3)],
            8 if self.kit.reveals && self.process == 0 => [
                " task shown := (shown + 1) mod 3;",
                " task shown := x, x := shown;",
            ][random.below(2)],
            8 if self.kit.reveals && self.block == 0 => [
                " task x := view(shown);",
                " decision view(shown); (0): task x := 1; else: task y := view(shown); enddecision;",
            ][random.below(2)],
            9 if self.kit.exports && self.process == 0 => [
                " task own := x;",
                " export(own);",
                " task own := (own + 1) mod 3; export(own);",
            ][random.below(3)],
            9 if self.kit.exports => [
                " task x := import(told);",
                " task y := (import(told) + x) mod 3;",
            ][random.below(2)],
            10 if self.kit.everybody && !self.kit.calm && self.outputs < 5 => {
                self.outputs += 1;
                let signal = random.below(self.signals);
                let value = self.kit.carries(signal).values(random);
                return Some(format!(" output g{signal}{value} to all;"));
            }
            11 if self.kit.operators => [
                " task x := turned(y);",
                " task h := if h = red then grey else red fi;",
                " decision h; (blue, grey): task x := turned(turned(x)); else: enddecision;",
                " task x := num(h);",
            ][random.below(4)],
            12 if self.kit.lazy => [
                " task x := if x > 0 and then 2 / x = 2 then 0 else 2 fi;",
                " task y := if y = 0 or else 2 / y = 1 then 1 else 0 fi;",
                " task x := if y in { 0, 2 } then y else abs(x - 2) fi;",
            ][random.below(3)],
            5 if self.kit.many_timers && self.timer => [
                " set(now + 1, u(x));",
                " set(u(1));",
                " reset(u(y));",
                " task x := if active(u(2)) then 2 else 0 fi;",
            ][random.below(4)],
            6 if self.kit.creates && self.block == 0 && self.allowed > 0 => {
                self.allowed -= 1;
                [
                    " create c(x, self);",
                    " create c(1, null); task who := offspring;",
                    " create c(y, sender);",
                ][random.below(3)]
            }
            _ => return None,
        };
        Some(text.into())
    }

    /// Numbers stay small.
    fn arithmetic(&self, random: &mut Random) -> &'static str {
        if self.kit.faults && random.chance(40) {
            return [
                " task m := x - y;",
                " task n := x / y;",
                " task n := x rem y;",
            ][random.below(3)];
        }
        [
            " task n := -n;",
            " task n := (n * 2 - x) rem 3;",
            " task m := (x + y) / 2;",
            " task x := m mod 3;",
            " task m := if n < 0 then -n else n fi;",
            " task y := (n - 4) mod 3;",
        ][random.below(6)]
    }

    /// What ends a transition.
    fn end(&mut self, random: &mut Random, back: bool) -> String {
        if self.kit.labels && random.chance(25) {
            // A label is joined later in the text; what goes round without an input would never end.
            match &self.label {
                Some(label) => return format!(" join {label};"),
                None if !self.goes_back || self.joins_back => {
                    let label = format!("l{}", self.process);
                    let target = random.below(self.states);
                    // What is sent here is sent by all who join.
                    if self.kit.calm {
                        self.allowed = 0;
                    }
                    let more = self.actions(random);
                    self.has_label = true;
                    self.label = Some(label.clone());
                    return format!(
                        " {label}: task x := (x + 1) mod 3;{more} nextstate s{target};"
                    );
                }
                None => {}
            }
        }
        match random.below(12) {
            // Of one that has stopped nothing can be seen.
            0 if self.kit.reveals && self.process == 0 => " nextstate s0;".into(),
            0 => " stop;".into(),
            5 if self.kit.parallel => " nextstate v;".into(),
            3 | 4 if self.kit.nested => {
                [" nextstate n;", " nextstate n via side;"][random.below(2)].into()
            }
            6 | 7 if back && self.joins_back => " join back;".into(),
            1 | 2 if back && (!self.has_label || self.joins_back) => {
                self.goes_back = true;
                " nextstate -;".into()
            }
            _ => format!(" nextstate s{};", random.below(self.states)),
        }
    }
}
