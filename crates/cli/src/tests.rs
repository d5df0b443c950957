//! `mazurka tests`: short runs that together exercise every part of a model.

use mazurka_checker::figures::counted;
use mazurka_generate::Suite;

use crate::Exit;
use crate::arguments::TestsArguments;
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn tests(arguments: &TestsArguments) -> Result<Exit, Trouble> {
    let (_, loaded) = arguments.model.load()?;
    let found = Suite::new(&loaded, arguments.states)?;
    found.write(&loaded, arguments.form, &arguments.to)?;
    let (missing, all) = (&found.missing, found.parts.len());
    let tests = counted(found.tests.len() as u64, "test");
    let steps = found.tests.iter().map(Vec::len).sum::<usize>();
    let steps = counted(steps as u64, "step");
    let (folder, met) = (arguments.to.display(), all - missing.len());
    let mut text = format!("{folder}: {tests}, {steps}, {met} of {all} parts\n");
    for part in missing {
        text += &format!("  not exercised: {}\n", found.parts[*part as usize]);
    }
    if !found.is_conclusive() {
        let states = counted(arguments.states as u64, "state");
        text += &format!("  only {states} were looked at: --states\n");
    }
    print(&text)?;
    Ok(match found.is_conclusive() {
        true => Exit::Holds,
        false => Exit::Inconclusive,
    })
}
