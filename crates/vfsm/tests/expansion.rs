//! Included files, constants, tables and repetition: a model that is written with them is the model that is written out.

use std::collections::HashMap;

use mazurka_promela::MemoryLoader;
use mazurka_span::{Diagnostic, SourceMap};
use mazurka_vfsm::{Compiled, Extras};

const WRITTEN_OUT: &str = "
machine LINE {
    inputs I_GO;
    initial S_0;
    end S_0, S_1, S_2;
    S_0 { E: O_CLEAR; NS: I_GO > S_1; }
    S_1 { E: O_CLEAR; NS: I_GO > S_2; }
    S_2 { E: O_CLEAR; NS: I_GO > S_0; }
    on GO: +I_GO;
    out O_CLEAR: clear I_GO;
}
machine CALLER {
    inputs I_GO;
    initial S;
    S { IA: I_GO ? O_CALL; }
    spontaneous in S: *I_GO;
    out O_CALL: send GO to line1 | send GO to line2;
}
network {
    queue 2;
    processor A { process C { caller: CALLER; } }
    processor L1 { process P1 { low 2; line1: LINE; } }
    processor L2 { process P2 { low 2; line2: LINE; } }
}
invariant ok1: !(line1.S_1 & line1.I_GO);
invariant ok2: !(line2.S_1 & line2.I_GO);
";

const FOLDED: &str = "
const LINES = 3;
include \"lib/common.vfsm\";
include \"lib/common.vfsm\"; // nothing: it is there already
machine LINE {
    use SIGNALS;
    initial S_[0];
    end S_[0], S_[1], S_[2];
    for i in 0..2 { S_[i] { E: O_CLEAR; NS: for j in i..i { I_GO > S_[(j + 1) % 3]; } } }
    out O_CLEAR: clear I_GO;
}
machine CALLER {
    inputs I_GO;
    initial S;
    S { IA: I_GO ? O_CALL; }
    spontaneous in S: *I_GO;
    out O_CALL: send GO to line[LINES - 1] | send GO to line[LINES];
}
network {
    queue LINES;
    processor A { process C { caller: CALLER; } }
    for i in 1..LINES { processor L[i] { process P[i] { low LINES; line[i]: LINE; } } }
}
for i in 1..LINES { invariant ok[i]: !(line[i].S_1 & line[i].I_GO); }
";

fn compile(text: &str, defines: &[&str]) -> Result<Compiled, Vec<Diagnostic>> {
    let common = "table INPUTS { inputs I_GO; }\ntable SIGNALS { use INPUTS; on GO: +I_GO; }\n";
    let files = [("lib/common.vfsm".to_string(), common.into())];
    let loader = MemoryLoader {
        files: HashMap::from(files),
    };
    let defines: Vec<String> = defines.iter().map(|define| define.to_string()).collect();
    let extras = Extras {
        defines: &defines,
        loader: Some(&loader),
        ..Extras::default()
    };
    mazurka_vfsm::compile_with(
        &mut SourceMap::new(),
        "model.vfsm",
        text.as_bytes(),
        &extras,
    )
}

/// Everything but places in the text and the names of files.
fn meaning(compiled: &Compiled) -> String {
    let program = &compiled.program;
    let statements = program.statements.iter().map(|s| s.text.as_str());
    let statements: Vec<&str> = statements.collect();
    let labels: Vec<_> = program
        .locations
        .iter()
        .map(|l| (&l.labels, l.end))
        .collect();
    let types = program
        .process_types
        .iter()
        .map(|p| (&p.name, &p.locations));
    let types: Vec<_> = types.collect();
    let queues = program.channel_types.iter().map(|c| (&c.name, c.capacity));
    let queues: Vec<_> = queues.collect();
    format!(
        "{statements:#?} {labels:#?} {types:#?} {queues:#?} {:?}",
        program.code
    )
}

#[test]
fn folded_and_written_out_are_the_same() {
    let folded = compile(FOLDED, &["LINES=2"]).unwrap();
    let written_out = compile(WRITTEN_OUT, &[]).unwrap();
    assert_eq!(meaning(&folded), meaning(&written_out));
}

#[test]
fn a_definition_takes_the_place_of_a_value() {
    let lines = |defines: &[&str]| {
        let program = compile(FOLDED, defines).unwrap().program;
        let lines = program
            .process_types
            .iter()
            .filter(|p| p.name.starts_with("line"));
        lines.count()
    };
    assert_eq!(lines(&[]), 3);
    assert_eq!(lines(&["LINES=5"]), 5);
    let wrong = |defines: &[&str]| compile(FOLDED, defines).unwrap_err()[0].message.clone();
    assert!(wrong(&["LINE=2"]).contains("no constant `LINE`"));
    assert!(wrong(&["LINES=two"]).contains("must be a number"));
}

/// What is wrong in an included file is shown there.
#[test]
fn places_are_in_the_file_that_has_them() {
    let compiled = compile(FOLDED, &[]).unwrap();
    let common = compiled
        .program
        .files
        .iter()
        .position(|f| &**f == "lib/common.vfsm");
    let common = common.expect("the included file") as u32;
    let parts = compiled.coverage.parts.iter();
    let mut mapping = parts.filter(|part| part.text == "on GO: +I_GO");
    let mapping = mapping.next().expect("the mapping is a part");
    assert_eq!((mapping.origin.file, mapping.origin.line), (common, 2));
}
