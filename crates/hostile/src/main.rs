//! Writes valid files of each kind that is not among the examples, to begin fuzzing with: `seeds FOLDER`.
#![forbid(unsafe_code)]

use std::path::Path;
use std::{env, fs, io};

use mazurka_hostile::{
    checkpoints, choices, clusters, configs, explorations, files, formulas, headers, reproductions,
    requests, results, scenarios, schedules, suites, tables, traces,
};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).unwrap_or_else(|| "corpus".into());
    for (kind, files) in [
        ("checkpoint", checkpoints::valid()),
        ("choices", choices::valid()),
        ("config", configs::valid()),
        ("exploration", explorations::valid()),
        ("files", files::valid()),
        ("formula", formulas::valid()),
        ("header", headers::valid()),
        ("kept", clusters::valid_kept()),
        ("ltl", formulas::valid()),
        ("member", clusters::valid_members()),
        ("reproduction", reproductions::valid()),
        ("request", requests::valid()),
        ("result", results::valid()),
        ("scenario", scenarios::valid()),
        ("schedule", schedules::valid()),
        ("suite", suites::valid()),
        ("table", tables::valid()),
        ("trace", traces::valid()),
    ] {
        let folder = Path::new(&folder).join(kind);
        fs::create_dir_all(&folder)?;
        for (number, file) in files.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), file)?;
        }
    }
    Ok(())
}
