//! What came of a model that is put together from parts, as people read it.

use std::fmt::Write;
use std::path::Path;

use mazurka_checker::figures::counted;
use mazurka_checker::{Composition, Error, PartSizes, Verdict};
use mazurka_scenario::{Style, text};

/// The whole result, in words.
///
/// # Errors
///
/// If a violation cannot be repeated, which is an error of ours.
pub fn text_of_composition(
    composition: &Composition,
    scenario: Option<&Path>,
    style: Style,
) -> Result<String, Error> {
    let file = &composition.model.model.file;
    let verdict = composition.verdict;
    let mut told = match (verdict, &composition.reason) {
        (Verdict::Inconclusive, Some(reason)) => {
            let hint = match composition.composed {
                None => "; see --states and --part",
                Some(_) => "",
            };
            format!("{file}: {verdict}: {reason}{hint}\n")
        }
        (Verdict::Holds, _) => format!(
            "{file}: {verdict} (deadlocks and errors were looked for, unexpected inputs were not)\n"
        ),
        _ => format!("{file}: {verdict}\n"),
    };
    if let Some(composed) = &composition.composed {
        told += "\n";
        let lines = composed.parts.iter().map(|part| ("part", part));
        let stages = composed.stages.iter().map(|stage| ("together", stage));
        for (what, sizes) in lines.chain(stages) {
            told += &line(what, sizes);
        }
        let largest = counted(composed.largest() as u64, "state");
        let left = counted(composed.lts.states() as u64, "state");
        let steps = counted(composed.lts.transitions() as u64, "step");
        let _ = writeln!(
            told,
            "largest graph: {largest}; left in the end: {left}, {steps}"
        );
    }
    if let Some(whole) = &composition.whole {
        told += &line("for comparison", whole);
    }
    for violation in &composition.violations {
        let run = composition.run(violation)?;
        told += "\n";
        told += &text(&run, Some(&violation.record), style);
    }
    if let Some(path) = scenario {
        let _ = writeln!(told, "\nscenario of the first: {}", path.display());
    }
    Ok(told)
}

fn line(what: &str, sizes: &PartSizes) -> String {
    format!(
        "{what} {}: {}, {}; {} left, {}\n",
        sizes.name,
        counted(sizes.states as u64, "state"),
        counted(sizes.transitions as u64, "step"),
        counted(sizes.states_left as u64, "state"),
        counted(sizes.transitions_left as u64, "step"),
    )
}
