//! The chart of the present branch, drawn as it grows.

use std::sync::Arc;

use mazurka_draw::{ChartOptions, Column, Drawing, Row, Stretch};
use mazurka_scenario::{Ending, Happening, Run, Snapshot, StepRecord};
use serde::{Deserialize, Serialize};

/// A chart, and what it was drawn from.
#[derive(Debug, Default)]
pub struct Charting {
    options: ChartOptions,
    drawn: Option<Drawn>,
    /// Tells charts apart that are not one another's beginning.
    version: u64,
}

#[derive(Debug)]
struct Drawn {
    branch: usize,
    steps: usize,
    drawing: Drawing,
}

/// What a page has of a chart.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct HaveChart {
    /// Of which version.
    pub version: u64,
    /// How many rows.
    pub rows: usize,
    /// How many stretches.
    pub stretches: usize,
}

/// A chart, without what the page has.
#[derive(Clone, Debug, Serialize)]
pub struct ChartView {
    /// Its version.
    pub version: u64,
    /// How many rows of the page stay as they are.
    pub keep_rows: usize,
    /// The others.
    pub rows: Vec<Row>,
    /// How many stretches of the page stay as they are.
    pub keep_stretches: usize,
    /// The others.
    pub stretches: Vec<Stretch>,
    /// The frame around what repeats.
    pub frame: Option<Stretch>,
    /// The lifelines.
    pub columns: Vec<Column>,
    /// The names above.
    pub header: String,
    /// Their height.
    pub header_height: i32,
    /// The width of everything.
    pub width: i32,
    /// The height of everything.
    pub height: i32,
    /// What of it is shown.
    pub options: ChartOptions,
}

/// What a chart is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// Which branch it is.
    pub branch: usize,
    /// What happened before the first step.
    pub start: &'a [Happening],
    /// The initial state.
    pub initial: Option<&'a Snapshot>,
    /// The steps.
    pub records: &'a [Arc<StepRecord>],
    /// The number of steps before those that repeat.
    pub loop_from: Option<usize>,
}

impl Charting {
    /// What of the chart is shown from now on.
    pub fn set_options(&mut self, options: ChartOptions) {
        if self.options != options {
            self.options = options;
            self.drawn = None;
        }
    }

    /// Forgets what was drawn.
    pub fn clear(&mut self) {
        self.drawn = None;
    }

    /// Draws what is new, and gives it.
    pub fn view(&mut self, told: Told<'_>, have: HaveChart) -> ChartView {
        self.draw(told);
        let version = self.version;
        let keep = match have.version == version {
            true => have,
            false => HaveChart::default(),
        };
        let Some(Drawn { drawing, .. }) = &self.drawn else {
            unreachable!("it has just been drawn");
        };
        let keep_rows = keep.rows.min(drawing.rows().len());
        let keep_stretches = keep.stretches.min(drawing.stretches().len());
        let frame = drawing.loop_frame(told.loop_from);
        let frame_end = frame.as_ref().map_or(0, |frame| frame.to + 8);
        ChartView {
            version,
            keep_rows,
            rows: drawing.rows()[keep_rows..].to_vec(),
            keep_stretches,
            stretches: drawing.stretches()[keep_stretches..].to_vec(),
            frame,
            columns: drawing.columns().to_vec(),
            header: drawing.all_names(),
            header_height: drawing.header_height(),
            width: drawing.total_width(),
            height: drawing.total_height().max(frame_end),
            options: self.options.clone(),
        }
    }

    fn draw(&mut self, told: Told<'_>) {
        if let Some(drawn) = &mut self.drawn
            && drawn.branch == told.branch
            && drawn.steps <= told.records.len()
        {
            let new = &told.records[drawn.steps..];
            if new.iter().all(|step| drawn.drawing.has_room_for(step)) {
                for step in new {
                    drawn.drawing.push(step);
                }
                drawn.steps = told.records.len();
                return;
            }
        }
        self.version += 1;
        let run = run_of(told);
        self.drawn = Some(Drawn {
            branch: told.branch,
            steps: told.records.len(),
            drawing: Drawing::of(&run, self.options.clone()),
        });
    }
}

/// The steps as a run, for those who draw and print.
pub fn run_of(told: Told<'_>) -> Run {
    Run {
        waiting: Vec::new(),
        start: told.start.to_vec(),
        initial: told.initial.cloned(),
        skipped: 0,
        steps: told.records.iter().map(|step| (**step).clone()).collect(),
        loop_from: told.loop_from,
        last: None,
        failure: None,
        ending: Ending::Open,
    }
}
