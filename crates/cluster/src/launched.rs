//! Members that one process has started, by itself or through a remote shell.
//!
//! Each reads the secret from its standard input, which stays open for as long as the process that started it lives. So a member
//! notices that it is to stop, or that whoever started it is gone, on every machine and however that happened: its input ends.

use std::io::{BufRead, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The line behind the secret that says that the end of the input is the end of the work. Somebody who types or pipes a secret
/// does not send it.
const STAY: &str = "stay until this ends";
/// How often it is looked whether members have ended, or are to be stopped.
const PAUSE: Duration = Duration::from_millis(50);
/// No line that is read is longer.
const LONGEST_LINE: u64 = 1 << 12;

/// Members that were started.
#[derive(Default)]
pub struct Launched {
    members: Vec<(Child, Option<ChildStdin>)>,
}

impl Launched {
    /// Starts one more. If that fails, those that run are stopped.
    pub fn start(&mut self, mut command: Command, secret: &str) -> std::io::Result<()> {
        let mut member = match command.stdin(Stdio::piped()).spawn() {
            Ok(member) => member,
            Err(error) => {
                self.wait(&AtomicBool::new(true));
                return Err(error);
            }
        };
        let mut input = member.stdin.take();
        if let Some(input) = &mut input {
            // A member that is gone already says so by its exit code.
            let _ = writeln!(input, "{secret}\n{STAY}");
        }
        self.members.push((member, input));
        Ok(())
    }

    /// Waits for their exit codes; a member that a signal ended has none. When `stop` is set, all are asked to end.
    pub fn wait(&mut self, stop: &AtomicBool) -> Vec<Option<i32>> {
        let mut codes = vec![None; self.members.len()];
        let mut ended = vec![false; self.members.len()];
        while ended.contains(&false) {
            for (number, (member, input)) in self.members.iter_mut().enumerate() {
                if stop.load(Ordering::Relaxed) {
                    *input = None;
                }
                match member.try_wait() {
                    Ok(None) => {}
                    Ok(Some(status)) => {
                        codes[number] = status.code();
                        ended[number] = true;
                    }
                    Err(_) => ended[number] = true,
                }
            }
            std::thread::sleep(PAUSE);
        }
        codes
    }
}

/// After the secret was read from standard input: if whoever started this process stays at the other end, `stop` is set when it is gone.
pub fn stop_with_launcher(stop: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        if is_over(&mut std::io::stdin().lock()) {
            stop.store(true, Ordering::Relaxed);
        }
    });
}

/// Waits for the end of what comes behind the secret, and says whether it is the end of the work.
fn is_over(input: &mut impl BufRead) -> bool {
    let mut line = String::new();
    let read = input.take(LONGEST_LINE).read_line(&mut line);
    if read.is_err() || line.trim_end() != STAY {
        return false;
    }
    // Nothing is said any more.
    let _ = std::io::copy(input, &mut std::io::sink());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_launcher_that_stays_ends_the_work() {
        assert!(is_over(&mut format!("{STAY}\n").as_bytes()));
        assert!(!is_over(&mut "".as_bytes()));
        assert!(!is_over(&mut "something else\n".as_bytes()));
    }

    #[test]
    fn members_are_stopped_and_their_codes_told() {
        let mut launched = Launched::default();
        for script in ["cat >/dev/null; exit 3", "exit 2", "kill -9 $$"] {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            launched.start(command, "a secret of some length").unwrap();
        }
        let stop = AtomicBool::new(true);
        assert_eq!(launched.wait(&stop), [Some(3), Some(2), None]);
        let missing = Command::new("/there/is/no/such/program");
        assert!(launched.start(missing, "secret").is_err());
    }
}
