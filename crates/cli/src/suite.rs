//! `mazurka suite`: the models of a file, and whether they are as it expects.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mazurka_checker::{Error, Supervisor};
use mazurka_suite::{Judged, Suite, junit, table};

use crate::Exit;
use crate::arguments::{SuiteArguments, SuiteForm};
use crate::interrupt;
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;

/// Listens to Ctrl-C.
struct Listener;

impl Supervisor for Listener {
    fn stop(&self) -> Arc<AtomicBool> {
        interrupt::shared()
    }
}

/// Runs the command.
pub fn suite(arguments: &SuiteArguments) -> Result<Exit, Trouble> {
    let suite = Suite::open(&arguments.path).map_err(Trouble::Usage)?;
    let only = &arguments.only;
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|text| name.contains(text));
    let wanted = suite.models.iter().filter(|model| is_wanted(&model.name));
    let mut judged: Vec<Judged> = Vec::new();
    for model in wanted {
        let mut known = model.run(&mut Listener);
        // That a file cannot be read, or an option not be used, the line of the model says.
        let error = known.error.take();
        let error = error.filter(|error| !matches!(error, Error::Usage(_)));
        if let (false, Some(error)) = (known.is_as_expected(), error) {
            Trouble::from(error).report();
        }
        judged.push(known);
        if interrupt::requested() {
            break;
        }
    }
    if judged.is_empty() {
        let message = "no model has such a name; see --only";
        return Err(Trouble::Usage(message.into()));
    }
    print(&match arguments.format {
        SuiteForm::Human => table(&judged, arguments.quiet, style_of_output()),
        SuiteForm::Junit => junit(&arguments.path.display().to_string(), &judged),
    })?;
    if interrupt::requested() {
        complain("interrupted: not all models were checked\n");
        return Ok(Exit::Inconclusive);
    }
    Ok(match judged.iter().all(Judged::is_as_expected) {
        true => Exit::Holds,
        false => Exit::Violated,
    })
}
