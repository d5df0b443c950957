//! Variables that are declared `hidden`.
//!
//! They do not tell states apart, which is what they are for: something to write to. If one is read, two states that differ in it go on
//! differently, and to take them for one could hide an error. SPIN does that. Here such variables become ordinary ones.

use mazurka_model::{Base, Expression, Program};

use super::symbols::Scopes;

/// Is a hidden variable read anywhere?
pub(super) fn is_read(program: &Program) -> bool {
    program
        .expressions
        .iter()
        .any(|expression| match expression {
            Expression::Load(place) => program.places[place.index()].base == Base::Hidden,
            _ => false,
        })
}

/// Puts the hidden variables behind the others that are shared.
pub(super) fn show(program: &mut Program, globals: &mut Scopes) {
    let first = program.shared_bytes;
    for symbol in globals.symbols_mut() {
        if symbol.base == Base::Hidden {
            symbol.base = Base::Shared;
            symbol.offset += first;
        }
    }
    for place in &mut program.places {
        if place.base == Base::Hidden {
            place.base = Base::Shared;
            place.offset += first;
        }
    }
    for mut variable in std::mem::take(&mut program.hidden) {
        variable.offset += first;
        program.shared.push(variable);
    }
    program.shared_bytes += std::mem::take(&mut program.hidden_bytes);
}
