//! What is sound together: the one place that decides it.
//!
//! A [`Plan`] is made of a [`Config`] and a program. Either everything that was asked for is sound for the property, the program and
//! each other, or there is a [`Refusal`] with the reason; nothing is silently weakened. The searches that follow do as the plan says
//! and decide nothing.
//!
//! - `contradiction.rs`: choices that do not go together, whatever the model is.
//! - `safety.rs`: which program is searched, by which reduction, with which proviso; whether the end of the search is a proof.
//! - `temporal.rs`: the same under a claim.
//! - `audit.rs`: what of a search is checked while it runs.

mod audit;
mod contradiction;
mod safety;
mod temporal;

use mazurka_model::Interpreter;
use mazurka_scenario::Refusal;

use crate::choice::{Dependency, Reduction};
use crate::config::Config;

pub use audit::AuditPlan;
pub(crate) use safety::Chosen;
#[cfg(test)]
pub(crate) use safety::IS_WRONG;
pub use safety::{SafetyPlan, chooser_of, simultaneous_of};
pub(crate) use temporal::{Task, Way};

/// A verification that is sound.
///
/// ```
/// use mazurka_checker::{Besides, Config, ModelText, Order, Plan, Store};
///
/// let model = ModelText::from_source("p.pml", "active proctype P() { skip }")?.load(&Besides::default())?;
/// let config = Config { search: Order::BreadthFirst, ..Config::default() };
/// assert!(Plan::new(&config, &model.interpreter).is_ok());
/// let config = Config { store: Some(Store::Cache), ..config };
/// let refusal = Plan::new(&config, &model.interpreter).unwrap_err();
/// assert!(refusal.to_string().contains("has to remember states"));
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
#[derive(Debug)]
pub struct Plan {
    /// How safety is checked; none if temporal properties are asked for alone.
    pub safety: Option<SafetyPlan>,
    /// Are the formulas and claims of the model checked as well, or those that were asked for?
    pub temporal: bool,
}

impl Plan {
    /// Makes a plan, or says why what is asked for is not sound. The interpreter is that of the model itself.
    pub fn new(config: &Config, interpreter: &Interpreter) -> Result<Plan, Refusal> {
        Plan::refuse_contradictions(config)?;
        refuse_unknown(config, interpreter)?;
        Ok(Plan {
            safety: match config.is_temporal() {
                true => None,
                false => Some(SafetyPlan::new(config, interpreter)?),
            },
            temporal: config.is_temporal() || config.property == crate::choice::Property::All,
        })
    }

    /// Refuses choices that do not go together, whatever the model is.
    pub fn refuse_contradictions(config: &Config) -> Result<(), Refusal> {
        match contradiction::reason(config) {
            Some(reason) => Err(Refusal { reason }),
            None => Ok(()),
        }
    }
}

/// Is there a reduction of the kind that is asked for, for this kind of model?
fn refuse_unknown(config: &Config, interpreter: &Interpreter) -> Result<(), Refusal> {
    let persistent = matches!(config.reduce, Reduction::Auto | Reduction::Persistent);
    let constant = config.dependency == Some(Dependency::Constant);
    if persistent && constant && safety::has_machines(interpreter) {
        let reason = "--dependency constant does not go with persistent sets of machines, which \
                      are made of refined dependencies; use --reduce stubborn, which supports both";
        return Err(Refusal {
            reason: reason.into(),
        });
    }
    Ok(())
}
