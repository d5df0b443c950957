//! A few random models under random combinations of options: the command must say what the full search says.
//! `scripts/combinations` tries many.

use std::path::PathBuf;

use mazurka_differential::drive::{Drive, drive};
use mazurka_differential::pairs;
use mazurka_differential::shrink::Effort;

#[test]
fn options_do_not_change_the_verdict() {
    let compared = Drive {
        mazurka: PathBuf::from(env!("CARGO_BIN_EXE_mazurka")),
        by_command: 4,
        combinations: 6,
        spin: 0,
        keep: None,
        effort: Effort {
            attempts: 300,
            ..Effort::default()
        },
        states: 2_000,
        fill: false,
    };
    // Among these are models with run-time errors, which leave formulas undecided.
    let tally = drive(&compared, 100..124, None, &mut pairs::table()).expect("the command runs");
    eprintln!("{}", tally.to_json());
    assert_eq!(tally.disagreements, 0);
    // Models that are all refused, or all violated, would agree with everybody.
    assert!(
        tally.holding > 30 && tally.violated > 30 && tally.stopped > 0,
        "{tally:?}"
    );
}
