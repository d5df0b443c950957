//! The VFSM front end: virtual finite state machines in a network (Godefroid, Peled and
//! Staskauskas 1996).
//!
//! [`compile`] takes a file through the stages, each in a module of its own: tokens, syntax tree,
//! a network with all names resolved, an automaton for each machine, a program. Start reading at
//! `transition.rs`, where the meaning of a state block is, then `lower.rs`.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod ast;
mod automaton;
pub mod codes;
mod coverage;
pub mod durations;
mod expand;
mod lower;
pub mod network;
mod parser;
mod promela;
mod resolve;
mod running;
mod transition;
mod warnings;

pub use coverage::{Coverage, CoveredPart};

use std::collections::{HashMap, HashSet};

use automaton::{Automaton, TooLarge, unfold};
use mazurka_promela::FileLoader;
use mazurka_span::{Diagnostic, Snippet, Snippets, SourceMap, has_errors, tidy};
use mazurka_syntax::add_source;
use network::Network;
use running::{MOST_STATES, unfold_by_running};

/// A model that can be run.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: mazurka_model::Program,
    /// What is odd about the model, but not wrong.
    pub warnings: Vec<Diagnostic>,
    /// What each transition of the program exercises.
    pub coverage: Coverage,
    /// How many initial global states there are.
    pub starts: usize,
    /// Its formulas of temporal logic, in the order of the text.
    pub formulas: Vec<Property>,
    /// The cost of a state, if a guide was given.
    pub guide: Option<mazurka_model::ExpressionId>,
    /// For each transition of the program, how likely it is: the alternatives that it takes multiply, and what
    /// different alternatives do alike is added up.
    pub weights: Vec<u64>,
    /// For each transition of the program, what it chooses where mappings leave something open, in the order in which that is met: the
    /// number of the alternative. Where there is one alternative only, nothing is chosen. Of the transition that starts a network with
    /// several initial global states, the number of the state.
    pub choices: Vec<Vec<u32>>,
    /// What is known in the model.
    pub scope: Scope,
}

/// The tree of a model, in which expressions are read.
#[derive(Debug)]
pub struct Scope {
    name: String,
    model: ast::Model,
}

impl mazurka_syntax::Scope for Scope {
    fn expression(
        &self,
        map: &SourceMap,
        _program: &mazurka_model::Program,
        snippet: Snippet<'_>,
    ) -> Option<(mazurka_model::Program, mazurka_model::ExpressionId)> {
        let (mut map, mut diagnostics) = (map.clone(), Vec::new());
        let file = map.add(snippet.name, snippet.text.as_bytes()).ok()?;
        let cost = parser::parse_cost(map.file(file), &mut diagnostics)?;
        let network = resolve::resolve(&self.model, Some(&cost), &mut diagnostics)?;
        let automata = unfold_all(&network, &mut diagnostics);
        if has_errors(&diagnostics) {
            return None;
        }
        let lowered = lower::lower(&map, &self.name, &network, &automata);
        Some((lowered.program, lowered.guide?))
    }
}

/// A network, and what is known of its machines.
#[derive(Debug)]
pub struct Resolved {
    /// The network.
    pub network: Network,
    /// For each machine, how often a transition of it executes the specification at most, before it settles or comes to where it was.
    pub rounds: Vec<usize>,
    /// Does a step of its own choose the initial global state, before all others?
    pub chooses_start: bool,
}

/// A formula over expressions of the program.
pub type Property = mazurka_ltl::Property<mazurka_model::ExpressionId>;

/// Parses a model; there is always a tree, and diagnostics about what is wrong with it.
pub fn parse(map: &mut SourceMap, name: &str, source: &[u8]) -> (ast::Model, Vec<Diagnostic>) {
    parse_with(map, name, source, &Extras::default())
}

fn parse_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    extras: &Extras<'_>,
) -> (ast::Model, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let file = add_source(map, name, source, codes::SOURCE_TOO_LARGE, &mut diagnostics);
    let Some(file) = file else {
        return (ast::Model::default(), diagnostics);
    };
    let pieces = expand::expand(map, file, extras.defines, extras.loader, &mut diagnostics);
    let model = parser::parse(&pieces, &mut diagnostics);
    (model, diagnostics)
}

/// Makes a program of a model, or says what is wrong with it.
pub fn compile(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(map, name, source, &Extras::default())
}

/// How likely what begins at some places of the source is, of those at which that may be said; everything else weighs 1.
pub type Weigh<'a> = &'a dyn Fn(&SourceMap, &HashSet<u32>) -> HashMap<u32, u64>;

/// What a search may want to know besides the program.
#[derive(Clone, Copy, Default)]
pub struct Extras<'a> {
    /// A formula, called `formula`, and the cost of a state, as [`Compiled::guide`] then says it.
    pub snippets: Snippets<'a>,
    /// Weights, as [`Compiled::weights`] then says them.
    pub weigh: Option<Weigh<'a>>,
    /// Values of constants, each `NAME=NUMBER`.
    pub defines: &'a [String],
    /// Where included files come from; without it, a model includes none.
    pub loader: Option<&'a dyn FileLoader>,
}

/// Makes a program of a model and what else was asked for.
pub fn compile_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    extras: &Extras<'_>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (model, mut network, mut diagnostics) = check(map, name, source, extras)?;
    if let Some(weigh) = extras.weigh {
        network.weights = weigh(map, &network.weighable());
    }
    let automata = unfold_all(&network, &mut diagnostics);
    if has_errors(&diagnostics) {
        tidy(map, &mut diagnostics);
        return Err(diagnostics);
    }
    warnings::unexercised(&network, &automata, &mut diagnostics);
    let lowered = lower::lower(map, name, &network, &automata);
    debug_assert_eq!(mazurka_model::verify(&lowered.program), Vec::new());
    tidy(map, &mut diagnostics);
    Ok(Compiled {
        program: lowered.program,
        warnings: diagnostics,
        coverage: lowered.coverage,
        starts: network.starts.len(),
        formulas: lowered.formulas,
        guide: lowered.guide,
        weights: lowered.weights,
        choices: lowered.choices,
        scope: Scope {
            name: name.into(),
            model,
        },
    })
}

/// The program of a model whose machines are unfolded by themselves, and the one of those unfolded as the whole network runs: for tests that
/// compare the two.
#[doc(hidden)]
pub fn compile_both_ways(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
) -> Option<(mazurka_model::Program, mazurka_model::Program)> {
    let (_, network, _) = check(map, name, source, &Extras::default()).ok()?;
    let machines = 0..network.machines.len();
    let alone = machines.map(|number| unfold(&network, number).ok());
    let alone = alone.collect::<Option<Vec<_>>>()?;
    let together = unfold_by_running(&network, MOST_STATES)?;
    let program = |automata: &[Automaton]| lower::lower(map, name, &network, automata).program;
    Some((program(&alone), program(&together)))
}

/// The network of a model with all names resolved, or what is wrong with it.
pub fn resolve(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    extras: &Extras<'_>,
) -> Result<Resolved, Vec<Diagnostic>> {
    let (_, network, mut diagnostics) = check(map, name, source, extras)?;
    let automata = unfold_all(&network, &mut diagnostics);
    if has_errors(&diagnostics) {
        tidy(map, &mut diagnostics);
        return Err(diagnostics);
    }
    let rounds = |automaton: &Automaton| {
        let edges = automaton.edges.iter().flatten();
        edges.map(|edge| edge.way.rounds).max().unwrap_or(0)
    };
    Ok(Resolved {
        rounds: automata.iter().map(rounds).collect(),
        chooses_start: lower::chooses_start(&network),
        network,
    })
}

/// Translates a model to Promela, or says what is wrong with it.
pub fn export_promela(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    extras: &Extras<'_>,
) -> Result<String, Vec<Diagnostic>> {
    let (_, network, _) = check(map, name, source, extras)?;
    Ok(promela::promela(&network, name))
}

fn check(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    extras: &Extras<'_>,
) -> Result<(ast::Model, Network, Vec<Diagnostic>), Vec<Diagnostic>> {
    let snippets = &extras.snippets;
    let (mut model, mut diagnostics) = parse_with(map, name, source, extras);
    let mut add = |snippet: Snippet<'_>, diagnostics: &mut Vec<Diagnostic>| {
        let (name, text) = (snippet.name, snippet.text.as_bytes());
        add_source(map, name, text, codes::SOURCE_TOO_LARGE, diagnostics)
    };
    let formula = snippets
        .formula
        .and_then(|text| add(text, &mut diagnostics));
    let guide = (snippets.expression).and_then(|text| add(text, &mut diagnostics));
    let formula = formula.and_then(|file| parser::parse_formula(map.file(file), &mut diagnostics));
    model.formulas.extend(formula);
    let guide = guide.and_then(|file| parser::parse_cost(map.file(file), &mut diagnostics));
    if has_errors(&diagnostics) {
        tidy(map, &mut diagnostics);
        return Err(diagnostics);
    }
    match resolve::resolve(&model, guide.as_ref(), &mut diagnostics) {
        Some(network) => Ok((model, network, diagnostics)),
        None => {
            tidy(map, &mut diagnostics);
            Err(diagnostics)
        }
    }
}

fn unfold_all(network: &Network, diagnostics: &mut Vec<Diagnostic>) -> Vec<Automaton> {
    let machines = 0..network.machines.len();
    let unfolded: Vec<_> = machines.map(|number| unfold(network, number)).collect();
    let is_large =
        |unfolded: &Result<Automaton, TooLarge>| matches!(unfolded, Err(TooLarge::Configurations));
    if unfolded.iter().any(is_large)
        && let Some(automata) = unfold_by_running(network, MOST_STATES)
    {
        return automata;
    }
    let mut automata = Vec::new();
    for (unfolded, machine) in unfolded.into_iter().zip(&network.machines) {
        match unfolded {
            Ok(automaton) => automata.push(automaton),
            Err(too_large) => {
                let what = match too_large {
                    TooLarge::Configurations => {
                        "combinations of state and register, and the network is too large to see which are met"
                    }
                    TooLarge::Ways => "ways that one of its transitions may go",
                };
                let message = format!("machine `{}` has too many {what}", machine.name);
                let hint = "delete inputs that are not needed any more, or use `*` for those \
                            needed in one transition only";
                let diagnostic = Diagnostic::error(codes::TOO_LARGE, machine.span, message);
                diagnostics.push(diagnostic.hint(hint));
            }
        }
    }
    automata
}
