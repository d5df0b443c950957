//! State tables of the machines of a network, for people who review them: as a page, or as rows for a spreadsheet.

use std::fmt::Write;

use mazurka_checker::{Error, Loaded, ModelText, Report};
use mazurka_vfsm::network::{Condition, InputAlternative, Network, State, Type};

use crate::Machines;
use crate::exercised::{Exercised, Part};
use crate::vfsm::words;

/// How tables are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableForm {
    /// A page with a table for each type of machine.
    Html,
    /// A row for each line of a state block or mapping.
    Csv,
}

/// The state tables of a model; with a result of checking it, they say what its executions came to.
///
/// ```
/// use mazurka_checker::{Besides, ModelText};
/// use mazurka_generate::{TableForm, tables};
///
/// let lamp = "machine LAMP { inputs I; initial S; S { NS: I > S; } spontaneous: *I; }
///             network { processor P { process Q { lamp: LAMP; } } }";
/// let model = ModelText::from_source("lamp.vfsm", lamp)?;
/// let loaded = model.load(&Besides::default())?;
/// assert!(tables(&model, &loaded, TableForm::Csv, None)?.contains("LAMP,S,NS,I,S"));
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
pub fn tables(
    model: &ModelText,
    loaded: &Loaded,
    form: TableForm,
    result: Option<&Report>,
) -> Result<String, Error> {
    if Machines::of(loaded) != Some(Machines::Network) {
        let path = model.path();
        let reason = "there are state tables of .vfsm models only";
        return Err(Error::Usage(format!("{path}: {reason}")));
    }
    let network = model.network(&loaded.model.defines)?.network;
    let exercised = result.map(|report| Exercised::new(loaded, &network, report));
    let exercised = exercised.transpose().map_err(Error::Usage)?;
    Ok(match form {
        TableForm::Html => page(&network, model.path(), exercised.as_ref()),
        TableForm::Csv => rows(&network, exercised.as_ref()),
    })
}

/// What stands in one row: a section of a state block or a mapping, when, and what.
pub(crate) struct Row {
    pub state: String,
    pub section: &'static str,
    pub condition: String,
    pub what: String,
    /// What a search may come to.
    pub parts: Vec<Part>,
}

fn rows(network: &Network, exercised: Option<&Exercised<'_>>) -> String {
    let mut text = String::from("machine,state,section,condition,what");
    text += if exercised.is_some() {
        ",coverage\n"
    } else {
        "\n"
    };
    for (number, described) in network.types.iter().enumerate() {
        for row in rows_of(described) {
            let fields = [
                &described.name,
                &row.state,
                row.section,
                &row.condition,
                &row.what,
            ];
            let mut fields: Vec<String> = fields.into_iter().map(field).collect();
            fields.extend(exercised.map(|known| known.told(network, number, &row.parts)));
            let _ = writeln!(text, "{}", fields.join(","));
        }
    }
    text
}

/// A field of a row, in quotes where it needs them.
fn field(text: &str) -> String {
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}

pub(crate) fn rows_of(described: &Type) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |state: &str, section, condition: String, what: String, parts: Vec<Part>| {
        rows.push(Row {
            state: state.into(),
            section,
            condition,
            what,
            parts,
        });
    };
    if !described.inputs.is_empty() {
        add(
            "",
            "inputs",
            String::new(),
            described.inputs.join(", "),
            Vec::new(),
        );
    }
    for (number, state) in described.states.iter().enumerate() {
        add(
            &state.name,
            "state",
            String::new(),
            marks(described, number).join(", "),
            vec![(format!("state {}", state.name), state.span)],
        );
        for (section, outputs) in [("E", &state.entry), ("X", &state.exit)] {
            if !outputs.is_empty() {
                add(
                    &state.name,
                    section,
                    String::new(),
                    made(described, outputs),
                    Vec::new(),
                );
            }
        }
        for action in &state.actions {
            let condition = condition(described, &action.condition);
            let outputs = made(described, &action.outputs);
            let part = (format!("{} IA", state.name), action.span);
            add(&state.name, "IA", condition, outputs, vec![part]);
        }
        for next in &state.next {
            let condition = condition(described, &next.condition);
            let target = described.states[next.target].name.clone();
            let part = (format!("{} NS", state.name), next.span);
            add(&state.name, "NS", condition, target, vec![part]);
        }
    }
    for event in &described.events {
        let tolerated = event.tolerated.iter().zip(&described.states);
        let tolerated = tolerated.filter(|(tolerated, _)| **tolerated);
        let also: Vec<&str> = tolerated.map(|(_, state)| state.name.as_str()).collect();
        let changes = alternatives(described, &event.alternatives);
        let parts = event.alternatives.iter();
        let parts = parts.map(|way| (format!("on {}", event.name), way.span));
        add(
            &also.join(", "),
            "on",
            event.name.clone(),
            changes,
            parts.collect(),
        );
    }
    for mapping in &described.spontaneous {
        let places = mapping.states.iter().zip(&described.states);
        let places = places.filter(|(there, _)| **there);
        let places: Vec<&str> = places.map(|(_, state)| state.name.as_str()).collect();
        let changes = alternatives(described, &mapping.alternatives);
        let parts = mapping.alternatives.iter();
        let parts = parts.map(|way| ("spontaneous".to_string(), way.span));
        add(
            &places.join(", "),
            "spontaneous",
            String::new(),
            changes,
            parts.collect(),
        );
    }
    for output in &described.outputs {
        let ways = output.alternatives.iter();
        let ways: Vec<String> = ways.map(|way| words::operations(described, way)).collect();
        let parts = output.alternatives.iter().filter_map(|way| way.span);
        let parts = parts.map(|span| (format!("out {}", output.name), span));
        add(
            "",
            "out",
            output.name.clone(),
            ways.join(" | "),
            parts.collect(),
        );
    }
    for timer in &described.timers {
        let event = &described.events[timer.event].name;
        let raises = match timer.duration {
            Some(duration) => format!("raises {event} after {duration}"),
            None => format!("raises {event}"),
        };
        let part = (format!("timer {} expires", timer.name), timer.span);
        add("", "timer", timer.name.clone(), raises, vec![part]);
    }
    rows
}

/// What a machine is told about a state: `initial`, `end`, `progress`.
fn marks(described: &Type, number: usize) -> Vec<&'static str> {
    let state = &described.states[number];
    let marks = [
        (described.initial.contains(&number), "initial"),
        (state.end, "end"),
        (state.progress, "progress"),
    ];
    let marks = marks.into_iter().filter(|(is_marked, _)| *is_marked);
    marks.map(|(_, mark)| mark).collect()
}

fn made(described: &Type, outputs: &[usize]) -> String {
    let outputs = outputs.iter();
    let names: Vec<&str> = outputs
        .map(|output| described.outputs[*output].name.as_str())
        .collect();
    names.join(", ")
}

fn alternatives(described: &Type, alternatives: &[InputAlternative]) -> String {
    let ways = alternatives.iter();
    let ways: Vec<String> = ways.map(|way| words::changes(described, way)).collect();
    ways.join(" | ")
}

/// A condition as it may be written. What is joined stands in parentheses inside of something else.
pub(crate) fn condition(described: &Type, whole: &Condition) -> String {
    let inside = |part: &Condition| match part {
        Condition::And(_) | Condition::Or(_) => format!("({})", condition(described, part)),
        _ => condition(described, part),
    };
    let joined = |parts: &[Condition], sign: &str| {
        let parts: Vec<String> = parts.iter().map(inside).collect();
        parts.join(sign)
    };
    match whole {
        Condition::Always => "true".into(),
        Condition::Input(input) => described.inputs[*input as usize].clone(),
        Condition::Not(part) => format!("!{}", inside(part)),
        Condition::And(parts) => joined(parts, " & "),
        Condition::Or(parts) => joined(parts, " | "),
    }
}

fn page(network: &Network, path: &str, exercised: Option<&Exercised<'_>>) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>{STYLE}</style></head>\n\
         <body>\n<h1>{0}</h1>\n",
        escape(path)
    );
    if exercised.is_some() {
        page += "<p>What no execution came to is <span class=\"never\">marked</span>.</p>\n";
    }
    for (machine_type, described) in network.types.iter().enumerate() {
        let is_never = |part: Part| {
            let told = exercised.map(|known| known.told(network, machine_type, &[part]));
            told.is_some_and(|told| told == "never")
        };
        let _ = writeln!(page, "<h2>{}</h2>", described.name);
        let inputs = described.inputs.join(", ");
        let _ = writeln!(page, "<p>Virtual inputs: {inputs}</p>");
        page += "<table>\n<tr><th>state<th>entry<th>exit<th>input actions<th>next states</tr>\n";
        for (number, state) in described.states.iter().enumerate() {
            page += &row_of(described, number, state, &is_never);
        }
        page += "</table>\n<table>\n<tr><th>mapping<th>of<th>in<th>does</tr>\n";
        let mappings = rows_of(described).into_iter();
        for row in
            mappings.filter(|row| ["on", "spontaneous", "out", "timer"].contains(&row.section))
        {
            let cells = [row.section, &row.condition, &row.state, &row.what];
            let cells: String = cells.map(|cell| format!("<td>{}", escape(cell))).concat();
            let told = exercised.map(|known| known.told(network, machine_type, &row.parts));
            let (class, told) = match told.as_deref() {
                None | Some("exercised" | "") => ("", String::new()),
                Some("never") => (" class=\"never\"", String::new()),
                Some(part) => ("", format!(" <i>({part} exercised)</i>")),
            };
            let _ = writeln!(page, "<tr{class}>{cells}{told}</tr>");
        }
        page += "</table>\n";
    }
    page + "</body></html>\n"
}

/// A state block as a row of cells.
fn row_of(
    described: &Type,
    number: usize,
    state: &State,
    is_never: &dyn Fn(Part) -> bool,
) -> String {
    let marks = match marks(described, number) {
        marks if marks.is_empty() => String::new(),
        marks => format!("<br><i>{}</i>", marks.join(", ")),
    };
    let marked = |text: String, part: Part| match is_never(part) {
        true => format!("<span class=\"never\">{text}</span>"),
        false => text,
    };
    let lines = |lines: Vec<String>| lines.join("<br>");
    let actions = state.actions.iter().map(|action| {
        let condition = condition(described, &action.condition);
        let text = format!("{condition} ? {}", made(described, &action.outputs));
        let part = (format!("{} IA", state.name), action.span);
        marked(escape(&text), part)
    });
    let next = state.next.iter().map(|next| {
        let condition = condition(described, &next.condition);
        let text = format!("{condition} > {}", described.states[next.target].name);
        let part = (format!("{} NS", state.name), next.span);
        marked(escape(&text), part)
    });
    let part = (format!("state {}", state.name), state.span);
    let shown = marked(format!("<b>{}</b>", state.name), part);
    format!(
        "<tr><td id=\"{0}.{1}\">{shown}{marks}<td>{2}<td>{3}<td>{4}<td>{5}</tr>\n",
        described.name,
        state.name,
        made(described, &state.entry),
        made(described, &state.exit),
        lines(actions.collect()),
        lines(next.collect()),
    )
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

const STYLE: &str = "body { font-family: sans-serif; margin: 2em; } \
table { border-collapse: collapse; margin-bottom: 1.5em; } \
th, td { border: 1px solid #999; padding: 0.3em 0.6em; text-align: left; vertical-align: top; } \
td { font-family: monospace; } \
.never { background: #fdd; }";
