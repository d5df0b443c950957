//! What stands here for the options of SPIN.

/// What stands here for an option of SPIN or of its verifiers.
pub fn option_of_spin(option: &str) -> Option<&'static str> {
    Some(match option {
        "-a" => "the formulas of a model are always checked; for accept labels: --acceptance",
        "-l" => "for cycles without progress: --livelock",
        "-f" => "for weak fairness: --fair",
        "-m" => "for the longest path: --depth N",
        "-i" | "-I" => "for a shortest scenario: --search bfs --reduce none",
        "-e" | "-c" => "for all violations: --all",
        "-N" => "for one formula of the model: --claim NAME",
        "-r" | "-s" => "nothing else is needed: mazurka check FILE",
        "-t" | "-p" => "for the steps of a scenario: mazurka show FILE",
        _ => return None,
    })
}
