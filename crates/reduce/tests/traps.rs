//! Models made to catch a reduction that leaves too much out. Each has caught one, or could have.

mod support;

fn check(name: &str, text: &str) {
    assert!(
        support::compare(name, text).is_some(),
        "{name} does not compile"
    );
}

#[test]
fn a_receiver_goes_on_in_the_step_of_the_sender() {
    // In the middle of P's atomic sequence control passes to Q, which writes what R looks at.
    check(
        "hand-over",
        "chan r = [0] of { byte }; byte x, y;
         active proctype P() { atomic { x = 1; r!0 } }
         active proctype Q() { atomic { r?_; y = 1 } ; y = 2 }
         active proctype R() { if :: y == 0 -> assert(x == 0) :: y == 1 -> assert(false) :: y == 2 fi }",
    );
}

#[test]
fn a_field_is_stored_where_another_field_says() {
    check(
        "index from the same message",
        "chan c = [1] of { byte, byte }; byte a[3];
         active proctype P() { byte i; c!2,7; c?i,a[i] }
         active proctype Q() { a[2] = 1; assert(a[2] == 1) }
         active proctype R() { a[0] = 1; assert(a[0] == 1) }",
    );
}

#[test]
fn a_condition_on_execution_is_read_all_the_time() {
    check(
        "provided",
        "byte x; bit stop;
         active proctype P() provided (x < 2) { byte l; l = 1; l = x; x = l + 1; assert(x < 3) }
         active proctype Q() { x = 2; stop = 1; x = 0 }",
    );
}

#[test]
fn an_escape_decides_about_a_receive_that_is_possible() {
    check(
        "escape and rendezvous elsewhere",
        "chan c = [2] of { byte }; chan r = [0] of { byte }; byte x = 1;
         active proctype P() { byte l; c!1; c!2; { c?l; assert(l == 3) } unless { x == 0 -> skip } }
         active proctype Q() { x = 0; x = 1 }
         active proctype S() { r!0 }
         active proctype T() { r?_ }",
    );
}

#[test]
fn an_atomic_block_may_begin_where_everything_is_local() {
    check(
        "atomic after local steps",
        "chan c = [1] of { byte }; byte g;
         active proctype P() { byte l; g = 1; l = l + 1; atomic { l = 2; c!l }; assert(g == 1) }
         active proctype Q() { c!5; g = 2 }",
    );
}

#[test]
fn a_local_loop_does_not_make_others_forgotten() {
    check(
        "local loop",
        "byte g;
         active proctype P() { byte l; do :: l = 1 - l od }
         active proctype Q() { g = 1; assert(g == 0) }",
    );
}

#[test]
fn a_receive_behind_the_head_waits_for_the_head_to_go() {
    check(
        "behind the head",
        "chan c = [2] of { byte }; byte g;
         active proctype P() { c!1; c!2; if :: c?2 -> g = 1 :: g == 5 -> assert(false) fi }
         active proctype Q() { c?1; g = 5 }",
    );
}

#[test]
fn a_timeout_comes_last() {
    check(
        "timeout",
        "chan c = [1] of { byte }; byte g;
         active proctype P() { if :: timeout -> g = 1; c!1 :: c?_ -> skip fi; assert(g == 0) }
         active proctype Q() { byte l; l = g; g = 2; if :: c?_ :: timeout -> g = 3 fi }",
    );
}

#[test]
fn partners_compete_for_a_rendezvous() {
    check(
        "rivals for a partner",
        "chan r = [0] of { byte }; byte g;
         active proctype P() { r!1; g = 1 }
         active proctype Q() { g = 2; r!2 }
         active proctype S() { byte l; r?l; assert(l == 1); r?eval(3 - l); assert(g == 1) }",
    );
}

#[test]
fn what_is_added_may_be_changed_by_another() {
    check(
        "added variable",
        "byte x, y = 1;
         active proctype P() { x = x + y; assert(x != 3) }
         active proctype Q() { y = 3; x = y + x }
         active proctype R() { x = x - 256; x = x + 255; assert(x < 255) }",
    );
}

#[test]
fn a_length_that_is_full_here_is_not_full_there() {
    check(
        "two capacities",
        "chan c = [1] of { byte }; chan d = [2] of { byte }; chan e; bit which; byte g;
         active proctype P() { if :: which -> e = c :: e = d fi; do :: len(e) == 1 -> g++; break :: len(e) == 2 -> break od; assert(g == 0) }
         active proctype Q() { d!1; d!2; c!1 }
         active proctype R() { which = 1; d?_ }",
    );
}

#[test]
fn an_index_that_changes_names_another_channel() {
    check(
        "channels by index",
        "chan q[3] = [1] of { byte }; byte who, g;
         active proctype P() { bit i; i = 1; q[i]!1; q[i + 1]!2; q[who]!3 }
         active proctype Q() { who = 2; q[2]?_; q[0]!5 }
         active proctype R() { byte v; if :: q[0]?v -> assert(v != 3) :: q[1]?v -> g = 1 fi; q[1 - g] = q[2]; q[0]?v; assert(v != 2) }",
    );
}

#[test]
fn an_error_in_an_index_is_zero() {
    check(
        "an index of an index beyond the end",
        "chan q[2] = [1] of { byte }; byte table[2] = 1; byte g;
         active proctype P() { byte i = 5; q[table[i]]!1; g = 1 }
         active proctype Q() { byte v; if :: q[0]?v -> assert(g == 0) :: q[1]?v fi }
         active proctype R() { q[0]!7; q[1]!8 }",
    );
}

/// More of them, one to a file; those in another notation are tried by `networks.rs`.
#[test]
fn traps_in_files() {
    for (name, text) in support::traps("pml") {
        check(&name, &text);
    }
}
