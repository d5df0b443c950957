//! The two accesses of a data race, from what is said about it.

use crate::walk::Position;

/// One of two accesses that race.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Accessed {
    /// The name of the actor.
    pub(crate) actor: String,
    /// What it did, and to what.
    pub(crate) what: String,
    /// Where; the line is 0 if that is not known.
    pub(crate) at: Position,
}

/// The earlier and the later access. The message is
/// `read of 4 bytes at x by actor 2 (w at race.c:3) is not ordered with the write by actor 1 (w at race.c:5)`.
pub(crate) fn accesses(message: &str) -> Option<[Accessed; 2]> {
    let (later, earlier) = message.split_once(" is not ordered with the ")?;
    let (did, later_actor) = later.split_once(" by ")?;
    let (_, to_what) = did.split_once(" of ")?;
    let (earlier_did, earlier_actor) = earlier.split_once(" by ")?;
    let accessed = |what: String, told: &str| {
        let (actor, frames) = told.split_once(" (").unwrap_or((told, ""));
        Accessed {
            actor: actor.into(),
            what,
            at: innermost(frames),
        }
    };
    Some([
        accessed(format!("{earlier_did} of {to_what}"), earlier_actor),
        accessed(did.into(), later_actor),
    ])
}

/// The place at the beginning of `add(int) at a (1).cpp:8, called by run at a (1).cpp:14)`, or of `a.rs:8)`.
fn innermost(frames: &str) -> Position {
    let frame = frames.split(", called by ").next().unwrap_or_default();
    let frame = match frames.contains(", called by ") {
        true => frame,
        false => frame.strip_suffix(')').unwrap_or(frame),
    };
    let place = frame.rsplit_once(" at ").map_or(frame, |(_, place)| place);
    let known = place
        .rsplit_once(':')
        .and_then(|(file, line)| Some((file.to_string(), line.parse().ok()?)));
    let (file, line) = known.unwrap_or_default();
    Position {
        file,
        line,
        column: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_accesses_of_a_race_are_told_apart() {
        let told = |message: &str| {
            let both = accesses(message)?;
            Some(both.map(|one| (one.actor, one.what, one.at.file, one.at.line)))
        };
        let message = "read of 4 bytes at x by actor 12 (add(int) at a (1).cpp:8, called by run at a (1).cpp:14) \
                       is not ordered with the write by actor 1 (run at dir/b.c:9)";
        let expected = [
            ("actor 1", "write of 4 bytes at x", "dir/b.c", 9),
            ("actor 12", "read of 4 bytes at x", "a (1).cpp", 8),
        ];
        let owned = expected.map(|(actor, what, file, line)| {
            (actor.to_string(), what.to_string(), file.to_string(), line)
        });
        assert_eq!(told(message), Some(owned));
        let cell = "write of the cell made at src/a.rs:3 by main (src/a.rs:9) is not ordered with the read by reader";
        let [earlier, later] = accesses(cell).unwrap();
        assert_eq!((earlier.actor.as_str(), earlier.at.line), ("reader", 0));
        assert_eq!((later.at.file.as_str(), later.at.line), ("src/a.rs", 9));
        assert_eq!(earlier.what, "read of the cell made at src/a.rs:3");
        assert_eq!(accesses("deadlock"), None);
    }
}
