//! A way to ask Mazurka about a model: the property, and the options of the search.

use crate::random::Random;

/// What is asked about a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asked {
    /// Deadlocks, assertions and run-time errors.
    Safety,
    Deadlock,
    Assertion,
    /// Violations of one kind, by the name of the property, which is that of the kind.
    Only(&'static str),
    /// Safety and every claim at once, as without options.
    All,
    /// A formula or never claim of the model, by its name.
    Claim {
        name: String,
        fair: bool,
    },
    /// A formula that is not in the model.
    Formula {
        text: String,
        fair: bool,
    },
    Acceptance {
        fair: bool,
    },
    Progress {
        fair: bool,
    },
}

impl Asked {
    pub fn is_temporal(&self) -> bool {
        matches!(
            self,
            Asked::Claim { .. }
                | Asked::Formula { .. }
                | Asked::Acceptance { .. }
                | Asked::Progress { .. }
        )
    }

    pub fn is_fair(&self) -> bool {
        use Asked::*;
        matches!(
            self,
            Claim { fair: true, .. }
                | Formula { fair: true, .. }
                | Acceptance { fair: true }
                | Progress { fair: true }
        )
    }

    /// As it is typed.
    pub fn options(&self) -> Vec<String> {
        let mut options: Vec<String> = match self {
            Asked::Safety => words("--property safety"),
            Asked::Deadlock => words("--property deadlock"),
            Asked::Assertion => words("--property assertion"),
            Asked::Only(kind) => words(&format!("--property {kind}")),
            Asked::All => Vec::new(),
            Asked::Claim { name, .. } => vec!["--claim".into(), name.clone()],
            Asked::Formula { text, .. } => vec!["--ltl".into(), text.clone()],
            Asked::Acceptance { .. } => words("--acceptance"),
            Asked::Progress { .. } => words("--progress"),
        };
        if self.is_fair() {
            options.push("--fair".into());
        }
        options
    }

    /// One word for the count of comparisons.
    pub fn kind(&self) -> &'static str {
        match self {
            Asked::Safety | Asked::Deadlock | Asked::Assertion | Asked::Only(_) | Asked::All => {
                "safety"
            }
            Asked::Claim { fair: false, .. } | Asked::Formula { fair: false, .. } => "claim",
            Asked::Claim { fair: true, .. } | Asked::Formula { fair: true, .. } => "claim-fair",
            Asked::Acceptance { fair: false } => "acceptance",
            Asked::Acceptance { fair: true } => "acceptance-fair",
            Asked::Progress { fair: false } => "progress",
            Asked::Progress { fair: true } => "progress-fair",
        }
    }
}

/// The options of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    pub options: Vec<String>,
    /// The search may miss states and says so: it does not say that something holds.
    pub lossy: bool,
    /// The search may give up on a long path.
    pub bounded: bool,
    pub course: Course,
}

impl Combination {
    /// Does its store make the best of its memory, and cut paths that do not fit into it?
    pub fn never_grows(&self) -> bool {
        let mut pairs = self.options.windows(2);
        pairs.any(|pair| pair[0] == "--store" && (pair[1] == "cache" || pair[1] == "bitstate"))
    }
}

/// How a search goes from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// At once.
    Whole,
    /// It is stopped and saved again and again, and resumed each time.
    Resumed,
    /// In two parts, whose results are merged.
    Sharded,
}

impl Combination {
    /// The options, and how the search goes, as words.
    pub fn words(&self) -> Vec<String> {
        let mut words = self.options.clone();
        words.extend(match self.course {
            Course::Whole => None,
            Course::Resumed => Some("(stopped and resumed)".to_string()),
            Course::Sharded => Some("(in two parts, merged)".to_string()),
        });
        words
    }
}

/// The full search, which judges all others.
pub fn judge() -> Combination {
    Combination {
        options: words(
            "--search dfs --store exact --reduce none --optimize off --jobs 1 --audit off",
        ),
        lossy: false,
        bounded: false,
        course: Course::Whole,
    }
}

/// Some combination of options for a safety property, most of them allowed. A model of few states may be searched without a store.
/// `guide` is the cost of a state.
pub fn of_safety(random: &mut Random, states: u64, guide: &str) -> Combination {
    if random.chance(4) {
        return walk(random);
    }
    let few = usize::from(states <= 40);
    let deepen = random.chance(5);
    let search = random
        .weighted(&[(12, "dfs"), (5, "bfs"), (2 * few, "stack"), (2, "guided")])
        .filter(|_| !deepen)
        .unwrap_or("dfs");
    let mut options = words(&format!("--search {search}"));
    let store = random
        .weighted(&[(12, "exact"), (3, "compact"), (3, "bitstate"), (2, "cache")])
        .filter(|_| !deepen && !matches!(search, "stack" | "guided"))
        .unwrap_or("exact");
    if search != "stack" {
        options.extend(words(&format!("--store {store}")));
    }
    if search == "guided" {
        options.extend(["--guide".into(), guide.into()]);
    }
    if store == "bitstate" {
        options.extend(words("--memory 4M"));
    }
    if store == "cache" {
        options.extend(words(&format!("--memory {}", cache_size(random, states))));
    }
    if store == "compact" && random.chance(50) {
        let bits = *random.pick(&["40", "52", "128"]);
        options.extend(words(&format!("--fingerprint {bits}")));
    }
    let forgets = store == "cache" || search == "stack" || deepen;
    let mut can_be_saved = matches!(search, "dfs" | "bfs") && !forgets;
    let reduce = match forgets || search == "guided" {
        true => *random.pick(&["auto", "none"]),
        false => reduction(random, search == "dfs" && store == "exact"),
    };
    let mut jobs =
        if random.chance(30) && !forgets && reduce != "simultaneous" && search != "guided" {
            2
        } else {
            1
        };
    if random.chance(20)
        && search == "dfs"
        && store == "exact"
        && !deepen
        && reduce != "simultaneous"
    {
        options.extend(words("--sleep on"));
        jobs = 1;
        can_be_saved = false;
    }
    options.extend(words(&format!("--reduce {reduce} --jobs {jobs}")));
    details(random, reduce, &mut options);
    structure(
        random,
        matches!(search, "bfs" | "guided") || deepen,
        &mut options,
    );
    if random.chance(50) {
        let symmetry = *random.pick(&["auto", "identities", "identities", "off"]);
        options.extend(words(&format!("--symmetry {symmetry}")));
    }
    if deepen {
        options.extend(words("--deepen 5"));
    }
    if random.chance(25) && !deepen {
        options.extend(words("--all"));
    }
    let mut bounded = search == "stack";
    if bounded {
        options.extend(words("--depth 60"));
    } else if random.chance(8) && !deepen {
        bounded = true;
        options.extend(words(&format!("--depth {}", 1 + random.below(30))));
    }
    if random.chance(10) {
        options.extend(words("--shorten off"));
    }
    audit(random, &mut options);
    let course = match can_be_saved && random.chance(20) {
        true => Course::Resumed,
        false => Course::Whole,
    };
    Combination {
        options,
        lossy: matches!(store, "compact" | "bitstate"),
        bounded,
        course,
    }
}

/// How large a cache is. One that forgets much of a large model takes for ever, so only that of a small one does.
fn cache_size(random: &mut Random, states: u64) -> String {
    match states <= 60 && random.chance(70) {
        true => "16K".into(),
        false => format!("{}M", 4 + states / 500),
    }
}

/// Walks through the model for a moment: what they find must be there, and they never say that something holds.
fn walk(random: &mut Random) -> Combination {
    let names = ["random", "biased", "scatter", "probabilistic", "swarm"];
    let search = *random.pick(&names);
    let seed = random.below(1000);
    let mut options = words(&format!(
        "--search {search} --time 30ms --jobs 1 --seed {seed}"
    ));
    if search == "swarm" {
        options.extend(words("--memory 4M"));
    }
    if random.chance(40) {
        options.extend(words("--optimize off"));
    }
    let course = match search == "swarm" && random.chance(50) {
        true => Course::Sharded,
        false => Course::Whole,
    };
    Combination {
        options,
        lossy: true,
        bounded: true,
        course,
    }
}

/// Some combination of options for a temporal property.
pub fn of_claim(random: &mut Random, fair: bool) -> Combination {
    let search = if random.chance(20) { "bfs" } else { "dfs" };
    let mut options = words(&format!("--search {search}"));
    let reduce = match fair {
        true => *random.pick(&["auto", "none"]),
        false => reduction(random, true),
    };
    options.extend(words(&format!("--reduce {reduce}")));
    details(random, reduce, &mut options);
    structure(random, search == "bfs", &mut options);
    if random.chance(60) {
        let emptiness = *random.pick(&["nested", "scc"]);
        options.extend(words(&format!("--emptiness {emptiness}")));
    }
    if search == "dfs" {
        let jobs = if random.chance(30) { 2 } else { 1 };
        options.extend(words(&format!("--jobs {jobs}")));
    }
    if random.chance(15) {
        options.extend(words("--all"));
    }
    audit(random, &mut options);
    Combination {
        options,
        lossy: false,
        bounded: false,
        course: Course::Whole,
    }
}

fn reduction(random: &mut Random, simultaneous: bool) -> &'static str {
    let names = [
        (5, "auto"),
        (1, "none"),
        (3, "stubborn"),
        (2, "ample"),
        (2, "persistent"),
        (2 * usize::from(simultaneous), "simultaneous"),
    ];
    random.weighted(&names).unwrap_or("auto")
}

fn details(random: &mut Random, reduce: &str, options: &mut Vec<String>) {
    if random.chance(30) {
        options.extend(words("--dependency constant"));
    }
    if reduce == "persistent" && random.chance(60) {
        let footprint = *random.pick(&["run", "state", "machine"]);
        options.extend(words(&format!("--footprint {footprint}")));
    }
}

/// How much of the search is audited: as usual, nothing, or everything.
fn audit(random: &mut Random, options: &mut Vec<String>) {
    match random.below(24) {
        0..=8 => {}
        9..=22 => options.extend(words("--audit off")),
        _ => options.extend(words("--audit 1")),
    }
}

fn structure(random: &mut Random, counts_steps: bool, options: &mut Vec<String>) {
    if random.chance(40) {
        options.extend(words("--optimize off"));
    }
    for switch in ["--merge", "--collapse", "--reset"] {
        let is_on = random.chance(50) && !(counts_steps && switch != "--reset");
        if random.chance(15) {
            options.push(switch.into());
            options.push(if is_on { "on" } else { "off" }.into());
        }
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_string).collect()
}
