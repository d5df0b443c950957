//! `mazurka watch`: checks models again whenever they change.

use mazurka_suite::{Snapshot, Watcher};

use crate::Exit;
use crate::arguments::CheckArguments;
use crate::check::{Seen, check_all};
use crate::interrupt;
use crate::model::is_standard_input;
use crate::terminal::complain;
use crate::trouble::Trouble;

/// Runs the command, until Ctrl-C. The exit code is that of the last check.
pub fn watch(arguments: &CheckArguments) -> Result<Exit, Trouble> {
    if arguments.files.iter().any(|file| is_standard_input(file)) {
        let message = "standard input does not change: name a file to watch";
        return Err(Trouble::Usage(message.into()));
    }
    let stop = interrupt::watch();
    let mut is_first = true;
    loop {
        let mut snapshot = Snapshot::of(&arguments.files);
        let mut seen = Seen::default();
        let exit = check_all(arguments, &mut seen)?;
        snapshot.add(&seen.files);
        // No change of a model makes such options right. Later a file may be missing for a moment.
        let is_misused = std::mem::take(&mut is_first) && seen.is_misused;
        if is_misused || interrupt::requested() {
            return Ok(exit);
        }
        let watcher = Watcher::new(snapshot, exit == Exit::Refused).map_err(Trouble::Usage)?;
        complain("watching; Ctrl-C ends it\n");
        if !watcher.wait(stop) {
            return Ok(exit);
        }
        complain("\n");
    }
}
