//! Runs as text: numbered steps, each with what it did.
//!
//! ```text
//!    1    Sender[0]    abp.pml:14  c!msg(n)
//!                                  sends msg(1) on c, which holds [msg(1)]
//!    2 ╭  Receiver[1]  abp.pml:22  c?msg(n)
//!      │                           receives msg(1) from c, which is empty
//!      │                           Receiver[1].n: 0 → 1
//!    3 ╰  Receiver[1]  abp.pml:23  ack!n
//! ```

use std::ops::Range;
use std::path::Path;

use mazurka_model::Program;
use unicode_width::UnicodeWidthStr;

use crate::accesses::accesses;
use crate::explanation::Explanation;
use crate::figures::counted;
use crate::format::ViolationRecord;
use crate::kind::ViolationKind;
use crate::run::Run;
use crate::snapshot::{Change, NamedValue, Snapshot};
use crate::style::{Style, pad, wrapped};
use crate::walk::{Happening, Position, StepRecord};

/// The widths of what stands before a statement.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    number: usize,
    name: usize,
    place: usize,
}

/// Longer names push their statement to the right.
const WIDEST_NAME: usize = 20;
const WIDEST_PLACE: usize = 24;
/// However narrow the terminal, this much of a statement is shown in a line.
const NARROWEST_STATEMENT: usize = 24;
/// Before the further lines of something that does not fit into one.
const FURTHER: &str = "  ";

impl Columns {
    /// For a run that is known.
    pub fn of_run(run: &Run) -> Columns {
        let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
        Columns {
            number: (run.skipped + run.steps.len()).to_string().len().max(3),
            name: widest(&mut run.steps.iter().map(|s| s.name.width())).min(WIDEST_NAME),
            place: widest(&mut run.steps.iter().map(|s| place(&s.at).width())).min(WIDEST_PLACE),
        }
    }

    /// For a run that is yet to come.
    pub fn of_program(program: &Program) -> Columns {
        let names = program.process_types.iter().map(|p| p.name.width() + 3);
        let places = program
            .statements
            .iter()
            .map(|statement| place(&crate::walk::position(program, statement.origin)).width());
        Columns {
            number: 4,
            name: names.max().unwrap_or(0).min(WIDEST_NAME),
            place: places.max().unwrap_or(0).min(WIDEST_PLACE),
        }
    }

    /// For single steps of a run whose names and places are not known beforehand.
    pub fn to_come(name: &str, at: &Position) -> Columns {
        const USUAL_NAME: usize = 8;
        const USUAL_PLACE: usize = 12;
        Columns {
            number: 4,
            name: name.width().clamp(USUAL_NAME, WIDEST_NAME),
            place: place(at).width().clamp(USUAL_PLACE, WIDEST_PLACE),
        }
    }

    /// The width of the bracket around atomic sequences, and what stands left of it.
    fn before_name(&self) -> usize {
        self.number + 4
    }

    fn before_statement(&self) -> usize {
        self.before_name() + self.name + 2 + self.place + 2
    }
}

/// A whole run, the violation, and the state at its end.
pub fn text(run: &Run, violation: Option<&ViolationRecord>, style: Style) -> String {
    let all: Vec<usize> = (0..run.steps.len()).collect();
    let about = (violation, &Explanation::default());
    text_of(run, &all, about, style) + &text_of_end(run, style)
}

/// The state at the end of a run, if it is known.
pub fn text_of_end(run: &Run, style: Style) -> String {
    let told = |state| {
        let heading = style.heading("final state");
        format!("\n{heading}\n{}", state_text(state, style))
    };
    run.last.as_ref().map_or(String::new(), told)
}

/// Some steps of a run, by their places in it, the violation, and why it is one.
pub fn text_of(
    run: &Run,
    seen: &[usize],
    (violation, explanation): (Option<&ViolationRecord>, &Explanation),
    style: Style,
) -> String {
    let columns = Columns::of_run(run);
    let mut text = text_of_start(&run.start, columns, style);
    text += &left_out(run, 0..run.skipped, style);
    let mut next = 0;
    for index in seen.iter().copied() {
        text += &left_out(run, run.skipped + next..run.skipped + index, style);
        next = index + 1;
        text += &loop_text(run, run.skipped + index, style);
        text += &step_text(run.skipped + index + 1, &run.steps[index], columns, style);
    }
    text += &left_out(
        run,
        run.skipped + next..run.skipped + run.steps.len(),
        style,
    );
    text += &loop_text(run, run.skipped + run.steps.len(), style);
    if let Some(violation) = violation {
        text += &race_text(run, violation, columns, style);
        let steps = run.skipped + run.steps.len();
        let ending = match steps {
            0 => "in the initial state".to_string(),
            _ => format!("after {}", counted(steps as u64, "step")),
        };
        let kind = style.error(violation.kind.name());
        let message = violation.formula() + &violation.message;
        text += &format!("\n{kind} {ending}: {}\n", clean(&message));
        text += &explanation.text(style);
    }
    text
}

/// What stands for steps that are not shown, counted from 0. Where the cycle begins is shown all the same.
pub fn left_out(run: &Run, hidden: Range<usize>, style: Style) -> String {
    let gap = |from: usize, to: usize| match to - from {
        0 => String::new(),
        count => {
            let word = if from == 0 && run.skipped > 0 {
                " before"
            } else {
                ""
            };
            let count = counted(count as u64, "step");
            format!("{}\n", style.faint(&format!("  … {count}{word}")))
        }
    };
    match run.loop_from {
        Some(at) if hidden.contains(&at) => {
            gap(hidden.start, at) + &loop_text(run, at, style) + &gap(at, hidden.end)
        }
        _ => gap(hidden.start, hidden.end),
    }
}

/// What to say before the step of this number, counted from 0: that the cycle begins here, or that nothing
/// happens any more.
pub fn loop_text(run: &Run, number: usize, style: Style) -> String {
    let total = run.skipped + run.steps.len();
    let what = match run.loop_from {
        Some(from) if from == number && from == total => "from here on nothing happens any more",
        Some(from) if from == number => "from here the system repeats",
        Some(from) if number == total && from < total => "and so on, for ever",
        _ => return String::new(),
    };
    format!("{}\n", style.heading(&format!("  ── {what} ──")))
}

/// What happened while the initial state was made, apart from the start of processes.
pub fn text_of_start(start: &[Happening], columns: Columns, style: Style) -> String {
    let mut text = String::new();
    for happening in start {
        if let Happening::Printed { text: printed } = happening {
            let indent = " ".repeat(columns.before_name());
            text += &format!("{indent}{}\n", style.faint(&printed_text(printed)));
        }
    }
    text
}

/// The two accesses of a data race, which are no steps of the schedule: each stands in the code behind some step of its actor. Nothing if
/// something else was violated.
pub fn race_text(run: &Run, violation: &ViolationRecord, columns: Columns, style: Style) -> String {
    let accesses = match violation.kind {
        ViolationKind::DataRace => accesses(&violation.message),
        _ => None,
    };
    let Some(accesses) = accesses else {
        return String::new();
    };
    let mut text = String::new();
    for access in &accesses {
        let mut steps = run.steps.iter();
        let own = steps.find(|step| step.name == access.actor);
        let name = pad(&clean(&access.actor), columns.name);
        let at = match access.at.line {
            0 => String::new(),
            _ => place(&access.at),
        };
        text += &format!(
            "{}    {}  {}  {}\n",
            style.faint(&format!("{:>width$}", "·", width = columns.number)),
            own.map_or(name.clone(), |step| style.process(step.process, &name)),
            style.faint(&pad(&at, columns.place)),
            clean(&access.what),
        );
    }
    let indent = " ".repeat(columns.before_statement());
    text + &format!("{indent}{}\n", style.error("nothing orders these two"))
}

/// One step, with what it did on lines of their own.
pub fn step_text(number: usize, step: &StepRecord, columns: Columns, style: Style) -> String {
    let (bracket, below) = match (step.continues, step.holds) {
        (false, false) => (" ", " "),
        (false, true) => ("╭", "│"),
        (true, true) => ("│", "│"),
        (true, false) => ("╰", " "),
    };
    let room = style
        .width
        .saturating_sub(columns.before_statement())
        .max(NARROWEST_STATEMENT);
    let statement = wrapped(&clean(&step.statement), room);
    let mut text = format!(
        "{} {}  {}  {}  {}\n",
        style.faint(&format!("{number:>width$}", width = columns.number)),
        style.faint(bracket),
        style.process(step.process, &pad(&clean(&step.name), columns.name)),
        style.faint(&pad(&place(&step.at), columns.place)),
        statement[0],
    );
    let indent = columns.before_statement() - columns.number - 2;
    let mut under = |line: &str| {
        let (before, indent) = (" ".repeat(columns.number), " ".repeat(indent));
        text += &format!("{before} {}{indent}{line}\n", style.faint(below));
    };
    for line in &statement[1..] {
        under(line);
    }
    for detail in details(step) {
        let detail = clean(&detail);
        let narrower = if detail.width() > room {
            FURTHER.len()
        } else {
            0
        };
        for (number, line) in wrapped(&detail, room - narrower).iter().enumerate() {
            let before = if number == 0 { "" } else { FURTHER };
            under(&style.faint(&format!("{before}{line}")));
        }
    }
    if let Some(failure) = &step.failure {
        let indent = " ".repeat(columns.before_statement());
        text += &format!("{indent}{}\n", style.error(&clean(failure)));
        if !step.values.is_empty() {
            text += &format!("{indent}{}\n", clean(&values_text(&step.values)));
        }
    }
    text
}

/// What a step did, a line for each thing.
fn details(step: &StepRecord) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    for (happening, holds) in step.happenings.iter().zip(holdings(step)) {
        match happening {
            Happening::Sent(message) => {
                let (text, channel) = (&message.message, &message.channel);
                let partner = match &step.partner {
                    Some(partner) if message.rendezvous => {
                        format!(" to {} at {}", partner.name, place(&partner.at))
                    }
                    _ => String::new(),
                };
                lines.push(format!("sends {text} on {channel}{partner}{holds}"));
                told.push(channel);
            }
            // Told with the send.
            Happening::Received(message) if message.rendezvous => {}
            Happening::Received(message) => {
                let (text, channel) = (&message.message, &message.channel);
                lines.push(format!("receives {text} from {channel}{holds}"));
                told.push(channel);
            }
            Happening::Started { name, .. } => lines.push(format!("starts {name}")),
            Happening::Died { name, .. } => lines.push(format!("{name} ends")),
            Happening::Printed { text } => lines.push(printed_text(text)),
        }
    }
    for Change { name, old, new } in &step.changes {
        match old {
            _ if told.contains(&name.as_str()) => {}
            Some(old) => lines.push(format!("{name}: {old} → {new}")),
            None => lines.push(format!("{name} = {new}")),
        }
    }
    lines
}

/// `v = 0, delivered = 2`
pub(crate) fn values_text(values: &[NamedValue]) -> String {
    let each = values
        .iter()
        .map(|NamedValue { name, value }| format!("{name} = {value}"));
    each.collect::<Vec<_>>().join(", ")
}

/// What the channel of each message of a step holds after it, in words. Of several on one channel only the last is told if it is
/// not clear what the channel held between them, as after a sorted send.
fn holdings(step: &StepRecord) -> Vec<String> {
    let mut told = vec![String::new(); step.happenings.len()];
    for Change { name, old, new } in &step.changes {
        let numbered = step.happenings.iter().enumerate();
        let messages = numbered.filter_map(|(number, happening)| match happening {
            Happening::Sent(message) => Some((number, true, message)),
            Happening::Received(message) => Some((number, false, message)),
            _ => None,
        });
        let on_it = messages.filter(|(_, _, it)| it.channel == *name && !it.rendezvous);
        let mut held = Some(old.clone().unwrap_or_else(|| "[]".into()));
        let mut between: Vec<(usize, Option<String>)> = Vec::new();
        for (number, is_sent, message) in on_it {
            held = held.and_then(|held| match is_sent {
                true => with_last(&held, &message.message),
                false => without_first(&held, &message.message),
            });
            between.push((number, held.clone()));
        }
        let is_clear = held.as_ref() == Some(new);
        if let Some((last, before)) = between.split_last() {
            for (number, held) in before.iter().filter(|_| is_clear) {
                told[*number] = held.as_deref().map_or(String::new(), holds);
            }
            told[last.0] = holds(new);
        }
    }
    told
}

/// What a channel holds after a message is put at its end: `[a]` becomes `[a, b]`.
fn with_last(held: &str, message: &str) -> Option<String> {
    match held.strip_suffix(']')? {
        "[" => Some(format!("[{message}]")),
        before => Some(format!("{before}, {message}]")),
    }
}

/// What a channel holds after a message is taken from its beginning.
fn without_first(held: &str, message: &str) -> Option<String> {
    let rest = held.strip_prefix('[')?.strip_prefix(message)?;
    match rest {
        "]" => Some("[]".into()),
        rest => Some(format!("[{}", rest.strip_prefix(", ")?)),
    }
}

fn holds(held: &str) -> String {
    match held {
        "[]" => ", which is empty now".into(),
        held => format!(", which holds {held}"),
    }
}

/// A state: where each process is and what it waits for, variables, channels.
pub fn state_text(state: &Snapshot, style: Style) -> String {
    let mut text = String::new();
    let name = state
        .processes
        .iter()
        .map(|p| p.name.width())
        .max()
        .unwrap_or(0);
    let width = state
        .processes
        .iter()
        .map(|p| place(&p.at).width())
        .max()
        .unwrap_or(0);
    for process in &state.processes {
        let next: Vec<String> = process.next.iter().map(|next| clean(next)).collect();
        let next = match next.as_slice() {
            _ if process.state.is_some() => process.state.clone().unwrap_or_default(),
            [] => "has ended".to_string(),
            [one] => format!("at {one}"),
            several => format!("at one of {}", several.join(" | ")),
        };
        let holds = if process.holds {
            ", in an atomic sequence"
        } else {
            ""
        };
        let end = if process.may_end {
            " (may end here)"
        } else {
            ""
        };
        let room = style
            .width
            .saturating_sub(name + width + 6)
            .max(NARROWEST_STATEMENT);
        let mut lines = wrapped(&format!("{next}{holds}{end}"), room).into_iter();
        text += &format!(
            "  {}  {}  {}\n",
            style.process(process.process, &pad(&process.name, name)),
            style.faint(&pad(&place(&process.at), width)),
            lines.next().unwrap_or_default(),
        );
        for line in lines {
            text += &format!("{}{line}\n", " ".repeat(name + width + 6));
        }
    }
    for variable in &state.variables {
        text += &format!("  {} = {}\n", variable.name, variable.value);
    }
    for channel in &state.channels {
        let (name, messages) = (&channel.name, channel.messages.join(", "));
        let count = format!("{} of {}", channel.messages.len(), channel.capacity);
        text += &format!(
            "  {name} holds [{messages}] {}\n",
            style.faint(&format!("({count})"))
        );
    }
    text
}

/// The file without its folder, and the line.
pub(crate) fn place(at: &Position) -> String {
    if at.line == 0 {
        return String::new();
    }
    let file = Path::new(&at.file)
        .file_name()
        .and_then(|name| name.to_str());
    format!("{}:{}", clean(file.unwrap_or(&at.file)), at.line)
}

/// A line is printed without its end, unless there is nothing else.
pub(crate) fn quoted(text: &str) -> String {
    let line = text.strip_suffix('\n').filter(|line| !line.is_empty());
    format!("“{}”", clean(line.unwrap_or(text)))
}

fn printed_text(text: &str) -> String {
    format!("prints {}", quoted(text))
}

/// The text without control characters, which a terminal would obey: what a scenario says may be by anybody.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => cleaned.push_str("\\n"),
            '\t' => cleaned.push_str("\\t"),
            other if other.is_control() => cleaned.extend(other.escape_unicode()),
            other => cleaned.push(other),
        }
    }
    cleaned
}

/// The same for a text of several lines.
pub fn clean_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(clean).collect();
    lines.join("\n")
}
