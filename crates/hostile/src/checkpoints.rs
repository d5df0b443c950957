//! Any bytes as the checkpoint of a search.
//!
//! The first byte says which search it is of, the rest is what a checkpoint has behind its header. The sum over the file is
//! left out: who forges a checkpoint can work it out.

use std::io::{self, Cursor};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use mazurka_model::{Failure, Interpreter, Step};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_reduce::{Chooser, Stubborn};
use mazurka_scenario::{Symptom, replay};
use mazurka_search::checkpoint::{Keeper, Sink, Source};
use mazurka_search::store::{Bitstate, Compact, Store, Tree, Wide};
use mazurka_search::{Defect, Options, Report, breadth_first_kept, depth_first_kept};
use mazurka_span::SourceMap;

use crate::models::Fate;

/// However long a search might take.
const TIME: Duration = Duration::from_millis(300);
/// Far more than any of these searches needs, and than any of these files may ask for.
const MEMORY: u64 = 64 << 20;

/// Models with processes and channels that come and go, atomic sequences, handshakes, and something to find.
pub(crate) const MODELS: [&str; 3] = [
    "
chan requests = [2] of { byte, chan };
byte served;
proctype Client(byte number) {
    chan answers = [1] of { byte };
    byte answer;
    requests ! number, answers;
    answers ? answer;
    assert(answer != 2)
}
active proctype Server() {
    byte who; chan back;
    end: do
    :: atomic { requests ? who, back -> served++; back ! who }
    od
}
init { atomic { run Client(1); run Client(2) }; (_nr_pr <= 2) }
",
    "
chan meet = [0] of { bit, byte };
hidden byte scratch;
byte sum; short far = -300; unsigned tiny : 3;
active [2] proctype A() {
    byte turns;
    do
    :: turns < 3 -> atomic { meet ! turns % 2, _pid; turns++; scratch = turns }
    :: else -> break
    od
}
active proctype B() {
    byte who; bit flag;
    do
    :: meet ? flag, who -> d_step { sum = sum + who + flag; tiny = tiny + 1; far = far - 1 }
    :: timeout -> break
    od
}
",
    "
bool wants[2]; byte turn; byte inside;
active [2] proctype P() {
    do
    :: wants[_pid] = true; turn = 1 - _pid;
       !wants[1 - _pid] || turn == _pid;
       inside++; assert(inside == 1); inside--;
       wants[_pid] = false
    od
}
",
];

/// Which search a checkpoint is of.
#[derive(Clone, Copy, Debug)]
struct Setting {
    model: usize,
    breadth: bool,
    store: usize,
    workers: usize,
    reduced: bool,
}

impl Setting {
    const COUNT: u8 = 96;

    fn of(number: u8) -> Setting {
        let number = usize::from(number % Setting::COUNT);
        Setting {
            model: number % 3,
            breadth: number / 3 % 2 == 1,
            store: number / 6 % 4,
            workers: 1 + number / 24 % 2,
            reduced: number / 48 == 1,
        }
    }
}

/// Hands over a checkpoint, or takes one.
struct File<'a> {
    from: Option<Source>,
    saved: Vec<u8>,
    saves_left: usize,
    end: &'a AtomicBool,
}

impl Keeper for File<'_> {
    fn due(&self) -> Option<Instant> {
        self.from.is_none().then(Instant::now)
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        if self.from.is_some() {
            // What was read can be written again.
            let mut saved = Vec::new();
            write(&mut Sink::new(&mut saved)).expect("a search that is resumed can be saved");
        } else if let Some(left) = self.saves_left.checked_sub(1) {
            self.saves_left = left;
            self.saved.clear();
            let mut sink = Sink::new(&mut self.saved);
            write(&mut sink).expect("a search can be saved");
            sink.finish().expect("there is room");
            // The sum is not wanted.
            self.saved.truncate(self.saved.len() - 8);
            let end = std::sync::atomic::Ordering::Relaxed;
            self.end.store(left == 0, end);
        }
    }

    fn source(&mut self) -> Option<&mut Source> {
        self.from.as_mut()
    }
}

pub(crate) fn interpreter(model: usize) -> Interpreter {
    let mut map = SourceMap::new();
    let source = MODELS[model].as_bytes();
    let compiled = compile(&mut map, "any.pml", source, &[], &MemoryLoader::default());
    Interpreter::new(compiled.expect("a model that compiles").program)
}

/// A search for everything that safety is about, within narrow limits.
pub(crate) fn options(reduced: bool, end: &AtomicBool) -> Options<'_> {
    Options {
        deadlock: true,
        failures: true,
        proviso: reduced,
        all: true,
        depth: None,
        memory: MEMORY,
        deadline: Some(Instant::now() + TIME),
        alone: 0,
        interrupt: end,
    }
}

fn search(
    setting: Setting,
    interpreter: &Interpreter,
    end: &AtomicBool,
    file: &mut File<'_>,
) -> io::Result<Report<Interpreter>> {
    let options = options(setting.reduced, end);
    match setting.store {
        0 => search_in(setting, interpreter, Tree::new(), &options, file),
        1 => search_in(setting, interpreter, Compact::new(48), &options, file),
        2 => search_in(setting, interpreter, Wide::new(), &options, file),
        _ => search_in(
            setting,
            interpreter,
            Bitstate::new(1 << 10, 3, 0),
            &options,
            file,
        ),
    }
}

fn search_in<S: Store>(
    setting: Setting,
    interpreter: &Interpreter,
    store: S,
    options: &Options<'_>,
    file: &mut File<'_>,
) -> io::Result<Report<Interpreter>> {
    if setting.reduced {
        let mut crew: Vec<Chooser> = Vec::new();
        let stubborn = || Stubborn::new(interpreter, true).expect("a model that can be reduced");
        let stubborn = || Chooser::Stubborn(Box::new(stubborn()));
        crew.resize_with(setting.workers, stubborn);
        return match setting.breadth {
            true => breadth_first_kept(interpreter, store, &mut crew, options, &mut (), file),
            false => depth_first_kept(interpreter, store, &mut crew, options, &mut (), file),
        };
    }
    let mut crew = vec![(); setting.workers];
    match setting.breadth {
        true => breadth_first_kept(interpreter, store, &mut crew, options, &mut (), file),
        false => depth_first_kept(interpreter, store, &mut crew, options, &mut (), file),
    }
}

/// A search that is resumed from the bytes, if they are a checkpoint.
pub fn checkpoint(bytes: &[u8]) -> Fate {
    let Some((number, rest)) = bytes.split_first() else {
        return Fate::Refused;
    };
    let setting = Setting::of(*number);
    let interpreter = interpreter(setting.model);
    let end = AtomicBool::new(false);
    let mut file = File {
        from: Some(Source::new(Cursor::new(rest.to_vec()), rest.len() as u64)),
        saved: Vec::new(),
        saves_left: 0,
        end: &end,
    };
    match search(setting, &interpreter, &end, &mut file) {
        Err(reason) => {
            assert!(!reason.to_string().is_empty());
            Fate::Refused
        }
        Ok(report) => {
            for violation in &report.violations {
                replays(&interpreter, &violation.defect, &violation.steps);
            }
            Fate::Ran(report.violations.len())
        }
    }
}

pub(crate) fn replays(interpreter: &Interpreter, defect: &Defect<Failure>, steps: &[Step]) {
    let run = replay(interpreter, steps).expect("a violation that replays");
    let symptom = match defect {
        Defect::Failure(failure) => Symptom::Failure(*failure),
        _ => Symptom::Deadlock,
    };
    assert!(symptom.is_shown_by(&run), "{symptom:?}");
}

/// Valid checkpoints, of searches that were stopped at different places.
pub fn valid() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for number in 0..Setting::COUNT {
        let setting = Setting::of(number);
        for saves in [1, 4, 20] {
            let interpreter = interpreter(setting.model);
            let end = AtomicBool::new(false);
            let mut file = File {
                from: None,
                saved: Vec::new(),
                saves_left: saves,
                end: &end,
            };
            search(setting, &interpreter, &end, &mut file).expect("nothing is read");
            if !file.saved.is_empty() {
                all.push([&[number], &file.saved[..]].concat());
            }
        }
    }
    all
}
