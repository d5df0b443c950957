//! A run of a model as data: take a step, go back and forth, look at the state.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use mazurka_model::{ExpressionId, Failure, Fault, Interpreter, Step};
use mazurka_scenario::{
    Ending, Happening, Run, Scenario, Snapshot, Standing, StepRecord, Symptom, Waiting, Walk,
    describe, replay,
};
use mazurka_span::{Snippet, Span};

use crate::error::Error;
use crate::load::{Besides, EXPRESSION, Loaded, ModelText};

/// A state is kept after this many steps, so that going back is a short walk from the last one kept.
const STRIDE: usize = 64;
/// At most this many expressions are kept to be evaluated again.
const MOST_ASKED: usize = 256;

/// A run of a model that goes where the caller wants.
///
/// ```
/// use mazurka_checker::{ModelText, Simulation};
///
/// let model = ModelText::from_source("lamp.pml", "bit on; active proctype P() { do :: on = 1 - on od }")?;
/// let mut lamp = Simulation::new(&model, &Default::default())?;
/// let choices = lamp.choices();
/// println!("{} at line {}", choices[0].statement, choices[0].at.line);
/// lamp.take(0)?;
/// assert_eq!(lamp.evaluate("on + 1")?, 2);
/// lamp.back();
/// assert_eq!(lamp.state().variables[0].value, "0");
/// lamp.forward();
/// assert_eq!((lamp.position(), lamp.length()), (1, 1));
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    text: ModelText,
    model: Arc<Loaded>,
    start: Vec<Happening>,
    /// The steps taken, and those that were taken back.
    steps: Vec<Step>,
    /// How many of them are taken.
    position: usize,
    /// Every so often, where the run stood.
    kept: Vec<Standing>,
    /// Where it stands.
    standing: Standing,
    /// What the last step ran into, and whether it led anywhere.
    last: Option<(Failure, bool)>,
    /// The steps that ran into something, by number.
    failed: BTreeSet<usize>,
    /// The model together with each expression whose value was asked for.
    asked: Mutex<HashMap<String, Arc<Asked>>>,
}

/// A model together with an expression.
#[derive(Debug)]
struct Asked {
    interpreter: Interpreter,
    expression: ExpressionId,
}

impl Simulation {
    /// Begins in the initial state of a model.
    pub fn new(model: &ModelText, besides: &Besides<'_>) -> Result<Simulation, Error> {
        let loaded = Arc::new(model.load(besides)?);
        let simulation = Simulation::of(model, loaded);
        simulation.map_err(|fault| Error::Usage(format!("{fault}, in making the initial state")))
    }

    /// Begins in the initial state of a model that is loaded, unless that cannot be made.
    pub fn of(model: &ModelText, loaded: Arc<Loaded>) -> Result<Simulation, Fault> {
        let (walk, start) = Walk::start(&loaded.interpreter)?;
        let standing = walk.into_standing();
        Ok(Simulation {
            text: model.clone(),
            start,
            steps: Vec::new(),
            position: 0,
            kept: vec![standing.clone()],
            standing,
            last: None,
            failed: BTreeSet::new(),
            asked: Mutex::default(),
            model: loaded,
        })
    }

    /// The model.
    pub fn model(&self) -> &Arc<Loaded> {
        &self.model
    }

    /// What happened while the initial state was made.
    pub fn start(&self) -> &[Happening] {
        &self.start
    }

    /// How many steps are taken.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many steps are known: those taken, and those that [`Simulation::forward`] would take again.
    pub fn length(&self) -> usize {
        self.steps.len()
    }

    /// The steps taken.
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.position]
    }

    /// The possible steps: who, what, where, with whom. None after a step that led nowhere.
    pub fn choices(&mut self) -> Vec<StepRecord> {
        let steps = self.possible();
        let walk = self.walk();
        steps.iter().map(|step| walk.describe(*step)).collect()
    }

    /// Where in the source a step, or a choice, is.
    pub fn span(&self, step: &StepRecord) -> Option<Span> {
        self.model.span_of(Some(&step.at))
    }

    /// Takes the choice of this number. Steps that were taken back and are not the same are forgotten.
    pub fn take(&mut self, choice: usize) -> Result<StepRecord, Error> {
        let steps = self.possible();
        match steps.get(choice) {
            Some(step) => Ok(self.carry_out(*step)),
            None => Err(Error::Usage(format!(
                "choice {choice} is not possible: there are {}",
                steps.len()
            ))),
        }
    }

    /// Takes a step, if it is possible.
    pub fn take_step(&mut self, step: Step) -> Result<StepRecord, Error> {
        match self.possible().contains(&step) {
            true => Ok(self.carry_out(step)),
            false => Err(Error::Usage(format!(
                "step {} is not possible here",
                self.position + 1
            ))),
        }
    }

    /// Takes the last step back; false at the beginning.
    pub fn back(&mut self) -> bool {
        match self.position.checked_sub(1) {
            Some(before) => {
                self.go_to(before);
                true
            }
            None => false,
        }
    }

    /// Takes the next step again that was taken back, if there is one.
    pub fn forward(&mut self) -> Option<StepRecord> {
        let step = *self.steps.get(self.position)?;
        Some(self.carry_out(step))
    }

    /// Goes to where this many steps are taken, or as far as steps are known.
    pub fn go_to(&mut self, position: usize) {
        let target = position.min(self.steps.len());
        let nearest = (target / STRIDE).min(self.kept.len() - 1);
        if target < self.position || nearest * STRIDE > self.position {
            self.standing = self.kept[nearest].clone();
            self.position = nearest * STRIDE;
            self.last = None;
        }
        while self.position < target {
            let step = self.steps[self.position];
            let mut walk = self.walk();
            walk.enabled();
            let outcome = walk.advance(step);
            self.standing = walk.into_standing();
            self.arrive(outcome.failure, outcome.complete);
        }
    }

    /// A walk of its own from the present state, to look ahead.
    pub fn walk(&self) -> Walk<'_> {
        Walk::at(&self.model.interpreter, self.standing.clone())
    }

    /// The present state, with names.
    pub fn state(&self) -> Snapshot {
        self.walk().snapshot()
    }

    /// May the system stop in the present state?
    pub fn may_end(&self) -> bool {
        self.model.interpreter.is_valid_end(self.walk().state())
    }

    /// How the run ends if it goes no further.
    pub fn ending(&mut self) -> Ending {
        match self.is_stuck() {
            true => Ending::Open,
            false => self.moved(|walk| walk.ending()),
        }
    }

    /// Did something go wrong, on the way or at the end, if the run goes no further?
    pub fn is_violated(&mut self) -> bool {
        self.has_failed() || self.ending() == Ending::Deadlock
    }

    /// What the last step ran into.
    pub fn failure(&self) -> Option<Failure> {
        self.last.map(|(failure, _)| failure)
    }

    /// Did any of the steps taken run into something?
    pub fn has_failed(&self) -> bool {
        self.failed.range(..self.position).next().is_some()
    }

    /// Did the last step fail so that there is no next state?
    pub fn is_stuck(&self) -> bool {
        self.last.is_some_and(|(_, complete)| !complete)
    }

    /// Why a process cannot move; nothing if it can.
    pub fn why(&self, process: usize) -> Option<Waiting> {
        self.walk().why(process)
    }

    /// The value of an expression of the model in the present state. It is read once, by itself, among the names of the model: asking
    /// for it again, here or elsewhere, is cheap.
    pub fn evaluate(&self, expression: &str) -> Result<i32, Error> {
        let wrong = |what: &str| Error::Usage(format!("{expression}: {what}"));
        let asked = self.asked(expression)?;
        let beside = (&asked.interpreter, asked.expression);
        let walk = self.walk();
        let interpreter = &self.model.interpreter;
        let keeps_the_same = interpreter.program().features == asked.interpreter.program().features;
        let value = keeps_the_same
            .then(|| interpreter.value_beside(walk.state(), usize::MAX, beside))
            .flatten();
        let value = match value {
            Some(value) => value,
            // Read together with the expression, the model has other states, or keeps more in them; its steps are the same.
            None => {
                let (mut walk, _) =
                    Walk::start(&asked.interpreter).map_err(|fault| wrong(&fault.to_string()))?;
                for step in self.steps() {
                    walk.enabled();
                    walk.advance(*step);
                }
                asked.interpreter.value(walk.state(), usize::MAX, beside.1)
            }
        };
        value.map_err(|fault| wrong(&fault.to_string()))
    }

    /// The value of an expression of the model in the present state, as its type has it: `true`, the name of a constant, of a channel.
    pub fn value_text(&self, expression: &str) -> Result<String, Error> {
        let value = self.evaluate(expression)?;
        let asked = self.asked(expression)?;
        let program = asked.interpreter.program();
        let meaning = program.meaning(None, asked.expression);
        Ok(self.walk().value_text(program, meaning, value))
    }

    /// The model together with an expression.
    fn asked(&self, expression: &str) -> Result<Arc<Asked>, Error> {
        let mut known = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(asked) = known.get(expression) {
            return Ok(asked.clone());
        }
        let asked = match self.read_in_scope(expression) {
            Some(asked) => asked,
            None => self.read_with_model(expression)?,
        };
        let asked = Arc::new(asked);
        if known.len() == MOST_ASKED {
            known.clear();
        }
        known.insert(expression.into(), asked.clone());
        Ok(asked)
    }

    /// The model as it is, together with an expression, if it can be read by itself.
    fn read_in_scope(&self, text: &str) -> Option<Asked> {
        let (scope, interpreter) = (self.model.scope.as_ref()?, &self.model.interpreter);
        let name = EXPRESSION;
        let snippet = Snippet { name, text };
        let program = interpreter.program();
        let (program, expression) = scope.expression(&self.model.sources, program, snippet)?;
        Some(Asked {
            interpreter: interpreter.beside(program)?,
            expression,
        })
    }

    /// The model, read once more together with an expression that is wrong, or asks for what the model has not kept.
    fn read_with_model(&self, expression: &str) -> Result<Asked, Error> {
        let read = self.text.load(&Besides {
            define: &self.model.model.defines,
            expression: Some(expression),
            ..Besides::default()
        })?;
        let missing = || Error::Usage(format!("{expression}: expected an expression"));
        Ok(Asked {
            expression: read.expression.ok_or_else(missing)?,
            interpreter: read.interpreter,
        })
    }

    /// Begins anew and takes the steps of a scenario.
    pub fn follow(&mut self, scenario: &Scenario) -> Result<(), Error> {
        self.model.repeat(scenario).map_err(Error::Usage)?;
        let steps = scenario.steps();
        self.go_to(0);
        self.kept.truncate(1);
        self.steps = steps;
        self.go_to(self.steps.len());
        Ok(())
    }

    /// The steps taken and what happened in them.
    pub fn run(&self) -> Result<Run, Error> {
        let run = replay(&self.model.interpreter, self.steps());
        run.map_err(|error| Error::Internal(error.to_string()))
    }

    /// The steps taken as a scenario, to be written to a file. It says what went wrong at its end, if anything did.
    pub fn scenario(&self) -> Result<Scenario, Error> {
        self.scenario_of(self.steps())
    }

    /// The same, but if something went wrong on the way and nothing at the end, only the steps to the first that did.
    pub fn scenario_of_violation(&self) -> Result<Scenario, Error> {
        let whole = self.scenario()?;
        let first = self.failed.range(..self.position).next();
        match (&whole.violation, first) {
            (None, Some(first)) => self.scenario_of(&self.steps()[..=*first]),
            _ => Ok(whole),
        }
    }

    fn scenario_of(&self, steps: &[Step]) -> Result<Scenario, Error> {
        let interpreter = &self.model.interpreter;
        let run = replay(interpreter, steps).map_err(|error| Error::Internal(error.to_string()))?;
        let last = steps.last().copied();
        let shown = Symptom::all_shown_by(&run).first().copied();
        let violation = shown.map(|symptom| describe(interpreter, "safety", symptom, &run, last));
        let model = self.model.model.clone();
        Ok(Scenario::new(model, violation, interpreter, steps))
    }

    /// Does something to the walk that may change how the state is looked at.
    fn moved<T>(&mut self, change: impl FnOnce(&mut Walk<'_>) -> T) -> T {
        let mut walk = Walk::at(&self.model.interpreter, self.standing.clone());
        let result = change(&mut walk);
        let standing = walk.into_standing();
        self.standing = standing;
        result
    }

    fn possible(&mut self) -> Vec<Step> {
        match self.is_stuck() {
            true => Vec::new(),
            false => self.moved(|walk| walk.enabled()),
        }
    }

    fn carry_out(&mut self, step: Step) -> StepRecord {
        if self.steps.get(self.position) != Some(&step) {
            self.steps.truncate(self.position);
            self.kept.truncate(self.position / STRIDE + 1);
            self.failed.split_off(&self.position);
            self.steps.push(step);
        }
        let (record, outcome) = self.moved(|walk| {
            walk.enabled();
            walk.take(step)
        });
        self.arrive(outcome.failure, outcome.complete);
        record
    }

    /// A step has been taken.
    fn arrive(&mut self, failure: Option<Failure>, complete: bool) {
        if failure.is_some() {
            self.failed.insert(self.position);
        }
        self.position += 1;
        self.last = failure.map(|failure| (failure, complete));
        if self.position == self.kept.len() * STRIDE {
            self.kept.push(self.standing.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use mazurka_scenario::ViolationKind;

    use super::*;

    const COUNTER: &str = "byte x; active [2] proctype P() { do :: x < 200 -> x++ :: else -> break od; assert(x < 201) }";

    fn counter() -> Simulation {
        let model = ModelText::from_source("counter.pml", COUNTER).unwrap();
        Simulation::new(&model, &Besides::default()).unwrap()
    }

    #[test]
    fn a_run_goes_back_and_forth_to_the_same_states() {
        let mut simulation = counter();
        let mut states = vec![simulation.state()];
        for number in 0..300 {
            let choices = simulation.choices();
            simulation.take(number % choices.len()).unwrap();
            states.push(simulation.state());
        }
        for position in [300, 0, 64, 63, 65, 128, 299, 1, 300] {
            simulation.go_to(position);
            assert_eq!(simulation.position(), position);
            assert_eq!(simulation.state(), states[position], "{position}");
        }
        assert!(simulation.back() && simulation.forward().is_some());
        assert_eq!(simulation.state(), states[300]);
        assert!(simulation.forward().is_none());
        simulation.go_to(10);
        simulation.take(1).unwrap();
        assert!(simulation.length() <= 300);
    }

    #[test]
    fn expressions_are_evaluated_in_the_present_state() {
        let mut simulation = counter();
        for _ in 0..20 {
            simulation.take(0).unwrap();
        }
        let value: i32 = simulation.evaluate("x").unwrap();
        assert!(value > 0);
        assert_eq!(simulation.evaluate("2 * x + 1").unwrap(), 2 * value + 1);
        assert!(simulation.evaluate("y").is_err());
        simulation.go_to(0);
        assert_eq!(simulation.evaluate("x").unwrap(), 0);
    }

    /// A few steps into a run, what is read by itself has the value of what is read together with the model.
    fn check_expressions(name: &str, text: &str, expressions: &[&str], is_in_scope: bool) {
        let model = ModelText::from_source(name, text).unwrap();
        let mut simulation = Simulation::new(&model, &Besides::default()).unwrap();
        for number in 0..5 {
            let choices = simulation.choices().len();
            simulation.take(number % choices).unwrap();
        }
        for expression in expressions {
            let alone = simulation.read_in_scope(expression);
            assert_eq!(alone.is_some(), is_in_scope, "{expression}");
            let together = simulation.read_with_model(expression).unwrap();
            let mut walk = Walk::start(&together.interpreter).unwrap().0;
            for step in simulation.steps() {
                walk.enabled();
                walk.advance(*step);
            }
            let (state, asked) = (walk.state(), together.expression);
            let expected = together.interpreter.value(state, usize::MAX, asked);
            let value = simulation.evaluate(expression).unwrap();
            assert_eq!(Ok(value), expected, "{expression}");
            if let Some(alone) = alone {
                let (program, other) = (simulation.model.program(), alone.interpreter.program());
                assert!(program.has_layout_of(other), "{expression}");
            }
        }
    }

    #[test]
    fn expressions_are_read_among_the_names_of_the_model() {
        let promela = "#define TWICE(e) (2 * (e))
            mtype = { on, off }; typedef T { byte a[3] }; T t; mtype m = off; chan c = [2] of { byte, mtype };
            active [2] proctype P() { byte own = 7; here: do :: t.a[1] < 9 -> t.a[1]++; c!own,on; c?own,m :: P[0]@here -> skip od }";
        let expressions = [
            "TWICE(t.a[1]) + _nr_pr",
            "m == on",
            "len(c) + nfull(c)",
            "P[0]:own * P[1]:own",
            "P[1]@here",
            "c?[7,on]",
            "timeout",
        ];
        check_expressions("a.pml", promela, &expressions, true);
        check_expressions("a.pml", promela, &["_last", "_priority"], false);
        let labels = COUNTER.replace("do ::", "nowhere: do ::");
        check_expressions("a.pml", &labels, &["P[0]@nowhere || x > 0"], false);
        let lamp = "machine Lamp { var n: byte; start state Off; state On; Off -> On { n := n + 1; } On -> Off; } system { lamp: Lamp; }";
        check_expressions("a.efsm", lamp, &["lamp.n + 1", "lamp at On"], true);
        let clock = "system s; block b; process p; dcl n integer := 0; start; nextstate a;
            state a; input none; task n := n + 1; nextstate b; state b; input none; nextstate a; endprocess; endblock; endsystem;";
        check_expressions("a.sdl", clock, &["p.n * 2", "p at a"], true);
        let handshake = include_str!("../../../examples/vfsm/handshake.vfsm");
        let expressions = ["len(SERVER.low) + 3 * caller.S_WAITING", "!sender.T_ACK"];
        check_expressions("a.vfsm", handshake, &expressions, true);
    }

    #[test]
    fn a_scenario_is_saved_and_followed() {
        let mut simulation = counter();
        for number in 0..100 {
            let choices = simulation.choices().len();
            simulation.take(number % choices).unwrap();
        }
        let (state, scenario) = (simulation.state(), simulation.scenario().unwrap());
        let scenario = Scenario::from_json(scenario.to_json().as_bytes()).unwrap();
        let mut other = counter();
        other.take(0).unwrap();
        other.follow(&scenario).unwrap();
        assert_eq!((other.position(), other.state()), (100, state));
        assert!(scenario.violation.is_none());
    }

    #[test]
    fn a_scenario_ends_in_what_went_wrong_on_the_way() {
        let text = "byte x; active proctype P() { x++; assert(x == 2); x++; x++ }";
        let model = ModelText::from_source("on.pml", text).unwrap();
        let mut simulation = Simulation::new(&model, &Besides::default()).unwrap();
        while !simulation.choices().is_empty() {
            simulation.take(0).unwrap();
        }
        assert!(simulation.scenario().unwrap().violation.is_none());
        let scenario = simulation.scenario_of_violation().unwrap();
        assert_eq!(scenario.steps.len(), 2);
        assert_eq!(scenario.kind(), Some(ViolationKind::Assertion));
    }

    #[test]
    fn an_expression_is_not_called_an_option() {
        let error = counter().evaluate("x +").unwrap_err().to_string();
        assert!(!error.contains("--guide"), "{error}");
    }

    #[test]
    fn what_is_not_possible_is_refused() {
        let mut simulation = counter();
        assert!(simulation.take(7).is_err());
        assert!(!simulation.back());
        assert_eq!(simulation.position(), 0);
    }
}
