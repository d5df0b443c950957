//! Any bytes as `mazurka.toml`.

use std::path::Path;

use mazurka_suite::Suite;

use crate::configs::check;
use crate::models::Fate;

/// At most this many models are checked, however many there are.
const MOST: usize = 3;

/// Reads a suite, and checks a small model as it says.
pub fn suite(bytes: &[u8]) -> Fate {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Fate::Refused;
    };
    match Suite::parse(Path::new("folder/mazurka.toml"), text) {
        Ok(suite) => {
            assert!(!suite.models.is_empty());
            for model in suite.models.iter().take(MOST) {
                check(model.config.clone());
            }
            Fate::Ran(suite.models.len())
        }
        Err(reason) => {
            assert!(reason.starts_with("folder/mazurka.toml:"), "{reason}");
            Fate::Refused
        }
    }
}

/// Valid suites.
pub fn valid() -> Vec<Vec<u8>> {
    let suites = [
        "[[model]]\nfile = \"lock.pml\"\nexpect = \"holds\"\n",
        "[options]\ntime = \"30s\"\nmemory = \"2G\"\naudit = \"off\"\nsearch = \"bfs\"\n\n\
         [[model]]\nfile = \"a.pml\"\nexpect = { safety = \"violated\", p = \"not decided\" }\n\n\
         [[model]]\nfile = \"a.pml\"\nname = \"again\"\nnotation = \"promela\"\n\
         options = { define = [\"N=3\"], all = true, depth = 100 }\nexpect = \"inconclusive\"\n",
        "[options]\nreduce = \"ample\"\noptimize = \"off\"\naudit = 0.5\n[[model]]\nfile = 'b.vfsm'\n\
         options = { ltl = \"[] (x < 2)\", fair = true, emptiness = \"scc\" }\nexpect = 'error'\n",
        "model = [{ file = \"c.sdl\", expect = \"holds\", options = { search = \"walk\", seed = 7, time = 0.1 } }]\n",
    ];
    suites.map(|suite| suite.as_bytes().to_vec()).to_vec()
}
