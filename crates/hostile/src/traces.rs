//! Any bytes as the trace of a program, for `simulate --follow`.

use std::sync::LazyLock;

use mazurka_generate::follow;
use mazurka_model::Interpreter;
use mazurka_scenario::{Snapshot, Walk};
use mazurka_span::SourceMap;

use crate::models::Fate;

/// The steps of a valid trace.
const STEPS: usize = 30;
const VFSM: &[u8] = include_bytes!("../../../examples/vfsm/handshake.vfsm");
const EFSM: &[u8] = include_bytes!("../../../examples/efsm/alternating-bit.efsm");

/// A model in each notation that programs are made of.
static MODELS: LazyLock<[Interpreter; 2]> = LazyLock::new(|| {
    let mut map = SourceMap::new();
    let network = mazurka_vfsm::compile(&mut map, "any.vfsm", VFSM).expect("an example");
    let mut map = SourceMap::new();
    let system = mazurka_efsm::compile(&mut map, "any.efsm", EFSM, &[]).expect("an example");
    [network.program, system.program].map(Interpreter::new)
});

/// Follows a trace in the models. However it was made, the steps are steps of the model.
pub fn trace(bytes: &[u8]) -> Fate {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Fate::Refused;
    };
    let mut longest = None;
    for interpreter in MODELS.iter() {
        let followed = match follow(interpreter, text) {
            Ok(followed) => followed,
            Err(reason) => {
                assert!(!reason.is_empty(), "it is refused without a reason");
                continue;
            }
        };
        assert!(followed.steps.len() <= text.lines().count());
        let (mut walk, _) = Walk::start(interpreter).expect("an example has an initial state");
        for step in &followed.steps {
            assert!(walk.enabled().contains(step), "no step of the model");
            walk.advance(*step);
        }
        longest = longest.max(Some(followed.steps.len()));
    }
    longest.map_or(Fate::Refused, Fate::Ran)
}

/// Traces of walks through the models.
pub fn valid() -> Vec<Vec<u8>> {
    let models = MODELS.iter();
    let traces = models.flat_map(|interpreter| (0..4).map(|seed| walk(interpreter, seed)));
    traces.map(String::into_bytes).collect()
}

fn walk(interpreter: &Interpreter, seed: usize) -> String {
    let (mut walk, _) = Walk::start(interpreter).expect("an example has an initial state");
    let mut text = "mazurka-trace\t1\n".to_string();
    for number in 0..STEPS {
        let mut able: Vec<u32> = walk.enabled().iter().map(|step| step.process).collect();
        able.dedup();
        let able: String = able.iter().map(|mover| format!("\t{mover}")).collect();
        text += &format!("state{}\ncan{able}\n", state(&walk.snapshot()));
        let steps = walk.enabled();
        let Some(step) = steps.get((seed * 7 + number * (seed + 1)) % steps.len().max(1)) else {
            break;
        };
        let name = &walk.snapshot().processes[step.process as usize].name;
        text += &format!("step\t{}\t{name}\n", step.process);
        if let Some(failure) = walk.advance(*step).failure {
            let kind = mazurka_scenario::ViolationKind::from(failure);
            text += &format!("notices\t{}\n", kind.name());
        }
    }
    text
}

/// A state as programs write it.
fn state(snapshot: &Snapshot) -> String {
    let is_variable = |name: &str| snapshot.variables.iter().any(|known| known.name == name);
    let processes = snapshot.processes.iter().filter_map(|process| {
        let state = process
            .state
            .as_ref()
            .filter(|_| !is_variable(&process.name))?;
        Some(format!("\t{}={state}", process.name))
    });
    let variables = snapshot.variables.iter();
    let variables = variables.map(|variable| format!("\t{}={}", variable.name, variable.value));
    let channels = snapshot.channels.iter();
    let channels =
        channels.map(|channel| format!("\t{}=[{}]", channel.name, channel.messages.join(", ")));
    processes.chain(variables).chain(channels).collect()
}
