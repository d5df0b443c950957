//! Unexpected inputs, after which an execution goes on.
//!
//! For a temporal property, and for whatever else does not ask for it, an unexpected input is no violation, and the execution goes on as the notation has it. Where the message is
//! taken all the same (virtual finite state machines, SDL), the step that reports it is a step like any other. Where it stays in its queue
//! (multi-port machines), there is a step that does nothing but report it. That is no step of an execution: it changes nothing, and who could
//! take it for ever would leave everybody else alone. So it is left out here. A machine that can do nothing else waits, and if nobody can
//! move, the last state lasts for ever.

use mazurka_model::{BreachKind, Expression, ExpressionId, Instruction, Program, Transition};

/// The program without the steps that only report an unexpected input; nothing if it has none. All numbers stay as they are.
pub fn without_reports(program: &Program) -> Option<Program> {
    let only_reports = |transition: &Transition| {
        let effect = transition.effect.start as usize..transition.effect.end as usize;
        match program.code[effect] {
            [Instruction::Stop(breach)] => {
                program.breaches[breach.index()].kind == BreachKind::UnexpectedInput
            }
            _ => false,
        }
    };
    if !program.transitions.iter().any(only_reports) {
        return None;
    }
    let mut without = program.clone();
    let never = ExpressionId(without.expressions.len() as u32);
    without.expressions.push(Expression::Constant(0));
    for (number, transition) in program.transitions.iter().enumerate() {
        if only_reports(transition) {
            without.transitions[number].guard = never;
        }
    }
    Some(without)
}
