//! `mazurka watch`: checks models again whenever they change.

use mazurka_suite::{Snapshot, Watcher};

use crate::Exit;
use crate::arguments::CheckArguments;
use crate::check::check_all;
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
    loop {
        let mut snapshot = Snapshot::of(&arguments.files);
        let mut read = Vec::new();
        let exit = check_all(arguments, &mut read)?;
        snapshot.add(&read);
        if interrupt::requested() {
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
