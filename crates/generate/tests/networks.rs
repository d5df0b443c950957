//! Networks of virtual finite state machines: the code does what the model does.
//!
//! `RUNS` says how many random runs of each, `NETWORKS` how many random networks.

mod support;

use mazurka_differential::network::generate;
use mazurka_generate::Target;

use support::{Model, agree, build, examples, number, place};

#[test]
fn examples_as_c_agree_with_their_models() {
    for path in examples("vfsm") {
        let model = Model::open(&path);
        let stem = path.file_stem().unwrap().to_string_lossy();
        let built = build(&model, Target::C, &place(&format!("vfsm-c-{stem}")));
        match agree(&model, &built, number("RUNS", 20), 200) {
            Ok(steps) => eprintln!("{stem}: {steps} steps"),
            Err(difference) => panic!("{stem}: {difference}"),
        }
    }
}

#[test]
fn examples_as_rust_agree_with_their_models() {
    for path in examples("vfsm") {
        let model = Model::open(&path);
        let stem = path.file_stem().unwrap().to_string_lossy();
        let built = build(&model, Target::Rust, &place(&format!("vfsm-rust-{stem}")));
        match agree(&model, &built, number("RUNS", 20), 200) {
            Ok(steps) => eprintln!("{stem}: {steps} steps"),
            Err(difference) => panic!("{stem}: {difference}"),
        }
    }
}

#[test]
fn random_networks_as_rust_agree_with_their_models() {
    for seed in 0..number("NETWORKS", 10) {
        let text = generate(seed).text();
        let Some(model) = Model::new("random.vfsm", &text) else {
            continue;
        };
        let built = build(&model, Target::Rust, &place("vfsm-rust-random"));
        if let Err(difference) = agree(&model, &built, 5, 60) {
            panic!("seed {seed}: {difference}\n{text}");
        }
    }
}

#[test]
fn random_networks_as_c_agree_with_their_models() {
    let mut compared = 0;
    for seed in 0..number("NETWORKS", 20) {
        let text = generate(seed).text();
        let Some(model) = Model::new("random.vfsm", &text) else {
            continue;
        };
        let built = build(&model, Target::C, &place("vfsm-c-random"));
        match agree(&model, &built, 5, 60) {
            Ok(steps) => compared += steps,
            Err(difference) => panic!("seed {seed}: {difference}\n{text}"),
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Mistakes put into the code by hand are found.
#[test]
fn a_mistake_in_the_code_is_found() {
    for (number, (file, right, wrong)) in MISTAKES.iter().enumerate() {
        let path = examples("vfsm")
            .into_iter()
            .find(|path| path.ends_with(file));
        let model = Model::open(&path.unwrap());
        let place = place(&format!("vfsm-c-mistake-{number}"));
        model.folder(Target::C).write(&place).unwrap();
        let code = place.join("network.c");
        let text = std::fs::read_to_string(&code).unwrap();
        assert!(text.contains(right), "{right}\n{text}");
        std::fs::write(&code, text.replace(right, wrong)).unwrap();
        let built = support::compile(&place, Target::C);
        match agree(&model, &built, 100, 100) {
            Err(difference) => eprintln!("{number}: {}", difference.lines().next().unwrap()),
            Ok(_) => panic!("not found: {wrong:?} instead of {right:?}"),
        }
    }
}

/// The example, what the code says, and what it says by mistake.
const MISTAKES: &[(&str, &str, &str)] = &[
    // A condition is turned around.
    (
        "handshake.vfsm",
        "if (has(net, me, SENDER_I_ACK)) {",
        "if (!has(net, me, SENDER_I_ACK)) {",
    ),
    // A timer is not stopped.
    (
        "handshake.vfsm",
        "net->running[timer] = false;\n    network_timer_stopped",
        "network_timer_stopped",
    ),
    // Inputs are kept that should leave with the transition.
    ("handshake.vfsm", "net->inputs[me] &= ~net->pulses;", ""),
    // Another state.
    (
        "handshake.vfsm",
        "net->state[me] = SENDER_S_OVER;",
        "net->state[me] = SENDER_S_IDLE;",
    ),
    // A message waits for a second one.
    (
        "handshake.vfsm",
        "net->length[low] > 0 ? low : NONE;",
        "net->length[low] > 1 ? low : NONE;",
    ),
    // The last message is taken first.
    (
        "speech-handler.vfsm",
        "(net->head[queue] + net->length[queue]) % queues[queue].capacity",
        "(net->head[queue] + queues[queue].capacity - net->length[queue]) % queues[queue].capacity",
    ),
    // An unexpected input is not noticed.
    (
        "errors/unexpected-input.vfsm",
        "net->noticed = network_unexpected_input;",
        "",
    ),
    // Priorities are not looked at.
    (
        "handshake.vfsm",
        "if (machine != NONE) {",
        "if (machine == mover - NETWORK_FIRST_MACHINE) {",
    ),
    // A machine that never settles is not noticed.
    (
        "errors/unsettled.vfsm",
        "net->failure = network_unsettled;",
        "",
    ),
    // Nor is a full queue.
    (
        "errors/overflow.vfsm",
        "net->failure = network_overflow;",
        "",
    ),
];

/// What a person wrote stays; what is not Mazurka's is refused, and then nothing is written.
#[test]
fn files_of_others_are_left_alone() {
    let path = examples("vfsm")
        .into_iter()
        .find(|path| path.ends_with("handshake.vfsm"));
    let model = Model::open(&path.unwrap());
    let folder = model.folder(Target::C);
    let place = place("vfsm-c-files");
    assert!(folder.write(&place).unwrap().kept.is_empty());
    let mapping = place.join("mapping.c");
    std::fs::write(&mapping, "/* mine */ void SENDER_out_O_CLEAR_2(void);\n").unwrap();
    std::fs::write(
        place.join("network.c"),
        "/* Made by Mazurka; an export replaces this file. */ old",
    )
    .unwrap();
    let written = folder.write(&place).unwrap();
    assert!(
        std::fs::read_to_string(&mapping)
            .unwrap()
            .starts_with("/* mine */")
    );
    assert!(
        !std::fs::read_to_string(place.join("network.c"))
            .unwrap()
            .ends_with("old")
    );
    let missing = &written.kept[0].missing;
    assert!(
        missing.contains(&"SENDER_out_O_CLEAR".to_string()),
        "{missing:?}"
    );
    std::fs::write(place.join("network.c"), "/* mine as well */").unwrap();
    std::fs::remove_file(place.join("main.c")).unwrap();
    let refused = folder.write(&place).unwrap_err();
    assert!(refused.contains("network.c"), "{refused}");
    assert!(!place.join("main.c").exists());
}
