//! Random models of processes that are alike up to their identity, and of some that are nearly so.
//!
//! Identities are the numbers of processes or parameters. They are copied, compared, sent, received and used as indices; and in half of the
//! models, now and then, computed values come to where identities belong, or identities are computed with.

use std::fmt::Write;

use crate::random::Random;

/// A random model.
pub fn model(seed: u64) -> String {
    let mut random = Random::new(seed);
    let count = if random.chance(60) { 2 } else { 3 };
    let by_number = random.chance(40);
    // A process before them makes their numbers begin with 1.
    let is_late = by_number && random.chance(40);
    let length = count + u32::from(is_late) + u32::from(random.chance(20));
    let mut writer = Writer {
        noise: if random.chance(50) {
            0
        } else {
            6 + random.below(12)
        },
        random,
        by_number,
        length,
        text: String::new(),
    };
    writer.declare(count);
    if is_late {
        writer.other();
    }
    writer.processes(count);
    if !is_late && writer.random.chance(25) {
        writer.other();
    }
    writer.text
}

struct Writer {
    random: Random,
    /// How often, of a hundred, something is in the place of an identity that is none.
    noise: usize,
    by_number: bool,
    length: u32,
    text: String,
}

impl Writer {
    fn declare(&mut self, count: u32) {
        let length = self.length;
        let owner = *self.random.pick(&["", " = 255", " = 255", " = 1"]);
        let room = 1 + self.random.below(2);
        let kind = if self.random.chance(8) {
            "short"
        } else {
            "byte"
        };
        let _ = write!(
            self.text,
            "byte flag[{length}], num; {kind} owner{owner}; byte next[{length}];\n\
             chan q = [{room}] of {{ byte, byte }}; chan z = [0] of {{ byte }};\n\
             chan r[{length}] = [1] of {{ byte }};\n"
        );
        if self.random.chance(15) {
            let _ = writeln!(self.text, "byte pair[{}];", count * count);
        } else {
            let _ = writeln!(
                self.text,
                "typedef row {{ byte cell[{length}]; byte last }}; row pair[{length}];"
            );
        }
    }

    /// A process that is not like them.
    fn other(&mut self) {
        self.text
            .push_str("active proctype Other() { byte w, n; end: do\n");
        for _ in 0..1 + self.random.below(2) {
            let text = *self.random.pick(&[
                ":: q?n,w -> owner = w",
                ":: z?w -> flag[w] = 1",
                ":: owner == w -> num = (num + 1) % 3",
                ":: owner != w -> w = owner",
                ":: flag[0] == 1 -> num = 1",
                ":: d_step { flag[w] > 0 -> flag[w] = 0; w = next[w] }",
                ":: r[w]?owner",
                ":: atomic { nempty(q) -> q?<n,w>; flag[w] = n }",
            ]);
            self.text.push_str(text);
            self.text.push('\n');
        }
        self.text.push_str("od }\n");
    }

    fn processes(&mut self, count: u32) {
        match self.by_number {
            true => {
                let _ = writeln!(self.text, "active [{count}] proctype P() {{ byte w, n, i;");
            }
            false => self.text.push_str("proctype P(byte id) { byte w, n, i;\n"),
        }
        let ends = self.random.chance(30);
        if ends {
            self.statements(2);
        }
        self.text.push_str("end: do\n");
        for _ in 0..1 + self.random.below(3) {
            self.text.push_str(":: ");
            let statement = self.statement();
            let _ = write!(self.text, "{statement} -> ");
            self.statements(1);
        }
        if ends {
            let guard = self.guard();
            let _ = writeln!(self.text, ":: {guard} -> break");
        }
        self.text.push_str("od }\n");
        if !self.by_number {
            self.init(count);
        }
    }

    fn init(&mut self, count: u32) {
        let runs: Vec<String> = (0..count).map(|id| format!("run P({id})")).collect();
        let last = count - 1;
        let text = match self.random.below(5) {
            0 => format!("atomic {{ for (i : 0 .. {last}) {{ run P(i) }} }}"),
            1 => format!("atomic {{ {} }}", runs.join("; ")),
            2 => runs.join("; "),
            3 => format!("for (i : 0 .. {last}) {{ flag[i] = 1; run P(i) }}"),
            _ => format!(
                "atomic {{ owner = {last}; next[0] = 1; {}; flag[0] = 1 }}",
                runs.join("; ")
            ),
        };
        let after = *self.random.pick(&[
            "",
            "",
            "; num = 1",
            "; owner == 1; num = 2",
            "; end: z?i; num = i",
        ]);
        let _ = writeln!(self.text, "init {{ byte i; {text}{after} }}");
    }

    fn statements(&mut self, least: usize) {
        for _ in 0..least + self.random.below(3) {
            let statement = self.statement();
            let _ = writeln!(self.text, "{statement};");
        }
    }

    /// The identity of a process, or what is taken for one.
    fn identity(&mut self) -> String {
        let own = if self.by_number { "_pid" } else { "id" };
        if self.random.chance(self.noise) {
            let noise = *self.random.pick(&[
                "n",
                "num",
                "0",
                "1",
                "255",
                "(w == 1)",
                "len(q)",
                "(w + 0)",
                "i",
                "(_nr_pr - 2)",
                "flag[w]",
                "(owner > 1)",
                "(w -> 0 : 1)",
                "-1",
                "len(r[w])",
                "(0 + next[w])",
            ]);
            return noise.to_string();
        }
        let all: &[&str] = match self.text.contains("row pair") {
            true => &[
                "$",
                "$",
                "$",
                "w",
                "w",
                "owner",
                "next[$]",
                "pair[$].cell[w]",
                "pair[w].last",
            ],
            false => &["$", "$", "$", "w", "w", "owner", "next[$]"],
        };
        self.random.pick(all).replace('$', own)
    }

    /// Where an identity may be kept.
    fn place(&mut self) -> String {
        let own = if self.by_number { "_pid" } else { "id" };
        if self.random.chance(self.noise) {
            return (*self
                .random
                .pick(&["n", "num", "i", "next[0]", "next[n]", "flag[w]"]))
            .to_string();
        }
        let places: &[&str] = match self.text.contains("row pair") {
            true => &[
                "w",
                "w",
                "owner",
                "next[$]",
                "next[w]",
                "pair[$].cell[w]",
                "pair[w].last",
            ],
            false => &["w", "owner", "next[$]", "next[w]"],
        };
        self.random.pick(places).replace('$', own)
    }

    fn guard(&mut self) -> String {
        let (a, b) = (self.identity(), self.identity());
        match self.random.below(6) {
            0 => format!("{a} != {b}"),
            1 => format!("flag[{a}] == {}", self.random.below(2)),
            2 => format!("(num < 2 && {a} == {b})"),
            3 => format!("empty(r[{a}])"),
            4 => format!("q?[1,eval({a})]"),
            _ => format!("{a} == {b}"),
        }
    }

    fn statement(&mut self) -> String {
        let (a, b) = (self.identity(), self.identity());
        let value = self.random.below(3);
        match self.random.below(26) {
            0 | 1 => format!("flag[{a}] = {value}"),
            2 | 3 => self.guard(),
            4 | 5 => format!("{} = {a}", self.place()),
            6 => format!("q!{value},{a}"),
            7 => format!("q?{value},eval({a})"),
            8 => format!("q??{value},{}", self.place()),
            9 => format!("q?n,{}", self.place()),
            10 => format!("z!{a}"),
            11 => format!("z?{}", self.place()),
            12 => format!("z?eval({a})"),
            13 => format!("r[{a}]!{b}"),
            14 => format!("r[{a}]?{}", self.place()),
            15 => format!("assert(flag[{a}] != 2)"),
            16 => format!("assert({a} != {b})"),
            17 => "num = (num + 1) % 3".into(),
            18 => format!("n = flag[{a}]"),
            19 => {
                let (one, two) = (self.place(), self.place());
                format!("atomic {{ {} -> {one} = {a}; {two} = {b} }}", self.guard())
            }
            20 => {
                let (one, two) = (self.place(), self.place());
                format!(
                    "d_step {{ {} -> {one} = {a}; flag[{b}] = {value}; {two} = {a} }}",
                    self.guard()
                )
            }
            21 => {
                let guard = self.guard();
                format!(
                    "if :: {guard} -> {} = {b} :: else -> num = 0 fi",
                    self.place()
                )
            }
            22 => {
                let last = self.length - 1;
                match self.random.chance(self.noise * 3) {
                    true => {
                        format!("d_step {{ for (i : 0 .. {last}) {{ n = (n + flag[i]) % 3 }} }}")
                    }
                    false => format!("flag[{a}] = 1 - (flag[{b}] & 1)"),
                }
            }
            23 => match self.random.chance(self.noise) {
                true => format!("q!!{value},{a}"),
                false => format!("printf(\"%d\\n\", {a})"),
            },
            24 => format!("r[{a}]?eval({b})"),
            _ => format!("(owner == 255 || owner == {a})"),
        }
    }
}
