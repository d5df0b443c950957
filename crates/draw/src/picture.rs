//! Pictures that stand alone.

use std::fmt::Write;

use mazurka_scenario::{Run, ViolationRecord};

use crate::chart::{ChartOptions, Drawing};
use crate::graph::Graph;
use crate::layered::Layout;
use crate::svg::{cut, escape, label, style, width_of};

/// The chart of a run as SVG.
pub fn chart_svg(run: &Run, violation: Option<&ViolationRecord>, title: &str) -> String {
    let drawing = Drawing::of(run, ChartOptions::default());
    let frame = drawing.loop_frame(run.loop_from);
    let (width, mut height) = (drawing.total_width().max(360), drawing.total_height());
    let mut body = String::new();
    body += &drawing.lifelines(0, height);
    for stretch in drawing.stretches() {
        body += &stretch.svg;
    }
    for row in drawing.rows() {
        let _ = write!(body, "<g class=\"step\" data-step=\"{}\">", row.step);
        body += &row.svg;
        body += "</g>\n";
    }
    body += &drawing.header();
    if let Some(frame) = frame {
        height = height.max(frame.to + 8);
        body += &frame.svg;
    }
    if let Some(violation) = violation {
        let text = format!("✗ {}: {}", violation.kind, violation.message);
        for line in wrapped(&text, width - 24) {
            body += &label(12, height + 14, "start", "wrong halo", &line, width - 16);
            height += 20;
        }
        height += 8;
    }
    alone(width, height, title, &body)
}

/// A graph as SVG.
pub fn graph_svg(graph: &Graph) -> String {
    let layout = Layout::of(graph);
    alone(layout.width, layout.height, &graph.name, &layout.svg())
}

pub(crate) fn alone(width: i32, height: i32, title: &str, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mz\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>{}</title>\n<style>{}</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n{body}\n</svg>\n",
        escape(title),
        style()
    )
}

/// Lines of words that are no wider than this many pixels. A word that is wider goes on in the next line, if it can be behind a sign.
pub(crate) fn wrapped(text: &str, pixels: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(&format!("{line} {word}")) <= pixels => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.extend(parts(word, pixels)),
        }
    }
    lines
}

/// The parts of a word, each of which has room.
fn parts(word: &str, pixels: i32) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = word;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let end = end.map_or(rest.len(), |at| {
            at + rest[at..].chars().next().map_or(0, char::len_utf8)
        });
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        let line = parts.last().map_or("", String::as_str);
        if !line.is_empty() && width_of(&format!("{line}{piece}")) > pixels {
            parts.push(String::new());
        }
        if let Some(line) = parts.last_mut() {
            line.push_str(piece);
        }
    }
    parts.iter().map(|part| cut(part, pixels)).collect()
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn a_wide_word_goes_on_behind_a_sign() {
        let lines = wrapped("a_name_that_is_long(another_one,third) to x", 160);
        assert_eq!(
            lines,
            ["a_name_that_is_long(", "another_one,third) to", "x"]
        );
        assert_eq!(wrapped("a_name_that_has_no_room", 60).len(), 1);
    }
}
