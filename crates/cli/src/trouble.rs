//! Whatever keeps a command from doing its work: exit code 2.

use std::io;
use std::process::ExitCode;

use mazurka_checker::Error;
use mazurka_report::Stopped;
use mazurka_scenario::clean_lines;
use mazurka_span::RenderOptions;

use crate::terminal::{colour_of_errors, complain};

/// Why a command gave up.
#[derive(Debug)]
pub enum Trouble {
    /// The user asked for something that cannot be.
    Usage(String),
    /// Another member of a cluster is lost.
    Lost(String),
    /// The model is wrong; the text is complete.
    Diagnostics(String),
    /// Mazurka is wrong.
    Internal(String),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        match error {
            Error::Usage(message) => Trouble::Usage(message),
            Error::Lost(message) => Trouble::Lost(message),
            Error::Internal(message) => Trouble::Internal(message),
            Error::Diagnostics(wrong) => Trouble::Diagnostics(wrong.render(RenderOptions {
                colour: colour_of_errors(),
                ..Default::default()
            })),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Output(error)
    }
}

impl From<mazurka_checker::Refusal> for Trouble {
    fn from(refusal: mazurka_checker::Refusal) -> Trouble {
        Trouble::Usage(refusal.reason)
    }
}

impl From<Stopped> for Trouble {
    fn from(stopped: Stopped) -> Trouble {
        match stopped {
            Stopped::Output(error) => Trouble::Output(error),
            Stopped::Refused(error) => error.into(),
        }
    }
}

impl Trouble {
    /// What there is to say. A message may quote a file that is by anybody, and must not command the terminal.
    pub fn text(&self) -> String {
        match self {
            Trouble::Usage(message) | Trouble::Lost(message) | Trouble::Internal(message) => {
                clean_lines(message)
            }
            Trouble::Diagnostics(text) => text.trim_end().to_string(),
            Trouble::Output(error) => error.to_string(),
        }
    }

    /// Tells the user, on standard error.
    pub fn report(self) -> ExitCode {
        match self {
            Trouble::Usage(message) => complain(&format!("error: {}\n", clean_lines(&message))),
            Trouble::Lost(message) => {
                let message = clean_lines(&message);
                complain(&format!(
                    "inconclusive: {message}\nThe others have stopped too. A search of which no level was committed (--checkpoint, --checkpoint-every) begins anew when all members are started again.\n"
                ));
                return ExitCode::from(3);
            }
            Trouble::Diagnostics(text) => complain(&text),
            Trouble::Internal(message) => complain(&format!(
                "internal error: {}\n\
                 This is a defect of Mazurka, not of the model. Please report it where you got Mazurka, with the model and the command.\n",
                clean_lines(&message)
            )),
            // The reader has seen enough, as `head` does.
            Trouble::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Trouble::Output(error) => complain(&format!("error: cannot write output: {error}\n")),
        }
        ExitCode::from(2)
    }
}
