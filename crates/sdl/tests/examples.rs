//! The examples are read and exported without a complaint.

#[allow(dead_code)]
mod support;

#[test]
fn examples_compile_and_their_exports_do() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sdl");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "sdl") {
            let text = std::fs::read_to_string(&path).unwrap();
            support::program(&text, &[]);
            support::exported(&text, &[]);
            count += 1;
        }
    }
    assert!(count >= 4);
}

/// What `examples/README.md` says of them.
#[test]
fn telephones_and_lifts_are_judged_as_they_say() {
    let telephone = include_str!("../../../examples/sdl/telephone.sdl");
    let lift = include_str!("../../../examples/sdl/lift.sdl");
    for (text, defines, expected) in [
        (lift, &["TOP=1"][..], "holds"),
        (telephone, &["QUEUE=6"], "holds"),
        (telephone, &["QUEUE=6", "PATIENT=1"], "deadlock"),
    ] {
        let defines: Vec<String> = defines.iter().map(|one| one.to_string()).collect();
        let found = support::judge_within(support::program(text, &defines), 400_000).unwrap();
        assert_eq!(support::coarse(&found), expected, "{defines:?}");
    }
}

/// With two lines there is nothing to be forwarded to a barred one by a third, but everything else is there.
#[test]
fn the_exchange_with_two_lines_agrees_with_its_export() {
    let text = include_str!("../../../examples/sdl/features.sdl");
    for again in ["AGAIN=0", "AGAIN=1"] {
        let defines = [
            "LINES=2".to_string(),
            "QUEUE=6".to_string(),
            again.to_string(),
        ];
        let verdict = support::agree(text, &defines);
        assert!(matches!(verdict, Some("holds") | None), "{verdict:?}");
    }
}
