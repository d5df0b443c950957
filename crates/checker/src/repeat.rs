//! Scenarios of a model: whether they show what they say.

use std::path::Path;

use mazurka_model::{Interpreter, Step};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{
    Run, Scenario, ScenarioStep, Snapshot, Symptom, ViolationKind, ViolationRecord, Walk, replay,
    replay_tail,
};
use mazurka_temporal::Lasso;

use crate::error::Error;
use crate::load::{Besides, Loaded, ModelText};
use crate::notation::{NOTATIONS, notation_named};

impl ModelText {
    /// Reads the model of the scenario in a file: where the caller says, or else where the scenario says.
    pub fn of_scenario(
        scenario: &Scenario,
        path: &Path,
        model: Option<&Path>,
    ) -> Result<ModelText, Error> {
        refuse_other(scenario, path)?;
        let notation = notation_named(&scenario.model.language);
        match model {
            Some(model) => {
                refuse_other_notation(scenario, path, model)?;
                ModelText::open_as(model, notation)
            }
            None => {
                let folder = path.parent().unwrap_or(Path::new(""));
                let moved = |error| match error {
                    Error::Usage(reason) => {
                        Error::Usage(format!("{reason}; --model names it, if it was moved"))
                    }
                    other => other,
                };
                let model = folder.join(&scenario.model.file);
                ModelText::open_as(model, notation).map_err(moved)
            }
        }
    }

    /// Makes a program of it, with the macros and the formula of a scenario.
    pub fn load_for(&self, scenario: &Scenario) -> Result<Loaded, Error> {
        self.load(&Besides {
            define: &scenario.model.defines,
            formula: scenario.model.formula.as_deref(),
            ..Besides::default()
        })
    }
}

/// Refuses what is no scenario of a model.
fn refuse_other(scenario: &Scenario, path: &Path) -> Result<(), Error> {
    let language = &scenario.model.language;
    let reason = match notation_named(language).is_some() {
        true => return Ok(()),
        false if scenario.model.is_program() => {
            "it belongs to a real program; use mazurka show or mazurka replay".to_string()
        }
        false => format!("models in {language} are not available yet"),
    };
    let path = path.display();
    Err(Error::Usage(format!(
        "cannot read the scenario {path}: {reason}"
    )))
}

/// Is a scenario of a model in a file of another name?
fn is_of_another(scenario: &Scenario, file: &str) -> bool {
    Path::new(&scenario.model.file).file_name() != Path::new(file).file_name()
}

/// Refuses another model whose name says that it is in another notation than the scenario: it would be full of errors.
fn refuse_other_notation(scenario: &Scenario, path: &Path, model: &Path) -> Result<(), Error> {
    let (wanted, own) = (&scenario.model.language, &scenario.model.file);
    let ending = model.extension().and_then(|ending| ending.to_str());
    let mut others = NOTATIONS.iter().filter(|known| known.name() != wanted);
    let other = others.find(|other| ending.is_some_and(|it| other.extensions().contains(&it)));
    match other {
        Some(other) if is_of_another(scenario, &model.to_string_lossy()) => {
            let (path, model, other) = (path.display(), model.display(), other.name());
            Err(Error::Usage(format!(
                "{path} is a scenario of {own}, a model in {wanted}; {model} is one in {other}"
            )))
        }
        _ => Ok(()),
    }
}

impl Loaded {
    /// Is the text of the model another than when the scenario was made?
    pub fn has_changed_since(&self, scenario: &Scenario) -> bool {
        scenario.model.hash != self.model.hash
    }

    /// Replays a scenario, and makes sure that it shows the violation that it names.
    pub fn repeat(&self, scenario: &Scenario) -> Result<Run, String> {
        self.repeat_in(&self.interpreter, scenario)
            .or_else(|reason| match self.after_unexpected_inputs() {
                // What was looked for when it was found decides what happens after an unexpected input.
                Some(other) => self.repeat_in(&other, scenario).map_err(|_| reason),
                None => Err(reason),
            })
    }

    fn repeat_in(&self, interpreter: &Interpreter, scenario: &Scenario) -> Result<Run, String> {
        let steps = scenario.steps();
        let mut run = replay(interpreter, &steps).map_err(|error| error.to_string())?;
        let Some(violation) = &scenario.violation else {
            return Ok(run);
        };
        let goes_round = violation.kind == ViolationKind::Unsettled && scenario.loop_from.is_some();
        if violation.kind.is_temporal() || goes_round {
            run.loop_from = scenario.loop_from;
            return match Lasso::replay(interpreter, &steps, run.loop_from) {
                Ok(_) => Ok(run),
                Err(reason) => Err(reason.to_string()),
            };
        }
        let mut shown = Symptom::all_shown_by(&run).into_iter();
        let is_shown = shown.any(|symptom| symptom.kind() == violation.kind)
            || violation.kind == ViolationKind::RuntimeError
                && self.lacks_value(interpreter, scenario, violation);
        match is_shown {
            true => Ok(run),
            false => Err(format!("it does not end in {}", violation.kind)),
        }
    }

    /// Replays a scenario that was read from a file. One that does not replay is the fault of whoever changed the model or the
    /// scenario, or else of this program. If it does, though the model has changed, there is a warning besides.
    pub fn repeat_file(
        &self,
        scenario: &Scenario,
        path: &Path,
    ) -> Result<(Run, Option<String>), Error> {
        let has_changed = self.has_changed_since(scenario);
        let (path, file) = (path.display(), &self.model.file);
        match self.repeat(scenario) {
            Ok(run) => Ok((
                run,
                has_changed
                    .then(|| format!("{file} has changed since {path} was made; it still replays")),
            )),
            Err(_) if has_changed && is_of_another(scenario, file) => {
                let own = &scenario.model.file;
                Err(Error::Usage(format!(
                    "{path} is a scenario of {own}, whose steps are not possible in {file}"
                )))
            }
            Err(reason) if has_changed => Err(Error::Usage(format!(
                "{path} does not replay, because {file} is not as it was: {reason}"
            ))),
            Err(reason) => Err(Error::Usage(format!(
                "{path} does not replay, though {file} is as it was: {reason}\n\
                 Either the scenario was changed, or this is a defect of Mazurka. Please report it if nobody changed it."
            ))),
        }
    }

    /// Replays a scenario that was read from a file; of one whose model has changed, what still fits, and the rest by its text. With it comes what to
    /// say if the model has changed.
    pub fn repeat_or_tell(
        &self,
        scenario: &Scenario,
        path: &Path,
    ) -> Result<(Run, Option<String>), Error> {
        let is_told = self.has_changed_since(scenario) && scenario.is_told();
        if !is_told || self.repeat(scenario).is_ok() {
            return self.repeat_file(scenario, path);
        }
        let (run, fitting) = self.fit(scenario);
        let (path, file, all) = (path.display(), &self.model.file, scenario.steps.len());
        let what = match fitting == all {
            true => "all steps still fit, but do not end as they did".to_string(),
            false => format!(
                "of {}, {fitting} still fit; from step {} on they are shown as recorded",
                counted(all as u64, "step"),
                fitting + 1
            ),
        };
        let warning = format!("{file} has changed since {path} was made: {what}");
        Ok((run, Some(warning)))
    }

    /// The state after this many steps of a scenario, all values of it. If the model has changed, they must be among those that still fit.
    pub fn state_after(&self, scenario: &Scenario, steps: usize) -> Result<Snapshot, String> {
        let all = scenario.steps();
        let Some(taken) = all.get(..steps) else {
            let last = counted(all.len() as u64, "step");
            return Err(format!("the scenario has {last}"));
        };
        let is_told = self.has_changed_since(scenario) && scenario.is_told();
        let run = match is_told && self.repeat(scenario).is_err() {
            false => replay_tail(&self.interpreter, taken, 0),
            true => {
                let (_, fitting) = self.follow(scenario);
                let Some(taken) = fitting.get(..steps) else {
                    let (file, all) = (&self.model.file, counted(all.len() as u64, "step"));
                    let fitting = fitting.len();
                    return Err(format!("{file} has changed: of {all}, {fitting} still fit"));
                };
                replay_tail(&self.interpreter, taken, 0)
            }
        };
        let last = run.map_err(|error| error.to_string())?.last;
        last.ok_or_else(|| "there is no such state".into())
    }

    /// Replays a scenario of a model that has changed, as far as it still fits: step by step, what the same process can do by the same
    /// statement. What does not fit any more is told as it was. Says how many steps fit.
    pub fn fit(&self, scenario: &Scenario) -> (Run, usize) {
        let (run, fitting) = self.follow(scenario);
        (run, fitting.len())
    }

    /// The same, with the steps that fit.
    fn follow(&self, scenario: &Scenario) -> (Run, Vec<Step>) {
        let mut run = scenario.told();
        let mut fitting = Vec::new();
        let Ok((mut walk, start)) = Walk::start(&self.interpreter) else {
            return (run, fitting);
        };
        run.start = start;
        run.initial = Some(walk.snapshot());
        for (number, told) in scenario.steps.iter().enumerate() {
            let same = |step: &Step| {
                let text = ScenarioStep::from(*step).described(&self.interpreter);
                text.process == told.process
                    && text.name == told.name
                    && text.statement == told.statement
            };
            let possible = walk.enabled();
            let mut fits: Vec<Step> = possible.into_iter().filter(same).collect();
            // Of several, the one at the same line, meeting the same partner.
            fits.sort_by_key(|step| {
                let line = ScenarioStep::from(*step).described(&self.interpreter).line;
                (step.choice != told.choice, line != told.line)
            });
            let Some(step) = fits.first() else {
                break;
            };
            let (record, outcome) = walk.take(*step);
            run.steps[number] = record;
            run.failure = outcome.failure;
            fitting.push(*step);
            if !outcome.complete {
                break;
            }
        }
        // Nobody knows where the others lead.
        run.last = (fitting.len() == scenario.steps.len()).then(|| walk.snapshot());
        (run, fitting)
    }

    /// Does the property that a scenario is about have a condition without a value at its end?
    fn lacks_value(
        &self,
        interpreter: &Interpreter,
        scenario: &Scenario,
        violation: &ViolationRecord,
    ) -> bool {
        let name = &violation.property;
        let formula = self.properties.iter().find(|known| known.name == *name);
        let claim = self.claims.iter().find(|known| known.name == *name);
        let conditions = match (formula, claim) {
            (Some(formula), _) => &formula.atoms,
            (None, Some(claim)) => &claim.conditions,
            (None, None) => return false,
        };
        Lasso::replay(interpreter, &scenario.steps(), None).is_ok_and(|lasso| {
            let mut conditions = conditions.iter();
            conditions.any(|condition| lasso.lacks_value(*condition).is_ok())
        })
    }
}
