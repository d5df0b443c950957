//! What a system consists of besides its own file: definitions that are `referenced`, packages, and data types in ASN.1.

use std::collections::HashSet;

use mazurka_promela::FileLoader;
use mazurka_span::{Diagnostic, SourceMap, Span};
use mazurka_syntax::add_source;

use crate::ast::{Block, Name, Procedure, System};
use crate::{asn1, codes, parser};

/// The file that says how the process of a folder is connected, in models of OpenGEODE.
const STRUCTURE: &str = "system_structure.pr";

/// Adds what stands in other files.
pub(crate) fn complete(
    map: &mut SourceMap,
    path: &str,
    system: &mut System,
    loader: &dyn FileLoader,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let folder = path.rfind(['/', '\\']).map_or("", |end| &path[..=end]);
    let mut files = Files {
        map,
        folder: folder.to_string(),
        loader,
        diagnostics,
        read: HashSet::from([path.to_string()]),
    };
    if system.name.is_none() && !system.processes_beside.is_empty() {
        // A process by itself: its system is beside it.
        files.add(system, &[STRUCTURE.to_string()]);
    }
    // Each file may name others; a name is looked for once.
    let mut asked = HashSet::new();
    loop {
        let missing = missing(system);
        let Some(name) = missing
            .into_iter()
            .find(|name| asked.insert(name.text.to_string()))
        else {
            break;
        };
        let text = name.text.to_string();
        if system.asn1_files.iter().any(|file| file.text == name.text) {
            let beside = files.folder_of(&name);
            let places = [text.clone(), format!("{beside}{text}")];
            if !files.add(system, &places) {
                let message = format!("the file `{name}` of data types cannot be read");
                let told = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message);
                files.diagnostics.push(told);
            }
            continue;
        }
        let mut names = Vec::new();
        // Beside the model, or in a folder of its name, as OpenGEODE and TASTE have them.
        for stem in [text.clone(), text.to_ascii_lowercase()] {
            names.extend([".pr", ".sdl", ".asn", ".asn1"].map(|ending| format!("{stem}{ending}")));
            names.extend(["", "SDL/src/"].map(|inside| format!("{stem}/{inside}{stem}.pr")));
        }
        files.add(system, &names);
    }
    let known: HashSet<String> = files.asn1_modules();
    for name in &system.uses {
        let is_package = |package: &Name| package.text.eq_ignore_ascii_case(&name.text);
        let known = system.packages.iter().any(is_package)
            || known.contains(&name.text.to_ascii_lowercase())
            // OpenGEODE writes `use Datamodel;` behind the comment that names a file, whatever its modules are called.
            || !system.asn1_files.is_empty();
        if !known {
            let message =
                format!("there is no package `{name}`, neither here nor in a file of that name");
            files
                .diagnostics
                .push(Diagnostic::error(codes::UNKNOWN_NAME, name.span, message));
        }
    }
}

/// What is named and not there yet.
fn missing(system: &System) -> Vec<Name> {
    let same = |a: &Name, b: &Name| a.text.eq_ignore_ascii_case(&b.text);
    let mut found = Vec::new();
    let mut blocks: Vec<&Block> = system.blocks.iter().chain(&system.blocks_beside).collect();
    let mut open = 0;
    while open < blocks.len() {
        blocks.extend(blocks[open].substructure.iter().flat_map(|s| &s.blocks));
        open += 1;
    }
    let mut procedures: Vec<&Procedure> = system.procedures.iter().collect();
    procedures.extend(system.processes_beside.iter().flat_map(|p| &p.procedures));
    for block in &blocks {
        procedures.extend(block.processes.iter().flat_map(|p| &p.procedures));
    }
    for procedure in procedures {
        let mut beside = system.procedures_beside.iter();
        if procedure.referenced && !beside.any(|other| same(&other.name, &procedure.name)) {
            found.push(procedure.name.clone());
        }
    }
    for block in blocks {
        let is_there = |name: &Name| {
            system
                .blocks_beside
                .iter()
                .any(|other| same(&other.name, name))
        };
        if block.referenced && !is_there(&block.name) {
            found.push(block.name.clone());
        }
        for process in &block.processes {
            let mut beside = system.processes_beside.iter();
            if process.referenced && !beside.any(|other| same(&other.name, &process.name)) {
                found.push(process.name.clone());
            }
        }
    }
    for name in &system.uses {
        if !system.packages.iter().any(|package| same(package, name)) {
            found.push(name.clone());
        }
    }
    found.extend(system.asn1_files.iter().cloned());
    found
}

struct Files<'f> {
    map: &'f mut SourceMap,
    folder: String,
    loader: &'f dyn FileLoader,
    diagnostics: &'f mut Vec<Diagnostic>,
    read: HashSet<String>,
}

impl Files<'_> {
    /// The folder of the file that a name stands in, seen from that of the model.
    fn folder_of(&self, name: &Name) -> String {
        let file = self.map.location(name.span).map(|at| at.file.to_string());
        let file = file.unwrap_or_default();
        let folder = file.rfind(['/', '\\']).map_or("", |end| &file[..=end]);
        folder.strip_prefix(&self.folder).unwrap_or("").to_string()
    }

    /// Reads the first of some files that is there.
    fn add(&mut self, system: &mut System, names: &[String]) -> bool {
        for name in names {
            let path = format!("{}{name}", self.folder);
            if self.read.contains(&path) {
                continue;
            }
            let Ok(source) = self.loader.load(&path) else {
                continue;
            };
            self.read.insert(path.clone());
            let code = codes::SOURCE_TOO_LARGE;
            let Some(file) = add_source(self.map, &path, &source, code, self.diagnostics) else {
                return false;
            };
            if name.contains(".asn") {
                asn1::read(self.map.file(file), system, self.diagnostics);
            } else {
                let more = parser::parse(self.map.file(file), self.diagnostics);
                if let (None, Some(own)) = (&system.name, &more.name) {
                    system.name = Some(own.clone());
                }
                system.join(more);
            }
            return true;
        }
        false
    }

    /// The names of modules in the files of data types that were read.
    fn asn1_modules(&self) -> HashSet<String> {
        let files = self
            .map
            .files()
            .iter()
            .filter(|file| file.name().contains(".asn"));
        let words = files.flat_map(|file| {
            let text = file.text();
            let words: Vec<&str> = text.split_whitespace().collect();
            let pairs: Vec<String> = words
                .windows(2)
                .filter(|pair| pair[1] == "DEFINITIONS")
                .map(|pair| pair[0].replace('-', "_").to_ascii_lowercase())
                .collect();
            pairs
        });
        words.collect()
    }
}

/// The files of data types that comments of a drawing tool name.
pub(crate) fn asn1_files(text: &str, base: u32) -> Vec<Name> {
    let mut found = Vec::new();
    let mark = "ASNFilename";
    let mut from = 0;
    while let Some(at) = text[from..].find(mark) {
        let start = from + at + mark.len();
        let rest = &text[start..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        if let Some(name) = line.split('\'').nth(1) {
            let at = start + line.find('\'').unwrap_or(0) + 1;
            found.push(Name {
                text: name.into(),
                span: Span::new(base + at as u32, base + (at + name.len()) as u32),
            });
        }
        from = start;
    }
    found
}
