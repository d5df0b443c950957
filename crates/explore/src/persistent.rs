//! Persistent sets by the objects that actors use.
//!
//! From a state it is enough to explore the actors of a set T such that nobody outside T can do
//! anything that depends on what the members would do next, whatever happens outside T
//! (Godefroid 1996, section 4.4). T grows from one actor: it draws in everybody whose
//! *footprint*, the objects that the actor or its descendants ever use, has an object of a
//! member's next operation.
//!
//! Footprints are observed. When an actor is seen to use an object for the first time the search
//! starts again. The last search is sound: take a shortest run to a use of an object outside the
//! footprints. All before it is within them, so the sets are persistent in the system in which
//! such a use ends its actor; since every maximal run of that system has an equivalent one that
//! is explored, its actor would have been seen standing before that use.

use mazurka_runtime::{ACTORS, ActorState, Kernel, Kind, ObjectId, Operation};

/// The objects each actor was seen to use, by the actor and its descendants.
#[derive(Default)]
pub(crate) struct Footprints {
    of: Vec<Vec<ObjectId>>,
}

impl Footprints {
    /// In a form to keep.
    pub fn saved(&self) -> Vec<Vec<u16>> {
        let numbers = |objects: &Vec<ObjectId>| objects.iter().map(|object| object.0).collect();
        self.of.iter().map(numbers).collect()
    }

    /// As they were kept.
    pub fn restore(&mut self, saved: &[Vec<u16>]) {
        let objects = |numbers: &Vec<u16>| numbers.iter().copied().map(ObjectId).collect();
        self.of = saved.iter().map(objects).collect();
        self.of.resize_with(ACTORS, Vec::new);
    }

    /// Notes what an execution that has just ended used; tells whether any of it is new.
    pub fn learn(&mut self, kernel: &Kernel) -> bool {
        self.of.resize_with(ACTORS, Vec::new);
        let mut new = false;
        for record in kernel.trace() {
            new |= self.note(kernel, record.actor.into(), &record.operation);
        }
        for (number, actor) in kernel.actors.iter().enumerate() {
            if actor.state == ActorState::PENDING {
                new |= self.note(kernel, number, &actor.pending);
            }
        }
        new
    }

    fn note(&mut self, kernel: &Kernel, actor: usize, operation: &Operation) -> bool {
        let mut new = false;
        for object in operation.objects() {
            let mut ancestor = actor;
            loop {
                if !self.of[ancestor].contains(&object) {
                    self.of[ancestor].push(object);
                    new = true;
                }
                if ancestor == 0 {
                    break;
                }
                ancestor = usize::from(kernel.actors[ancestor].parent) % ACTORS;
            }
        }
        new
    }

    /// A persistent set with this actor, of those who are alive.
    pub fn persistent(&self, actor: usize, alive: u64, next: &[Option<Operation>; ACTORS]) -> u64 {
        let mut set = 1u64 << actor;
        let mut open = set;
        while open != 0 {
            let member = open.trailing_zeros() as usize;
            open &= open - 1;
            let Some(operation) = &next[member] else {
                continue;
            };
            let mut drawn = 0;
            if operation.kind == Kind::JOIN {
                drawn |= 1 << (operation.argument as usize % ACTORS);
            }
            for other in (0..ACTORS).filter(|other| alive >> other & 1 == 1) {
                let meets = |object: ObjectId| self.of[other].contains(&object);
                if operation.objects().any(meets) {
                    drawn |= 1 << other;
                }
            }
            drawn &= alive & !set;
            set |= drawn;
            open |= drawn;
        }
        set
    }
}
