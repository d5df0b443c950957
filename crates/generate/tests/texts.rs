//! State tables and machines that stand alone, as `.vfsm` again.

mod support;

use mazurka_checker::{Besides, ModelText};
use mazurka_generate::{TableForm, alone, from_tables, tables};

use support::examples;

/// Everything before the network.
fn network_of(text: &str) -> &str {
    text.find("\nnetwork").map_or("", |at| &text[at..])
}

#[test]
fn machines_from_their_tables_have_the_same_tables() {
    for path in examples("vfsm") {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let model = ModelText::from_source(&name, source.as_str()).unwrap();
        let loaded = model.load(&Besides::default()).unwrap();
        let csv = tables(&model, &loaded, TableForm::Csv, None).unwrap();
        let machines = from_tables(&csv).unwrap();
        // Constants stand before the network.
        let constants = source.lines().filter(|line| line.starts_with("const "));
        let constants: Vec<&str> = constants.collect();
        let again = format!(
            "{}\n{machines}{}",
            constants.join("\n"),
            network_of(&source)
        );
        let model = ModelText::from_source(&name, again.as_str()).unwrap();
        let again = match model.load(&Besides::default()) {
            Ok(loaded) => tables(&model, &loaded, TableForm::Csv, None).unwrap(),
            Err(error) => panic!("{name}: {error}\n{again}"),
        };
        assert_eq!(csv, again);
    }
}

#[test]
fn every_machine_of_the_examples_can_stand_alone() {
    for path in examples("vfsm") {
        let source = std::fs::read_to_string(&path).unwrap();
        let model = ModelText::from_source("model.vfsm", source.as_str()).unwrap();
        let loaded = model.load(&Besides::default()).unwrap();
        let network = model.network(&[]).unwrap().network;
        for machine in &network.machines {
            let text = alone(&model, &loaded, &machine.name).unwrap();
            let model = ModelText::from_source("alone.vfsm", text.as_str()).unwrap();
            if let Err(error) = model.load(&Besides::default()) {
                panic!("{}: {}: {error}\n{text}", path.display(), machine.name);
            }
        }
        assert!(alone(&model, &loaded, "nobody").is_err());
    }
}

#[test]
fn what_is_wrong_with_tables_is_told() {
    for (csv, reason) in [
        ("", "its first line"),
        ("machine,state\n", "its first line"),
        (
            "machine,state,section,condition,what\nM,S\n",
            "row 2: it has less",
        ),
        (
            "machine,state,section,condition,what\nM,S,XX,,\n",
            "row 2: its section",
        ),
        (
            "machine,state,section,condition,what\nM,\"S,NS,,\n",
            "a quotation",
        ),
    ] {
        let wrong = from_tables(csv).unwrap_err();
        assert!(wrong.contains(reason), "{wrong}");
    }
}

/// A result of checking tells which rows no execution came to.
#[test]
fn tables_say_what_was_exercised() {
    let source = "machine M {
        inputs I, J;
        initial S; end S, T, U;
        S { NS: I > T; J > U; }
        T { }
        U { }
        spontaneous in S: *I;
        on E: *J;
    }
    network { processor P { process Q { m: M; } } }";
    let checker = mazurka_checker::Checker::from_source("m.vfsm", source).unwrap();
    let outcome = checker.run().unwrap();
    let config = mazurka_checker::Config::default();
    let report = mazurka_checker::Report::of(&outcome, &config, &Default::default());
    let model = ModelText::from_source("m.vfsm", source).unwrap();
    let loaded = model.load(&Besides::default()).unwrap();
    let csv = tables(&model, &loaded, TableForm::Csv, Some(&report)).unwrap();
    for row in [
        "M,S,NS,I,T,exercised",
        "M,S,NS,J,U,never",
        "M,U,state,,end,never",
        "M,,on,E,*J,never",
        "M,S,spontaneous,,*I,exercised",
    ] {
        assert!(csv.lines().any(|line| line == row), "{row}\n{csv}");
    }
    let html = tables(&model, &loaded, TableForm::Html, Some(&report)).unwrap();
    assert!(
        html.contains("<span class=\"never\">J &gt; U</span>"),
        "{html}"
    );
    // The machines are still those of the table.
    assert!(from_tables(&csv).unwrap().contains("NS: I > T;"));
}

#[test]
fn a_diagram_has_the_operations_of_each_state() {
    let path = examples("vfsm")
        .into_iter()
        .find(|path| path.ends_with("handshake.vfsm"));
    let source = std::fs::read_to_string(path.unwrap()).unwrap();
    let model = ModelText::from_source("handshake.vfsm", source.as_str()).unwrap();
    let loaded = model.load(&Besides::default()).unwrap();
    let text = mazurka_generate::diagrams(&model, &loaded).unwrap();
    let state = "\"CALLER.S_READY\" [label=<S_READY<br/><b>{}</b><br/>{send ASK to sender}>";
    assert!(text.contains(state), "{text}");
}
