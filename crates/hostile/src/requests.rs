//! Any bytes as requests of a page to the studio.

use mazurka_studio::{Session, SharedSession};
use serde_json::Value;

use crate::models::Fate;

/// What the page is about: something of everything that a request may ask for.
const MODEL: &str = "
mtype = { coin, tea };
chan c = [2] of { mtype, byte };
byte x;
active proctype P() { do :: x < 3 -> c ! coin, x; x++ :: else -> break od }
active [2] proctype Q() { byte y; do :: c ? coin, y -> printf(\"%d\\n\", y) :: timeout -> assert(y < 2); break od }
ltl p { <> (x == 3) }
";
/// Between two requests; no JSON has it outside of its strings.
const BETWEEN: u8 = 0;
/// However many there are.
const MOST: usize = 24;

/// Puts one request after the other to the studio: the name of the question, a space, what is asked.
pub fn request(bytes: &[u8]) -> Fate {
    let session = Session::from_source("nowhere/any.pml", MODEL).expect("a model");
    let session = SharedSession::new(session);
    let mut answered = 0;
    for request in bytes.split(|byte| *byte == BETWEEN).take(MOST) {
        let space = request.iter().position(|byte| *byte == b' ');
        let (question, asked) = request.split_at(space.unwrap_or(request.len()));
        let Ok(question) = std::str::from_utf8(question) else {
            return Fate::Refused;
        };
        // How a check is asked for is read by another target; here nothing would wait for its end.
        if question == "check/start" {
            continue;
        }
        match session.answer(question, asked) {
            Ok(answer) => {
                serde_json::from_slice::<Value>(&answer).expect("an answer is JSON");
                answered += 1;
            }
            Err(trouble) => {
                let trouble: Value = serde_json::from_slice(&trouble).expect("trouble is JSON");
                let reason = trouble["error"].as_str().expect("trouble has a reason");
                assert!(!reason.is_empty());
            }
        }
    }
    match answered {
        0 => Fate::Refused,
        answered => Fate::Ran(answered),
    }
}

/// What a page asks.
pub fn valid() -> Vec<Vec<u8>> {
    let take = r#"act {"do": "take", "choice": 0}"#;
    let edited = MODEL.replace("x < 3", "x < 4");
    let apply = format!(
        "apply {}",
        serde_json::json!({ "text": edited, "revision": 1 })
    );
    let diagnose = r#"diagnose {"text": "active proctype P() { x = 1 }"}"#;
    let have = r#"{"revision": 1, "branch": 0, "steps": 1, "chart": {}}"#;
    let look = format!(r#"act {{"do": "look", "have": {have}}}"#);
    let graph = |from_start: bool, slot: usize| {
        format!(
            r#"graph {{"states": 20, "reduce": "stubborn", "left_out": true, "from_start": {from_start}, "slot": {slot}}}"#
        )
    };
    let (near, all) = (graph(false, 0), graph(true, 1));
    let sessions: [&[&str]; 9] = [
        &["open", take, take, &look],
        &[
            take,
            take,
            r#"act {"do": "back"}"#,
            r#"act {"do": "forward"}"#,
        ],
        &[
            r#"watch {"expressions": ["x + 1", "len(c)", "Q[1]:y"]}"#,
            r#"act {"do": "until", "expression": "x == 2"}"#,
        ],
        &[
            r#"act {"do": "random", "steps": 12}"#,
            r#"act {"do": "go", "position": 3}"#,
            r#"act {"do": "take", "choice": 1}"#,
            r#"act {"do": "branch", "number": 0}"#,
            r#"act {"do": "reset"}"#,
            "explain {}",
        ],
        &[take, r#"chart {"folded": ["Q"], "filter": "coin"}"#, take],
        &[
            take,
            &near,
            &all,
            r#"act {"do": "node", "number": 2, "slot": 1}"#,
        ],
        &[r#"automaton {"text": "P"}"#, diagnose, &apply, take, take],
        &[
            take,
            r#"export {"text": "text"}"#,
            r#"export {"text": "scenario"}"#,
            r#"export {"text": "svg"}"#,
        ],
        &[
            "check",
            "check/stop",
            r#"act {"do": "violation", "number": 0}"#,
            r#"act {"do": "start"}"#,
        ],
    ];
    let joined = |requests: &&[&str]| {
        let requests: Vec<&[u8]> = requests.iter().map(|request| request.as_bytes()).collect();
        requests.join(&BETWEEN)
    };
    sessions.iter().map(joined).collect()
}
