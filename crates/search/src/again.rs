//! States that were put into a store, looked up once more when the search is over.
//!
//! For whoever audits a search: a store in which a state got lost, or that gives back another one, has taken some state for known that
//! was not.

use crate::exact::{self, Exact};
use crate::store::{Insertion, Store};
use crate::system::{Lookup, Reduction, System};

/// Tells a reduction what became of the states that it remembered.
pub(crate) fn look_up_again<Y: System, R: Reduction<Y>, S: Store>(store: &S, reduction: &mut R) {
    if S::FORGETS || reduction.remembered().is_empty() {
        return;
    }
    let mut nodes = Vec::new();
    // A state that is there has all that it needs, so it finds room even in a store that is full.
    let mut key_of = |state: &[u8]| {
        let key = store.fold(state, None, &mut nodes).ok()?;
        let is_known = store.insert(key, state) == Ok(Insertion::Known);
        is_known.then_some(key)
    };
    let states = reduction.remembered().iter();
    let keys: Vec<Option<S::Key>> = states.map(|state| key_of(state)).collect();
    let known: Vec<S::Key> = keys.iter().flatten().copied().collect();
    let mut unpacked = store.unpack(&known).map(Vec::into_iter);
    for (number, key) in keys.iter().enumerate() {
        let found = match (key, &mut unpacked) {
            (None, _) => Lookup::Lost,
            (Some(_), None) => Lookup::Known,
            (Some(_), Some(states)) => states.next().map_or(Lookup::Lost, Lookup::Unpacked),
        };
        reduction.looked_up(number, &found);
    }
}

/// The same for the plain exact store.
pub(crate) fn look_up_in_full<Y: System, R: Reduction<Y>>(
    store: &mut Exact,
    suffix: usize,
    reduction: &mut R,
) {
    for number in 0..reduction.remembered().len() {
        let mut state = reduction.remembered()[number].to_vec();
        state.resize(state.len() + suffix, 0);
        let found = match store.insert(&state) {
            exact::Insertion::Known(position) => {
                let stored = store.get(position);
                Lookup::Unpacked(stored[..stored.len() - suffix].to_vec())
            }
            exact::Insertion::New(_) | exact::Insertion::Full => Lookup::Lost,
        };
        reduction.looked_up(number, &found);
    }
}
