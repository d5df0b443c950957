//! Random models in the other notations, under random combinations of options and, through their exports, before SPIN; and which
//! features of each notation met.

mod compare;
mod efsm;
mod execution;
mod marks;
mod sdl;
mod vfsm;

pub use compare::{Compared, compare};
pub use marks::Marks;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::combination::Asked;
use crate::drive::{Tally, keep};
use crate::formula::formula;
use crate::machines::System;
use crate::network::{self, Network};
use crate::random::Random;
use crate::table::{Reason, Seen, Table};

/// Models that have both; of which one path executes both; that were searched under combinations of options, with the full search as
/// judge; the same for a temporal property; whose export was judged by SPIN.
pub const COLUMNS: &[&str] = &["used", "executed", "reductions", "temporal", "spin"];

/// A notation besides Promela.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    Efsm,
    Vfsm,
    Sdl,
}

impl Notation {
    pub const ALL: [Notation; 3] = [Notation::Efsm, Notation::Vfsm, Notation::Sdl];

    /// The suffix of its files.
    pub fn name(self) -> &'static str {
        match self {
            Notation::Efsm => "efsm",
            Notation::Vfsm => "vfsm",
            Notation::Sdl => "sdl",
        }
    }

    /// The empty table of its features.
    pub fn table(self) -> Table {
        let (features, reason): (&[&str], Reason) = match self {
            Notation::Efsm => (efsm::FEATURES, efsm::known_reason),
            Notation::Vfsm => (vfsm::FEATURES, vfsm::known_reason),
            Notation::Sdl => (sdl::FEATURES, sdl::known_reason),
        };
        Table::new(features.to_vec(), COLUMNS, reason)
    }

    /// The model of a seed.
    pub fn model(self, seed: u64) -> Model {
        let random = &mut Random::new(seed ^ 0x6c74_6c00);
        let (made, atoms) = match self {
            Notation::Efsm => {
                let system = System::random(seed);
                let atoms = system.atoms(random);
                (Made::Efsm(system), atoms)
            }
            Notation::Vfsm => {
                let network = network::generate(seed);
                let atoms = network.atoms(random);
                (Made::Vfsm(network), atoms)
            }
            Notation::Sdl => {
                let system = crate::sdl::system(seed);
                // A formula knows what it is about by a number, because its export has other words.
                let atoms = (0..system.atoms.len()).map(|number| format!("#{number}#"));
                let atoms = atoms.collect();
                (Made::Sdl(system), atoms)
            }
        };
        let and = if self == Notation::Vfsm { "&" } else { "&&" };
        let or = if self == Notation::Vfsm { "|" } else { "||" };
        let count = if atoms.is_empty() { 0 } else { random.below(3) };
        let guide = match (&made, atoms.first()) {
            (Made::Sdl(system), _) => {
                let first = system.atoms.first();
                first.map_or("1".into(), |(own, _)| own.clone())
            }
            (_, first) => first.cloned().unwrap_or("1".into()),
        };
        let formulas = (0..count).map(|_| {
            let size = 1 + random.below(6);
            // SPIN is usually built without `next`.
            let text = match random.chance(10) {
                true => format!("(X {})", formula(random, size, &atoms)),
                false => formula(random, size, &atoms),
            };
            text.replace("&&", and).replace("||", or)
        });
        Model {
            notation: self,
            made,
            formulas: formulas.collect(),
            guide,
        }
    }
}

/// A random model with formulas about it.
#[derive(Clone, Debug)]
pub struct Model {
    notation: Notation,
    made: Made,
    formulas: Vec<String>,
    guide: String,
}

#[derive(Clone, Debug)]
enum Made {
    Efsm(System),
    Vfsm(Network),
    Sdl(crate::sdl::System),
}

impl Model {
    pub fn notation(&self) -> Notation {
        self.notation
    }

    pub fn text(&self) -> String {
        let mut text = match &self.made {
            Made::Efsm(system) => system.text(),
            Made::Vfsm(network) => network.text(),
            Made::Sdl(system) => system.text.clone(),
        };
        for (number, formula) in self.formulas.iter().enumerate() {
            text += &match self.notation {
                Notation::Efsm => format!("ltl f{number} {{ {formula} }}\n"),
                Notation::Vfsm => format!("ltl f{number}: {formula};\n"),
                // There is no place for them in the text.
                Notation::Sdl => String::new(),
            };
        }
        text
    }

    /// Options `--define`.
    pub fn defines(&self) -> &[String] {
        match &self.made {
            Made::Sdl(system) => &system.defines,
            _ => &[],
        }
    }

    /// The cost of a state in a guided search: what formulas may be about, without temporal operators.
    pub fn guide(&self) -> &str {
        &self.guide
    }

    /// The features of the model and where they are.
    pub fn marks(&self) -> Marks {
        match &self.made {
            Made::Efsm(_) => efsm::marks(&self.text()),
            Made::Vfsm(_) => vfsm::marks(&self.text()),
            Made::Sdl(_) => {
                let formulas: Vec<String> = self.claims().iter().map(words_of).collect();
                sdl::marks(&self.text(), &formulas)
            }
        }
    }

    /// Its formulas, fair or not, as they are asked about.
    pub fn claims(&self) -> Vec<Asked> {
        let claims = self.formulas.iter().enumerate();
        let claims = claims.flat_map(|(number, formula)| {
            [false, true].map(|fair| match &self.made {
                Made::Sdl(system) => {
                    let atoms = system.atoms.iter().map(|(own, _)| own.as_str());
                    let text = with_atoms(formula, atoms);
                    Asked::Formula { text, fair }
                }
                _ => {
                    let name = format!("f{number}");
                    Asked::Claim { name, fair }
                }
            })
        });
        claims.collect()
    }

    /// The export with the formulas that it can have, for SPIN, and which of the model's formulas each name is.
    pub fn for_spin(&self, mut exported: String) -> (String, Vec<(String, Asked)>) {
        let mut known = Vec::new();
        for (number, asked) in self.claims().into_iter().step_by(2).enumerate() {
            let name = format!("f{number}");
            if let Made::Sdl(system) = &self.made {
                let formula = &self.formulas[number];
                let mut atoms = system.atoms.iter().enumerate();
                let all = atoms.all(|(number, (_, theirs))| {
                    theirs.is_some() || !formula.contains(&format!("#{number}#"))
                });
                if !all {
                    continue;
                }
                let atoms = system.atoms.iter();
                let atoms = atoms.map(|(_, theirs)| theirs.as_deref().unwrap_or(""));
                let mut formula = with_atoms(formula, atoms);
                // SPIN takes two of them for a sorted send.
                while formula.contains("!!") {
                    formula = formula.replace("!!", "! !");
                }
                exported += &format!("ltl {name} {{ {formula} }}\n");
            }
            known.push((name, asked));
        }
        (exported, known)
    }

    /// Models with a little less in them.
    pub fn smaller(&self) -> Vec<Model> {
        let with = |made: Made| Model {
            made,
            ..self.clone()
        };
        let mut all: Vec<Model> = match &self.made {
            Made::Efsm(system) => {
                let smaller = system.smaller().into_iter();
                smaller.map(|system| with(Made::Efsm(system))).collect()
            }
            Made::Vfsm(network) => {
                let smaller = network.smaller().into_iter();
                smaller.map(|network| with(Made::Vfsm(network))).collect()
            }
            Made::Sdl(system) => {
                let lines: Vec<&str> = system.text.lines().collect();
                // A line is a definition, or what a state says about a signal.
                let less = (0..lines.len()).map(|number| {
                    let rest = [&lines[..number], &lines[number + 1..]].concat();
                    let text = rest.join("\n") + "\n";
                    let system = crate::sdl::System {
                        text,
                        ..system.clone()
                    };
                    with(Made::Sdl(system))
                });
                less.collect()
            }
        };
        // The last formula alone, so that the others keep their names.
        if !self.formulas.is_empty() {
            let mut less = self.clone();
            less.formulas.pop();
            all.push(less);
        }
        all
    }
}

/// A formula with its atoms in the words of a notation.
fn with_atoms<'a>(formula: &str, atoms: impl Iterator<Item = &'a str>) -> String {
    let mut text = formula.to_string();
    for (number, atom) in atoms.enumerate() {
        text = text.replace(&format!("#{number}#"), atom);
    }
    text
}

fn words_of(asked: &Asked) -> String {
    match asked {
        Asked::Formula { text, .. } => text.clone(),
        _ => String::new(),
    }
}

/// How models are compared.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How many combinations of options for each property.
    pub combinations: usize,
    /// Ask SPIN about one in this many models; 0 for none.
    pub spin: u64,
    /// Only models with two features that the table has not seen together yet.
    pub fill: bool,
    /// Models with more states are left out.
    pub states: u64,
}

/// Has a model two features that have not met before a judge, or on a path?
fn fills(table: &Table, marks: &Marks, paths: &[u128]) -> bool {
    COLUMNS.iter().any(|column| match *column {
        "executed" => paths.iter().any(|path| table.lacks(*path, column)),
        _ => table.lacks(marks.all(), column),
    })
}

/// Compares the models of seeds, until all are compared or the time is over. Disagreements are printed, made small, and kept in a folder.
pub fn drive(
    notation: Notation,
    settings: &Settings,
    seeds: std::ops::Range<u64>,
    time: Option<Duration>,
    table: &mut Table,
    folder: Option<&Path>,
) -> io::Result<Tally> {
    let deadline = time.map(|time| Instant::now() + time);
    let mut tally = Tally::default();
    for seed in seeds {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        if settings.fill && table.gaps().is_empty() {
            break;
        }
        let model = notation.model(seed);
        let marks = model.marks();
        let paths = execution::paths(&model, &marks, seed);
        if settings.fill && !fills(table, &marks, &paths) {
            continue;
        }
        let asks_spin = settings.spin > 0 && seed % settings.spin == 0;
        let compared = compare(&model, settings, asks_spin, seed, &mut tally);
        if let Some(complaint) = &compared.complaint {
            tally.disagreements += 1;
            let small = compare::shrink(&model, settings, asks_spin, seed);
            let text = small.text();
            let defines = small.defines().join(" ");
            let note = format!("seed {seed} {defines}: {complaint}");
            println!("// {note}\n{text}");
            if let Some(folder) = folder {
                let name = format!("seed-{seed}");
                keep(
                    folder,
                    &name,
                    notation.name(),
                    [&model.text(), &text],
                    &note,
                )?;
            }
        }
        if compared.is_left_out {
            continue;
        }
        let seen = [
            Seen::All(true),
            Seen::Paths(&paths),
            Seen::All(compared.reduced),
            Seen::All(compared.temporal),
            Seen::All(compared.spin),
        ];
        table.note(marks.all(), &seen);
        if tally.models % 100 == 0 {
            eprintln!(
                "{} models, {} combinations, {} disagreements",
                tally.models, tally.combinations, tally.disagreements
            );
        }
    }
    Ok(tally)
}
