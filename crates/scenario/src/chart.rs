//! Runs as a message sequence chart: a column for each process, time runs down.
//!
//! ```text
//!         Sender[0]        Receiver[1]
//!             │                 │
//!   1         ├─── go!3 ───────▶┤        a rendezvous
//!   2    c!msg(1) ▸2            │        message 2 is sent
//!   3         │           2▸ c?msg(1)    and received
//!   4         ✕                 │        the process ends
//! ```

use unicode_width::UnicodeWidthStr;

use crate::figures::counted;
use crate::format::ViolationRecord;
use crate::run::Run;
use crate::style::{Style, wrapped};
use crate::text::loop_text;
use crate::text::{clean, quoted};
use crate::walk::{Happening, Message, StepRecord};

/// A column is never narrower, even if lines then exceed the width asked for.
const NARROWEST: usize = 12;
const WIDEST: usize = 36;

/// The chart of a run.
pub fn chart(run: &Run, violation: Option<&ViolationRecord>, style: Style) -> String {
    let all: Vec<usize> = (0..run.steps.len()).collect();
    chart_of(run, &all, violation, style)
}

/// The chart of some steps of a run, by their places in it.
pub fn chart_of(
    run: &Run,
    seen: &[usize],
    violation: Option<&ViolationRecord>,
    style: Style,
) -> String {
    let mut chart = Chart::new(run, style);
    chart.heading(run);
    let mut next = 0;
    for (index, step) in run.steps.iter().enumerate() {
        if !seen.contains(&index) {
            // Who is there changes all the same.
            chart.follow(step);
            continue;
        }
        if index > next {
            chart.text +=
                &style.faint(&format!("  … {}\n", counted((index - next) as u64, "step")));
        }
        next = index + 1;
        chart.text += &loop_text(run, run.skipped + index, style);
        chart.step(run.skipped + index + 1, step);
    }
    if next < run.steps.len() {
        let rest = (run.steps.len() - next) as u64;
        chart.text += &style.faint(&format!("  … {}\n", counted(rest, "step")));
    }
    chart.text += &loop_text(run, run.skipped + run.steps.len(), style);
    if let Some(violation) = violation {
        let kind = style.error(violation.kind.name());
        chart.text += &format!("\n{kind}: {}\n", clean(&violation.message));
    }
    chart.text
}

struct Chart {
    style: Style,
    /// The columns before the first process: the number of the step, the bracket of a sequence.
    margin: usize,
    number: usize,
    /// The columns of a process.
    width: usize,
    /// Which processes are alive.
    alive: Vec<bool>,
    text: String,
}

impl Chart {
    fn new(run: &Run, style: Style) -> Chart {
        let processes = highest_process(run).max(1);
        let number = (run.skipped + run.steps.len()).to_string().len().max(3);
        let margin = number + 3;
        let room = style.width.saturating_sub(margin) / processes;
        let width = widest_text(run).min(room).clamp(NARROWEST, WIDEST);
        Chart {
            style,
            margin,
            number,
            width,
            alive: vec![false; processes],
            text: String::new(),
        }
    }

    fn heading(&mut self, run: &Run) {
        let mut row = self.row();
        for process in run.initial.iter().flat_map(|state| &state.processes) {
            let index = process.process as usize;
            self.local(&mut row, index, "", &process.name, "");
            self.alive[index] = true;
        }
        // A run of a real program has no states.
        for happening in run.start.iter().filter(|_| run.initial.is_none()) {
            if let Happening::Started { process, name } = happening {
                let index = *process as usize;
                self.local(&mut row, index, "", name, "");
                self.alive[index] = true;
            }
        }
        // A run that is shown from the middle has other processes than the initial state.
        if run.skipped > 0 {
            self.alive.fill(true);
        }
        self.push(None, " ", row);
        let row = self.row();
        self.push(None, " ", row);
    }

    fn step(&mut self, number: usize, step: &StepRecord) {
        let bracket = match (step.continues, step.holds) {
            (false, false) => " ",
            (false, true) => "╭",
            (true, true) => "│",
            (true, false) => "╰",
        };
        let mut rows = Vec::new();
        let mut row = self.row();
        let mut used = false;
        for happening in &step.happenings {
            match happening {
                Happening::Sent(message) if message.rendezvous => {
                    let Some(partner) = &step.partner else {
                        continue;
                    };
                    self.next_row(&mut rows, &mut row, &mut used);
                    self.arrow(&mut row, message, partner.process as usize);
                }
                Happening::Received(message) if message.rendezvous => {}
                Happening::Sent(message) => {
                    self.next_row(&mut rows, &mut row, &mut used);
                    let tag = message.number.map_or(String::new(), |n| format!(" ▸{n}"));
                    let text = format!("{}!{}", message.channel, message.message);
                    self.local(&mut row, message.process as usize, "", &text, &tag);
                }
                Happening::Received(message) => {
                    self.next_row(&mut rows, &mut row, &mut used);
                    let tag = message.number.map_or(String::new(), |n| format!("{n}▸ "));
                    let text = format!("{}?{}", message.channel, message.message);
                    self.local(&mut row, message.process as usize, &tag, &text, "");
                }
                _ => {}
            }
        }
        if !used {
            self.local(
                &mut row,
                step.process as usize,
                "",
                &clean(&step.statement),
                "",
            );
        }
        for happening in &step.happenings {
            match happening {
                Happening::Started { process, name } => {
                    let index = *process as usize;
                    self.alive[index] = true;
                    self.local(&mut row, index, "", name, "");
                }
                Happening::Died { process, .. } => {
                    let index = *process as usize;
                    self.alive[index] = false;
                    row.clear(self.start(index), self.width);
                    row.write(self.centre(index), "✕");
                }
                Happening::Printed { text } => {
                    rows.push(std::mem::replace(&mut row, self.row()));
                    self.local(&mut row, step.process as usize, "", &quoted(text), "");
                }
                Happening::Sent(_) | Happening::Received(_) => {}
            }
        }
        rows.push(row);
        for (index, row) in rows.into_iter().enumerate() {
            let below = if step.holds { "│" } else { " " };
            let (number, bracket) = if index == 0 {
                (Some(number), bracket)
            } else {
                (None, below)
            };
            self.push(number, bracket, row);
        }
        if let Some(failure) = &step.failure {
            let start = self.start(step.process as usize);
            let room = (self.margin + self.width * self.alive.len()).saturating_sub(start);
            for line in wrapped(&clean(failure), room.max(WIDEST)) {
                let mut row = self.row();
                row.write_from(start, &line);
                self.push(None, " ", row);
            }
        }
    }

    /// Notes who starts and who ends in a step that is not shown.
    fn follow(&mut self, step: &StepRecord) {
        for happening in &step.happenings {
            match happening {
                Happening::Started { process, .. } => self.alive[*process as usize] = true,
                Happening::Died { process, .. } => self.alive[*process as usize] = false,
                _ => {}
            }
        }
    }

    /// Each message has a row of its own.
    fn next_row(&self, rows: &mut Vec<Row>, row: &mut Row, used: &mut bool) {
        if *used {
            rows.push(std::mem::replace(row, self.row()));
        }
        *used = true;
    }

    /// An arrow from sender to receiver, with the message on it.
    fn arrow(&self, row: &mut Row, message: &Message, receiver: usize) {
        let (from, to) = (self.centre(message.process as usize), self.centre(receiver));
        let (left, right) = (from.min(to), from.max(to));
        for column in left..=right {
            let crossing = row.cells[column] == "│";
            row.set(column, if crossing { "┼" } else { "─" });
        }
        let (first, last) = if from < to {
            ("├", "▶")
        } else {
            ("◀", "┤")
        };
        row.set(left, first);
        row.set(right, last);
        // The label sits on the piece of the arrow next to the sender, where nothing crosses.
        let label = format!("{}!{}", message.channel, message.message);
        let mut lines = wrapped(&label, self.width.saturating_sub(6)).into_iter();
        let middle = if from < to {
            from + self.width / 2
        } else {
            from - self.width / 2
        };
        row.write(middle, &format!(" {} ", lines.next().unwrap_or_default()));
        row.below.push((middle, lines.collect()));
    }

    /// Text in the column of a process, between two marks. What does not fit goes on below.
    fn local(&self, row: &mut Row, process: usize, before: &str, text: &str, after: &str) {
        let room = (self.width - 1).saturating_sub(before.width() + after.width());
        let mut lines = wrapped(text, room).into_iter();
        let first = lines.next().unwrap_or_default();
        row.write(self.centre(process), &format!("{before}{first}{after}"));
        row.below.push((self.centre(process), lines.collect()));
    }

    /// A row with nothing but the lines of the processes that are alive.
    fn row(&self) -> Row {
        let mut row = Row {
            cells: vec![" ".into(); self.margin + self.width * self.alive.len()],
            below: Vec::new(),
        };
        for index in (0..self.alive.len()).filter(|index| self.alive[*index]) {
            row.set(self.centre(index), "│");
        }
        row
    }

    fn start(&self, process: usize) -> usize {
        self.margin + process * self.width
    }

    fn centre(&self, process: usize) -> usize {
        self.start(process) + self.width / 2
    }

    fn push(&mut self, number: Option<usize>, bracket: &str, row: Row) {
        let number = number.map_or(String::new(), |number| number.to_string());
        let number = format!("{number:>width$}", width = self.number);
        let cells = row.cells[self.margin..].concat();
        let line = format!(
            "{} {} {cells}",
            self.style.faint(&number),
            self.style.faint(bracket)
        );
        self.text += line.trim_end();
        self.text.push('\n');
        let below = if matches!(bracket, "╭" | "│") {
            "│"
        } else {
            " "
        };
        for number in 0..row
            .below
            .iter()
            .map(|(_, lines)| lines.len())
            .max()
            .unwrap_or(0)
        {
            let mut next = self.row();
            for (centre, lines) in &row.below {
                if let Some(line) = lines.get(number) {
                    next.write(*centre, line);
                }
            }
            self.push(None, below, next);
        }
    }
}

/// A line of the chart: a string for each column of the terminal, empty behind a wide character.
struct Row {
    cells: Vec<String>,
    /// What goes on in the lines below, and around which column.
    below: Vec<(usize, Vec<String>)>,
}

impl Row {
    fn set(&mut self, column: usize, text: &str) {
        if let Some(cell) = self.cells.get_mut(column) {
            *cell = text.to_string();
        }
    }

    fn clear(&mut self, column: usize, width: usize) {
        for column in column..column + width {
            self.set(column, " ");
        }
    }

    /// Writes text around a column.
    fn write(&mut self, centre: usize, text: &str) {
        self.write_from(centre.saturating_sub(text.width() / 2), text);
    }

    fn write_from(&mut self, column: usize, text: &str) {
        use unicode_width::UnicodeWidthChar;
        let mut column = column;
        for character in text.chars() {
            let width = character.width().unwrap_or(0);
            if width == 0 {
                continue;
            }
            if column + width > self.cells.len() {
                self.cells.resize(column + width, " ".into());
            }
            self.set(column, character.encode_utf8(&mut [0; 4]));
            for behind in 1..width {
                self.set(column + behind, "");
            }
            column += width;
        }
    }
}

/// The columns that no text of the run would exceed.
fn widest_text(run: &Run) -> usize {
    let in_steps = run.steps.iter().flat_map(|step| {
        let happenings = step.happenings.iter().map(|happening| match happening {
            Happening::Sent(message) | Happening::Received(message) => {
                message.channel.width() + message.message.width() + 7
            }
            Happening::Started { name, .. } | Happening::Died { name, .. } => name.width() + 2,
            Happening::Printed { text } => clean(text).width() + 3,
        });
        let statement = clean(&step.statement).width() + 3;
        happenings.chain([statement]).collect::<Vec<_>>()
    });
    let processes = run.initial.iter().flat_map(|state| &state.processes);
    in_steps
        .chain(processes.map(|process| process.name.width() + 2))
        .max()
        .unwrap_or(0)
}

/// One more than the highest number of a process in the run.
fn highest_process(run: &Run) -> usize {
    let in_steps = run.steps.iter().flat_map(|step| {
        let started = step
            .happenings
            .iter()
            .filter_map(|happening| match happening {
                Happening::Started { process, .. } => Some(*process),
                _ => None,
            });
        started.chain([step.process]).collect::<Vec<_>>()
    });
    let states = run.initial.iter().chain(&run.last);
    let in_states = states
        .flat_map(|state| &state.processes)
        .map(|process| process.process);
    in_steps
        .chain(in_states)
        .max()
        .map_or(0, |highest| highest as usize + 1)
}
