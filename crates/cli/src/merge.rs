//! `mazurka merge`: the results of the parts of a swarm as one.

use std::path::Path;

use mazurka_checker::Report;

use crate::Exit;
use crate::arguments::MergeArguments;
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn merge(arguments: &MergeArguments) -> Result<Exit, Trouble> {
    let mut all: Option<Report> = None;
    for path in &arguments.results {
        let trouble = |reason| Trouble::Usage(format!("cannot merge {}: {reason}", path.display()));
        let report = read(path).map_err(trouble)?;
        all = Some(match all {
            None => report,
            Some(before) => before.merge(&report).map_err(trouble)?,
        });
    }
    let all = all.ok_or_else(|| Trouble::Usage("there is nothing to merge".into()))?;
    print(&all.to_json())?;
    Ok(Exit::of(all.verdict))
}

fn read(path: &Path) -> Result<Report, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    Report::from_json(&text)
}
