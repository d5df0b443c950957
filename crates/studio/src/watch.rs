//! Expressions that are watched along a run.

use mazurka_checker::{Besides, Error, Loaded, ModelText};
use mazurka_model::{ExpressionId, Step};
use mazurka_scenario::{Standing, Walk};
use serde::Serialize;

/// A plot has no more points; of a longer run it shows the end.
const POINTS: usize = 2_000;

/// An expression and its value in each state of a run.
#[derive(Debug)]
pub struct Watch {
    /// As it was typed.
    pub expression: String,
    /// The model, read together with the expression: its steps are the same, its states may look otherwise.
    loaded: Loaded,
    id: ExpressionId,
    standing: Standing,
    steps: Vec<Step>,
    /// The value before each step and after the last; none where it has none.
    values: Vec<Option<i32>>,
}

/// A watched expression as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub struct WatchView {
    /// As it was typed.
    pub expression: String,
    /// Its value in the present state.
    pub value: Option<i32>,
    /// The value of an object of a real program, in words.
    pub text: Option<String>,
    /// Why it has none.
    pub error: Option<String>,
    /// The number of steps before the first of the values.
    pub from: usize,
    /// Its values along the run.
    pub values: Vec<Option<i32>>,
    /// What the values stand for, if they are no numbers.
    pub words: Vec<String>,
}

impl Watch {
    /// Reads an expression of a model.
    pub fn new(model: &ModelText, besides: &Besides<'_>, expression: &str) -> Result<Watch, Error> {
        let loaded = model.load(&Besides {
            expression: Some(expression),
            ..*besides
        })?;
        let id = loaded
            .expression
            .ok_or_else(|| Error::Usage(format!("{expression}: expected an expression")))?;
        let (walk, _) = Walk::start(&loaded.interpreter)
            .map_err(|fault| Error::Usage(format!("{expression}: {fault}")))?;
        let first = loaded.interpreter.value(walk.state(), usize::MAX, id);
        let standing = walk.into_standing();
        Ok(Watch {
            expression: expression.into(),
            standing,
            values: vec![first.ok()],
            loaded,
            id,
            steps: Vec::new(),
        })
    }

    /// Follows a run, from where it is the same as before.
    pub fn follow(&mut self, steps: &[Step]) {
        if !steps.starts_with(&self.steps) {
            let Ok((walk, _)) = Walk::start(&self.loaded.interpreter) else {
                return;
            };
            self.standing = walk.into_standing();
            self.steps.clear();
            self.values.truncate(1);
        }
        let mut walk = Walk::at(&self.loaded.interpreter, self.standing.clone());
        for step in &steps[self.steps.len()..] {
            walk.enabled();
            walk.advance(*step);
            let value = (self.loaded.interpreter).value(walk.state(), usize::MAX, self.id);
            self.values.push(value.ok());
            self.steps.push(*step);
        }
        self.standing = walk.into_standing();
    }

    /// The value after this many steps of the run that was followed.
    pub fn value(&self, position: usize) -> Option<i32> {
        self.values.get(position).copied().flatten()
    }

    /// As the page shows it.
    pub fn view(&self, position: usize) -> WatchView {
        let from = self.values.len().saturating_sub(POINTS);
        let value = self.value(position);
        WatchView {
            expression: self.expression.clone(),
            value,
            text: None,
            error: value.is_none().then(|| "it has no value here".into()),
            from,
            values: self.values[from..].to_vec(),
            words: Vec::new(),
        }
    }
}
