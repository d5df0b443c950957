//! Diagnostics as text: the source line, underlined, and what is wrong with it.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::{Diagnostic, ExpansionKind, Label, Severity, SourceFile, SourceMap, Span, tidy};

/// How many of the expansions a diagnostic came through are shown, from the innermost.
const EXPANSIONS_SHOWN: usize = 4;

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions {
    /// With colours of a terminal?
    pub colour: bool,
    /// Diagnostics after this many are only counted.
    pub limit: usize,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            colour: false,
            limit: 20,
            width: 120,
        }
    }
}

/// Renders diagnostics, sorted and without repetitions, one after the other.
pub fn render(map: &SourceMap, diagnostics: &[Diagnostic], options: RenderOptions) -> String {
    let mut diagnostics = diagnostics.to_vec();
    tidy(map, &mut diagnostics);
    // When not all can be shown, a warning must not hide an error.
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .count();
    if diagnostics.len() > options.limit && errors > 0 {
        diagnostics.sort_by_key(|diagnostic| diagnostic.severity);
    }
    let renderer = if options.colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.term_width(options.width);
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(options.limit) {
        text += &renderer.render(&[group(map, diagnostic)]);
        text += "\n\n";
    }
    let rest = diagnostics.iter().skip(options.limit);
    let (rest_errors, rest_others): (Vec<_>, Vec<_>) = rest.partition(|rest| rest.is_error());
    if !rest_errors.is_empty() || !rest_others.is_empty() {
        let counts: Vec<String> = [(rest_errors.len(), "error"), (rest_others.len(), "warning")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| {
                format!("{count} more {noun}{}", if count == 1 { "" } else { "s" })
            })
            .collect();
        text += &format!("... and {} not shown\n\n", counts.join(" and "));
    }
    text.truncate(text.trim_end().len());
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn group<'a>(map: &'a SourceMap, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.id);
    let mut group = Group::with_title(title);

    let mut labels = vec![(AnnotationKind::Primary, diagnostic.primary.clone())];
    labels.extend(
        diagnostic
            .secondary
            .iter()
            .map(|label| (AnnotationKind::Context, label.clone())),
    );
    let chain = map.expansion_chain(diagnostic.primary.span);
    labels.extend(chain.take(EXPANSIONS_SHOWN).map(|expansion| {
        let kind = match expansion.kind {
            ExpansionKind::Macro => "macro",
            ExpansionKind::Inline => "inline",
        };
        let text = format!("in expansion of {kind} `{}`, used here", expansion.name);
        (
            AnnotationKind::Context,
            Label {
                span: expansion.call,
                text,
            },
        )
    }));

    // One snippet per file, in the order in which they are first mentioned.
    let mut files: Vec<(&SourceFile, Vec<Annotation<'_>>)> = Vec::new();
    for (kind, label) in labels {
        let Some(file) = map.file_of(label.span) else {
            continue;
        };
        let annotation = kind.span(first_line(file, label.span));
        let annotation = if label.text.is_empty() {
            annotation
        } else {
            annotation.label(label.text)
        };
        match files
            .iter_mut()
            .find(|(known, _)| std::ptr::eq(*known, file))
        {
            Some((_, annotations)) => annotations.push(annotation),
            None => files.push((file, vec![annotation])),
        }
    }
    for (file, annotations) in files {
        group = group.element(
            Snippet::source(file.text())
                .path(file.name())
                .annotations(annotations),
        );
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    group
}

/// The part of a span that lies on its first line, as offsets into the file.
fn first_line(file: &SourceFile, span: Span) -> Range<usize> {
    let start = (span.start - file.base()) as usize;
    let end = (span.end - file.base()) as usize;
    let line_end = file.line_start(file.line_index(span.start) + 1);
    if end <= line_end {
        return start..end;
    }
    let line = &file.text()[start..line_end];
    start..start + line.trim_end().len()
}
