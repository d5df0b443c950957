//! A process of SDL in its own symbols: a tree for each state, the symbols of a transition one below the other.
//!
//! Widths are worked out from the leaves up: a row of branches is as wide as all of them, and a symbol stands above the middle of what hangs
//! below it. What an answer of a decision leaves open goes on behind the decision, where the open branches meet.

use std::fmt::Write;

use mazurka_sdl::flow::{Flow, Shape, Symbol};

use crate::picture::{alone, wrapped};
use crate::svg::{label, width_of};

const LINE: i32 = 16;
const GAP: i32 = 18;
const BESIDE: i32 = 22;
const WIDEST: i32 = 220;
const LEAST: i32 = 84;
/// Trees are put side by side up to this width.
const PAGE: i32 = 1500;

/// The drawing of a process.
pub fn flow_svg(flow: &Flow) -> String {
    let (mut x, mut y, mut row, mut widest) = (20, 44, 0, 360);
    let mut body = label(
        20,
        24,
        "start",
        "",
        &format!("process {}", flow.name),
        WIDEST * 4,
    );
    let mut before: Option<&str> = None;
    for (heading, tree) in &flow.trees {
        let heading = heading.as_deref();
        let column = Column::of(std::slice::from_ref(tree));
        let breaks = heading != before || x > 20 && x + column.width > PAGE;
        if breaks && x > 20 {
            (x, y, row) = (20, y + row + 34, 0);
        }
        if let (true, Some(text)) = (heading != before, heading) {
            body += &label(20, y + 4, "start", "faint", text, WIDEST * 4);
            y += 26;
        }
        before = heading;
        column.draw(x, y, &mut body);
        row = row.max(column.height);
        x += column.width + 40;
        widest = widest.max(x);
    }
    let title = format!("process {}", flow.name);
    alone(widest, y + row + 24, &title, &body)
}

/// Symbols one below the other.
struct Column {
    items: Vec<Item>,
    width: i32,
    height: i32,
    /// How far the line that they hang on is from the left.
    axis: i32,
    /// Does something come behind the last?
    open: bool,
}

/// A symbol with the branches below it.
struct Item {
    shape: Shape,
    lines: Vec<String>,
    label: Option<String>,
    width: i32,
    height: i32,
    branches: Vec<(Option<String>, Column)>,
    /// The width and height of the branches together.
    spread: (i32, i32),
}

impl Column {
    fn of(symbols: &[Symbol]) -> Column {
        let items: Vec<Item> = symbols.iter().map(Item::of).collect();
        let left = items.iter().map(Item::left).max().unwrap_or(10);
        let right = items.iter().map(|item| item.total().0 - item.left()).max();
        let height: i32 = items.iter().map(|item| item.total().1 + GAP).sum();
        let open = items.last().is_none_or(Item::is_open);
        Column {
            width: left + right.unwrap_or(10),
            height: (height - GAP).max(0),
            axis: left,
            items,
            open,
        }
    }

    fn draw(&self, x: i32, y: i32, body: &mut String) {
        let axis = x + self.axis;
        let mut y = y;
        for (number, item) in self.items.iter().enumerate() {
            if number > 0 {
                line(body, axis, y - GAP, axis, y);
            }
            item.draw(axis, y, body);
            y += item.total().1 + GAP;
        }
    }
}

impl Item {
    fn of(symbol: &Symbol) -> Item {
        let room = match symbol.shape {
            Shape::Decision => WIDEST - 60,
            _ => WIDEST - 20,
        };
        let lines: Vec<String> = symbol
            .text
            .lines()
            .flat_map(|line| wrapped(line, room))
            .collect();
        let text = lines.iter().map(|line| width_of(line)).max().unwrap_or(0);
        let rows = lines.len().max(1) as i32 * LINE;
        let (width, height) = match symbol.shape {
            Shape::Start => ((text + 30).max(60), rows + 12),
            Shape::Stop | Shape::Return if lines.is_empty() => (26, 26),
            Shape::Return => (text + 44, 26),
            Shape::Join => ((text + 18).max(30), 28),
            Shape::Decision => (text + 80, rows + 34),
            Shape::Save => ((text + 46).max(LEAST), rows + 14),
            _ => ((text + 36).max(LEAST), rows + 14),
        };
        let branches: Vec<(Option<String>, Column)> = symbol
            .branches
            .iter()
            .map(|(name, symbols)| {
                let mut column = Column::of(symbols);
                // The answer stands beside the line.
                let room = name.as_deref().map_or(0, width_of) + 8;
                let right = column.width - column.axis;
                column.width += (room - right).max(0);
                (name.clone(), column)
            })
            .collect();
        let wide: i32 = branches
            .iter()
            .map(|(_, column)| column.width + BESIDE)
            .sum();
        let tall = branches
            .iter()
            .map(|(name, column)| column.height + 2 * GAP + if name.is_some() { LINE } else { 0 });
        let mut tall = tall.max().unwrap_or(0);
        let item = Item {
            shape: symbol.shape,
            lines,
            label: symbol.label.clone(),
            width,
            height,
            branches,
            spread: (0, 0),
        };
        if item.is_open() && item.shape == Shape::Decision {
            tall += GAP;
        }
        Item {
            spread: ((wide - BESIDE).max(0), tall),
            ..item
        }
    }

    /// Can what comes behind it be reached?
    fn is_open(&self) -> bool {
        match self.shape {
            Shape::State | Shape::Stop | Shape::Return | Shape::Join => false,
            Shape::Decision => self.branches.iter().any(|(_, column)| column.open),
            Shape::Save => false,
            _ => self.branches.is_empty(),
        }
    }

    fn total(&self) -> (i32, i32) {
        let own = self.width
            + self
                .label
                .as_deref()
                .map_or(0, |label| 2 * (width_of(label) + 34));
        (own.max(self.spread.0), self.height + self.spread.1)
    }

    /// How far the middle is from the left.
    fn left(&self) -> i32 {
        self.total().0 / 2
    }

    fn draw(&self, axis: i32, y: i32, body: &mut String) {
        let (left, right) = (axis - self.width / 2, axis + self.width / 2);
        let bottom = y + self.height;
        outline(self.shape, left, y, right, bottom, body);
        let rows = self.lines.len() as i32;
        let middle = y + self.height / 2;
        let mut at = middle - rows * LINE / 2 + 12;
        for text in &self.lines {
            let (x, anchor) = match self.shape {
                Shape::Return => (left + 34, "start"),
                _ => (axis, "middle"),
            };
            *body += &label(x, at, anchor, "", text, WIDEST);
            at += LINE;
        }
        if let Some(name) = &self.label {
            let width = width_of(name) + 18;
            let x = left - 16 - width;
            let _ = write!(
                body,
                "<rect class=\"box\" x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"24\" rx=\"12\"/>",
                middle - 12
            );
            *body += &label(x + width / 2, middle + 4, "middle", "", name, WIDEST);
            line(body, x + width, middle, left, middle);
        }
        if self.branches.is_empty() {
            return;
        }
        let bar = bottom + GAP;
        line(body, axis, bottom, axis, bar);
        let mut x = axis - self.spread.0 / 2;
        let mut middles = Vec::new();
        let end = y + self.total().1;
        for (name, column) in &self.branches {
            let middle = x + column.axis;
            middles.push(middle);
            let mut begin = bar + GAP;
            if let Some(name) = name {
                *body += &label(middle + 5, bar + 13, "start", "faint halo", name, WIDEST);
                begin += LINE;
            }
            line(body, middle, bar, middle, begin);
            column.draw(x, begin, body);
            if self.shape == Shape::Decision && column.open {
                line(body, middle, begin + column.height, middle, end);
                line(body, middle, end, axis, end);
            }
            x += column.width + BESIDE;
        }
        if let (Some(first), Some(last)) = (middles.iter().min(), middles.iter().max()) {
            line(body, (*first).min(axis), bar, (*last).max(axis), bar);
        }
    }
}

fn line(body: &mut String, x1: i32, y1: i32, x2: i32, y2: i32) {
    let _ = writeln!(body, "<path class=\"edge\" d=\"M{x1} {y1}L{x2} {y2}\"/>");
}

/// The outline of a symbol.
fn outline(shape: Shape, left: i32, top: i32, right: i32, bottom: i32, body: &mut String) {
    let (middle, height) = ((top + bottom) / 2, bottom - top);
    let axis = (left + right) / 2;
    let path = match shape {
        Shape::Start => {
            let round = height / 2;
            format!(
                "M{} {top}H{}A{round} {round} 0 0 1 {} {bottom}H{}A{round} {round} 0 0 1 {} {top}Z",
                left + round,
                right - round,
                right - round,
                left + round,
                left + round
            )
        }
        // The sides are bowed.
        Shape::State => format!(
            "M{} {top}H{}Q{} {middle} {} {bottom}H{}Q{} {middle} {} {top}Z",
            left + 10,
            right - 10,
            right + 10,
            right - 10,
            left + 10,
            left - 10,
            left + 10
        ),
        Shape::Input | Shape::PriorityInput => format!(
            "M{left} {top}H{right}L{} {middle}L{right} {bottom}H{left}Z",
            right - 12
        ),
        Shape::Output => format!(
            "M{left} {top}H{}L{right} {middle}L{} {bottom}H{left}Z",
            right - 12,
            right - 12
        ),
        Shape::Save => format!(
            "M{left} {top}H{}L{right} {bottom}H{}Z",
            right - 16,
            left + 16
        ),
        Shape::Decision => {
            format!("M{axis} {top}L{right} {middle}L{axis} {bottom}L{left} {middle}Z")
        }
        Shape::Task | Shape::Call | Shape::Create => {
            format!("M{left} {top}H{right}V{bottom}H{left}Z")
        }
        Shape::Condition | Shape::Join | Shape::Stop | Shape::Return => String::new(),
    };
    if !path.is_empty() {
        let _ = writeln!(body, "<path class=\"head\" d=\"{path}\"/>");
    }
    let more = match shape {
        // A condition stands between angle brackets.
        Shape::Condition => format!(
            "M{} {top}L{left} {middle}L{} {bottom}M{} {top}L{right} {middle}L{} {bottom}",
            left + 12,
            left + 12,
            right - 12,
            right - 12
        ),
        Shape::PriorityInput => format!(
            "M{} {top}L{} {middle}L{} {bottom}",
            right - 6,
            right - 18,
            right - 6
        ),
        Shape::Call => format!("M{} {top}V{bottom}M{} {top}V{bottom}", left + 7, right - 7),
        Shape::Create => format!("M{left} {}H{right}M{left} {}H{right}", top + 5, bottom - 5),
        Shape::Stop => format!("M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"),
        Shape::Return => format!(
            "M{} {}L{} {}M{} {}L{} {}",
            left + 4,
            top + 4,
            left + 22,
            bottom - 4,
            left + 22,
            top + 4,
            left + 4,
            bottom - 4
        ),
        _ => String::new(),
    };
    match shape {
        Shape::Join => {
            let _ = writeln!(
                body,
                "<rect class=\"head\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{height}\" rx=\"{}\"/>",
                right - left,
                height / 2
            );
        }
        Shape::Return => {
            let _ = writeln!(
                body,
                "<circle class=\"head\" cx=\"{}\" cy=\"{middle}\" r=\"13\"/>",
                left + 13
            );
        }
        _ => {}
    }
    if !more.is_empty() {
        let _ = writeln!(body, "<path class=\"edge\" d=\"{more}\"/>");
    }
}
