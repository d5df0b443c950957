//! Values and conditions of a random model, over what is in scope.

use super::*;

impl Generator {
    /// A number. Operators are chosen so that no value overflows an `int`: that would be undefined in pan.
    pub(super) fn value(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.random.chance(45) {
            return self.simple_value();
        }
        match self.random.below(12) {
            0..=2 => {
                let operator = *self.random.pick(&["+", "-"]);
                Expression::binary(operator, self.value(depth - 1), self.value(depth - 1))
            }
            3 => Expression::binary(
                "*",
                self.value(depth - 1),
                Expression::Number(self.random.between(0, 3)),
            ),
            4 | 5 => {
                let operator = *self.random.pick(&["%", "%", "/"]);
                Expression::binary(
                    operator,
                    self.value(depth - 1),
                    Expression::Number(self.random.between(2, 4)),
                )
            }
            6 => {
                let operator = *self.random.pick(&["&", "|", "^"]);
                Expression::binary(operator, self.value(depth - 1), self.value(depth - 1))
            }
            7 => {
                let operator = *self.random.pick(&["<<", ">>"]);
                Expression::binary(
                    operator,
                    self.value(depth - 1),
                    Expression::Number(self.random.between(0, 2)),
                )
            }
            8 => {
                let operator = *self.random.pick(&["-", "~"]);
                Expression::Unary(operator, Box::new(self.value(depth - 1)))
            }
            9 if self.has(Feature::Conditional) => {
                let condition = self.condition(depth - 1, false);
                let (yes, no) = (self.value(depth - 1), self.value(depth - 1));
                Expression::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
            }
            10 => self.condition(depth - 1, false),
            _ => self.special_value(),
        }
    }

    /// A hidden variable, now and then, where they may be read.
    pub(super) fn hidden_place(&mut self, percent: usize) -> Option<Place> {
        match self.sometimes(Feature::HiddenReads, percent) {
            true => self.place(|variable| variable.hidden),
            false => None,
        }
    }

    pub(super) fn simple_value(&mut self) -> Expression {
        if let Some(place) = self.hidden_place(15) {
            return Expression::Read(place);
        }
        if self.sometimes(Feature::RemoteParts, 20)
            && let Some(remote) = self.remote_variable()
        {
            return remote;
        }
        if self.random.chance(65)
            && let Some(place) = self.numeric_place(|variable| !variable.hidden)
        {
            return Expression::Read(place);
        }
        if !self.numbers.is_empty() && self.random.chance(20) {
            return Expression::Name(self.random.pick(&self.numbers.clone()).clone());
        }
        Expression::Number(self.random.between(0, 3))
    }

    fn special_value(&mut self) -> Expression {
        match self.random.below(4) {
            0 => Expression::Predefined("_pid"),
            1 if self.has(Feature::ProcessCount) => Expression::Predefined("_nr_pr"),
            2 if self.has(Feature::Probes) => match self.buffered_place() {
                Some((place, _)) => Expression::Probe("len", place),
                None => self.simple_value(),
            },
            _ => self.remote_variable().unwrap_or(Expression::Number(1)),
        }
    }

    pub(super) fn remote_variable(&mut self) -> Option<Expression> {
        let (process, pid) = self.remote(Feature::RemoteVariables, |remote| {
            !remote.variables.is_empty()
        })?;
        let mut variables = self.remotes[process].variables.clone();
        let is_part = |name: &String| name.contains('[');
        if self.random.chance(60) && variables.iter().any(is_part) {
            variables.retain(is_part);
        }
        let name = self.remotes[process].process.clone();
        Some(Expression::RemoteVariable(
            name,
            pid,
            self.random.pick(&variables).clone(),
        ))
    }

    pub(super) fn remote_label(&mut self) -> Option<Expression> {
        let (process, pid) =
            self.remote(Feature::RemoteLabels, |remote| !remote.labels.is_empty())?;
        let labels = self.remotes[process].labels.clone();
        let name = self.remotes[process].process.clone();
        Some(Expression::RemoteLabel(
            name,
            pid,
            self.random.pick(&labels).clone(),
        ))
    }

    /// A process with a lower pid. Processes are deleted last-born first, so it exists as long as the one that asks.
    fn remote(
        &mut self,
        feature: Feature,
        wanted: impl Fn(&Remote) -> bool,
    ) -> Option<(usize, Option<Box<Expression>>)> {
        let nobody = self.context.pids.is_none() && !self.context.claim;
        if !self.has(feature) || self.context.deterministic || nobody {
            return None;
        }
        let dead = self.sometimes(Feature::RemoteDead, 60);
        let candidates: Vec<usize> = (0..self.remotes.len())
            .filter(|&number| wanted(&self.remotes[number]))
            .filter(|&number| dead || !self.remotes[number].pids.is_empty())
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let process = *self.random.pick(&candidates);
        let pids = self.remotes[process].pids.clone();
        if dead && (pids.is_empty() || self.random.chance(30)) {
            let pid = Expression::Number(self.random.between(0, 3));
            return Some((process, Some(Box::new(pid))));
        }
        let pid = self
            .random
            .between(pids.start.into(), i64::from(pids.end) - 1);
        let named = pids.len() > 1 || self.random.chance(80);
        Some((process, named.then(|| Box::new(Expression::Number(pid)))))
    }

    pub(super) fn mtype_constant(&mut self) -> Expression {
        let names = self.program.mtypes.clone();
        Expression::Name(self.random.pick(&names).clone())
    }

    pub(super) fn mtype_value(&mut self) -> Expression {
        match self.place(|variable| variable.kind == Type::Mtype && !variable.hidden) {
            Some(place) if self.random.chance(40) => Expression::Read(place),
            _ => self.mtype_constant(),
        }
    }

    /// Something true or false. `probes`: whether `full`, `empty` and their kin may occur, which Promela's grammar
    /// allows only under `&&` and `||`.
    pub(super) fn condition(&mut self, depth: usize, probes: bool) -> Expression {
        if depth > 0 && self.random.chance(30) {
            return match self.random.below(3) {
                0 => Expression::Unary("!", Box::new(self.condition(depth - 1, false))),
                1 => Expression::binary(
                    "&&",
                    self.condition(depth - 1, probes),
                    self.condition(depth - 1, probes),
                ),
                _ => Expression::binary(
                    "||",
                    self.condition(depth - 1, probes),
                    self.condition(depth - 1, probes),
                ),
            };
        }
        if probes && self.sometimes(Feature::Probes, 25) {
            let name = *self.random.pick(&["empty", "nempty", "full", "nfull"]);
            if let Some((place, _)) = self.buffered_place() {
                return Expression::Probe(name, place);
            }
        }
        match self.random.below(10) {
            // With a rendezvous channel in the model, pan has a poll as `a && b` without brackets around, so that under an
            // arithmetic operator it means something else.
            0 | 8 if self.has(Feature::Polls) && probes => {
                if let Some(poll) = self.poll() {
                    return poll;
                }
            }
            1 if !self.conditions.is_empty() => {
                return Expression::Name(self.random.pick(&self.conditions.clone()).clone());
            }
            2 | 3 => {
                if let Some(label) = self.remote_label() {
                    return label;
                }
            }
            4 if self.has(Feature::Mtypes) => {
                if let Some(place) =
                    self.place(|variable| variable.kind == Type::Mtype && !variable.hidden)
                {
                    let operator = *self.random.pick(&["==", "!="]);
                    return Expression::binary(
                        operator,
                        Expression::Read(place),
                        self.mtype_constant(),
                    );
                }
            }
            5 if self.has(Feature::Last) => {
                let pid = Expression::Number(self.random.between(0, 2));
                return Expression::binary("==", Expression::Predefined("_last"), pid);
            }
            6 => {
                if let Some(query) = self.query() {
                    return query;
                }
            }
            7 if self.has(Feature::ProcessCount) => {
                let count = Expression::Number(self.random.between(1, 4));
                let operator = *self.random.pick(&["<", "==", ">"]);
                return Expression::binary(operator, Expression::Predefined("_nr_pr"), count);
            }
            _ => {}
        }
        let operator = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let hidden = self.hidden_place(25);
        let left = match hidden.or_else(|| self.numeric_place(|variable| !variable.hidden)) {
            Some(place) => Expression::Read(place),
            None => self.value(1),
        };
        if self.sometimes(Feature::Division, 20) {
            let divided = Expression::binary("/", Expression::Number(6), left);
            return Expression::binary(operator, divided, Expression::Number(2));
        }
        Expression::binary(operator, left, self.value(depth.min(1)))
    }

    /// `enabled`, `pc_value` or `get_priority` of another process; SPIN stops at `enabled(_pid)`.
    fn query(&mut self) -> Option<Expression> {
        let own = self.context.pids.clone()?;
        if self.context.deterministic {
            return None;
        }
        let pid = self.random.between(0, 2) as u32;
        let operand = Box::new(Expression::Number(pid.into()));
        let when = |on: bool| usize::from(on);
        let kinds = [
            (
                when(self.has(Feature::Enabled) && !own.contains(&pid)),
                "enabled",
            ),
            (when(self.has(Feature::Priorities)), "get_priority"),
            (when(self.has(Feature::PcValue)), "pc_value"),
        ];
        let kind = self.random.weighted(&kinds)?;
        let asked = Expression::Query(kind, operand);
        Some(match kind {
            "enabled" => asked,
            "get_priority" => Expression::binary(">", asked, Expression::Number(1)),
            _ => {
                let place = Expression::Number(self.random.between(1, 9));
                Expression::binary("<", asked, place)
            }
        })
    }

    pub(super) fn numeric_place(&mut self, wanted: impl Fn(&Variable) -> bool) -> Option<Place> {
        self.place(|variable| variable.kind != Type::Mtype && wanted(variable))
    }

    /// One of the variables in scope that are wanted, with index and field as its type needs.
    pub(super) fn place(&mut self, wanted: impl Fn(&Variable) -> bool) -> Option<Place> {
        let candidates: Vec<Variable> = self
            .variables
            .iter()
            .filter(|variable| wanted(variable))
            .cloned()
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let variable = self.random.pick(&candidates).clone();
        let index = variable
            .length
            .map(|length| Box::new(self.index(&variable.name, length)));
        let mut fields = Vec::new();
        let mut kind = variable.kind.clone();
        // A structure counts as a number: take one of its numeric parts.
        while let Type::Structure(_) = kind {
            let mut known = self.fields_of(&kind);
            known.retain(|field| !matches!(field.kind, Type::Mtype | Type::Channel));
            if known.is_empty() {
                return None;
            }
            let chosen = self.random.pick(&known).clone();
            // Its length is not that of the array it may be in, whose loop variables may be too large for it.
            let array = format!("{}.{}", variable.name, chosen.name);
            let index = chosen
                .length
                .map(|length| Box::new(self.index(&array, length)));
            fields.push((chosen.name, index));
            kind = chosen.kind;
        }
        Some(Place {
            name: variable.name,
            index,
            fields,
        })
    }

    /// An index below `length`: a number, a loop variable known to be in range, or an unsigned variable modulo.
    pub(super) fn index(&mut self, array: &str, length: u32) -> Expression {
        let known: Vec<String> = self
            .safe_indices
            .iter()
            .filter(|(name, _)| name == array)
            .map(|(_, index)| index.clone())
            .collect();
        if !known.is_empty() && self.random.chance(60) {
            return Expression::read(self.random.pick(&known).clone());
        }
        let unsigned: Vec<String> = self
            .variables
            .iter()
            .filter(|variable| {
                matches!(variable.kind, Type::Byte | Type::Bit | Type::Unsigned(_))
                    && variable.length.is_none()
                    && !variable.hidden
                    && variable.name != array
            })
            .map(|variable| variable.name.clone())
            .collect();
        if unsigned.is_empty() || self.random.chance(50) {
            let highest = if self.sometimes(Feature::OutOfRange, 10) {
                length
            } else {
                length - 1
            };
            return Expression::Number(self.random.between(0, highest.into()));
        }
        let variable = Expression::read(self.random.pick(&unsigned).clone());
        let beyond = i64::from(self.sometimes(Feature::OutOfRange, 40));
        let bound = i64::from(length) + beyond;
        Expression::binary("%", variable, Expression::Number(bound))
    }
}
