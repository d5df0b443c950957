//! Scenarios that a simulation writes.

use std::path::{Path, PathBuf};

use mazurka_scenario::{FORMAT, Scenario};

use crate::trouble::Trouble;

/// Writes a scenario. A file that is there and is no scenario is left alone.
pub fn write_scenario(path: &Path, scenario: &Scenario) -> Result<(), Trouble> {
    let shown = path.display();
    if let Ok(known) = std::fs::read(path)
        && Scenario::from_json(&known).is_err()
    {
        return Err(Trouble::Usage(format!(
            "{shown} is there already and is no {FORMAT}: it is not written over"
        )));
    }
    let mut scenario = scenario.clone();
    // A relative path in a scenario counts from the scenario's folder.
    let is_here = path
        .parent()
        .is_none_or(|folder| folder.as_os_str().is_empty());
    if !is_here && let Ok(absolute) = std::path::absolute(&scenario.model.file) {
        scenario.model.file = absolute.to_string_lossy().into_owned();
    }
    let written = std::fs::write(path, scenario.to_json());
    written.map_err(|error| Trouble::Usage(format!("cannot write {shown}: {error}")))
}

/// Where the scenario of a random run that fails is written.
pub fn path_of(model: &Path) -> PathBuf {
    let mut name = model.file_stem().unwrap_or_default().to_os_string();
    name.push(".scenario.json");
    PathBuf::from(name)
}
