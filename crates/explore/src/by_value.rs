//! How dynamic reduction goes with dependency by value, and how it does not.
//!
//! Sleep sets may look at the present state: an actor sleeps on past a step that its own commutes
//! with here and now, since both orders lead to the same state, and all that follows was explored
//! from there. With sleep sets alone that is enough, for every state tries everybody else.
//!
//! Dynamic reduction tries somebody else only where a race asks for it. Two executions that differ
//! in the order of steps that commute in one state but not in all end in the same state, but they do
//! not have the same races: with `a` before `b` before `c` on one object, only `b` and `c` are
//! in a race; with `b` before `a` it is `a` and `c`. Leaving out `b a c` loses the reversal `b c a`,
//! which may be equivalent to nothing even by value. It shows in two ways:
//!
//! - A sequence is dropped since a sleeping actor could start it. By the constant relation, what
//!   would have woken that actor later is found from the branch in which it moved first. By the
//!   state it is not, for there the race is hidden ([`a_sequence_that_a_sleeper_could_start`]).
//! - A sequence is taken to be covered by a branch that it commutes with, since the race will be
//!   met again below; but below, the second step of the race belongs to an actor that sleeps to
//!   the end ([`a_race_of_one_who_sleeps_to_the_end`]).
//!
//! So with dynamic reduction, dependency looks at values only where that leaves happens-before the
//! same in all executions of a class: writes of the same value, which commute in every state, and
//! the number of a take from a semaphore beside that of a release (`mazurka_objects::history`).
//! That is a constant relation like the other, only smaller; all that is known of optimal
//! reduction holds with it, and there are no more classes than by the other.
//!
//! Nor is that enough where a step can end in several ways. A race that is there for one outcome of a toss opens a branch, and in this branch
//! the other outcomes are tried too. With them, what the branch was opened for may commute with what sleeps, and sequences that are asked
//! for later are left to a branch that began in vain: of two actors that add and then write 0, and one that tosses and then writes the outcome,
//! 5 of 27 classes were missed. So such programs are explored by sleep sets ([`crate::plan`]).
//!
//! What that does not reach is a step that waits for one of several others, no matter which: a read
//! after the first of two writes of the same value does not care for the second. No partial
//! order says so, and hence no happens-before. Sleep sets find these (231 ends of four lost updates).

use std::collections::BTreeSet;

use mazurka_runtime::{Kernel, Kind, Next, Object, ObjectId, ObjectKind, Operation, Refinement};

use crate::engine::{Engine, EngineError};
use crate::options::{Dependency, Options, Reduction};
use crate::search::{Ended, Observer, Search};

/// Actors that perform operations one after the other, whatever they learn.
struct Lists {
    kernel: Box<Kernel>,
    objects: Vec<Object>,
    lists: Vec<Vec<Operation>>,
}

impl Lists {
    fn new(objects: Vec<Object>, lists: Vec<Vec<Operation>>) -> Lists {
        Lists {
            kernel: Kernel::boxed(),
            objects,
            lists,
        }
    }
}

impl Engine for Lists {
    fn kernel(&mut self) -> &mut Kernel {
        &mut self.kernel
    }

    fn run(&mut self) -> Result<(), EngineError> {
        let Lists {
            kernel,
            objects,
            lists,
        } = self;
        kernel.begin();
        kernel.population = lists.len() as u32;
        kernel.alive = (1 << lists.len()) - 1;
        kernel.embryos = 0;
        for object in objects {
            kernel.make(0, *object);
        }
        let mut places = vec![0; lists.len()];
        for (actor, list) in lists.iter().enumerate() {
            kernel.publish(actor, list[0]);
        }
        while let Next::Run(actor) = kernel.choose() {
            kernel.execute(actor);
            places[actor] += 1;
            match lists[actor].get(places[actor]) {
                Some(operation) => kernel.publish(actor, *operation),
                None => kernel.finish(actor),
            }
        }
        Ok(())
    }
}

/// The values and owners of the objects where executions end, and who waits.
#[derive(Default)]
struct Ends(BTreeSet<(Vec<i64>, u64)>);

impl Observer for Ends {
    fn execution(&mut self, kernel: &Kernel) {
        let objects = (0..3).map(|count| kernel.object(ObjectId::new(0, count)));
        let values = objects.flat_map(|object| [object.value, object.owner.into()]);
        self.0.insert((values.collect(), kernel.alive));
    }
}

/// How many ends are found, and in how many executions.
fn ends(
    program: &mut Lists,
    reduction: Reduction,
    dependency: Dependency,
    refinement: Option<Refinement>,
) -> (usize, u64) {
    let options = Options {
        reduction,
        dependency,
        all: true,
        ..Options::default()
    };
    let mut ends = Ends::default();
    let mut search = Search::new(program, &options, &mut ends);
    if let Some(refinement) = refinement {
        search.refinement = refinement;
    }
    assert!(matches!(search.run(), Ok(Ended::By(_))));
    let executions = search.statistics.executions;
    (ends.0.len(), executions)
}

#[track_caller]
fn expect(mut program: Lists, all: usize, missed: usize) {
    use Dependency::{Constant, Refined};
    let mut ends =
        |reduction, dependency, refinement| ends(&mut program, reduction, dependency, refinement);
    assert_eq!(ends(Reduction::None, Constant, None).0, all);
    let (found, constant) = ends(Reduction::Dpor, Constant, None);
    assert_eq!(found, all);
    let (found, refined) = ends(Reduction::Dpor, Refined, None);
    assert_eq!(found, all);
    assert!(refined <= constant);
    for reduction in [Reduction::Sleep, Reduction::Persistent] {
        assert_eq!(ends(reduction, Constant, None).0, all);
        assert_eq!(ends(reduction, Refined, None).0, all);
    }
    // What no search does.
    let by_state = Some(Refinement::BY_STATE);
    assert_eq!(ends(Reduction::Dpor, Refined, by_state).0, all - missed);
}

fn variable(value: i64) -> Object {
    Object {
        kind: ObjectKind::VARIABLE,
        value,
        ..Object::default()
    }
}

/// The program that was found at random: a semaphore for two of three.
#[test]
fn a_sequence_that_a_sleeper_could_start() {
    let semaphore = Object {
        kind: ObjectKind::SEMAPHORE,
        value: 2,
        ..Object::default()
    };
    let take = Operation::on(Kind::TAKE, ObjectId::new(0, 2));
    let write = |count, value| Operation::on(Kind::WRITE, ObjectId::new(0, count)).with(value);
    let lists = vec![
        vec![take],
        vec![take, write(1, 0), write(0, 1)],
        vec![write(0, 0), take],
    ];
    let objects = vec![variable(0), variable(0), semaphore];
    expect(Lists::new(objects, lists), 5, 1);
}

/// While the first reader holds the lock, it is all the same to the writer whether the second one
/// does; without the first, it is not. The end that is missed: the writer after the second reader.
#[test]
fn a_race_of_one_who_sleeps_to_the_end() {
    let on_lock = |kind| Operation::on(kind, ObjectId::new(0, 0));
    let lock = Object {
        kind: ObjectKind::RWLOCK,
        ..Object::default()
    };
    let lists = vec![
        vec![on_lock(Kind::READ_LOCK)],
        vec![on_lock(Kind::TRY_WRITE_LOCK)],
        vec![on_lock(Kind::READ_LOCK), on_lock(Kind::READ_UNLOCK)],
    ];
    expect(Lists::new(vec![lock], lists), 3, 1);
}
