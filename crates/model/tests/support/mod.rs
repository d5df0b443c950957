//! Programs from small Promela texts.

use mazurka_model::Program;
use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::SourceMap;

/// The program of a model that is right.
pub fn program(source: &str) -> Program {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    match compile(&mut map, "model.pml", source.as_bytes(), &[], &loader) {
        Ok(compiled) => compiled.program,
        Err(diagnostics) => panic!("{diagnostics:#?}\n{source}"),
    }
}
