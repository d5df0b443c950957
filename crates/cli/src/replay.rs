//! `mazurka replay`: repeats one execution of a real program.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mazurka_explore::{Engine, EngineError, Repeated, actor_name, repeat, statement};
use mazurka_processes::{Debugger, Explorer, Processes};
use mazurka_runtime::Kernel;
use mazurka_scenario::{Scenario, ViolationKind, chart, clean, text};

use crate::Exit;
use crate::arguments::{ReplayArguments, ReplayForm};
use crate::explore::with_library;
use crate::interrupt;
use crate::terminal::{print, style_of_output};
use crate::trouble::Trouble;

/// Runs the command.
pub fn replay(arguments: &ReplayArguments) -> Result<Exit, Trouble> {
    let scenario = Scenario::open(&arguments.scenario).map_err(Trouble::Usage)?;
    if !scenario.model.is_program() {
        let path = arguments.scenario.display();
        return Err(Trouble::Usage(format!(
            "cannot read the scenario {path}: it belongs to a model; use mazurka show or mazurka simulate"
        )));
    }
    let explorer = Explorer::of_scenario(&scenario, &arguments.program);
    let mut explorer = with_library(explorer)?
        .divergence(arguments.divergence)
        .show_output(!arguments.quiet);
    // A user of gdb interrupts the actor, not its repetition.
    if arguments.gdb.is_none() {
        explorer = explorer.interrupt(interrupt::shared());
    }
    let failed = |error: EngineError| Trouble::Usage(error.0);
    let mut engine = explorer.engine().map_err(failed)?;
    let is_ended = Arc::new(AtomicBool::new(false));
    if arguments.step {
        step_by_step(&mut engine, is_ended.clone());
    }
    let debugger = arguments.gdb.as_ref().map(|actor| {
        // Ctrl-C is for gdb. Without a handler it would end this program too.
        let _ = ctrlc::set_handler(|| {});
        Debugger::attach(&mut engine, actor)
    });
    let repeated = match repeat(&mut engine, &scenario) {
        Err(_) if is_ended.load(Ordering::Relaxed) => {
            print("ended before the last step\n")?;
            return Ok(Exit::Inconclusive);
        }
        repeated => repeated.map_err(failed)?,
    };
    if let Some(debugger) = debugger {
        debugger.finish().map_err(Trouble::Usage)?;
    }
    let Repeated {
        run,
        violation,
        difference,
    } = repeated;
    let style = style_of_output();
    if arguments.step {
        let kernel = engine.kernel();
        print_steps(kernel, kernel.trace().len().saturating_sub(1));
        if let Some(violation) = &violation {
            print(&format!("{}: {}\n", violation.kind, violation.message))?;
        }
    } else {
        print(&match arguments.form {
            ReplayForm::Msc => chart(&run, violation.as_ref(), style),
            ReplayForm::Text => text(&run, violation.as_ref(), style),
        })?;
    }
    match (difference, violation) {
        (None, Some(_)) => Ok(Exit::Holds),
        (Some(what), _) => {
            let what = clean(&what);
            print(&format!("\nthe program does not do what it did: {what}\n"))?;
            Ok(Exit::Inconclusive)
        }
        (None, None) => {
            let kind = scenario.kind().map_or("a violation", ViolationKind::name);
            print(&format!(
                "\nthe program does the same steps, but they do not end in {kind}\n"
            ))?;
            Ok(Exit::Inconclusive)
        }
    }
}

/// Prints each step once it is done and waits for the user; an empty line goes on, `q` ends it.
/// The last one is printed with the violation.
fn step_by_step(engine: &mut Processes, is_ended: Arc<AtomicBool>) {
    let mut printed = 0;
    engine.step_by(move |standing| {
        print_steps(standing.kernel, printed);
        printed = standing.kernel.trace().len();
        let mut line = String::new();
        let go_on = match io::stdin().lock().read_line(&mut line) {
            Ok(1..) => line.trim() != "q",
            _ => false,
        };
        is_ended.store(!go_on, Ordering::Relaxed);
        go_on
    });
}

fn print_steps(kernel: &Kernel, from: usize) {
    for (index, record) in kernel.trace().iter().enumerate().skip(from) {
        let place = kernel.texts.position(record.operation.place);
        let at = place.map_or(String::new(), |(file, line, _)| format!("  {file}:{line}"));
        let who = actor_name(kernel, record.actor.into());
        let what = statement(kernel, record);
        // A reader who has left is no reason to leave the program as it stands.
        let _ = writeln!(io::stdout(), "{:>5}  {who}: {what}{at}", index + 1);
    }
}
