//! The layout of message sequence charts: a lifeline for each process, time runs down.
//!
//! A chart grows at its end only, so that a page can follow a simulation, and all its pieces know their rows, so that a page can
//! draw the few that are visible. A message is a dot where it is sent and an arrow once it is received; it hangs down as far as it
//! took. A rendezvous is a level arrow. Atomic sequences stand in a box, what repeats for ever in a frame.

use std::collections::HashMap;

use mazurka_scenario::{Happening, Message, Run, StepRecord};
use serde::Serialize;

use crate::svg::{label, width_of};

/// The height of a line of text with its surroundings.
const LINE: i32 = 26;
/// The height of the names above.
const HEADER: i32 = 44;
/// The room for the numbers of steps.
const GUTTER: i32 = 52;
const NARROWEST: i32 = 104;
const WIDEST: i32 = 220;
/// A chart with many processes has narrower columns.
const CROWDED: usize = 12;
/// An arrow that takes more lines than this is drawn faintly, and named at its end as well.
const LATE: i32 = 8 * LINE;

/// What of a chart is shown.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ChartOptions {
    /// Types of process that share one lifeline.
    pub folded: Vec<String>,
    /// Only steps in which this occurs.
    pub filter: String,
}

/// A chart that grows.
#[derive(Clone, Debug)]
pub struct Drawing {
    options: ChartOptions,
    /// The width of a column.
    width: i32,
    columns: Vec<Column>,
    /// The column of each process.
    column_of: HashMap<u32, usize>,
    rows: Vec<Row>,
    stretches: Vec<Stretch>,
    /// Where messages that are under way were sent.
    under_way: HashMap<(String, u32), Point>,
    /// The row in which the atomic sequence began that is under way, and its column.
    atomic: Option<(usize, usize)>,
    y: i32,
    /// How many steps have been drawn or left out.
    steps: usize,
}

/// A lifeline.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Column {
    /// The name of the process; of several that are folded, the name of their type.
    pub name: String,
    /// How many processes it stands for.
    pub processes: Vec<u32>,
    /// Where the line is.
    pub x: i32,
    /// From where to where processes are alive; the last may have no end.
    pub lives: Vec<(i32, Option<i32>)>,
}

/// A step.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The number of the step, from 1.
    pub step: usize,
    /// Its upper edge.
    pub y: i32,
    /// Its height.
    pub height: i32,
    /// What is drawn.
    pub svg: String,
}

/// Something that covers several rows.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stretch {
    /// The upper edge.
    pub from: i32,
    /// The lower edge.
    pub to: i32,
    /// What is drawn.
    pub svg: String,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    x: i32,
    y: i32,
}

impl Drawing {
    /// An empty chart for a run that begins so, of steps that are known or yet to come.
    pub fn new(run: &Run, options: ChartOptions) -> Drawing {
        let started = run.start.iter().filter_map(|happening| match happening {
            Happening::Started { process, name } => Some((*process, name.clone())),
            _ => None,
        });
        let known = run.initial.iter().flat_map(|state| &state.processes);
        let known = known.map(|process| (process.process, process.name.clone()));
        let later = run.steps.iter().flat_map(|step| {
            let started = step.happenings.iter();
            started.filter_map(|happening| match happening {
                Happening::Started { process, name } => Some((*process, name.clone())),
                _ => None,
            })
        });
        let mut drawing = Drawing {
            width: column_width(run, &options),
            options,
            columns: Vec::new(),
            column_of: HashMap::new(),
            rows: Vec::new(),
            stretches: Vec::new(),
            under_way: HashMap::new(),
            atomic: None,
            y: HEADER,
            steps: 0,
        };
        let initial: Vec<(u32, String)> = match run.initial {
            Some(_) => known.collect(),
            None => started.collect(),
        };
        // What is yet to come has its place from the beginning, so that nothing moves. Objects of a program have higher numbers than any
        // actor, and stand after the last.
        let mut everybody = initial.clone();
        everybody.extend(later);
        let moving = run.steps.iter();
        everybody.extend(moving.map(|step| (step.process, step.name.clone())));
        everybody.sort_by_key(|(process, _)| *process);
        for (process, name) in &everybody {
            drawing.column(*process, name);
        }
        for (process, name) in &initial {
            let column = drawing.column(*process, name);
            drawing.live(column, HEADER);
        }
        drawing
    }

    /// The chart of a whole run.
    pub fn of(run: &Run, options: ChartOptions) -> Drawing {
        let mut drawing = Drawing::new(run, options);
        drawing.steps = run.skipped;
        for step in &run.steps {
            drawing.push(step);
        }
        drawing
    }

    /// Adds a step.
    pub fn push(&mut self, step: &StepRecord) {
        self.steps += 1;
        if !self.wants(step) {
            self.silent(step);
            return;
        }
        let (top, number) = (self.y, self.steps);
        let own = self.column(step.process, &step.name);
        let mut svg = label(
            GUTTER - 12,
            top + 17,
            "end",
            "faint",
            &number.to_string(),
            GUTTER,
        );
        let mut used = false;
        for happening in &step.happenings {
            match happening {
                Happening::Sent(message) if message.rendezvous => {
                    let Some(partner) = &step.partner else {
                        continue;
                    };
                    let from = self.column(message.process, &step.name);
                    let to = self.column(partner.process, &partner.name);
                    self.line(&mut used);
                    svg += &self.level(message, from, to);
                }
                Happening::Received(message) if message.rendezvous => {}
                Happening::Sent(message) => {
                    let column = self.column(message.process, &step.name);
                    self.line(&mut used);
                    svg += &self.sent(message, column);
                }
                Happening::Received(message) => {
                    let column = self.column(message.process, &step.name);
                    self.line(&mut used);
                    svg += &self.received(message, column);
                }
                _ => {}
            }
        }
        if !used {
            svg += &self.local(own, &step.statement);
        }
        for happening in &step.happenings {
            match happening {
                Happening::Started { process, name } => {
                    let column = self.column(*process, name);
                    if column == own || self.is_alive(column) {
                        self.y += LINE;
                    }
                    let y = self.y;
                    svg += &self.head(column, y + 3, name);
                    self.live(column, y + LINE - 3);
                }
                Happening::Died { process, name } => {
                    let column = self.column(*process, name);
                    svg += &self.died(column);
                }
                Happening::Printed { text } => {
                    self.y += LINE;
                    let x = self.x(own);
                    let text = format!("“{}”", text.trim_end());
                    svg += &label(
                        x,
                        self.y + 17,
                        "middle",
                        "print halo",
                        &text,
                        self.width * 2,
                    );
                }
                Happening::Sent(_) | Happening::Received(_) => {}
            }
        }
        if let Some(failure) = &step.failure {
            self.y += LINE;
            let text = format!("✗ {failure}");
            svg += &label(
                GUTTER + 6,
                self.y + 17,
                "start",
                "wrong halo",
                &text,
                self.total_width() - GUTTER,
            );
        }
        self.y += LINE;
        self.rows.push(Row {
            step: number,
            y: top,
            height: self.y - top,
            svg,
        });
        self.sequence(step, own);
    }

    /// The lifelines.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The steps.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What covers several rows, in the order of where it ends.
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// The height of the names above.
    pub fn header_height(&self) -> i32 {
        HEADER
    }

    /// The width of everything.
    pub fn total_width(&self) -> i32 {
        GUTTER + self.width * self.columns.len().max(1) as i32 + 16
    }

    /// The height of everything.
    pub fn total_height(&self) -> i32 {
        self.y + 12
    }

    /// The names above the lifelines of those who are there from the beginning.
    pub fn header(&self) -> String {
        self.names(|column| {
            let first = column.lives.first();
            column.processes.len() > 1 || first.is_some_and(|(from, _)| *from <= HEADER)
        })
    }

    /// The names above all lifelines, for those who see a part of the chart only.
    pub fn all_names(&self) -> String {
        self.names(|_| true)
    }

    fn names(&self, is_shown: impl Fn(&Column) -> bool) -> String {
        let columns = self.columns.iter().enumerate();
        let named = columns.filter(|(_, column)| is_shown(column));
        named
            .map(|(index, column)| {
                let name = match column.processes.len() {
                    1 => column.name.clone(),
                    count => format!("{} ×{count}", column.name),
                };
                self.head(index, HEADER - LINE - 4, &name)
            })
            .collect()
    }

    /// The lifelines between two heights.
    pub fn lifelines(&self, from: i32, to: i32) -> String {
        let mut svg = String::new();
        for column in &self.columns {
            for (begin, end) in &column.lives {
                let (begin, end) = (from.max(*begin), to.min(end.unwrap_or(to)));
                if begin < end {
                    let x = column.x;
                    svg += &format!(
                        "<line class=\"life\" x1=\"{x}\" y1=\"{begin}\" x2=\"{x}\" y2=\"{end}\"/>"
                    );
                }
            }
        }
        svg
    }

    /// The frame around the steps that repeat, if they do: those after this many steps.
    pub fn loop_frame(&self, loop_from: Option<usize>) -> Option<Stretch> {
        let from = loop_from?;
        let mut rows = self.rows.iter();
        let top = match rows.find(|row| row.step > from) {
            Some(row) => row.y,
            None => self.y,
        };
        let (width, bottom) = (self.total_width() - 10, self.y.max(top + LINE) + 4);
        let words = match self.steps <= from {
            true => "from here on nothing happens any more",
            false => "repeats for ever",
        };
        let mut svg = format!(
            "<rect class=\"frame\" x=\"4\" y=\"{top}\" width=\"{width}\" height=\"{}\" rx=\"4\"/>",
            bottom - top
        );
        svg += &label(
            width - 4,
            bottom + 14,
            "end",
            "frame-name halo",
            &format!("↻ {words}"),
            width,
        );
        Some(Stretch {
            from: top,
            to: bottom + 18,
            svg,
        })
    }

    /// Does the step still fit into the columns as they are? If not, the chart must be drawn anew.
    pub fn has_room_for(&self, step: &StepRecord) -> bool {
        let known = |process: &u32| self.column_of.contains_key(process);
        let started = step.happenings.iter().all(|happening| match happening {
            Happening::Started { process, .. } => known(process),
            _ => true,
        });
        let met = step
            .partner
            .as_ref()
            .is_none_or(|partner| known(&partner.process));
        known(&step.process) && met && started && wanted_width(step) <= self.width.max(NARROWEST)
    }

    fn wants(&self, step: &StepRecord) -> bool {
        let filter = self.options.filter.as_str();
        let in_messages = |happening: &Happening| match happening {
            Happening::Sent(message) | Happening::Received(message) => {
                message.channel.contains(filter) || message.message.contains(filter)
            }
            Happening::Started { name, .. } | Happening::Died { name, .. } => name.contains(filter),
            Happening::Printed { text } => text.contains(filter),
        };
        filter.is_empty()
            || step.name.contains(filter)
            || step.statement.contains(filter)
            || step.failure.is_some()
            || step.happenings.iter().any(in_messages)
    }

    /// What a step that is not shown does to lifelines.
    fn silent(&mut self, step: &StepRecord) {
        let y = self.y;
        for happening in &step.happenings {
            match happening {
                Happening::Started { process, name } => {
                    let column = self.column(*process, name);
                    self.live(column, y);
                }
                Happening::Died { process, name } => {
                    let column = self.column(*process, name);
                    self.die(column, y);
                }
                _ => {}
            }
        }
    }

    /// Each message has a line of its own.
    fn line(&mut self, used: &mut bool) {
        if *used {
            self.y += LINE;
        }
        *used = true;
    }

    /// The column of a process, which is new if nobody has heard of it.
    fn column(&mut self, process: u32, name: &str) -> usize {
        if let Some(column) = self.column_of.get(&process) {
            return *column;
        }
        let kind = type_of(name);
        let is_folded = self.options.folded.iter().any(|folded| folded == kind);
        let same = self
            .columns
            .iter()
            .position(|column| is_folded && column.name == kind);
        let column = same.unwrap_or(self.columns.len());
        if column == self.columns.len() {
            self.columns.push(Column {
                name: if is_folded { kind } else { name }.into(),
                processes: Vec::new(),
                x: GUTTER + self.width * column as i32 + self.width / 2,
                lives: Vec::new(),
            });
        }
        self.columns[column].processes.push(process);
        self.column_of.insert(process, column);
        column
    }

    fn x(&self, column: usize) -> i32 {
        self.columns[column].x
    }

    fn is_alive(&self, column: usize) -> bool {
        matches!(self.columns[column].lives.last(), Some((_, None)))
    }

    fn live(&mut self, column: usize, y: i32) {
        if !self.is_alive(column) {
            self.columns[column].lives.push((y, None));
        }
    }

    fn die(&mut self, column: usize, y: i32) {
        // A line that stands for several continues with the others.
        if self.columns[column].processes.len() == 1
            && let Some((_, end @ None)) = self.columns[column].lives.last_mut()
        {
            *end = Some(y);
        }
    }

    fn head(&self, column: usize, y: i32, name: &str) -> String {
        let x = self.x(column);
        let width = (width_of(name) + 18).min(self.width - 8);
        let height = LINE - 4;
        format!(
            "<rect class=\"head\" x=\"{}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>{}",
            x - width / 2,
            label(x, y + 15, "middle", "", name, width - 8)
        )
    }

    fn died(&mut self, column: usize) -> String {
        let (x, y) = (self.x(column), self.y + LINE - 3);
        self.die(column, y);
        format!(
            "<path class=\"end\" d=\"M{} {}l8 8m0 -8l-8 8\"/>",
            x - 4,
            y - 4
        )
    }

    fn local(&self, column: usize, text: &str) -> String {
        let x = self.x(column);
        let width = (width_of(text) + 14).min(self.width - 10);
        format!(
            "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{}\" rx=\"9\"/>{}",
            x - width / 2,
            self.y + 3,
            LINE - 6,
            label(x, self.y + 17, "middle", "", text, width - 8)
        )
    }

    /// A rendezvous.
    fn level(&self, message: &Message, from: usize, to: usize) -> String {
        let y = self.y + 19;
        let text = text_of(message);
        let (x, end) = (self.x(from), self.x(to));
        if from == to {
            return self.local(from, &text);
        }
        arrow(Point { x, y }, Point { x: end, y }, "arrow")
            + &self.beside(Point { x, y: y - 4 }, end > x, &text)
    }

    fn sent(&mut self, message: &Message, column: usize) -> String {
        let at = Point {
            x: self.x(column),
            y: self.y + 19,
        };
        if let Some(number) = message.number {
            self.under_way.insert((message.channel.clone(), number), at);
        }
        let is_last = column + 1 == self.columns.len() && column > 0;
        format!(
            "<circle class=\"dot\" cx=\"{}\" cy=\"{}\" r=\"3\"/>{}",
            at.x,
            at.y,
            self.beside(
                Point {
                    x: at.x,
                    y: at.y - 4
                },
                !is_last,
                &text_of(message)
            )
        )
    }

    fn received(&mut self, message: &Message, column: usize) -> String {
        let at = Point {
            x: self.x(column),
            y: self.y + 13,
        };
        let key = message
            .number
            .map(|number| (message.channel.clone(), number));
        let sent = key.and_then(|key| self.under_way.remove(&key));
        let text = format!("{}?{}", message.channel, message.message);
        match sent {
            Some(from) if from.x != at.x => {
                let is_late = at.y - from.y > LATE;
                let class = if is_late { "arrow late" } else { "arrow" };
                self.stretches.push(Stretch {
                    from: from.y,
                    to: at.y,
                    svg: arrow(from, at, class),
                });
                let name = match is_late {
                    true => self.beside(Point { y: at.y + 4, ..at }, from.x < at.x, &text),
                    false => String::new(),
                };
                format!(
                    "<circle class=\"tip\" cx=\"{}\" cy=\"{}\" r=\"1.5\"/>{name}",
                    at.x, at.y
                )
            }
            _ => self.local(column, &text),
        }
    }

    /// Text beside a lifeline.
    fn beside(&self, at: Point, is_right: bool, text: &str) -> String {
        let room = self.width - 16;
        match is_right {
            true => label(at.x + 8, at.y, "start", "halo", text, room),
            false => label(at.x - 8, at.y, "end", "halo", text, room),
        }
    }

    /// Follows atomic sequences and closes the box of one that has ended.
    fn sequence(&mut self, step: &StepRecord, column: usize) {
        let row = self.rows.len() - 1;
        if !step.continues {
            self.atomic = None;
        }
        if step.holds && self.atomic.is_none() {
            self.atomic = Some((row, column));
        }
        if let Some((first, column)) = self.atomic
            && !step.holds
        {
            self.atomic = None;
            let (top, bottom) = (self.rows[first].y + 1, self.y - 1);
            let (x, width) = (self.x(column) - self.width / 2 + 2, self.width - 4);
            if first < row {
                let height = bottom - top;
                self.stretches.push(Stretch {
                    from: top,
                    to: bottom,
                    svg: format!(
                        "<rect class=\"atomic\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\"><title>atomic</title></rect>"
                    ),
                });
            }
        }
    }
}

/// An arrow with a tip.
fn arrow(from: Point, to: Point, class: &str) -> String {
    let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let (x, y) = (f64::from(to.x), f64::from(to.y));
    let corner = |side: f64| {
        let (along, across) = (8.0, 3.6 * side);
        let corner_x = x - ux * along - uy * across;
        let corner_y = y - uy * along + ux * across;
        format!("{corner_x:.1},{corner_y:.1}")
    };
    format!(
        "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{:.1}\" y2=\"{:.1}\"/><polygon class=\"tip\" points=\"{},{} {} {}\"/>",
        from.x,
        from.y,
        x - ux * 6.0,
        y - uy * 6.0,
        to.x,
        to.y,
        corner(1.0),
        corner(-1.0)
    )
}

/// A message on its channel; an operation on an object, which is a message to that, says everything by its name.
pub(crate) fn text_of(message: &Message) -> String {
    match message.message.is_empty() {
        true => message.channel.clone(),
        false => format!("{}!{}", message.channel, message.message),
    }
}

/// `P` of `P[3]`.
fn type_of(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

fn wanted_width(step: &StepRecord) -> i32 {
    let in_messages = step.happenings.iter().map(|happening| match happening {
        Happening::Sent(message) | Happening::Received(message) => width_of(&text_of(message)) + 24,
        Happening::Started { name, .. } | Happening::Died { name, .. } => width_of(name) + 26,
        Happening::Printed { .. } => 0,
    });
    let is_message =
        |happening: &Happening| matches!(happening, Happening::Sent(_) | Happening::Received(_));
    // The arrow of a message says what the statement does, which is then not written.
    let statement = match step.happenings.iter().any(is_message) {
        true => 0,
        false => width_of(&step.statement) + 24,
    };
    in_messages
        .chain([statement, width_of(&step.name) + 26])
        .max()
        .unwrap_or(0)
        .min(WIDEST)
}

fn column_width(run: &Run, options: &ChartOptions) -> i32 {
    let processes = run.initial.iter().flat_map(|state| &state.processes);
    let mut kinds: Vec<&str> = processes.map(|process| process.name.as_str()).collect();
    kinds.retain(|name| !options.folded.iter().any(|folded| folded == type_of(name)));
    let widest = match kinds.len() > CROWDED {
        true => NARROWEST + 26,
        false => WIDEST,
    };
    let heads = kinds.iter().map(|name| width_of(name) + 26);
    let in_steps = run.steps.iter().map(wanted_width);
    let wanted = heads.chain(in_steps).max().unwrap_or(0);
    wanted.clamp(NARROWEST, widest)
}
