//! Scenarios of a model: whether they show what they say.

use mazurka_scenario::{Run, Scenario, Symptom, ViolationKind, ViolationRecord, replay};
use mazurka_temporal::Lasso;

use crate::load::Loaded;

impl Loaded {
    /// Is the text of the model another than when the scenario was made?
    pub fn has_changed_since(&self, scenario: &Scenario) -> bool {
        scenario.model.hash != self.model.hash
    }

    /// Replays a scenario, and makes sure that it shows the violation that it names.
    pub fn repeat(&self, scenario: &Scenario) -> Result<Run, String> {
        let steps = scenario.steps();
        let mut run = replay(&self.interpreter, &steps).map_err(|error| error.to_string())?;
        let Some(violation) = &scenario.violation else {
            return Ok(run);
        };
        if violation.kind.is_temporal() {
            run.loop_from = scenario.loop_from;
            return match Lasso::replay(&self.interpreter, &steps, run.loop_from) {
                Ok(_) => Ok(run),
                Err(reason) => Err(reason.to_string()),
            };
        }
        let mut shown = Symptom::all_shown_by(&run).into_iter();
        let is_shown = shown.any(|symptom| symptom.kind() == violation.kind)
            || violation.kind == ViolationKind::RuntimeError
                && self.lacks_value(scenario, violation);
        match is_shown {
            true => Ok(run),
            false => Err(format!("it does not end in {}", violation.kind)),
        }
    }

    /// Does the property that a scenario is about have a condition without a value at its end?
    fn lacks_value(&self, scenario: &Scenario, violation: &ViolationRecord) -> bool {
        let name = &violation.property;
        let formula = self.properties.iter().find(|known| known.name == *name);
        let claim = self.claims.iter().find(|known| known.name == *name);
        let conditions = match (formula, claim) {
            (Some(formula), _) => &formula.atoms,
            (None, Some(claim)) => &claim.conditions,
            (None, None) => return false,
        };
        Lasso::replay(&self.interpreter, &scenario.steps(), None).is_ok_and(|lasso| {
            let mut conditions = conditions.iter();
            conditions.any(|condition| lasso.lacks_value(*condition).is_ok())
        })
    }
}
