//! A text joins the source map.

use mazurka_span::{Code, Diagnostic, FileId, SourceMap, Span};

/// Adds a text to the source map, or reports with the given code that there is no room for it.
pub fn add_source(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    too_large: Code,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<FileId> {
    let added = map.add(name, source);
    if added.is_err() {
        let message = "the source is larger than 4 GiB";
        diagnostics.push(Diagnostic::error(too_large, Span::default(), message));
    }
    added.ok()
}
