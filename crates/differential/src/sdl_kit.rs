//! Which parts of SDL a random system may have.

use crate::random::Random;

/// What a signal carries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Carries {
    Nothing,
    Small,
    Two,
    Coloured,
    Identity,
    Truth,
    Listed,
    Structured,
}

impl Carries {
    pub fn types(self) -> &'static str {
        match self {
            Carries::Nothing => "",
            Carries::Small => "(small)",
            Carries::Two => "(small, small)",
            Carries::Coloured => "(small, colour)",
            Carries::Identity => "(PId)",
            Carries::Truth => "(Boolean)",
            Carries::Listed => "(list)",
            Carries::Structured => "(pair)",
        }
    }

    /// What is sent.
    pub fn values(self, random: &mut Random) -> &'static str {
        let all: &[&str] = match self {
            Carries::Nothing => &[""],
            Carries::Small => &["(x)", "(y)", "(1)"],
            Carries::Two => &["(x, y)", "(1, x)"],
            Carries::Coloured => &["(x, c)", "(1, green)"],
            Carries::Identity => &["(self)", "(sender)", "(who)", "(null)"],
            Carries::Truth => &["(true)", "(x = y)", "(x > 0)"],
            Carries::Structured => &["(z)", "((. x, true .))"],
            Carries::Listed => &[
                "(q)",
                "(mkstring(x))",
                "(nothing)",
                "(mkstring(1) // mkstring(y))",
            ],
        };
        all[random.below(all.len())]
    }

    /// Where it goes to; a place may be left out.
    pub fn targets(self, random: &mut Random) -> &'static str {
        let all: &[&str] = match self {
            Carries::Small => &["(x)", "(y)", "", "( )"],
            Carries::Two => &["(x, y)", "(, y)", ""],
            Carries::Coloured => &["(x, c)", "(, )", "(x)"],
            Carries::Identity => &["(who)", "(who)", ""],
            Carries::Truth => &["(b)", ""],
            Carries::Listed => &["(q)", ""],
            Carries::Structured => &["(z)", ""],
            Carries::Nothing => &[""],
        };
        all[random.below(all.len())]
    }
}

/// Which parts of the notation a system may have besides the plainest.
pub struct Kit {
    pub literals: bool,
    pub synonyms: bool,
    pub lists: bool,
    /// A signal with two parameters.
    pub pairs: bool,
    pub environment: bool,
    pub routes: bool,
    /// Inputs of several signals, lists of states, and what is said of all states.
    pub several: bool,
    pub labels: bool,
    pub via: bool,
    pub logic: bool,
    pub marks: bool,
    pub identities: bool,
    /// Values that may be out of the range of their variable.
    pub faults: bool,
    /// Synonyms whose values are given from outside.
    pub external: bool,
    /// Nothing goes wrong: a process may stay wherever it is, and no more signals are under way than queues can hold.
    pub calm: bool,
    /// Every state says something about every signal.
    pub total: bool,
    /// One channel for both ways.
    pub two_way: bool,
    /// Signals that carry identities, and one that carries a truth value.
    pub carried: bool,
    /// Outputs to a process by its name.
    pub named: bool,
    /// Variables of type Integer and Natural, with all of arithmetic.
    pub numbers: bool,
    /// Actions behind a decision, and decisions of every other kind.
    pub decisions: bool,
    /// Several signals saved at once.
    pub saves: bool,
    /// Conditions of spontaneous transitions.
    pub guarded: bool,
    /// Variables of several values.
    pub structures: bool,
    pub arrays: bool,
    /// Procedures that compute, and one that waits for a signal.
    pub procedures: bool,
    pub waits: bool,
    /// Values that are chosen freely.
    pub choices: bool,
    /// Inputs that come before others.
    pub priorities: bool,
    /// Timers with a parameter.
    pub many_timers: bool,
    /// Processes that others create, and whether identities are used again.
    pub creates: bool,
    pub reuses: bool,
    /// A signal that comes from outside.
    pub open: bool,
    /// A state that has states.
    pub nested: bool,
    /// Loops in tasks.
    pub loops: bool,
    /// A block that is made of a block.
    pub inner: bool,
    /// A variable that the first process reveals, and one that it exports.
    pub reveals: bool,
    pub exports: bool,
    /// Outputs to everybody.
    pub everybody: bool,
    /// An operator of a type, and literals that two types have.
    pub operators: bool,
    /// What is evaluated only if it is needed, and whether a value is one of several.
    pub lazy: bool,
    /// Values whose number of elements changes.
    pub rows: bool,
    /// A state of which parts are in states of their own.
    pub parallel: bool,
    /// Types and synonyms of blocks and processes that hide those of the system.
    pub hides: bool,
    /// Labels in what is said about several states, `connection`s, and ways back behind labels that several states join.
    pub copies: bool,
}

impl Kit {
    pub fn draw(random: &mut Random) -> Kit {
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
            calm: some(45),
            total: some(40),
            two_way: some(30),
            carried: some(40),
            named: some(40),
            numbers: some(40),
            decisions: some(40),
            saves: some(40),
            guarded: some(50),
            structures: some(25),
            arrays: some(25),
            procedures: some(25),
            waits: some(15),
            choices: some(20),
            priorities: some(25),
            many_timers: some(15),
            creates: some(20),
            reuses: some(50),
            open: some(8),
            nested: some(20),
            loops: some(20),
            inner: some(40),
            reveals: some(12),
            exports: some(12),
            everybody: some(20),
            operators: some(20),
            lazy: some(30),
            rows: some(25),
            parallel: some(20),
            hides: some(30),
            copies: some(40),
        }
        .consistent()
    }

    fn consistent(self) -> Kit {
        Kit {
            faults: self.faults && !self.calm,
            // What comes from outside has no routes of its own.
            routes: self.routes && !self.open,
            ..self
        }
    }

    pub fn carries(&self, signal: usize) -> Carries {
        match signal {
            0 if self.carried && self.logic => Carries::Truth,
            2 if self.carried => Carries::Identity,
            2 if self.pairs && self.rows => Carries::Two,
            3 if self.rows && !self.open => Carries::Listed,
            3 if self.structures && !self.open => Carries::Structured,
            3 if self.pairs && self.literals => Carries::Coloured,
            3 if self.pairs => Carries::Two,
            1 | 3 => Carries::Small,
            _ => Carries::Nothing,
        }
    }

    pub fn defines(&self, random: &mut Random) -> Vec<String> {
        // Six processes with a signal each, and a timer.
        let queue = match self.calm {
            true => 12,
            false => [2, 2, 3, 1][random.below(4)],
        };
        let mut defines = vec![format!("QUEUE={queue}")];
        if (self.total || !self.calm) && random.chance(25) {
            defines.push("UNEXPECTED=report".into());
        }
        if self.creates && self.reuses {
            defines.push("REUSE=1".into());
        }
        if self.open {
            defines.push("ENVIRONMENT=1".into());
        }
        if self.synonyms && self.external {
            defines.push("three=3".into());
        }
        defines
    }
}
