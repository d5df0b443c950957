//! A session: one subject, its branches, and where the cursor is.

use std::path::PathBuf;
use std::sync::Arc;

use mazurka_checker::{Besides, Error, Loaded, ModelText, Random, Simulation};
use mazurka_draw::ChartOptions;
use mazurka_model::Step;
use mazurka_scenario::figures::counted;
use mazurka_scenario::{
    Ending, Happening, Scenario, Snapshot, StepRecord, Style, ViolationRecord, cycle, text,
};

use crate::branch::Branch;
use crate::charting::{Charting, HaveChart, Told, run_of};
use crate::checking::Checking;
use crate::editing::trouble_of;
use crate::program::{ProgramPart, involved, step_of};
use crate::space::{SLOTS, Space};
use crate::view::{Action, Have, Located, StepView, Trouble, View};
use crate::waiting::waiting;
use crate::watch::{Watch, WatchView};

/// A branch is not longer: the page keeps all of it.
const LONGEST: usize = 100_000;
/// This many branches are kept.
const MOST_BRANCHES: usize = 500;
/// An expression that is run for must hold within this many steps.
const PATIENCE: usize = 10_000;
/// This many expressions are watched.
const MOST_WATCHES: usize = 32;

/// A simulation with branches, watched expressions, a chart and a check; or the same over a real program, with fewer of them.
#[derive(Debug)]
pub struct Session {
    /// The file: a model, or the program of a scenario.
    pub(crate) path: PathBuf,
    /// The model; a real program has none.
    pub(crate) model: Option<ModelPart>,
    /// The real program; a model is none.
    pub(crate) program: Option<ProgramPart>,
    /// What happened before the first step.
    start: Vec<Happening>,
    initial: Option<Snapshot>,
    branches: Vec<Branch>,
    current: usize,
    /// How many steps of the present branch are taken.
    position: usize,
    charting: Charting,
    watches: Vec<Result<Watch, Box<WatchView>>>,
    /// Graphs that were asked for.
    pub(crate) spaces: [Option<Space>; SLOTS],
    random: Random,
    pub(crate) checking: Arc<Checking>,
    /// Counts the texts of the model.
    pub(crate) revision: u64,
}

/// What a session over a model has besides.
#[derive(Debug)]
pub(crate) struct ModelPart {
    /// The model on disk: files that it includes are read anew.
    pub on_disk: ModelText,
    /// The model as it is simulated, with the files that it includes as they were read then. Checks and watched expressions are about this one.
    pub text: ModelText,
    /// Its file as it was last read or written.
    pub saved: Vec<u8>,
    pub defines: Vec<String>,
    pub formula: Option<String>,
    pub simulation: Simulation,
}

impl ModelPart {
    /// Reads a model, and stands in its initial state.
    pub fn new(
        on_disk: ModelText,
        defines: Vec<String>,
        formula: Option<String>,
        saved: Vec<u8>,
    ) -> Result<ModelPart, Error> {
        let loaded = on_disk.load(&Besides {
            define: &defines,
            formula: formula.as_deref(),
            ..Besides::default()
        })?;
        let text = on_disk.as_loaded(&loaded);
        let simulation = Simulation::of(&text, Arc::new(loaded));
        let simulation = simulation
            .map_err(|fault| Error::Usage(format!("{fault}, in making the initial state")))?;
        Ok(ModelPart {
            on_disk,
            text,
            saved,
            defines,
            formula,
            simulation,
        })
    }

    /// What is read together with the model.
    pub fn besides(&self) -> Besides<'_> {
        Besides {
            define: &self.defines,
            formula: self.formula.as_deref(),
            ..Besides::default()
        }
    }

    pub fn loaded(&self) -> &Arc<Loaded> {
        self.simulation.model()
    }
}

impl Session {
    /// A session over a model, in its initial state.
    pub(crate) fn of_model(path: PathBuf, mut model: ModelPart) -> Session {
        model.simulation.go_to(0);
        Session {
            path,
            start: model.simulation.start().to_vec(),
            initial: Some(model.simulation.state()),
            ..Session::empty(Some(model))
        }
    }

    /// A session over a real program and steps of it that are known.
    pub(crate) fn of_program(path: PathBuf, program: ProgramPart, branch: Branch) -> Session {
        Session {
            path,
            start: program.start(),
            program: Some(program),
            position: branch.records.len(),
            branches: vec![branch],
            ..Session::empty(None)
        }
    }

    fn empty(model: Option<ModelPart>) -> Session {
        Session {
            path: PathBuf::new(),
            model,
            program: None,
            start: Vec::new(),
            initial: None,
            branches: vec![Branch {
                name: "run 1".into(),
                ..Branch::default()
            }],
            current: 0,
            position: 0,
            charting: Charting::default(),
            watches: Vec::new(),
            spaces: Default::default(),
            random: Random::new(Random::fresh_seed()),
            checking: Arc::default(),
            revision: 1,
        }
    }

    /// Does something, and gives what it says about that.
    pub(crate) fn act(&mut self, action: Action) -> Result<Option<String>, Trouble> {
        match action {
            Action::Look => {}
            Action::Back => self.go(self.position.saturating_sub(1)),
            Action::Go { position } => self.go(position),
            Action::Forward => {
                let branch = &self.branches[self.current];
                let length = branch.records.len();
                match branch.loop_from {
                    // What repeats begins anew.
                    Some(from) if self.position == length && from < length => self.go(from + 1),
                    _ => self.go(self.position + 1),
                }
            }
            Action::Branch { number } => self.switch(number)?,
            Action::Take { choice } => self.take(choice)?,
            Action::Random { steps } => return self.run(steps, None).map(Some),
            Action::Until { expression } => {
                let model = self.simulated()?;
                let watch = Watch::new(&model.text, &model.besides(), &expression);
                let watch = watch.map_err(trouble_of)?;
                return self.run(PATIENCE, Some(watch)).map(Some);
            }
            Action::Reset => self.reset()?,
            Action::Start => self.start_program()?,
            Action::Violation { number } => self.show_violation(number)?,
            Action::Node { number, slot } => self.go_to_node(number, slot)?,
        }
        Ok(None)
    }

    /// Goes to where the page stands that asks: another page may have gone elsewhere in the meantime.
    pub(crate) fn stand_with(&mut self, have: &Have) -> Result<(), Trouble> {
        let Some(position) = have.position.filter(|_| have.revision == self.revision) else {
            return Ok(());
        };
        if have.branch != self.current && have.branch < self.branches.len() {
            self.switch(have.branch)?;
        }
        if position != self.position {
            self.go(position);
        }
        Ok(())
    }

    /// Where the session stands, without what the page has.
    pub(crate) fn view(&mut self, have: Have, note: Option<String>) -> View {
        let branch = &self.branches[self.current];
        let length = branch.records.len();
        let known = self.branches.get(have.branch);
        let keep = match known.filter(|_| have.revision == self.revision) {
            Some(_) if have.branch == self.current => have.steps.min(length),
            Some(other) => branch.common(other).min(have.steps),
            None => 0,
        };
        let steps = branch.records[keep..].iter();
        let steps = steps.map(|step| StepView::of(step)).collect();
        let last = self.position.checked_sub(1);
        let changes = last.map_or(Vec::new(), |last| branch.records[last].changes.clone());
        let (violation, loop_from) = (branch.violation.clone(), branch.loop_from);
        let involved = match &violation {
            Some(violation) if self.program.is_some() && self.position == length => {
                let started = branch.records.iter().flat_map(|step| &step.happenings);
                involved(&violation.message, self.start.iter().chain(started))
            }
            _ => Vec::new(),
        };
        let told = Told {
            branch: self.current,
            start: &self.start,
            initial: self.initial.as_ref(),
            records: &branch.records,
            loop_from,
        };
        let have_chart = match have.revision == self.revision {
            true => have.chart,
            false => HaveChart::default(),
        };
        let chart = self.charting.view(told, have_chart);
        let mut view = View {
            revision: self.revision,
            note,
            branch: self.current,
            branches: self.branches.iter().map(Branch::view).collect(),
            position: self.position,
            length,
            keep,
            steps,
            chart,
            choices: Vec::new(),
            waiting: Vec::new(),
            circle: Vec::new(),
            stacks: Vec::new(),
            ending: "open",
            state: None,
            changes,
            locations: Vec::new(),
            watches: Vec::new(),
            involved,
            violation,
            loop_from,
            can_step: self.model.is_some() || self.program.as_ref().is_some_and(ProgramPart::runs),
            program: self.program.as_ref().map(ProgramPart::view),
            nodes: Vec::new(),
        };
        self.look(&mut view);
        view
    }

    /// What is to be seen in the present state.
    fn look(&mut self, view: &mut View) {
        let branch = &self.branches[self.current];
        view.watches = watched(&mut self.watches, &branch.steps, self.position);
        if let Some(program) = self.program.as_mut().filter(|program| program.runs()) {
            let looked = program.look(&branch.steps, self.position, view);
            if let Err(trouble) = looked {
                view.note = Some(trouble.error);
            }
        }
        let Some(model) = &mut self.model else {
            return;
        };
        let choices = model.simulation.choices();
        let able: Vec<u32> = choices.iter().map(|choice| choice.process).collect();
        view.choices = choices.iter().map(StepView::of).collect();
        let is_stuck = model.simulation.is_stuck();
        view.ending = match model.simulation.ending() {
            _ if is_stuck => "failed",
            Ending::Open => "open",
            Ending::ValidEnd => "end",
            Ending::Deadlock => "deadlock",
            Ending::Nonprogress => "nonprogress",
        };
        let walk = model.simulation.walk();
        view.waiting = waiting(&walk, &able);
        // Who could help is read off the text. Only where nobody moves is it sure that nobody will.
        if let "deadlock" | "nonprogress" = view.ending {
            view.circle = cycle(&walk.waiting());
        }
        let state = walk.snapshot();
        let spaces = self.spaces.iter();
        view.nodes = spaces
            .map(|space| space.as_ref()?.node_of(&state))
            .collect();
        view.state = Some(state);
        let interpreter = walk.interpreter();
        let shape = interpreter.shape(walk.state());
        let processes = shape.processes.iter().enumerate();
        view.locations = processes
            .map(|(process, entry)| Located {
                process: process as u32,
                kind: interpreter.program().process_types[entry.process_type.index()]
                    .name
                    .clone(),
                location: interpreter.location(walk.state(), process).0,
            })
            .collect();
    }

    /// What of the chart is shown from now on.
    pub(crate) fn set_chart(&mut self, options: ChartOptions) {
        self.charting.set_options(options);
    }

    /// Watches these expressions from now on, and no others.
    pub(crate) fn set_watches(&mut self, expressions: &[String]) -> Result<(), Trouble> {
        if expressions.len() > MOST_WATCHES {
            return Err(Trouble::new(format!(
                "no more than {MOST_WATCHES} expressions are watched"
            )));
        }
        if let Some(program) = &mut self.program {
            program.watched = expressions.to_vec();
            return Ok(());
        }
        let model = self.simulated()?;
        let watches = expressions.iter().map(|expression| {
            let watch = Watch::new(&model.text, &model.besides(), expression);
            watch.map_err(|error| {
                Box::new(WatchView {
                    expression: expression.clone(),
                    value: None,
                    text: None,
                    error: Some(short(error)),
                    from: 0,
                    values: Vec::new(),
                    words: Vec::new(),
                })
            })
        });
        self.watches = watches.collect();
        Ok(())
    }

    /// The text of the model has changed: the run is repeated as far as it is still one. Says so if it is not.
    pub(crate) fn replace_model(&mut self, mut model: ModelPart) -> Option<String> {
        let old = std::mem::take(&mut self.branches[self.current]);
        let mut branch = Branch {
            name: "run 1".into(),
            ..Branch::default()
        };
        model.simulation.go_to(0);
        let initial = Some(model.simulation.state());
        for (step, before) in old.steps.iter().take(self.position).zip(&old.records) {
            let same = |record: &StepRecord| {
                record.statement == before.statement && record.name == before.name
            };
            let mut described = model.simulation.choices();
            let known = described.drain(..).filter(same).find(|record| {
                record.choice == before.choice && record.transition == before.transition
            });
            let Some(record) = known.and_then(|_| model.simulation.take_step(*step).ok()) else {
                break;
            };
            branch.steps.push(*step);
            branch.records.push(Arc::new(record));
        }
        let (kept, were) = (branch.records.len(), self.position);
        let expressions = self.watches.iter().map(|watch| match watch {
            Ok(watch) => watch.expression.clone(),
            Err(view) => view.expression.clone(),
        });
        let expressions: Vec<String> = expressions.collect();
        let start = model.simulation.start().to_vec();
        *self = Session {
            path: std::mem::take(&mut self.path),
            start,
            initial,
            branches: vec![branch],
            position: kept,
            revision: self.revision + 1,
            ..Session::empty(Some(model))
        };
        // They were accepted before, so that there are not too many.
        let _ = self.set_watches(&expressions);
        (kept < were).then(|| {
            format!(
                "the text has changed: of {}, {kept} still possible",
                counted(were as u64, "step")
            )
        })
    }

    /// The present run up to the cursor in some form: a name for a file, and its text.
    pub(crate) fn export(&mut self, form: &str) -> Result<(String, String), Trouble> {
        let branch = &self.branches[self.current];
        let mut run = run_of(Told {
            branch: self.current,
            start: &self.start,
            initial: self.initial.as_ref(),
            records: &branch.records,
            loop_from: branch.loop_from,
        });
        let violation = branch.violation.as_ref();
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let title = self.path.file_name().unwrap_or_default().to_string_lossy();
        Ok(match form {
            "svg" => (
                format!("{stem}.svg"),
                mazurka_draw::chart_svg(&run, violation, &title),
            ),
            "html" => (
                format!("{stem}.html"),
                mazurka_draw::chart_page(&run, violation, &title),
            ),
            "mermaid" => (
                format!("{stem}.mmd"),
                mazurka_draw::mermaid(&run, violation),
            ),
            "text" => {
                run.last = self.model.as_ref().map(|model| model.simulation.state());
                let style = Style {
                    colour: false,
                    width: 120,
                };
                (format!("{stem}.txt"), text(&run, violation, style))
            }
            "scenario" => {
                let branch = &self.branches[self.current];
                let mut scenario: Scenario = match &mut self.program {
                    Some(program) => {
                        let standing = program.stand_at(&branch.steps[..self.position])?;
                        standing.scenario.clone()
                    }
                    None => {
                        let simulation = &self.simulated()?.simulation;
                        simulation.scenario().map_err(trouble_of)?
                    }
                };
                if self.position == branch.steps.len() && branch.violation.is_some() {
                    scenario.violation = branch.violation.clone();
                    scenario.loop_from = branch.loop_from;
                }
                // Nobody knows in which folder it will be.
                if let Ok(absolute) = std::path::absolute(&self.path) {
                    scenario.model.file = absolute.to_string_lossy().into_owned();
                }
                (format!("{stem}.scenario.json"), scenario.to_json())
            }
            other => return Err(Trouble::new(format!("a run cannot be exported as {other}"))),
        })
    }

    /// The steps of the present branch, and how many are taken.
    pub(crate) fn steps(&self) -> (&[Step], usize) {
        (&self.branches[self.current].steps, self.position)
    }

    /// The last step of the present branch.
    pub(crate) fn last_record(&self) -> Option<&StepRecord> {
        self.branches[self.current]
            .records
            .last()
            .map(|record| &**record)
    }

    /// What goes wrong at the end of the present branch.
    pub(crate) fn violation(&self) -> (Option<&ViolationRecord>, Option<usize>) {
        let branch = &self.branches[self.current];
        (branch.violation.as_ref(), branch.loop_from)
    }

    /// The model, unless it is a real program.
    pub(crate) fn simulated(&self) -> Result<&ModelPart, Trouble> {
        self.model.as_ref().ok_or_else(only_of_models)
    }

    fn simulated_mut(&mut self) -> Result<&mut ModelPart, Trouble> {
        self.model.as_mut().ok_or_else(only_of_models)
    }

    fn go(&mut self, position: usize) {
        let length = self.branches[self.current].records.len();
        self.position = position.min(length);
        if let Some(model) = &mut self.model {
            model.simulation.go_to(self.position);
        }
    }

    fn take(&mut self, choice: usize) -> Result<(), Trouble> {
        let position = self.position;
        if position >= LONGEST {
            return Err(Trouble::new(format!(
                "a run has no more than {LONGEST} steps here"
            )));
        }
        if let Some(program) = &mut self.program {
            let taken = &self.branches[self.current].steps[..position];
            let (record, standing) = program.take(taken, choice)?;
            self.start = program.start();
            self.taken(step_of(&record), record)?;
            let branch = &mut self.branches[self.current];
            if branch.violation.is_none() && branch.steps.len() == self.position {
                branch.violation = standing.violation;
            }
            return Ok(());
        }
        let model = self.simulated_mut()?;
        let record = model.simulation.take(choice).map_err(trouble_of)?;
        let step = model.simulation.steps()[position];
        self.taken(step, record)
    }

    /// A step has been taken where the cursor is.
    fn taken(&mut self, step: Step, record: StepRecord) -> Result<(), Trouble> {
        let position = self.position;
        let branch = &self.branches[self.current];
        if branch.steps.get(position) == Some(&step) {
            self.position += 1;
            return Ok(());
        }
        let is_end = position == branch.steps.len();
        // What a check found stays as it was found.
        if !is_end || branch.violation.is_some() || branch.loop_from.is_some() {
            let fresh = Branch {
                name: format!("run {}", self.branches.len() + 1),
                parent: Some((self.current, position)),
                steps: branch.steps[..position].to_vec(),
                records: branch.records[..position].to_vec(),
                ..Branch::default()
            };
            self.push_branch(fresh)?;
        }
        let branch = &mut self.branches[self.current];
        branch.steps.push(step);
        branch.records.push(Arc::new(record));
        self.position += 1;
        Ok(())
    }

    fn push_branch(&mut self, branch: Branch) -> Result<(), Trouble> {
        if self.branches.len() >= MOST_BRANCHES {
            // The simulation has left the present run already.
            let position = self.position;
            self.switch(self.current)?;
            self.go(position);
            return Err(Trouble::new(format!(
                "no more than {MOST_BRANCHES} runs are kept"
            )));
        }
        self.branches.push(branch);
        self.current = self.branches.len() - 1;
        Ok(())
    }

    fn run(&mut self, steps: usize, until: Option<Watch>) -> Result<String, Trouble> {
        let mut until = until;
        let mut taken = 0;
        loop {
            if let Some(watch) = &mut until {
                let (all, position) = self.steps();
                watch.follow(&all[..position]);
                if watch.value(position).is_some_and(|value| value != 0) {
                    return Ok(format!(
                        "{} holds after {}",
                        watch.expression,
                        counted(taken as u64, "step")
                    ));
                }
            }
            let choices = self.count_choices()?;
            if choices == 0 || taken == steps.min(PATIENCE) {
                let why = match choices {
                    0 => "nothing can happen any more",
                    _ => "stopped",
                };
                return Ok(match until {
                    Some(watch) => {
                        format!(
                            "{} did not hold: {why} after {}",
                            watch.expression,
                            counted(taken as u64, "step")
                        )
                    }
                    None => format!("{} taken", counted(taken as u64, "step")),
                });
            }
            let choice = self.random.below(choices);
            self.take(choice)?;
            taken += 1;
        }
    }

    fn count_choices(&mut self) -> Result<usize, Trouble> {
        let steps = &self.branches[self.current].steps[..self.position];
        match &mut self.program {
            Some(program) => program.count(steps),
            None => Ok(self.simulated_mut()?.simulation.choices().len()),
        }
    }

    /// Runs the real program from now on. It must do what the scenario says.
    pub(crate) fn start_program(&mut self) -> Result<(), Trouble> {
        let program = self.program.as_mut();
        let program = program.ok_or_else(|| Trouble::new("a model is not run, it is simulated"))?;
        program.start_running()?;
        program.stand_at(&self.branches[self.current].steps)?;
        Ok(())
    }

    /// Begins anew if the program has been built anew since it was started; its steps would be those of another one.
    pub(crate) fn notice_new_build(&mut self) -> Result<(), Trouble> {
        let program = self.program.take();
        let (old, program) = match program {
            Some(program) if program.is_built_anew() => {
                let fresh = program.anew();
                (program, fresh)
            }
            program => {
                self.program = program;
                return Ok(());
            }
        };
        let mut fresh = Session {
            start: program.start(),
            program: Some(program),
            revision: self.revision + 1,
            ..Session::empty(None)
        };
        if let Err(trouble) = fresh.start_program() {
            self.program = Some(old);
            return Err(trouble);
        }
        self.checking.stop();
        fresh.path = std::mem::take(&mut self.path);
        *self = fresh;
        Ok(())
    }

    /// The initial state in a run of its own, unless the present one has no steps.
    fn reset(&mut self) -> Result<(), Trouble> {
        self.count_choices()?;
        self.go(0);
        if !self.branches[self.current].records.is_empty() {
            let parent = Some((self.current, 0));
            let name = format!("run {}", self.branches.len() + 1);
            self.push_branch(Branch {
                name,
                parent,
                ..Branch::default()
            })?;
        }
        Ok(())
    }

    /// Goes to the end of a branch.
    fn switch(&mut self, number: usize) -> Result<(), Trouble> {
        let Some(target) = self.branches.get(number) else {
            return Err(Trouble::new(format!(
                "there is no run {}",
                number.saturating_add(1)
            )));
        };
        self.current = number;
        if let Some(model) = &mut self.model {
            let taken = model.simulation.steps().iter();
            let common = taken.zip(&target.steps).take_while(|(a, b)| a == b);
            let common = common.count();
            model.simulation.go_to(common);
            for step in &target.steps[common..] {
                model.simulation.take_step(*step).map_err(trouble_of)?;
            }
        }
        self.go(usize::MAX);
        Ok(())
    }

    fn show_violation(&mut self, number: usize) -> Result<(), Trouble> {
        let found = self.checking.violation(number);
        let found = found.ok_or_else(|| Trouble::new("there is no such violation any more"))?;
        let known = |branch: &Branch| {
            branch.violation.as_ref() == Some(&found.record) && branch.steps == found.steps
        };
        if let Some(number) = self.branches.iter().position(known) {
            return self.switch(number);
        }
        let Some(program) = &mut self.program else {
            return self.follow(&found.steps, Some(found.record), found.loop_from);
        };
        let records = program.with_objects(found.records);
        self.start = program.start();
        self.add_branch(Branch {
            name: found.record.kind.name().into(),
            parent: None,
            steps: found.steps,
            records,
            violation: Some(found.record),
            loop_from: None,
        })
    }

    /// Takes known steps from the initial state, in a branch of their own.
    pub(crate) fn follow(
        &mut self,
        steps: &[Step],
        violation: Option<ViolationRecord>,
        loop_from: Option<usize>,
    ) -> Result<(), Trouble> {
        let count = self.branches.len() + 1;
        let mut branch = Branch {
            name: match &violation {
                Some(violation) => violation.kind.name().to_string(),
                None => format!("run {count}"),
            },
            parent: None,
            steps: steps.to_vec(),
            records: Vec::with_capacity(steps.len()),
            violation,
            loop_from,
        };
        let model = self.simulated_mut()?;
        model.simulation.go_to(0);
        for step in steps {
            let record = model.simulation.take_step(*step).map_err(trouble_of)?;
            branch.records.push(Arc::new(record));
        }
        self.add_branch(branch)
    }

    /// Goes to the end of a branch that is new.
    fn add_branch(&mut self, branch: Branch) -> Result<(), Trouble> {
        // A run without steps that nobody looked at is no loss.
        let is_fresh = self.branches.len() == 1 && self.branches[0].records.is_empty();
        if is_fresh {
            self.branches.clear();
            self.charting.clear();
        }
        self.push_branch(branch)?;
        self.go(usize::MAX);
        Ok(())
    }

    fn go_to_node(&mut self, number: usize, slot: usize) -> Result<(), Trouble> {
        let asked = self.spaces.get(slot).and_then(Option::as_ref);
        let space = asked.ok_or_else(|| Trouble::new("no graph has been asked for"))?;
        let (base, steps) = space.way_to(number)?;
        let way: Vec<Step> = base.iter().chain(&steps).copied().collect();
        let common = {
            let own = &self.branches[self.current].steps;
            own.iter().zip(&way).take_while(|(a, b)| a == b).count()
        };
        self.go(common);
        for step in &way[common..] {
            let model = self.simulated_mut()?;
            let record = model.simulation.take_step(*step).map_err(trouble_of)?;
            self.taken(*step, record)?;
        }
        Ok(())
    }
}

fn watched(
    watches: &mut [Result<Watch, Box<WatchView>>],
    steps: &[Step],
    position: usize,
) -> Vec<WatchView> {
    let watches = watches.iter_mut().map(|watch| match watch {
        Ok(watch) => {
            watch.follow(steps);
            watch.view(position)
        }
        Err(view) => (**view).clone(),
    });
    watches.collect()
}

fn only_of_models() -> Trouble {
    Trouble::new("this is a real program: that is for models only")
}

/// An error in one line.
fn short(error: Error) -> String {
    match error {
        Error::Diagnostics(wrong) => {
            let first = wrong.diagnostics.into_iter().next();
            first.map_or_else(|| "it is wrong".into(), |one| one.message)
        }
        other => other.to_string(),
    }
}
