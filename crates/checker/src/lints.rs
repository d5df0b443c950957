//! Which warnings are errors, and which are not told.

use mazurka_span::{Code, Diagnostic, Severity};

use crate::config::Config;
use crate::error::Error;
use crate::load::Loaded;

/// Stands for every warning.
const ALL: &str = "warnings";

/// The codes of all notations.
fn known() -> impl Iterator<Item = &'static Code> {
    let promela = mazurka_promela::codes::ALL.iter();
    promela
        .chain(mazurka_promela::MEANINGS)
        .chain(mazurka_promela::LINTS)
        .chain(mazurka_vfsm::codes::ALL)
        .chain(mazurka_efsm::codes::ALL)
        .chain(mazurka_sdl::codes::ALL)
}

/// A code that is misspelt would silently do nothing.
pub(crate) fn refuse_unknown(config: &Config) -> Result<(), Error> {
    for (option, codes) in [("--allow", &config.allow), ("--deny", &config.deny)] {
        for code in codes {
            if code != ALL && !known().any(|known| known.id == code) {
                return Err(Error::Usage(format!(
                    "{option} {code}: there is no such diagnostic; `mazurka explain` lists them, `{ALL}` stands for all of them"
                )));
            }
        }
    }
    Ok(())
}

/// Leaves out what is allowed; what is denied is wrong with the model. A code that is named comes before all of them, and a denial before
/// an allowance.
pub(crate) fn judge(config: &Config, loaded: Loaded) -> Result<Loaded, Error> {
    let mut loaded = loaded;
    let names = |codes: &[String], code: &str| codes.iter().any(|known| known == code);
    let is_denied = |known: &Diagnostic| {
        let code = known.code.id;
        let by_name = names(&config.deny, code);
        by_name || names(&config.deny, ALL) && !names(&config.allow, code)
    };
    let is_allowed =
        |known: &Diagnostic| names(&config.allow, known.code.id) || names(&config.allow, ALL);
    let mut has_denied = false;
    for warning in &mut loaded.warnings {
        if warning.severity == Severity::Warning && is_denied(warning) {
            warning.severity = Severity::Error;
            has_denied = true;
        }
    }
    loaded
        .warnings
        .retain(|known| known.is_error() || !is_allowed(known));
    match has_denied {
        false => Ok(loaded),
        true => Err(Error::diagnostics(loaded.sources, loaded.warnings)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Checker, Error};

    /// The codes that are told, with `!` before errors.
    fn told(allow: &[&str], deny: &[&str]) -> String {
        let text = "byte unused, x = 300; init { x++ }";
        let strings = |codes: &[&str]| codes.iter().map(|code| code.to_string()).collect();
        let checker = Checker::from_source("m.pml", text).unwrap().with(|config| {
            config.allow = strings(allow);
            config.deny = strings(deny);
        });
        let diagnostics = match checker.load() {
            Ok(loaded) => loaded.warnings,
            Err(Error::Diagnostics(wrong)) => wrong.diagnostics,
            Err(other) => return other.to_string(),
        };
        let codes = diagnostics.iter();
        let mut codes: Vec<String> = codes
            .map(|known| format!("{}{}", if known.is_error() { "!" } else { "" }, known.code))
            .collect();
        codes.sort();
        codes.join(" ")
    }

    #[test]
    fn names_come_before_all_and_denials_before_allowances() {
        assert_eq!(told(&[], &[]), "P0200 P0207");
        assert_eq!(told(&["P0207"], &[]), "P0200");
        assert_eq!(told(&["warnings"], &[]), "");
        assert_eq!(told(&[], &["P0200"]), "!P0200 P0207");
        assert_eq!(told(&["P0207"], &["warnings"]), "!P0200");
        assert_eq!(told(&["warnings"], &["P0200"]), "!P0200");
        assert_eq!(told(&["P0200"], &["P0200"]), "!P0200 P0207");
        assert!(told(&["P9999"], &[]).contains("there is no such diagnostic"));
    }
}
