//! Random models of what the dependencies are sharp about: additions of any constant, questions about the number of messages, and
//! elements and channels that an index names.

use mazurka_differential::random::Random;

/// A random model in Promela.
pub fn model(seed: u64) -> String {
    let mut maker = Maker {
        random: Random::new(seed),
        capacity: [0; 3],
    };
    maker.model()
}

struct Maker {
    random: Random,
    /// Of the array of channels and of the two by themselves.
    capacity: [i64; 3],
}

impl Maker {
    fn model(&mut self) -> String {
        let kinds = ["byte", "bit", "short", "int", "unsigned"];
        let kind = *self.random.pick(&kinds);
        let x = match kind {
            "unsigned" => "unsigned x : 3".to_string(),
            kind => format!("{kind} x"),
        };
        let same = self.random.between(1, 2);
        for number in 0..3 {
            self.capacity[number] = match self.random.chance(50) {
                true => same,
                false => self.random.between(0, 2),
            };
        }
        // Only now and then a rendezvous: it makes most models deadlock at once.
        for number in 0..3 {
            if self.capacity[number] == 0 && self.random.chance(70) {
                self.capacity[number] = 2;
            }
        }
        let [many, one, other] = self.capacity;
        let mut text = format!(
            "{x}; byte y = 2; byte a[4]; byte who; byte table[2];\n\
             chan q[3] = [{many}] of {{ byte }};\nchan c = [{one}] of {{ byte }};\nchan d = [{other}] of {{ byte }};\n"
        );
        if self.random.chance(20) {
            // Then the array does not stay what it is.
            text.push_str("active proctype turns() { q[0] = q[1]; x = x + 2 }\n");
        }
        for process in 0..self.random.between(2, 3) {
            let index = ["bit i", "byte i", "int i", "short i"];
            let index = *self.random.pick(&index);
            text.push_str(&format!(
                "active proctype p{process}() {{ {index}; byte z;\n"
            ));
            for _ in 0..self.random.between(2, 4) {
                let statement = self.statement(true);
                text.push_str(&format!("  {statement};\n"));
            }
            text.push_str("  skip\n}\n");
        }
        text
    }

    fn statement(&mut self, nests: bool) -> String {
        match self.random.below(if nests { 15 } else { 11 }) {
            0..=2 => self.addition(),
            3 => format!("x = {}", self.random.between(0, 2)),
            4 => format!("a[{}] = {}", self.index(), self.random.between(0, 3)),
            5 => {
                let index = *self.random.pick(&["i", "i", "who"]);
                format!("{index} = {}", self.random.between(0, 2))
            }
            6 | 7 => format!("{}!{}", self.channel(), self.random.between(0, 2)),
            8 => format!("{}?z", self.channel()),
            9 => format!("assert({})", self.condition()),
            10 => format!("{}?i", self.channel()),
            11 => {
                let (yes, no) = (self.statement(false), self.statement(false));
                format!("if :: {} -> {yes} :: else -> {no} fi", self.condition())
            }
            12 => {
                let (yes, no) = (self.statement(false), self.statement(false));
                format!(
                    "if :: {} -> {yes} :: {} -> {no} fi",
                    self.condition(),
                    self.condition()
                )
            }
            13 => format!(
                "atomic {{ {}; {} }}",
                self.statement(false),
                self.statement(false)
            ),
            _ => {
                let body = self.statement(false);
                format!("do :: z < 2 -> z++; {body} :: z >= 2 -> break od")
            }
        }
    }

    fn addition(&mut self) -> String {
        let place = match self.random.below(4) {
            0 => format!("a[{}]", self.index()),
            1 => "y".to_string(),
            _ => "x".to_string(),
        };
        let by = match self.random.below(4) {
            0 => "z".to_string(),
            1 => "y".to_string(),
            _ => self
                .random
                .pick(&[2, 3, 1, 256, 255, 4, 7, 65536])
                .to_string(),
        };
        match self.random.below(3) {
            0 => format!("{place} = {place} + {by}"),
            1 => format!("{place} = {by} + {place}"),
            _ => format!("{place} = {place} - {by}"),
        }
    }

    fn index(&mut self) -> String {
        let of_type = [
            "i % 4",
            "i & 1",
            "who & 1",
            "(i & 1) + 1",
            "i",
            "y & 3",
            "1",
        ];
        self.random.pick(&of_type).to_string()
    }

    fn channel(&mut self) -> String {
        let names = [
            "q[i]",
            "q[who]",
            "q[i & 1]",
            "q[table[i & 1]]",
            "q[1]",
            "c",
            "d",
            "q[(i & 1) + 1]",
        ];
        self.random.pick(&names).to_string()
    }

    fn condition(&mut self) -> String {
        let operators = ["==", "!=", "<", "<=", ">", ">="];
        let operator = *self.random.pick(&operators);
        let value = self.random.between(-1, 4);
        let one = match self.random.below(5) {
            0 | 1 => {
                let channel = self.channel();
                let value = self.random.between(0, 3);
                match self.random.chance(30) {
                    true => format!("{value} {operator} len({channel})"),
                    false => format!("len({channel}) {operator} {value}"),
                }
            }
            2 => format!("a[{}] {operator} {value}", self.index()),
            3 => "x".to_string(),
            _ => format!("x {operator} {value}"),
        };
        match self.random.below(6) {
            0 => format!("({one} || y {operator} {value})"),
            1 => format!("!({one})"),
            2 => format!("({one} && !x)"),
            _ => format!("({one})"),
        }
    }
}
