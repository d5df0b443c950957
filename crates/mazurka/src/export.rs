//! `mazurka export`: a model in another notation.

use mazurka_span::{RenderOptions, SourceMap, render};

use crate::Exit;
use crate::arguments::ExportArguments;
use crate::load::{Notation, notation, read_source, refuse_defines};
use crate::terminal::{self, print};
use crate::trouble::Trouble;

/// Runs the command.
pub fn export(arguments: &ExportArguments) -> Result<Exit, Trouble> {
    let file = &arguments.model.file;
    let (path, source) = read_source(file, &arguments.model.define)?;
    let defines = &arguments.model.define;
    let mut sources = SourceMap::new();
    let text = match notation(file) {
        Notation::Efsm => mazurka_efsm::promela(&mut sources, path, &source, defines),
        Notation::Vfsm => {
            refuse_defines(defines)?;
            mazurka_vfsm::export_promela(&mut sources, path, &source)
        }
        _ => {
            let message = format!("{path}: only models in .vfsm and .efsm can be exported");
            return Err(Trouble::Usage(message));
        }
    };
    let text = text.map_err(|errors| {
        let options = RenderOptions {
            colour: terminal::colour_of_errors(),
            ..Default::default()
        };
        Trouble::Diagnostics(render(&sources, &errors, options))
    })?;
    print(&text)?;
    Ok(Exit::Holds)
}
