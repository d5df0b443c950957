//! Random programs over plain memory and everything that orders accesses to it: every reduction finds the races that all interleavings
//! show, and all interleavings of a class show the same. `MAZURKA_PROGRAMS` says how many, `MAZURKA_SEED` which.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mazurka_actors::cell::UnsafeCell;
use mazurka_actors::sync::atomic::{AtomicUsize, Ordering, fence};
use mazurka_actors::sync::{Barrier, Condvar, Mutex, RwLock, mpsc};
use mazurka_actors::{Explorer, Observer, Queue, Reduction, Semaphore, StopReason, thread};
use mazurka_explore::class;
use mazurka_runtime::{FailureKind, Kernel};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

#[derive(Clone, Debug)]
enum Action {
    Read(usize),
    Write(usize),
    Load(usize, Ordering),
    Store(usize, usize, Ordering),
    Add(usize, Ordering),
    Exchange(usize, Ordering, Ordering),
    Fence(Ordering),
    /// Does something only if an atomic has this value.
    If(usize, usize, Ordering, Vec<Action>),
    Locked(Vec<Action>),
    TryLocked(Vec<Action>),
    ReadLocked(Vec<Action>),
    WriteLocked(Vec<Action>),
    Post,
    Take,
    TryTake,
    Send,
    Receive,
    TryReceive,
    ChannelSend,
    ChannelReceive,
    Wait,
    Notify,
    Arrive,
    Park,
    Unpark(usize),
    SpawnAndJoin(Vec<Action>),
}

const KINDS: usize = 26;

fn action(random: &mut Random, theme: &[usize], depth: usize) -> Action {
    use Action::*;
    use Ordering::*;
    let which = random.below(2);
    let value = random.below(2);
    let loading = [Relaxed, Acquire, SeqCst][random.below(3)];
    let storing = [Relaxed, Release, SeqCst][random.below(3)];
    let both = [Relaxed, Acquire, Release, AcqRel, SeqCst][random.below(5)];
    let fencing = [Acquire, Release, AcqRel, SeqCst][random.below(4)];
    let block = |random: &mut Random| -> Vec<Action> {
        match depth > 1 {
            true => vec![Read(which)],
            false => (0..1 + random.below(2))
                .map(|_| action(random, theme, depth + 1))
                .collect(),
        }
    };
    match theme[random.below(theme.len())] {
        0 => Read(which),
        1 => Write(which),
        2 => Load(which, loading),
        3 => Store(which, value, storing),
        4 => Add(which, both),
        5 => Exchange(which, both, loading),
        6 => Fence(fencing),
        7 => If(which, value, loading, block(random)),
        8 => Locked(block(random)),
        9 => TryLocked(block(random)),
        10 => ReadLocked(block(random)),
        11 => WriteLocked(block(random)),
        12 => Post,
        13 => Take,
        14 => TryTake,
        15 => Send,
        16 => Receive,
        17 => TryReceive,
        18 => ChannelSend,
        19 => ChannelReceive,
        20 => Wait,
        21 => Notify,
        22 => Arrive,
        23 => Park,
        24 => Unpark(1 + which),
        25 if depth == 0 => SpawnAndJoin(block(random)),
        _ => Write(which),
    }
}

struct World {
    cells: [UnsafeCell<u32>; 2],
    atomics: [AtomicUsize; 2],
    mutex: Mutex<()>,
    lock: RwLock<()>,
    semaphore: Semaphore,
    queue: Queue,
    condition: Condvar,
    barrier: Barrier,
    sender: mpsc::SyncSender<u32>,
    receiver: Mutex<mpsc::Receiver<u32>>,
    threads: Mutex<Vec<thread::Thread>>,
}

// SAFETY: who uses the cells is checked, and actors run one at a time.
unsafe impl Sync for World {}
// SAFETY: the same.
unsafe impl Send for World {}

#[derive(Clone, Debug)]
struct Program {
    actors: Vec<Vec<Action>>,
    count: u32,
}

impl Program {
    fn random(random: &mut Random) -> Program {
        let actors = 2 + random.below(2);
        let most = if actors == 2 { 4 } else { 3 };
        // Plain accesses and a few other kinds at a time meet more often.
        let mut theme = vec![0, 1];
        theme.extend((0..2 + random.below(3)).map(|_| random.below(KINDS)));
        let list = |random: &mut Random| {
            let length = 1 + random.below(most);
            (0..length).map(|_| action(random, &theme, 0)).collect()
        };
        Program {
            actors: (0..actors).map(|_| list(random)).collect(),
            count: random.below(2) as u32,
        }
    }

    fn run(&self) {
        let (sender, receiver) = mpsc::sync_channel(1);
        let world = Arc::new(World {
            cells: [
                UnsafeCell::new(0),
                // On a line of its own, by which it is told from the other.
                UnsafeCell::new(0),
            ],
            atomics: [AtomicUsize::new(0), AtomicUsize::new(0)],
            mutex: Mutex::new(()),
            lock: RwLock::new(()),
            semaphore: Semaphore::new(self.count),
            queue: Queue::new(1),
            condition: Condvar::new(),
            barrier: Barrier::new(2),
            sender,
            receiver: Mutex::new(receiver),
            threads: Mutex::new(vec![]),
        });
        let mut children = vec![];
        // Nobody is signed to before all are known.
        let signs = format!("{:?}", self.actors).contains("Unpark");
        let held = signs.then(|| world.mutex.lock());
        for actions in &self.actors {
            let (world, actions) = (world.clone(), actions.clone());
            children.push(thread::spawn(move || {
                if signs {
                    drop(world.mutex.lock());
                }
                perform_all(&world, &actions);
            }));
        }
        let known = children.iter().map(|child| child.thread().clone());
        if signs {
            world.threads.lock().unwrap().extend(known);
        }
        drop(held);
        for child in children {
            // That one failed is told by its failure.
            let _ = child.join();
        }
    }
}

fn perform_all(world: &Arc<World>, actions: &[Action]) {
    for action in actions {
        perform(world, action);
    }
}

fn perform(world: &Arc<World>, action: &Action) {
    use Action::*;
    match action {
        Read(cell) => world.cells[*cell].with(|_| ()),
        Write(cell) => world.cells[*cell].with_mut(|_| ()),
        Load(atomic, order) => _ = world.atomics[*atomic].load(*order),
        Store(atomic, value, order) => world.atomics[*atomic].store(*value, *order),
        Add(atomic, order) => _ = world.atomics[*atomic].fetch_add(1, *order),
        Exchange(atomic, success, failure) => {
            _ = world.atomics[*atomic].compare_exchange(0, 1, *success, *failure);
        }
        Fence(order) => fence(*order),
        If(atomic, value, order, block) => {
            if world.atomics[*atomic].load(*order) == *value {
                perform_all(world, block);
            }
        }
        Locked(block) => {
            let _held = world.mutex.lock();
            inside(world, block);
        }
        TryLocked(block) => {
            if let Ok(_held) = world.mutex.try_lock() {
                inside(world, block);
            }
        }
        ReadLocked(block) => {
            let _held = world.lock.read();
            inside(world, block);
        }
        WriteLocked(block) => {
            let _held = world.lock.write();
            inside(world, block);
        }
        Post => world.semaphore.release(),
        Take => world.semaphore.take(),
        TryTake => _ = world.semaphore.try_take(),
        Send => world.queue.send(1),
        Receive => _ = world.queue.receive(),
        TryReceive => _ = world.queue.try_receive(),
        ChannelSend => _ = world.sender.send(1),
        ChannelReceive => {
            let receiver = world.receiver.lock().unwrap();
            _ = receiver.try_recv();
        }
        Wait => {
            let held = world.mutex.lock().unwrap();
            drop(world.condition.wait(held));
        }
        Notify => world.condition.notify_one(),
        Arrive => _ = world.barrier.wait(),
        Park => thread::park(),
        Unpark(actor) => {
            let known = world.threads.lock().unwrap().get(*actor - 1).cloned();
            if let Some(known) = known {
                known.unpark();
            }
        }
        SpawnAndJoin(block) => {
            let (world, block) = (world.clone(), block.clone());
            let child = thread::spawn(move || perform_all(&world, &block));
            let _ = child.join();
        }
    }
}

/// Under a lock nobody asks for it once more.
fn inside(world: &Arc<World>, actions: &[Action]) {
    for action in actions {
        if !matches!(
            action,
            Action::Locked(_) | Action::TryLocked(_) | Action::Wait
        ) {
            perform(world, action);
        }
    }
}

/// The cells about which there are races, by class.
#[derive(Default)]
struct Races {
    classes: BTreeMap<u64, BTreeSet<String>>,
    is_different: bool,
    with_classes: bool,
    all: BTreeSet<String>,
}

impl Observer for Races {
    fn execution(&mut self, kernel: &Kernel) {
        let failures = &kernel.failures[..(kernel.failed as usize).min(kernel.failures.len())];
        let races = failures
            .iter()
            .filter(|failure| failure.kind == FailureKind::RACE);
        let cells = races.map(|race| {
            let message = kernel.texts.get(race.message);
            let (_, place) = message.split_once("made at ").expect("a cell");
            place.split(" by ").next().expect("a place").to_string()
        });
        let cells: BTreeSet<String> = cells.collect();
        self.all.extend(cells.iter().cloned());
        if self.with_classes {
            let known = self
                .classes
                .entry(class(kernel))
                .or_insert_with(|| cells.clone());
            self.is_different |= *known != cells;
        }
    }
}

const MOST_EXECUTIONS: u64 = 3_000;

fn variable(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn reductions_find_the_races_of_all_interleavings() {
    let mut random = Random(variable("MAZURKA_SEED", 1));
    let (mut compared, mut with_races) = (0, 0);
    while compared < variable("MAZURKA_PROGRAMS", 250) {
        let program = Program::random(&mut random);
        let Some(races) = compare(&program) else {
            continue;
        };
        compared += 1;
        with_races += u64::from(races);
    }
    let share = with_races * 100 / compared;
    assert!((10..=90).contains(&share), "{with_races} of {compared}");
}

/// Whether there are races; none if the program has too many interleavings.
fn compare(program: &Program) -> Option<bool> {
    let explorer = Explorer::new().all().audit(None);
    let mut all = Races {
        with_classes: true,
        ..Races::default()
    };
    let report = (explorer.clone().reduction(Reduction::None))
        .executions(MOST_EXECUTIONS)
        .run_with(|| program.run(), None, &mut all)
        .unwrap();
    if report.stop == StopReason::Executions {
        return None;
    }
    assert!(
        !all.is_different,
        "a class with different races\n{program:#?}"
    );
    for reduction in [Reduction::Dpor, Reduction::Sleep, Reduction::Persistent] {
        let mut some = Races::default();
        let report = (explorer.clone().reduction(reduction))
            .run_with(|| program.run(), None, &mut some)
            .unwrap();
        assert_eq!(some.all, all.all, "{reduction:?}\n{program:#?}");
        if reduction == Reduction::Dpor {
            let executions = report.statistics.executions;
            assert_eq!(executions, all.classes.len() as u64, "{program:#?}");
        }
    }
    Some(!all.all.is_empty())
}
