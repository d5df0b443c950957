//! What the dependency relation says commutes does, in every state that a few operations lead to:
//! proved by enumeration over the kernel itself, the executable semantics of all objects.

use mazurka_runtime::{Kernel, Kind, Object, ObjectId, ObjectKind, Operation, Planned, Refinement};

/// Two actors to ask about, and one that comes and goes.
const ACTORS: usize = 3;

struct Setting {
    kernel: Box<Kernel>,
    operations: Vec<Operation>,
}

/// A setting with these objects, all made by actor 0, in which each actor can do each operation.
fn setting(objects: &[Object], operations: Vec<Operation>) -> Setting {
    let mut kernel = Kernel::boxed();
    kernel.begin();
    kernel.population = ACTORS as u32;
    kernel.alive = (1 << ACTORS) - 1;
    kernel.embryos = 0;
    for object in objects {
        kernel.make(0, *object);
    }
    Setting { kernel, operations }
}

fn object(kind: ObjectKind) -> Object {
    Object {
        kind,
        senders: Object::UNCOUNTED,
        ..Object::default()
    }
}

/// All that two operations can tell and leave: their results, and the objects.
fn state(kernel: &Kernel, results: [i64; 2]) -> Vec<i64> {
    let mut state = results.to_vec();
    for count in 0..3 {
        let object = kernel.object(ObjectId::new(0, count));
        state.extend([object.value, object.actors as i64, i64::from(object.owner)]);
        state.extend([
            i64::from(object.sent),
            object.received.into(),
            object.deaf.into(),
        ]);
        state.push(object.senders.into());
        for number in object.received..object.sent.min(object.received + object.bound) {
            if object.width > 0 {
                let slot = object.slots + number % object.bound * object.width;
                state.push(kernel.words[slot as usize] as i64);
            }
        }
    }
    state
}

impl Setting {
    /// The same with dependency by value, as far as it is fixed per class.
    fn refined(mut self) -> Setting {
        self.kernel.policy.refined = Refinement::BY_CLASS;
        self
    }

    /// Whether an actor may ask for an operation at all: unlocking takes having locked.
    fn makes_sense(&self, actor: usize, operation: &Operation) -> bool {
        let object = self.kernel.object(operation.object);
        let owns = |object: &Object| usize::from(object.owner) == actor + 1;
        match operation.kind {
            Kind::UNLOCK | Kind::WRITE_UNLOCK => owns(object),
            Kind::READ_UNLOCK => object.actors >> actor & 1 == 1,
            Kind::READ_LOCK | Kind::TRY_READ_LOCK => object.actors >> actor & 1 == 0,
            Kind::WAIT => owns(self.kernel.object(operation.second)),
            _ => true,
        }
    }

    /// Whether an actor can do an operation now.
    fn can(&mut self, actor: usize, operation: &Operation) -> bool {
        self.makes_sense(actor, operation) && {
            self.kernel.publish(actor, *operation);
            self.kernel.enabled >> actor & 1 == 1
        }
    }

    fn perform(&mut self, actor: usize, operation: &Operation, choice: u32) -> i64 {
        let position = self.kernel.length as usize;
        self.kernel.schedule[position] = Planned::new(actor, choice);
        self.kernel.planned = position as u32 + 1;
        self.kernel.publish(actor, *operation);
        self.kernel.execute(actor)
    }

    /// Puts the objects back.
    fn restore(&mut self, objects: &[Object], words: &[u64]) {
        self.kernel.objects[..objects.len()].copy_from_slice(objects);
        self.kernel.words[..words.len()].copy_from_slice(words);
        self.kernel.length = 0;
    }

    /// Visits all states that up to `depth` operations lead to; gives the number of pairs that
    /// were found to commute.
    fn explore(&mut self, depth: usize) -> usize {
        let objects = self.kernel.objects[..3].to_vec();
        let words = self.kernel.words[..8].to_vec();
        let mut commuting = self.compare_all(&objects, &words);
        if depth == 0 {
            return commuting;
        }
        for actor in 0..ACTORS {
            for number in 0..self.operations.len() {
                let operation = self.operations[number];
                if self.can(actor, &operation) {
                    self.perform(actor, &operation, 0);
                    commuting += self.explore(depth - 1);
                    self.restore(&objects, &words);
                }
            }
        }
        commuting
    }

    fn compare_all(&mut self, objects: &[Object], words: &[u64]) -> usize {
        let mut commuting = 0;
        for a in self.operations.clone() {
            for b in self.operations.clone() {
                if !self.can(0, &a) || !self.can(1, &b) {
                    continue;
                }
                let (of_a, of_b) = (self.kernel.effect(&a), self.kernel.effect(&b));
                let by_role = Kernel::commute((&a, &of_a), (&b, &of_b));
                let by_value = self.kernel.commute_now((0, &a), (1, &b));
                if !by_role && !by_value {
                    continue;
                }
                commuting += 1;
                for choice_of_a in 0..of_a.choices {
                    for choice_of_b in 0..of_b.choices {
                        let first = self.perform(0, &a, choice_of_a);
                        assert!(self.can(1, &b), "{a:?} disables {b:?}");
                        assert_eq!(self.kernel.effect(&b).choices, of_b.choices, "{a:?} {b:?}");
                        let second = self.perform(1, &b, choice_of_b);
                        let one = state(&self.kernel, [first, second]);
                        self.restore(objects, words);
                        let second = self.perform(1, &b, choice_of_b);
                        assert!(self.can(0, &a), "{b:?} disables {a:?}");
                        let first = self.perform(0, &a, choice_of_a);
                        let other = state(&self.kernel, [first, second]);
                        self.restore(objects, words);
                        assert_eq!(one, other, "{a:?} {b:?} {objects:?}");
                    }
                }
            }
        }
        commuting
    }
}

fn on(kind: Kind) -> Operation {
    Operation::on(kind, ObjectId::new(0, 0))
}

/// Every kind of object there is, with all calls that have one object: a kind is here by being in the
/// table.
#[test]
fn every_kind() {
    for &kind in ObjectKind::ALL {
        let of_kind = |call: &&Kind| call.objects() == (Some(kind), None);
        let calls: Vec<Kind> = Kind::ALL.iter().filter(of_kind).copied().collect();
        let with_arguments = |argument| {
            calls
                .iter()
                .map(move |&call| on(call).with(argument).and(1))
        };
        let operations: Vec<Operation> = with_arguments(0).chain(with_arguments(1)).collect();
        let depth = if operations.len() < 16 { 2 } else { 1 };
        let mut commuting = 0;
        for (value, bound) in [(0, 1), (1, 2), (2, 3)] {
            let objects = [Object {
                value,
                bound,
                ..object(kind)
            }];
            commuting += setting(&objects, operations.clone()).explore(depth);
            commuting += setting(&objects, operations.clone())
                .refined()
                .explore(depth);
        }
        assert!(commuting > 0, "{}", kind.name());
    }
}

#[test]
fn variables() {
    let operations = vec![
        on(Kind::READ),
        on(Kind::WRITE).with(0),
        on(Kind::WRITE).with(1),
        on(Kind::ADD).with(1),
        on(Kind::ADD).with(-1),
        on(Kind::FETCH_ADD).with(1),
        on(Kind::SWAP).with(1),
        on(Kind::COMPARE_EXCHANGE).with(0).and(1),
        on(Kind::COMPARE_EXCHANGE).with(1).and(0),
    ];
    let objects = [object(ObjectKind::VARIABLE)];
    assert!(setting(&objects, operations.clone()).explore(2) > 0);
    assert!(setting(&objects, operations).refined().explore(2) > 0);
}

/// A variable of two bits, without and with a sign.
#[test]
fn narrow_variables() {
    for deaf in [1, 0] {
        let narrow = Object {
            bound: 2,
            deaf,
            ..object(ObjectKind::VARIABLE)
        };
        let operations = vec![
            on(Kind::READ),
            on(Kind::WRITE).with(1),
            on(Kind::WRITE).with(5),
            on(Kind::ADD).with(3),
            on(Kind::FETCH_ADD).with(2),
            on(Kind::COMPARE_EXCHANGE).with(-1).and(1),
            on(Kind::FETCH_AND).with(2),
            on(Kind::FETCH_OR).with(1),
            on(Kind::FETCH_XOR).with(3),
            on(Kind::FETCH_MAX).with(2),
            on(Kind::FETCH_MIN).with(1),
        ];
        assert!(setting(&[narrow], operations.clone()).explore(2) > 0);
        assert!(setting(&[narrow], operations).refined().explore(2) > 0);
    }
}

#[test]
fn queues() {
    for (bound, senders) in [(1, 1), (2, Object::UNCOUNTED), (3, 2)] {
        let queue = Object {
            bound,
            width: 1,
            senders,
            ..object(ObjectKind::QUEUE)
        };
        let operations = vec![
            on(Kind::SEND).with(1),
            on(Kind::TRY_SEND).with(2),
            on(Kind::RECEIVE),
            on(Kind::TRY_RECEIVE),
            on(Kind::LENGTH),
            on(Kind::CLOSE_SENDER),
            on(Kind::CLOSE_RECEIVER),
        ];
        assert!(setting(&[queue], operations).explore(3) > 0);
    }
}

#[test]
fn semaphores() {
    for value in 0..3 {
        let semaphore = Object {
            value,
            ..object(ObjectKind::SEMAPHORE)
        };
        let operations = vec![on(Kind::TAKE), on(Kind::TRY_TAKE), on(Kind::RELEASE)];
        assert!(setting(&[semaphore], operations.clone()).explore(3) > 0);
        assert!(setting(&[semaphore], operations).refined().explore(3) > 0);
    }
}

#[test]
fn mutexes() {
    let operations = vec![on(Kind::LOCK), on(Kind::TRY_LOCK), on(Kind::UNLOCK)];
    assert!(setting(&[object(ObjectKind::MUTEX)], operations).explore(3) > 0);
}

#[test]
fn read_write_locks() {
    let operations = vec![
        on(Kind::READ_LOCK),
        on(Kind::TRY_READ_LOCK),
        on(Kind::READ_UNLOCK),
        on(Kind::WRITE_LOCK),
        on(Kind::TRY_WRITE_LOCK),
        on(Kind::WRITE_UNLOCK),
    ];
    assert!(setting(&[object(ObjectKind::RWLOCK)], operations).explore(3) > 0);
}

#[test]
fn condition_variables() {
    let mutex = ObjectId::new(0, 1);
    let again = |kind| Operation::on(kind, mutex).beside(ObjectId::new(0, 0));
    let operations = vec![
        on(Kind::WAIT).beside(mutex),
        again(Kind::REACQUIRE),
        again(Kind::REACQUIRE_TIMED),
        on(Kind::NOTIFY_ONE),
        on(Kind::NOTIFY_ALL),
        Operation::on(Kind::LOCK, mutex),
        Operation::on(Kind::TRY_LOCK, mutex),
        Operation::on(Kind::UNLOCK, mutex),
    ];
    let objects = [object(ObjectKind::CONDITION), object(ObjectKind::MUTEX)];
    assert!(setting(&objects, operations).explore(4) > 0);
}

#[test]
fn barriers() {
    for bound in 1..4 {
        let barrier = Object {
            bound,
            ..object(ObjectKind::BARRIER)
        };
        let operations = vec![
            on(Kind::ARRIVE),
            on(Kind::PASS).with(0),
            on(Kind::PASS).with(1),
        ];
        setting(&[barrier], operations).explore(3);
    }
}
