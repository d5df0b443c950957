//! A check whose edges are sets of independent steps (`--reduce simultaneous`).

use mazurka_model::Interpreter;
use mazurka_reduce::{SetsFirst, Simultaneous};
use mazurka_search::{Observer, Options, Report, Violation, breadth_first, depth_first};

use crate::arguments::{CheckArguments, Dependency, Order};
use crate::trouble::Trouble;
use crate::watched::Watched;

/// Searches the simultaneous graph. The violations are paths of single steps.
pub fn search<'i>(
    arguments: &CheckArguments,
    watched: &Watched<'i>,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Result<Report<Watched<'i>>, Trouble> {
    let refined = arguments.dependency != Some(Dependency::Constant);
    let system = simultaneous(watched, watched.interpreter, refined)?;
    let report = match arguments.search {
        Order::BreadthFirst => breadth_first(&system, &mut SetsFirst, options, observer),
        _ => depth_first(&system, &mut SetsFirst, options, observer),
    };
    let violations = report.violations.into_iter().map(|violation| Violation {
        defect: violation.defect,
        steps: system.unfold(&violation.steps),
    });
    Ok(Report {
        stop: report.stop,
        statistics: report.statistics,
        violations: violations.collect(),
        covered: report.covered,
    })
}

/// The system of sets, if that is sound for the model.
pub fn simultaneous<'s>(
    watched: &'s Watched<'_>,
    interpreter: &'s Interpreter,
    refined: bool,
) -> Result<Simultaneous<'s, Watched<'s>>, Trouble> {
    Simultaneous::new(watched, interpreter, refined).map_err(|unsupported| {
        Trouble::Usage(format!(
            "--reduce simultaneous is not sound for this model: it uses {}",
            unsupported.0
        ))
    })
}
