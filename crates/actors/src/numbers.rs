//! Numbers for the objects of statics. An object has a number that does not depend on who comes first, which is usually that of its maker. Nobody
//! makes a static, so its objects have numbers by where it is declared, and these stay from one execution to the next.

use std::collections::HashMap;
use std::panic::Location;
use std::sync::{LazyLock, Mutex, PoisonError};

use mazurka_runtime::ObjectId;

use crate::coroutine::doubt;

/// File, line and column, and a name: what a macro declares is all at one place.
type Place = (&'static str, u32, u32, &'static str);

/// A static: where it is declared, and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Declared {
    place: Place,
    address: usize,
}

impl Declared {
    pub fn new<T>(at: &'static Location<'static>, name: &'static str, it: &T) -> Declared {
        Declared {
            place: (at.file(), at.line(), at.column(), name),
            address: std::ptr::from_ref(it) as usize,
        }
    }

    /// What tells it from all others.
    pub fn key(self) -> usize {
        self.address
    }
}

#[derive(Default)]
struct Known {
    /// The numbers of objects: of which static, and how many of its objects came before.
    objects: HashMap<(Declared, usize), usize>,
    /// The addresses of what is declared at a place.
    addresses: HashMap<Place, usize>,
}

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// The object of a static that had this many before.
pub(crate) fn object_of(declared: Declared, count: usize) -> ObjectId {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let address = known.addresses.entry(declared.place);
    if *address.or_insert(declared.address) != declared.address {
        doubt("a LazyLock that is not static: which one it is depends on who comes first");
    }
    let next = known.objects.len();
    let number = *known.objects.entry((declared, count)).or_insert(next);
    if number >= ObjectId::STATICS {
        doubt("there are too many objects in statics");
    }
    ObjectId::fixed(number)
}
