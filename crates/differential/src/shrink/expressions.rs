//! Smaller expressions.

use crate::ast::*;

/// Every expression that is one step smaller: a number, a part, or the same with a part made smaller.
pub fn value_variants(value: &Expression) -> Vec<Expression> {
    use Expression::*;
    let mut found = Vec::new();
    match value {
        Number(0 | 1) => return found,
        Number(number) => {
            found.push(Number(0));
            if *number > 1 {
                found.push(Number(number - 1));
            }
            return found;
        }
        _ => found.extend([Number(0), Number(1)]),
    }
    let boxed = |value: &Expression| Box::new(value.clone());
    match value {
        Read(place) => found.extend(place_variants(place).into_iter().map(Read)),
        Unary(operator, inner) => {
            found.push(inner.as_ref().clone());
            found.extend(
                value_variants(inner)
                    .iter()
                    .map(|inner| Unary(operator, boxed(inner))),
            );
        }
        Binary(operator, left, right) => {
            found.push(left.as_ref().clone());
            found.push(right.as_ref().clone());
            found.extend(
                value_variants(left)
                    .iter()
                    .map(|left| Binary(operator, boxed(left), right.clone())),
            );
            // A smaller divisor might be zero.
            if !matches!(*operator, "%" | "/") {
                found.extend(
                    value_variants(right)
                        .iter()
                        .map(|right| Binary(operator, left.clone(), boxed(right))),
                );
            }
        }
        Conditional(condition, yes, no) => {
            found.extend([condition, yes, no].map(|part| part.as_ref().clone()));
            for smaller in value_variants(condition) {
                found.push(Conditional(boxed(&smaller), yes.clone(), no.clone()));
            }
            for smaller in value_variants(yes) {
                found.push(Conditional(condition.clone(), boxed(&smaller), no.clone()));
            }
            for smaller in value_variants(no) {
                found.push(Conditional(condition.clone(), yes.clone(), boxed(&smaller)));
            }
        }
        Probe(name, place) => found.extend(
            place_variants(place)
                .into_iter()
                .map(|place| Probe(name, place)),
        ),
        Poll {
            channel,
            random,
            patterns,
        } => {
            for patterns in pattern_list_variants(patterns) {
                found.push(Poll {
                    channel: channel.clone(),
                    random: *random,
                    patterns,
                });
            }
        }
        RemoteVariable(process, Some(pid), variable) => {
            for pid in value_variants(pid) {
                let pid = Some(boxed(&pid));
                found.push(RemoteVariable(process.clone(), pid, variable.clone()));
            }
        }
        Number(_) | Name(_) | RemoteVariable(..) | RemoteLabel(..) | Predefined(_) | Query(..) => {}
    }
    found
}

/// The same place with a simpler index.
pub fn place_variants(place: &Place) -> Vec<Place> {
    let mut found = Vec::new();
    if let Some(index) = &place.index {
        for smaller in value_variants(index) {
            found.push(Place {
                index: Some(Box::new(smaller)),
                ..place.clone()
            });
        }
    }
    for (number, (_, index)) in place.fields.iter().enumerate() {
        for smaller in index.iter().flat_map(|index| value_variants(index)) {
            let mut changed = place.clone();
            changed.fields[number].1 = Some(Box::new(smaller));
            found.push(changed);
        }
    }
    found
}

/// The same list with one expression made smaller.
pub fn list_variants(values: &[Expression]) -> Vec<Vec<Expression>> {
    one_smaller(values, value_variants)
}

pub fn pattern_list_variants(patterns: &[Pattern]) -> Vec<Vec<Pattern>> {
    one_smaller(patterns, |pattern| match pattern {
        Pattern::Ignore => Vec::new(),
        Pattern::Evaluate(value) => {
            let smaller = value_variants(value).into_iter().map(Pattern::Evaluate);
            std::iter::once(Pattern::Ignore).chain(smaller).collect()
        }
        Pattern::Store(_) | Pattern::Constant(_) => vec![Pattern::Ignore],
    })
}

fn one_smaller<T: Clone>(items: &[T], smaller: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    for (position, item) in items.iter().enumerate() {
        for replacement in smaller(item) {
            let mut changed = items.to_vec();
            changed[position] = replacement;
            found.push(changed);
        }
    }
    found
}
