//! A run of a model that is stepped by hand, without a terminal.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use mazurka_checker::{Besides, ModelText, Random};
use mazurka_report::{Conversation, SteppedModel, Stopped};
use mazurka_scenario::{ScenarioFiles, Style};

const MODEL: &str = "byte x;\nactive proctype P() { x = 1; x == 2; x = 3 }\nactive proctype Q() { timeout; x = 2 }\n";

thread_local! {
    static TOLD: RefCell<String> = const { RefCell::new(String::new()) };
}

fn print(text: &str) -> io::Result<()> {
    TOLD.with_borrow_mut(|told| told.push_str(text));
    Ok(())
}

fn refuse(_: &str) -> io::Result<()> {
    Err(io::ErrorKind::BrokenPipe.into())
}

fn stepped(print: fn(&str) -> io::Result<()>) -> Result<SteppedModel, Stopped> {
    stepped_of(MODEL, print)
}

fn stepped_of(text: &str, print: fn(&str) -> io::Result<()>) -> Result<SteppedModel, Stopped> {
    let model = ModelText::read("m.pml", text.as_bytes(), None)?;
    let loaded = model.load(&Besides::default())?;
    let files = ScenarioFiles::of_simulation(Path::new("m.pml"));
    let choosing = (Random::new(1), 100);
    let telling = (Style::default(), print as _, false);
    let stepped = SteppedModel::start(&model, loaded, files, choosing, telling)?;
    Ok(stepped.expect("an initial state"))
}

/// What is told after some lines.
fn told(lines: &str) -> String {
    told_of(MODEL, lines)
}

fn told_of(text: &str, lines: &str) -> String {
    TOLD.take();
    let mut stepped = stepped_of(text, print).expect("it begins");
    stepped.converse(lines.as_bytes(), false).expect("it ends");
    TOLD.take()
}

#[test]
fn steps_are_taken_and_taken_back() {
    let told = told("1\np x\nb\np x\nb\nn\n");
    for part in [
        "steps possible after 0:\n   1) P[0] line 2: x = 1\n",
        "x: 0 → 1\nsteps possible after 1:\n   1) Q[1] line 3: timeout\nx = 1\nback to step 0\n",
        "x = 0\nthis is the beginning\n",
    ] {
        assert!(told.contains(part), "{part}\n--\n{told}");
    }
}

#[test]
fn a_process_that_waits_says_for_what() {
    let told = told("why Q\n1\nwhy P\nwhy R\n");
    for part in [
        "Q[1] at m.pml:3 waits for timeout (others can still move)\n",
        "P[0] at m.pml:2 waits for x == 2 (x = 1; Q[1] could change that)\n",
        "why R: ",
    ] {
        assert!(told.contains(part), "{part}\n--\n{told}");
    }
}

#[test]
fn a_value_is_told_as_its_type_has_it() {
    let text = "mtype = { red, green }; mtype light = red; bool on = true; chan c = [1] of { byte }; chan d;
        typedef T { bool b }; T t[2]; active proctype P() { bool own; light = green; own = true; d = c; own == on }";
    let lines =
        "p light\np on\np t[1].b\np P[0]:own\np c\np d\np on + 1\nwatch light\n1\n1\np P[0]:own\n";
    let told = told_of(text, lines);
    for part in [
        "light = red\n",
        "on = true\n",
        "t[1].b = false\n",
        "P[0]:own = false\n",
        "c = c\n",
        "d = no channel\n",
        "on + 1 = 2\n",
        "light = green\n",
        "P[0]:own = true\n",
    ] {
        assert!(told.contains(part), "{part}\n--\n{told}");
    }
}

#[test]
fn each_process_of_a_type_says_for_what_it_waits() {
    let told = told_of(
        "byte x; active [2] proctype P() { x == 1 }",
        "why P\nwhy P[1]\n",
    );
    let waits = "at m.pml:1 waits for x == 1 (x = 0; no process can change that)\n";
    let expected = format!("  P[0] {waits}  P[1] {waits}  P[1] {waits}");
    assert!(told.contains(&expected), "{told}");
}

#[test]
fn what_is_wrong_is_said_and_the_conversation_goes_on() {
    let told = told("p x +\ngoto far\n9\nuntil x == 2\n");
    for part in [
        "error[P0030]: expected an expression",
        "goto: expected a number, not `far`\n",
        "a number from 1 to 1, or b, s, h or q\n",
        "x == 2 holds after step 3\n",
    ] {
        assert!(told.contains(part), "{part}\n--\n{told}");
    }
}

#[test]
fn it_ends_where_nobody_listens() {
    assert!(matches!(stepped(refuse), Err(Stopped::Output(_))));
}
