//! The reference semantics, step by step, on small models.

mod support;

use mazurka_model::{Event, Failure, Fault, HEADER_BYTES, Interpreter, Outcome, Step, Variable};
use support::program;

/// A model that runs, and the state it is in.
struct Run {
    interpreter: Interpreter,
    state: Vec<u8>,
}

impl Run {
    fn new(source: &str) -> Run {
        let interpreter = Interpreter::new(program(source));
        let mut state = Vec::new();
        let begun = interpreter.initial(&mut state, &mut ());
        assert_eq!(begun, Ok(()));
        Run { interpreter, state }
    }

    /// The steps that are possible, each with the name that [`check`] describes.
    fn possible(&self) -> Vec<(String, Step)> {
        let mut steps = Vec::new();
        self.interpreter.enabled(&self.state, &mut steps);
        let named = |step: Step| (self.name(step), step);
        steps.into_iter().map(named).collect()
    }

    fn name(&self, step: Step) -> String {
        let program = self.interpreter.program();
        let text = |process: usize, transition: usize| {
            let statement = program.transitions[transition].statement;
            format!("{process}: {}", program.statements[statement.index()].text)
        };
        let mut name = text(step.process as usize, step.transition.index());
        if let Some((partner, transition)) = self.interpreter.partner(&self.state, step) {
            name += &format!(" -> {}", text(partner, transition.index()));
        }
        if step.choice == Step::FAULT {
            name += " (fault)";
        }
        name
    }

    /// Takes the first step of this name. An incomplete one leaves the state as it is. A process
    /// in control that cannot go on gives control up, as in a search.
    #[track_caller]
    fn take(&mut self, name: &str) -> Outcome {
        let possible = self.possible();
        let Some((_, step)) = possible.iter().find(|(found, _)| found == name) else {
            panic!("{name} is not possible, but {possible:?}");
        };
        let (mut next, mut message) = (Vec::new(), Vec::new());
        let interpreter = &self.interpreter;
        let outcome = interpreter.execute(&self.state, *step, &mut next, &mut message, &mut ());
        if outcome.complete {
            if !interpreter.enabled(&next, &mut Vec::new()) {
                interpreter.release(&mut next);
            }
            self.state = next;
        }
        outcome
    }

    fn variable(&self, name: &str) -> i32 {
        self.element(name, 0)
    }

    /// An element of a shared or hidden variable.
    fn element(&self, name: &str, element: u32) -> i32 {
        let program = self.interpreter.program();
        let find = |list: &[Variable]| list.iter().find(|found| found.name == name).cloned();
        let (variable, base) = match find(&program.shared) {
            Some(shared) => (shared, HEADER_BYTES),
            None => (
                find(&program.hidden).expect("the variable is shared or hidden"),
                self.interpreter.shape(&self.state).visible_bytes,
            ),
        };
        let offset = base + variable.offset + element * variable.kind.bytes();
        variable.kind.read(&self.state, offset as usize)
    }

    fn processes(&self) -> usize {
        self.interpreter.shape(&self.state).processes.len()
    }

    /// The messages in a channel, and that nothing is left in its free slots.
    fn messages(&self, number: usize) -> Vec<Vec<i32>> {
        let entry = self.interpreter.shape(&self.state).channels[number - 1];
        let channel = &self.interpreter.program().channel_types[entry.channel_type.index()];
        let bytes = &self.state[entry.offset as usize..][..channel.bytes() as usize];
        let length = channel.length_kind().read(bytes, 0) as usize;
        let slots = &bytes[channel.length_kind().bytes() as usize..];
        let (used, free) = slots.split_at(length * channel.message_bytes as usize);
        assert!(free.iter().all(|byte| *byte == 0), "{bytes:?}");
        used.chunks(channel.message_bytes as usize)
            .map(|message| {
                let fields = channel.fields.iter();
                fields
                    .map(|field| field.kind.read(message, field.offset as usize))
                    .collect()
            })
            .collect()
    }
}

/// Runs a model by a script. Each line names all steps that are possible, in order, separated by
/// `;`, and marks the one to be taken with `*`. A step is the process and its statement, then
/// `->` and the same of the partner in a rendezvous, or `(fault)`.
#[track_caller]
fn check(source: &str, script: &[&str]) -> Run {
    let mut run = Run::new(source);
    follow(&mut run, script);
    run
}

#[track_caller]
fn follow(run: &mut Run, script: &[&str]) {
    for (number, line) in script.iter().enumerate() {
        let possible: Vec<String> = run.possible().into_iter().map(|(name, _)| name).collect();
        assert_eq!(possible.join("; "), line.replace("* ", ""), "line {number}");
        let marked = line.split("; ").find_map(|name| name.strip_prefix("* "));
        if let Some(name) = marked {
            let outcome = run.take(name);
            let fine = Outcome {
                failure: None,
                complete: true,
            };
            assert_eq!(outcome, fine, "{name}");
        }
    }
}

#[track_caller]
fn check_failure(run: &mut Run, step: &str, failure: Failure, complete: bool) {
    let expected = Outcome {
        failure: Some(failure),
        complete,
    };
    assert_eq!(run.take(step), expected, "{step}");
}

#[track_caller]
fn check_fault(source: &str, step: &str, fault: Fault) {
    let mut run = Run::new(source);
    let before = run.state.clone();
    check_failure(&mut run, step, Failure::Fault(fault), false);
    assert_eq!(run.state, before);
}

#[test]
fn the_youngest_process_is_tried_first_and_its_transitions_as_written() {
    check(
        "byte x; active proctype a() { x = 1 } active proctype b() { if :: x = 2 :: x = 3 fi }",
        &["1: x = 2; 1: x = 3; 0: x = 1"],
    );
}

#[test]
fn a_process_starts_with_its_arguments_and_initial_values() {
    let run = check(
        "byte x = 3, y; proctype p(byte a; byte b) { byte c = a + b; y = c * x }
         init { run p(2, 5) }",
        &["* 0: run p(2,5)", "* 1: y = c*x"],
    );
    assert_eq!(run.variable("y"), 21);
}

#[test]
fn an_assignment_truncates_to_the_type_of_the_variable() {
    let run = check(
        "byte b; short s; bit t; unsigned u : 3; int i;
         init { i = 70000; b = i; s = i; t = i + 3; u = i + 7 }",
        &[
            "* 0: i = 70000",
            "* 0: b = i",
            "* 0: s = i",
            "* 0: t = i+3",
            "* 0: u = i+7",
        ],
    );
    let values = ["i", "b", "s", "t", "u"].map(|name| run.variable(name));
    assert_eq!(values, [70000, 112, 4464, 1, 7]);
}

#[test]
fn else_is_possible_only_if_nothing_else_is() {
    let source = "byte x; init { do :: x < 1 -> x++ :: else -> break od }";
    check(source, &["* 0: x < 1", "* 0: x++", "* 0: else", "0: -end-"]);
}

#[test]
fn the_escape_of_an_unless_goes_before_its_body() {
    check(
        "byte x; init { { do :: x = 1 od } unless { x == 1; x = 2 } }",
        &["* 0: x = 1", "* 0: x == 1", "* 0: x = 2", "0: -end-"],
    );
}

#[test]
fn atomic_holds_control_releases_it_when_blocked_and_takes_it_back() {
    check(
        "byte x;
         active proctype a() { atomic { x = 1; x = 2; x == 5; x = 6 } }
         active proctype b() { x = 5; x = 7 }",
        &[
            "1: x = 5; * 0: x = 1",
            "* 0: x = 2",
            "* 1: x = 5",
            "1: x = 7; * 0: x == 5",
            "* 0: x = 6",
            "1: x = 7",
        ],
    );
}

#[test]
fn a_process_that_holds_control_and_is_blocked_has_no_steps_until_it_is_released() {
    let run = Run::new(
        "byte x; active proctype a() { atomic { x = 1; x == 5 } } active proctype b() { x = 5 }",
    );
    let (_, step) = run.possible().pop().unwrap();
    let (mut next, interpreter) = (Vec::new(), &run.interpreter);
    interpreter.execute(&run.state, step, &mut next, &mut Vec::new(), &mut ());
    assert_eq!(interpreter.controller(&next), Some(0));
    let mut steps = Vec::new();
    assert!(!interpreter.enabled(&next, &mut steps));
    assert_eq!(steps, []);
    interpreter.release(&mut next);
    assert_eq!(interpreter.controller(&next), None);
    assert!(interpreter.enabled(&next, &mut steps));
    assert_eq!(steps.len(), 1);
    assert_eq!(steps[0].process, 1);
}

#[test]
fn a_rendezvous_hands_the_message_over_in_one_step_of_two_processes() {
    let run = check(
        "chan c = [0] of { byte, byte }; byte x, y;
         active proctype a() { c!3,4 }
         active proctype b() { c?x,y }
         active proctype d() { c?9,y }",
        &["* 0: c!3,4 -> 1: c?x,y", ""],
    );
    assert_eq!((run.variable("x"), run.variable("y")), (3, 4));
}

#[test]
fn a_sender_can_meet_any_receiver_the_youngest_first() {
    check(
        "chan c = [0] of { byte }; byte x;
         active proctype a() { c!3 }
         active proctype b() { if :: c?x :: c?3 fi }
         active proctype d() { c?x }",
        &["0: c!3 -> 2: c?x; 0: c!3 -> 1: c?x; 0: c!3 -> 1: c?3"],
    );
}

#[test]
fn a_rendezvous_gives_control_to_the_receiver_if_it_is_in_an_atomic_sequence() {
    check(
        "chan c = [0] of { byte }; byte x;
         active proctype a() { atomic { c!1; x = 2 } }
         active proctype b() { atomic { c?_; x = 3 } }
         active proctype d() { x = 4; x = 5 }",
        &[
            "2: x = 4; * 0: c!1 -> 1: c?_",
            "* 1: x = 3",
            "2: x = 4; 0: x = 2",
        ],
    );
}

#[test]
fn a_rendezvous_takes_control_from_a_sender_in_an_atomic_sequence() {
    check(
        "chan c = [0] of { byte }; byte x;
         active proctype a() { atomic { c!1; x = 2 } }
         active proctype b() { c?_; x = 3 }",
        &["* 0: c!1 -> 1: c?_", "1: x = 3; 0: x = 2"],
    );
}

#[test]
fn messages_are_received_in_the_order_in_which_they_were_sent() {
    let mut run = check(
        "chan c = [2] of { byte }; byte x;
         active proctype a() { c!300; c!2; c!3 }
         active proctype b() { c?x; c?x; c?x }",
        &["* 0: c!300", "1: c?x; * 0: c!2", "* 1: c?x"],
    );
    // The message was truncated to its type.
    assert_eq!(run.variable("x"), 44);
    assert_eq!(run.messages(1), [[2]]);
    follow(&mut run, &["* 1: c?x; 0: c!3", "* 0: c!3", "* 1: c?x"]);
    assert_eq!(run.variable("x"), 3);
    assert_eq!(run.messages(1), Vec::<Vec<i32>>::new());
}

#[test]
fn a_sorted_send_puts_a_message_behind_those_that_are_not_greater() {
    let run = check(
        "chan c = [4] of { byte, byte };
         init { c!!3,1; c!!1,9; c!!2,0; c!!1,4 }",
        &["* 0: c!!3,1", "* 0: c!!1,9", "* 0: c!!2,0", "* 0: c!!1,4"],
    );
    assert_eq!(run.messages(1), [[1, 4], [1, 9], [2, 0], [3, 1]]);
    let contents = run.interpreter.channel(&run.state, 1).unwrap();
    assert_eq!((contents.length, contents.capacity), (4, 4));
    assert_eq!(contents.head(), Some(&[1, 4][..]));
}

#[test]
fn a_random_receive_takes_the_first_message_that_matches_and_closes_the_gap() {
    let mut run = check(
        "chan c = [4] of { byte, byte }; byte x;
         init { c!3,1; c!1,9; c!2,7; c!1,4; if :: c?1,x :: c??1,x :: c??5,x fi }",
        &["* 0: c!3,1", "* 0: c!1,9", "* 0: c!2,7", "* 0: c!1,4"],
    );
    follow(&mut run, &["* 0: c??1,x"]);
    assert_eq!(run.variable("x"), 9);
    assert_eq!(run.messages(1), [[3, 1], [2, 7], [1, 4]]);
}

#[test]
fn a_receive_that_copies_leaves_the_contents_as_they_are() {
    let mut run = check(
        "chan c = [2] of { byte, byte }; byte x, y;
         init { c!3,1; c!1,9; c?<x,y>; c??<1,y>; c?[3,1]; c??[1,9] }",
        &["* 0: c!3,1", "* 0: c!1,9", "* 0: c?<x,y>"],
    );
    assert_eq!((run.variable("x"), run.variable("y")), (3, 1));
    follow(&mut run, &["* 0: c??<1,y>"]);
    assert_eq!(run.variable("y"), 9);
    follow(&mut run, &["* 0: c?[3,1]", "* 0: c??[1,9]"]);
    assert_eq!(run.messages(1), [[3, 1], [1, 9]]);
}

#[test]
fn a_full_channel_blocks_its_sender() {
    let source = "chan c = [1] of { byte }; init { c!1; if :: c!2 :: full(c) -> c?1 fi }";
    check(source, &["* 0: c!1", "* 0: full(c)", "* 0: c?1"]);
}

#[test]
fn processes_die_in_reverse_order_of_their_birth() {
    let run = check(
        "active proctype a() { skip } active proctype b() { skip }",
        &[
            "1: skip; * 0: skip",
            "* 1: skip",
            "* 1: -end-",
            "* 0: -end-",
            "",
        ],
    );
    assert_eq!(run.processes(), 0);
    assert!(run.interpreter.is_valid_end(&run.state));
}

#[test]
fn after_birth_and_death_a_state_has_the_same_bytes_and_the_same_shape() {
    let mut run = Run::new(
        "hidden byte h = 9; chan d = [1] of { byte };
         active proctype main() { do :: run p(3) od }
         proctype p(byte i) { chan c = [2] of { byte }; c!i }",
    );
    let before = run.state.clone();
    for _ in 0..2 {
        follow(&mut run, &["* 0: run p(3)"]);
        assert_eq!(run.processes(), 2);
        assert_eq!(run.interpreter.shape(&run.state).channels.len(), 2);
        follow(&mut run, &["* 1: c!i; 0: run p(3)"]);
        assert_eq!(run.messages(2), [[3]]);
        assert_eq!(run.variable("h"), 9);
        follow(&mut run, &["* 1: -end-; 0: run p(3)"]);
        assert_eq!(run.state, before);
    }
}

#[test]
fn the_channels_of_a_process_die_with_it_and_their_numbers_are_given_out_again() {
    let mut run = Run::new(
        "chan a;
         active proctype main() { do :: run p() :: len(a) == 0 -> skip od }
         proctype p() { chan c = [1] of { byte }; a = c }",
    );
    run.take("0: run p()");
    run.take("1: a = c");
    assert_eq!(run.variable("a"), 1);
    assert!(run.interpreter.channel(&run.state, 1).is_some());
    run.take("1: -end-");
    assert_eq!(run.variable("a"), 1);
    assert!(run.interpreter.channel(&run.state, 1).is_none());
    let step = "0: len(a) == 0 (fault)";
    check_failure(&mut run, step, Failure::Fault(Fault::NoChannel(1)), false);
    run.take("0: run p()");
    assert!(run.interpreter.channel(&run.state, 1).is_some());
}

#[test]
fn hidden_variables_do_not_tell_states_apart() {
    let mut run = Run::new("hidden byte h; byte x; init { do :: h = 1 :: x = x + 1 od }");
    let before = run.state.clone();
    run.take("0: h = 1");
    assert_eq!(run.variable("h"), 1);
    assert_ne!(run.state, before);
    let identity = |state| run.interpreter.identity(state);
    assert_eq!(identity(&run.state), identity(&before));
    run.take("0: x = x+1");
    let identity = |state| run.interpreter.identity(state);
    assert_ne!(identity(&run.state), identity(&before));
}

/// What happens next may depend on it, even if the model only counts with it.
#[test]
fn hidden_variables_that_are_read_tell_states_apart() {
    let mut run = Run::new("hidden byte h; byte x; init { do :: h = h + 1 :: x = x + 1 od }");
    let before = run.state.clone();
    run.take("0: h = h+1");
    assert_eq!(run.variable("h"), 1);
    let identity = |state| run.interpreter.identity(state);
    assert_ne!(identity(&run.state), identity(&before));
}

#[test]
fn division_by_zero_leads_nowhere() {
    let fault = Fault::DivisionByZero;
    check_fault("byte x, y; init { y = 1 / x }", "0: y = 1/x", fault);
    check_fault("byte x, y; init { y = 1 % x }", "0: y = 1%x", fault);
    check_fault("byte x; init { 1 / x == 1 }", "0: 1/x == 1 (fault)", fault);
}

#[test]
fn a_guard_without_a_value_does_not_lead_on() {
    let run = Run::new("byte x; init { 1 / x == 1 }");
    assert!(!run.interpreter.enabled(&run.state, &mut Vec::new()));
}

#[test]
fn an_index_out_of_range_is_reported_and_the_step_goes_on_with_zero() {
    let mut run =
        Run::new("byte a[2], i = 5, y = 9; init { y = a[i]; a[i] = 3; a[i] == 0; a[i] == 1 }");
    let failure = Failure::Fault(Fault::IndexOutOfRange {
        index: 5,
        length: 2,
    });
    check_failure(&mut run, "0: y = a[i]", failure, true);
    assert_eq!(run.variable("y"), 0);
    check_failure(&mut run, "0: a[i] = 3", failure, true);
    assert_eq!((run.element("a", 0), run.element("a", 1)), (0, 0));
    assert_eq!(run.variable("i"), 5);
    follow(&mut run, &["0: a[i] == 0 (fault); * 0: a[i] == 0"]);
    check_failure(&mut run, "0: a[i] == 1 (fault)", failure, false);
    follow(&mut run, &["0: a[i] == 1 (fault)"]);
}

#[test]
fn use_of_a_channel_that_was_never_initialised_is_a_fault() {
    let fault = Fault::NoChannel(0);
    check_fault("chan c; init { c!1 }", "0: c!1 (fault)", fault);
    check_fault("chan c; byte x; init { c?x }", "0: c?x (fault)", fault);
    check_fault(
        "chan c; init { len(c) == 0 }",
        "0: len(c) == 0 (fault)",
        fault,
    );
}

#[test]
fn a_message_with_the_wrong_number_of_fields_is_a_fault() {
    let mut run = Run::new("chan c = [1] of { byte }; chan d; init { d = c; d!1,2 }");
    run.take("0: d = c");
    let fault = Fault::WrongMessage {
        expected: 1,
        found: 2,
    };
    check_failure(&mut run, "0: d!1,2", Failure::Fault(fault), false);
}

#[test]
fn a_rendezvous_channel_has_no_contents_to_ask_for() {
    let source = "chan c = [0] of { byte }; init { c?[1] }";
    check_fault(source, "0: c?[1] (fault)", Fault::RendezvousPoll);
}

#[test]
fn a_process_may_not_ask_whether_it_is_itself_enabled() {
    let source = "byte p; init { enabled(p) }";
    check_fault(source, "0: enabled(p) (fault)", Fault::EnabledSelf);
}

#[test]
fn a_rendezvous_in_the_middle_of_a_d_step_is_a_fault() {
    check_fault(
        "chan c = [0] of { byte }; byte x;
         active proctype a() { d_step { x = 1; c!1 } }
         active proctype b() { c?x }",
        "0: d_step",
        Fault::RendezvousInStep,
    );
}

#[test]
fn a_fault_in_what_one_process_is_provided_with_does_not_stop_another() {
    let source = "byte x, y;
        active proctype a() { y = 1 }
        active proctype b() provided (1 / x == 1) { y = 2 }";
    let possible = Run::new(source).possible();
    let found = possible.iter().any(|(name, _)| name == "0: y = 1");
    assert!(found, "{possible:?}");
}

#[test]
fn a_fault_of_a_process_of_higher_priority_does_not_stop_another() {
    check(
        "byte x, y;
         active proctype a() priority 1 { x = 1 }
         active proctype b() priority 5 { 1 / y == 1 }",
        &["1: 1/y == 1 (fault); 0: x = 1"],
    );
}

#[test]
fn a_failed_assertion_is_reported_and_the_step_is_complete() {
    let mut run = Run::new("byte x; init { assert(x == 1); x = 2 }");
    let outcome = run.take("0: assert(x == 1)");
    assert!(matches!(outcome.failure, Some(Failure::Assertion(_))));
    assert!(outcome.complete);
    follow(&mut run, &["* 0: x = 2"]);
}

#[test]
fn timeout_is_possible_only_when_nothing_else_is() {
    check(
        "byte x;
         active proctype a() { timeout; x = 1 }
         active proctype b() { x == 0; x == 1 }",
        &["* 1: x == 0", "* 0: timeout", "* 0: x = 1", "* 1: x == 1"],
    );
}

#[test]
fn only_the_highest_priority_moves_while_it_can() {
    check(
        "byte x;
         active proctype a() priority 5 { x = 1; x = 3 }
         active proctype b() priority 9 { x = 2; x == 1 }
         active proctype d() priority 5 { x = 4 }",
        &[
            "* 1: x = 2",
            "2: x = 4; * 0: x = 1",
            "* 1: x == 1",
            "2: x = 4; 0: x = 3",
        ],
    );
}

#[test]
fn a_priority_can_be_changed_within_its_range() {
    let mut run = check(
        "byte x;
         active proctype a() priority 5 { x = 1; set_priority(_pid, 0) }
         active proctype b() priority 9 { set_priority(_pid, 2); x = 2 }",
        &["* 1: set_priority(_pid,2)", "* 0: x = 1"],
    );
    let failure = Failure::Fault(Fault::PriorityOutOfRange(0));
    check_failure(&mut run, "0: set_priority(_pid,0)", failure, false);
}

#[test]
fn a_process_moves_only_while_what_it_is_provided_with_holds() {
    check(
        "byte x;
         active proctype a() provided (x == 1) { x = 2; x = 3 }
         active proctype b() { x = 1; x == 2 }",
        &["* 1: x = 1", "* 0: x = 2", "* 1: x == 2", "* 1: -end-", ""],
    );
}

#[test]
fn a_receiver_that_may_not_move_cannot_be_met() {
    check(
        "chan c = [0] of { byte }; byte x;
         active proctype a() { c!1; x = 2 }
         active proctype b() provided (x == 1) { c?_ }
         active proctype d() { x = 1; x = 3 }",
        &["* 2: x = 1", "2: x = 3; * 0: c!1 -> 1: c?_"],
    );
}

#[test]
fn a_d_step_is_one_step() {
    let run = check(
        "byte x; init { d_step { x = 1; do :: x < 9 -> x++ :: else -> break od; x = x * 2 } }",
        &["* 0: d_step", "0: -end-"],
    );
    assert_eq!(run.variable("x"), 18);
}

#[test]
fn a_d_step_goes_on_behind_the_alternative_that_it_took() {
    let source = "byte x = 1, y; init { d_step { x = 1; if :: x == 1 -> y = 2 :: else -> y = 3 fi; x = y; y = 4 } }";
    let run = check(source, &["* 0: d_step", "0: -end-"]);
    assert_eq!((run.variable("x"), run.variable("y")), (2, 4));
}

#[test]
fn a_d_step_waits_only_at_its_beginning() {
    check("byte x; init { d_step { x == 5; x = 2 } }", &[""]);
    for condition in ["x == 5", "x == 5 && x < 9"] {
        check_fault(
            &format!("byte x; init {{ d_step {{ x = 1; {condition}; x = 2 }} }}"),
            "0: d_step",
            Fault::Stuck,
        );
    }
}

#[test]
fn a_d_step_that_does_not_end_is_a_fault() {
    check_fault(
        "byte x; init { d_step { x = 1; do :: x = 1 - x od } }",
        "0: d_step",
        Fault::Endless,
    );
}

#[test]
fn a_second_enabled_transition_of_a_deterministic_process_is_reported() {
    let source = "byte x; active D_proctype a() { if :: x = 1 :: x = 2 fi }";
    let mut run = check(source, &["* 0: x = 1; 0: x = 2", "0: -end-"]);
    run = Run {
        state: Run::new(source).state,
        ..run
    };
    check_failure(&mut run, "0: x = 2", Failure::Nondeterminism, true);
}

#[test]
fn there_are_no_more_than_255_processes() {
    let mut run = Run::new("proctype p() { false } active proctype main() { do :: run p() od }");
    for _ in 0..254 {
        follow(&mut run, &["* 0: run p()"]);
    }
    assert_eq!(run.processes(), 255);
    let failure = Failure::Fault(Fault::TooManyProcesses);
    check_failure(&mut run, "0: run p()", failure, false);
}

#[test]
fn there_are_no_more_than_255_channels() {
    let mut run = Run::new(
        "proctype p() { chan c = [1] of { byte }; chan d = [1] of { byte }; c?1; d?1 }
         active proctype main() { do :: run p() od }",
    );
    for _ in 0..127 {
        run.take("0: run p()");
    }
    let failure = Failure::Fault(Fault::TooManyChannels);
    check_failure(&mut run, "0: run p()", failure, false);
}

#[test]
fn the_process_that_made_the_last_step_is_remembered_if_somebody_asks() {
    check(
        "byte x;
         active proctype a() { x = 1; _last == 1; x = 3 }
         active proctype b() { x = 2; x = 4 }",
        &[
            "1: x = 2; * 0: x = 1",
            "* 1: x = 2",
            "1: x = 4; 0: _last == 1",
        ],
    );
}

#[test]
fn what_happens_inside_a_step_is_told_to_a_witness() {
    let run = Run::new(
        "chan c = [0] of { byte };
         active proctype a() { c!7 } active proctype b() { byte y; c?y; printf(\"%d\\n\", y) }",
    );
    let mut events: Vec<Event> = Vec::new();
    let mut state = run.state.clone();
    for _ in 0..3 {
        let mut steps = Vec::new();
        run.interpreter.enabled(&state, &mut steps);
        let mut next = Vec::new();
        let mut message = Vec::new();
        let step = steps[0];
        run.interpreter
            .execute(&state, step, &mut next, &mut message, &mut events);
        state = next;
    }
    let told: Vec<String> = events
        .iter()
        .map(|event| match event {
            Event::Sent {
                process, message, ..
            } => format!("{process} sent {message:?}"),
            Event::Received {
                process, message, ..
            } => format!("{process} received {message:?}"),
            Event::Started { process, .. } => format!("{process} started"),
            Event::Died { process } => format!("{process} died"),
            Event::Printed(text) => format!("printed {text:?}"),
            Event::Failed { values, .. } => format!("failed with {values:?}"),
        })
        .collect();
    assert_eq!(
        told,
        ["0 sent [7]", "1 received [7]", "printed \"7\\n\"", "1 died"]
    );
}

#[test]
fn bytes_from_elsewhere_are_states_or_not() {
    let run = check(
        "chan c = [2] of { byte }; byte x;
         active proctype a() { c!3; c!2 }
         active proctype b() { c?x; c?x }",
        &["* 0: c!3"],
    );
    let (interpreter, state) = (&run.interpreter, &run.state);
    assert!(interpreter.is_state(state));
    assert!(!interpreter.is_state(&[]));
    assert!(!interpreter.is_state(&state[..state.len() - 1]));
    let with = |at: usize, byte: u8| {
        let mut other = state.clone();
        other[at] = byte;
        interpreter.is_state(&other)
    };
    let shape = interpreter.shape(state);
    let length = shape.channels[0].offset as usize;
    // A population, and a process in control, that are not there; more messages than there is room for.
    assert!(!with(1, 0xff) && !with(2, 3) && !with(length, 3));
    assert!(with(2, 2) && with(length, 2));
    // A location that the process does not have.
    let frame = shape.frame(1);
    let location = interpreter.program().process_types[1].location;
    assert!(!with(frame + location.offset as usize, 200));
}
