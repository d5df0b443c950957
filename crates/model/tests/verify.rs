//! The rules of well-formedness: a program that keeps them all, and how each can be broken.

mod support;

use mazurka_model::{
    Base, Expression, ExpressionId, FormatPart, Handshake, Instruction, Kind, LocationId, Meaning,
    PlaceId, Program, StatementId, UnaryOperator, verify,
};
use support::program;

const SOURCE: &str = "
mtype = { one, two };
chan wire = [2] of { mtype, byte };
byte table[3];
byte x;

proctype worker(byte i) {
    byte j;
    table[i] = i;
    wire!one(i);
    j = 1
}

active proctype main() {
    run worker(1);
    d_step { if :: x == 0 -> x = 1 :: else -> x = 2 fi; x = 3 }
    wire?one(x);
    printf(\"%e\\n\", one)
}
";

/// Breaks a good program and sees the flaw with the number of the rule.
#[track_caller]
fn check(rule: u32, damage: impl FnOnce(&mut Program)) {
    let mut program = program(SOURCE);
    damage(&mut program);
    let flaws = verify(&program);
    assert!(flaws.iter().any(|flaw| flaw.rule == rule), "{flaws:?}");
    let text = format!("rule {rule}: ");
    assert!(flaws.iter().any(|flaw| flaw.to_string().starts_with(&text)));
}

/// The number of the first instruction that fits.
fn instruction(program: &Program, fits: impl Fn(&Instruction) -> bool) -> usize {
    let found = program.code.iter().position(fits);
    found.expect("the program has such an instruction")
}

fn run_of_worker(program: &Program) -> usize {
    instruction(
        program,
        |code| matches!(code, Instruction::Run { arguments, .. } if !arguments.is_empty()),
    )
}

#[test]
fn what_the_front_end_makes_is_well_formed() {
    assert_eq!(verify(&program(SOURCE)), []);
}

#[test]
fn the_empty_program_is_well_formed() {
    assert_eq!(verify(&Program::default()), []);
}

#[test]
fn rule_1_every_number_names_an_entry() {
    check(1, |program| {
        let places = program.places.len() as u32;
        let load = program
            .expressions
            .iter_mut()
            .find(|expression| matches!(expression, Expression::Load(_)));
        *load.unwrap() = Expression::Load(PlaceId(places));
    });
    check(1, |program| {
        program.transitions[0].guard = ExpressionId(9999)
    });
    check(1, |program| {
        program.transitions[0].statement = StatementId(9999)
    });
    check(1, |program| program.receives.clear());
    check(1, |program| program.sends.clear());
    check(1, |program| program.formats.clear());
    check(1, |program| program.channel_types.clear());
    check(1, |program| {
        program.process_types[0].provided = Some(ExpressionId(9999))
    });
    check(1, |program| {
        program.process_types[0].parameters[0] = PlaceId(9999)
    });
    check(1, |program| program.lists[0] = ExpressionId(9999));
    check(1, |program| {
        program.indices[0].expression = ExpressionId(9999)
    });
}

#[test]
fn rule_1_every_range_lies_inside_its_table() {
    check(1, |program| program.start.end = 9999);
    check(1, |program| program.process_types[0].start = 3..9999);
    check(1, |program| program.transitions[0].effect.start = 9999);
    check(1, |program| {
        program.locations.last_mut().unwrap().transitions.end = 9999
    });
    check(1, |program| program.sends[0].values.end = 9999);
    check(1, |program| program.receives[0].fields.end = 9999);
    check(1, |program| program.lists.clear());
    check(1, |program| program.indices.clear());
}

#[test]
fn rule_1_a_transition_begins_with_what_it_can_meet_by() {
    check(1, |program| {
        let sends = program
            .transitions
            .iter_mut()
            .find(|transition| matches!(transition.handshake, Handshake::Sends(_)))
            .unwrap();
        sends.effect.start += 1;
        sends.effect.end = sends.effect.start;
    });
}

#[test]
fn rule_1_holds_for_the_names_of_values() {
    check(1, |program| {
        program.shared[0].meaning = Meaning::Enumeration(9999)
    });
    check(1, |program| {
        let format = program.formats.iter_mut().flatten();
        for part in format {
            if let FormatPart::Name(which) = part {
                *which = 9999;
            }
        }
    });
}

#[test]
fn rule_2_the_locations_of_process_types_are_disjoint_and_cover_the_table() {
    check(2, |program| program.process_types[1].locations.start -= 1);
    check(2, |program| program.process_types[1].locations.end -= 1);
    check(2, |program| program.process_types[1].locations.end += 1);
    check(2, |program| {
        program.process_types[0].initial = program.process_types[1].initial
    });
}

#[test]
fn rule_2_a_transition_stays_in_its_process_type() {
    check(2, |program| {
        let foreign = program.process_types[1].initial;
        program.transitions[0].target = Some(foreign);
    });
    check(2, |program| {
        program.transitions[0].target = Some(LocationId(9999))
    });
}

#[test]
fn rule_2_a_transition_belongs_to_one_location_only() {
    check(2, |program| {
        program.locations[1].transitions = program.locations[0].transitions.clone();
    });
}

#[test]
fn rule_2_a_transition_belongs_to_one_location_only_even_if_one_without_lies_between() {
    check(2, |program| {
        program.locations[1].transitions = 0..0;
        program.locations[2].transitions = program.locations[0].transitions.clone();
    });
}

#[test]
fn rule_3_an_expression_refers_to_earlier_ones() {
    check(3, |program| {
        let itself = ExpressionId(program.expressions.len() as u32);
        let circle = Expression::Unary(UnaryOperator::Not, itself);
        program.expressions.push(circle);
    });
    check(3, |program| {
        let last = ExpressionId(program.expressions.len() as u32 - 1);
        program.expressions[0] = Expression::And(last, last);
    });
}

#[test]
fn rule_3_an_expression_is_finite_through_places_too() {
    check(3, |program| {
        let indexed = program
            .places
            .iter()
            .position(|place| !place.indices.is_empty())
            .unwrap();
        let index = program.places[indexed].indices.start as usize;
        let itself = ExpressionId(program.expressions.len() as u32);
        program
            .expressions
            .push(Expression::Load(PlaceId(indexed as u32)));
        program.indices[index].expression = itself;
    });
}

#[test]
fn rule_4_a_jump_stays_inside_its_effect() {
    check(4, |program| {
        let jump = instruction(program, |code| matches!(code, Instruction::Jump(_)));
        program.code[jump] = Instruction::Jump(9999);
    });
    check(4, |program| {
        let jump = instruction(program, |code| matches!(code, Instruction::JumpUnless(..)));
        let Instruction::JumpUnless(condition, _) = program.code[jump] else {
            unreachable!("it was just found");
        };
        program.code[jump] = Instruction::JumpUnless(condition, 0);
    });
}

#[test]
fn rule_5_a_place_lies_inside_its_part_of_the_state() {
    check(5, |program| program.shared_bytes = 1);
    check(5, |program| program.places[0].offset = 9999);
    check(5, |program| program.places[0].base = Base::Hidden);
    check(5, |program| {
        for process_type in &mut program.process_types {
            process_type.frame_bytes = 0;
        }
    });
}

#[test]
fn rule_5_an_index_cannot_reach_beyond_its_array() {
    check(5, |program| program.indices[0].length = 99);
    check(5, |program| program.indices[0].stride = 99);
    check(5, |program| program.indices[0].length = 0);
}

#[test]
fn rule_5_a_field_lies_inside_its_message() {
    check(5, |program| program.channel_types[0].fields[1].offset = 2);
    check(5, |program| {
        program.channel_types[0].fields[1].kind = Kind::Int
    });
    check(5, |program| program.channel_types[0].message_bytes = 1);
}

#[test]
fn rule_5_the_start_writes_no_local_variable() {
    check(5, |program| {
        let local = program
            .places
            .iter()
            .position(|place| place.base == Base::Local)
            .unwrap();
        let write = Instruction::Assign(PlaceId(local as u32), ExpressionId(0));
        program.code[program.start.start as usize] = write;
    });
}

#[test]
fn rule_5_a_variable_lies_inside_its_part_of_the_state() {
    check(5, |program| program.shared[0].offset = 9999);
    check(5, |program| program.shared[0].length = Some(9999));
    check(5, |program| {
        program.process_types[0].variables[0].offset = 9999
    });
}

#[test]
fn rule_5_holds_for_the_greatest_offset() {
    check(5, |program| {
        program.channel_types[0].fields[1].offset = u32::MAX
    });
}

#[test]
fn rule_6_a_run_gives_as_many_arguments_as_there_are_parameters() {
    check(6, |program| {
        let run = run_of_worker(program);
        if let Instruction::Run { arguments, .. } = &mut program.code[run] {
            arguments.end = arguments.start;
        }
    });
    check(6, |program| program.process_types[0].parameters.clear());
}

#[test]
fn rule_7_location_and_priority_lie_in_the_frame() {
    check(7, |program| program.process_types[0].location.offset = 9999);
    check(7, |program| {
        let mut slot = program.process_types[0].location;
        slot.offset = program.process_types[0].frame_bytes;
        program.process_types[0].priority = Some(slot);
    });
}

#[test]
fn rule_7_location_and_priority_do_not_overlap_a_variable() {
    check(7, |program| program.process_types[0].location.offset = 0);
    check(7, |program| {
        let mut slot = program.process_types[0].location;
        slot.offset = program.process_types[0].variables[0].offset;
        program.process_types[0].priority = Some(slot);
    });
}

#[test]
fn rule_7_the_location_has_room_for_all_numbers() {
    check(7, |program| {
        program.process_types[0].location.kind = Kind::Bit
    });
}
