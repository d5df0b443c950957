//! A scenario of a real program: its steps as they were told, and the source they name.

use std::path::Path;

use mazurka_explore::{run_of, with_objects};
use mazurka_scenario::Scenario;

use crate::branch::Branch;
use crate::session::Session;

/// What is shown of a program's source is of these kinds, whatever a scenario names.
const SOURCES: [&str; 10] = [
    "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "rs", "inc",
];
/// A larger file is not shown.
const LARGEST: u64 = 2 << 20;

/// A session over a scenario of a real program, which is not run.
pub fn session(scenario: &Scenario) -> Session {
    let run = with_objects(&run_of(scenario));
    let branch = Branch {
        name: match scenario.kind() {
            Some(kind) => kind.name().into(),
            None => "run 1".into(),
        },
        records: run.steps.into_iter().map(Into::into).collect(),
        violation: scenario.violation.clone(),
        ..Branch::default()
    };
    Session::of_records(scenario.model.file.clone().into(), run.start, branch)
}

/// The text of a source file that a scenario names, if it is one and is there.
pub fn source(path: &str) -> Option<String> {
    let file = Path::new(path);
    let kind = file.extension()?.to_str()?;
    let metadata = std::fs::metadata(file).ok()?;
    let is_source = SOURCES.contains(&kind) && metadata.is_file() && metadata.len() <= LARGEST;
    let bytes = std::fs::read(file).ok().filter(|_| is_source)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
