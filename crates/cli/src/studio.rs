//! `mazurka studio`: one local page for simulation, scenarios and checks.

use std::process::{Command, Stdio};

use mazurka_studio::{Address, Subject, bind, open, serve};

use crate::Exit;
use crate::arguments::StudioArguments;
use crate::terminal::{complain, print_part};
use crate::trouble::Trouble;

/// Runs the command, until it is interrupted.
pub fn studio(arguments: &StudioArguments) -> Result<Exit, Trouble> {
    let session = open(Subject {
        path: &arguments.file,
        define: &arguments.define,
        model: arguments.model.as_deref(),
        arguments: &arguments.arguments,
    })?;
    let address = Address {
        host: arguments.address,
        port: arguments.port,
    };
    let bound = bind(address).map_err(|error| {
        let (host, port) = (address.host, address.port);
        Trouble::Usage(format!("cannot listen on {host}, port {port}: {error}"))
    })?;
    if !address.host.is_loopback() {
        complain(
            "warning: others on the network can reach this page. Whoever knows its address can change the model, or run the program, and what is sent is not encrypted.\n",
        );
    }
    if address.host.is_unspecified() {
        complain("note: from elsewhere, put the address of this machine in place of this one.\n");
    }
    let url = bound.url().to_string();
    print_part(&format!("{url}\n"))?;
    if arguments.open {
        open_browser(&url);
    }
    serve(bound, session).map_err(|error| Trouble::Usage(format!("cannot serve: {error}")))?;
    Ok(Exit::Holds)
}

/// That there is no browser is no reason to stop: the address has been printed.
fn open_browser(url: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let started = Command::new(program)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        complain(&format!("warning: cannot open a browser: {error}\n"));
    }
}
