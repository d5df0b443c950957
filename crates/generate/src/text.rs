//! State tables back as `.vfsm`: the machines of tables that a spreadsheet holds, or one machine of a network alone.

use std::collections::BTreeSet;
use std::fmt::Write;

use mazurka_checker::{Error, Loaded, ModelText};
use mazurka_vfsm::network::{Network, Operation};

use crate::Machines;
use crate::names::Names;
use crate::tables::{Row, rows_of};

/// One machine of a network, with an environment that may send it, whenever it has nothing to do, any message that others send to it in
/// the network.
pub fn alone(model: &ModelText, loaded: &Loaded, machine: &str) -> Result<String, Error> {
    let wrong = |reason: String| Error::Usage(format!("{}: {reason}", model.path()));
    if Machines::of(loaded) != Some(Machines::Network) {
        let reason = "only a machine of a .vfsm model can be written alone";
        return Err(wrong(reason.into()));
    }
    let network = model.network(&loaded.model.defines)?.network;
    let mut machines = network.machines.iter();
    let Some(number) = machines.position(|known| known.name == machine) else {
        let known: Vec<&str> = network.machines.iter().map(|m| m.name.as_str()).collect();
        return Err(wrong(format!(
            "there is no machine `{machine}`; there are {}",
            known.join(", ")
        )));
    };
    Ok(alone_in(&network, number, model.path()))
}

fn alone_in(network: &Network, machine: usize, path: &str) -> String {
    let described = network.type_of(machine);
    let (name, type_name) = (&network.machines[machine].name, &described.name);
    let mut names = Names::without([name.as_str(), type_name.as_str()]);
    let environment = names.take("environment");
    let environment_type = names.take("ENVIRONMENT");
    let told = injected(network, machine);
    let mut text = format!(
        "// {name} of {path} alone: the environment sends it whatever others send to it there, while it has nothing to do.\n\n"
    );
    text += &machine_text(type_name, &rows_of(described));
    let _ = write!(text, "\nmachine {environment_type} {{\n");
    if !told.is_empty() {
        let inputs: Vec<String> = told.iter().map(|event| format!("I_{event}")).collect();
        let _ = writeln!(text, "    inputs {};", inputs.join(", "));
    }
    text += "    initial S_OPEN;\n    end S_OPEN;\n    S_OPEN {\n";
    for (number, event) in told.iter().enumerate() {
        let section = if number == 0 { "IA: " } else { "    " };
        let _ = writeln!(text, "        {section}I_{event} ? O_{event};");
    }
    text += "    }\n";
    if !told.is_empty() {
        let alternatives: Vec<String> = told.iter().map(|event| format!("*I_{event}")).collect();
        let _ = writeln!(text, "    spontaneous: {};", alternatives.join(" | "));
    }
    for event in &told {
        let _ = writeln!(text, "    out O_{event}: send {event} to {name};");
    }
    for event in sent(network, machine) {
        let _ = writeln!(text, "    on {event}: nothing;");
    }
    let partners = described
        .roles
        .iter()
        .zip(&network.machines[machine].partners);
    let bindings = partners.map(|(role, partner)| {
        let partner = if *partner == machine {
            name
        } else {
            &environment
        };
        format!("{} = {partner}", role.name)
    });
    let bindings: Vec<String> = bindings.collect();
    let bindings = match bindings.is_empty() {
        true => String::new(),
        false => format!("({})", bindings.join(", ")),
    };
    let process = &network.processes[network.machines[machine].process];
    let starts = network.starts.iter().map(|start| start[machine]);
    let starts: BTreeSet<usize> = starts.collect();
    let _ = write!(
        text,
        "}}\n\nnetwork {{\n    processor P {{\n        process MACHINE {{ low {}; high {}; {name}: {type_name}{bindings}; }}\n        \
         process WORLD {{ {environment}: {environment_type}; }}\n    }}\n",
        process.low, process.high
    );
    for start in starts {
        let state = &described.states[start].name;
        let _ = writeln!(
            text,
            "    start {name} in {state}, {environment} in S_OPEN;"
        );
    }
    text + "}\n"
}

/// The events that other machines send to a machine.
fn injected(network: &Network, machine: usize) -> Vec<String> {
    let mut events = BTreeSet::new();
    for (other, of) in network.machines.iter().enumerate() {
        for (role, event) in sends(network, other) {
            if other != machine && of.partners[role] == machine {
                events.insert(event.clone());
            }
        }
    }
    events.into_iter().collect()
}

/// The events that a machine sends to others.
fn sent(network: &Network, machine: usize) -> BTreeSet<String> {
    let partners = &network.machines[machine].partners;
    let sends = sends(network, machine);
    let sends = sends.filter(|(role, _)| partners[*role] != machine);
    sends.map(|(_, event)| event.clone()).collect()
}

fn sends(network: &Network, machine: usize) -> impl Iterator<Item = (usize, &String)> {
    let outputs = network.type_of(machine).outputs.iter();
    let alternatives = outputs.flat_map(|output| &output.alternatives);
    let operations = alternatives.flat_map(|alternative| &alternative.operations);
    operations.filter_map(|operation| match operation {
        Operation::Send { role, event } => Some((*role, event)),
        _ => None,
    })
}

/// The machines of state tables, as `export --as csv` prints them. The network is not in them.
pub fn from_tables(csv: &str) -> Result<String, String> {
    let mut lines = read(csv)?.into_iter();
    let header = lines.next().unwrap_or_default();
    let columns = ["machine", "state", "section", "condition", "what"];
    if header.get(..5).is_none_or(|first| first != columns) {
        return Err(format!("its first line is not `{}`", columns.join(",")));
    }
    let mut machines: Vec<(String, Vec<Row>)> = Vec::new();
    for (number, fields) in lines.enumerate() {
        let wrong = |what: &str| format!("row {}: {what}", number + 2);
        let Ok([machine, state, section, condition, what]) =
            <[String; 5]>::try_from(fields.get(..5).unwrap_or_default().to_vec())
        else {
            return Err(wrong("it has less than five fields"));
        };
        let section = SECTIONS.iter().find(|known| **known == section);
        let section = section
            .ok_or_else(|| wrong(&format!("its section is none of {}", SECTIONS.join(", "))))?;
        let row = Row {
            state,
            section,
            condition,
            what,
            parts: Vec::new(),
        };
        match machines.iter_mut().find(|(name, _)| *name == machine) {
            Some((_, rows)) => rows.push(row),
            None => machines.push((machine, vec![row])),
        }
    }
    let texts = machines.iter().map(|(name, rows)| machine_text(name, rows));
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

const SECTIONS: [&str; 10] = [
    "inputs",
    "state",
    "E",
    "X",
    "IA",
    "NS",
    "on",
    "spontaneous",
    "out",
    "timer",
];

/// The rows and fields of a file. Quoted fields may have commas, quotes and ends of lines.
fn read(csv: &str) -> Result<Vec<Vec<String>>, String> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let separator = separator(csv);
    let mut letters = csv.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, is_quoted) {
            ('"', true) if letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            ('"', true) => is_quoted = false,
            ('"', false) if field.is_empty() => is_quoted = true,
            (',' | ';' | '\t', false) if letter == separator => {
                row.push(std::mem::take(&mut field));
            }
            ('\r', false) => {}
            ('\n', false) => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            _ => field.push(letter),
        }
    }
    if is_quoted {
        return Err("a quotation is not closed".into());
    }
    if !field.is_empty() || !row.is_empty() {
        row.push(field);
        rows.push(row);
    }
    rows.retain(|row| row.iter().any(|field| !field.is_empty()));
    Ok(rows)
}

/// Spreadsheets in some countries write semicolons, and some write tabs.
fn separator(csv: &str) -> char {
    let header = csv.lines().next().unwrap_or_default();
    let found = header
        .chars()
        .find(|letter| [',', ';', '\t'].contains(letter));
    found.unwrap_or(',')
}

/// A machine, from the rows of its table.
fn machine_text(name: &str, rows: &[Row]) -> String {
    let of = |section: &'static str| rows.iter().filter(move |row| row.section == section);
    let mut text = format!("machine {name} {{\n");
    let inputs: Vec<&str> = of("inputs").map(|row| row.what.as_str()).collect();
    if !inputs.is_empty() {
        let _ = writeln!(text, "    inputs {};", inputs.join(", "));
    }
    for row in of("timer") {
        let _ = writeln!(text, "    timer {} {};", row.condition, row.what);
    }
    for mark in ["initial", "end", "progress"] {
        let marked = of("state").filter(|row| row.what.split(',').any(|word| word.trim() == mark));
        let marked: Vec<&str> = marked.map(|row| row.state.as_str()).collect();
        if !marked.is_empty() {
            let _ = writeln!(text, "    {mark} {};", marked.join(", "));
        }
    }
    for state in of("state") {
        let _ = writeln!(text, "\n    {} {{", state.state);
        for (section, sign) in [("E", ""), ("X", ""), ("IA", " ? "), ("NS", " > ")] {
            let lines = of(section).filter(|row| row.state == state.state);
            for (number, row) in lines.enumerate() {
                let word = match (number, sign) {
                    (0, _) | (_, "") => format!("{section}:"),
                    _ => " ".repeat(section.len() + 1),
                };
                let condition = if sign.is_empty() { "" } else { &row.condition };
                let _ = writeln!(text, "        {word} {condition}{sign}{};", row.what);
            }
        }
        text += "    }\n";
    }
    text.push('\n');
    for row in of("on") {
        let also = match row.state.is_empty() {
            true => String::new(),
            false => format!(" also in {}", row.state),
        };
        let _ = writeln!(text, "    on {}: {}{also};", row.condition, row.what);
    }
    for row in of("spontaneous") {
        let _ = writeln!(text, "    spontaneous in {}: {};", row.state, row.what);
    }
    for row in of("out") {
        let _ = writeln!(text, "    out {}: {};", row.condition, row.what);
    }
    text + "}\n"
}
