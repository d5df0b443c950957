//! The model that a command is about.

use std::io;
use std::path::Path;

use mazurka_checker::{Besides, Error, Loaded, ModelText, Notation};

use crate::arguments::ModelArguments;
use crate::terminal::warn;

/// The name of a model that comes by standard input.
const STANDARD_INPUT: &str = "-";

impl ModelArguments {
    /// Reads the model.
    pub fn open(&self) -> Result<ModelText, Error> {
        open_model(&self.file, self.notation)
    }

    /// Reads the model and makes it ready to run. Says what is odd about it.
    pub fn load(&self) -> Result<(ModelText, Loaded), Error> {
        let model = self.open()?;
        let loaded = model.load(&Besides {
            define: &self.define,
            ..Besides::default()
        })?;
        warn(&loaded.sources, &loaded.warnings);
        Ok((model, loaded))
    }
}

/// Opens the model in a file, or on standard input.
pub fn open_model(
    file: &Path,
    notation: Option<&'static dyn Notation>,
) -> Result<ModelText, Error> {
    match is_standard_input(file) {
        true => ModelText::read(STANDARD_INPUT, io::stdin().lock(), notation),
        false => ModelText::open_as(file, notation),
    }
}

pub fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == STANDARD_INPUT
}
