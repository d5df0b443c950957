//! Places in compiled code as people know them: files, lines and names, by the tools that come with every
//! compiler (`addr2line` and `nm`). Where they are missing, addresses are told.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mazurka_runtime::{Kernel, ObjectId};

use crate::library;
use crate::shared::Racing;

/// Addresses of programs are below this.
const USER_SPACE: u64 = 1 << 47;

/// What is known of a program.
pub(crate) struct Symbols {
    program: PathBuf,
    /// Where the code of libraries is, if their calls are told: start and end in memory, what is added to the addresses in the file, and
    /// the file.
    modules: Vec<(u64, u64, u64, PathBuf)>,
    lines: HashMap<u64, Vec<Line>>,
    /// Start, size and name of each variable, in their order.
    variables: Option<Vec<(u64, u64, String)>>,
}

/// A line of the source, and the function it is in.
#[derive(Clone)]
struct Line {
    function: String,
    file: String,
    line: u32,
}

impl Symbols {
    pub fn of(program: &OsStr) -> Symbols {
        Symbols {
            program: program.into(),
            modules: vec![],
            lines: HashMap::new(),
            variables: None,
        }
    }

    /// Looks where the libraries of a process are.
    pub fn look_around(&mut self, process: u32) {
        let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
        let mut first: HashMap<&str, u64> = HashMap::new();
        for line in maps.lines() {
            let mut words = line.split_whitespace();
            let (range, rights) = (words.next(), words.next());
            let Some((start, end)) = range.and_then(|range| range.split_once('-')) else {
                continue;
            };
            let number = |word| u64::from_str_radix(word, 16).unwrap_or(0);
            let Some(file) = words.nth(3).filter(|file| file.starts_with('/')) else {
                continue;
            };
            let base = *first.entry(file).or_insert(number(start));
            if rights.is_some_and(|rights| rights.contains('x')) {
                let module = (number(start), number(end), base, PathBuf::from(file));
                self.modules.push(module);
            }
        }
    }

    /// The library that an address is in, and its address there.
    fn module(&self, address: u64) -> Option<(&Path, u64)> {
        let mut modules = self.modules.iter();
        let found = modules.find(|(start, end, ..)| (*start..*end).contains(&address))?;
        Some((&found.3, address - found.2))
    }

    /// Puts into words what an execution has left as addresses.
    pub fn resolve(&mut self, kernel: &mut Kernel, base: u64) {
        let open: Vec<(u16, Vec<u64>)> = (1..=kernel.texts.count())
            .filter_map(|number| Some((number, kernel.texts.unresolved(number)?)))
            .collect();
        let addresses = open.iter().flat_map(|(_, row)| row.iter().copied());
        self.look_up(addresses.collect(), base);
        let mut rows: HashMap<u16, String> = HashMap::new();
        for (number, row) in &open {
            let lines: Vec<&Line> = row
                .iter()
                .flat_map(|at| self.lines.get(at))
                .flatten()
                .collect();
            // The program's own line, not one of the library that it uses.
            let own = lines
                .iter()
                .find(|line| line.line > 0 && !is_of_the_system(&line.file));
            let shown = own.or_else(|| lines.iter().find(|line| line.line > 0));
            match shown {
                Some(line) => kernel
                    .texts
                    .resolve(*number, &shorten(&line.file), line.line),
                None => kernel.texts.resolve(*number, "", 0),
            }
            rows.insert(*number, stack(&lines));
        }
        self.stacks_of(kernel, rows);
        self.name_objects(kernel, base);
        self.rewrite_messages(kernel, base);
    }

    fn stacks_of(&mut self, kernel: &mut Kernel, rows: HashMap<u16, String>) {
        for (number, row) in rows {
            let name = kernel.texts.name(&row);
            kernel.texts.explain(number, name);
        }
    }

    /// Objects get the names of the variables that they are in.
    fn name_objects(&mut self, kernel: &mut Kernel, base: u64) {
        for number in 0..kernel.addresses.len() {
            let id = ObjectId(number as u16);
            let Some(address) = kernel.addresses.address(id) else {
                continue;
            };
            let name = match address & Racing::PLAIN {
                0 => self.variable(address, base),
                plain => format!("8 bytes at {}", self.variables_at(address & !plain, base)),
            };
            let name = kernel.texts.name(&name);
            kernel.objects[id.index()].name = name;
        }
    }

    /// `{address N}`, `{place N}` and `{actor N}` in messages are replaced.
    fn rewrite_messages(&mut self, kernel: &mut Kernel, base: u64) {
        let count = (kernel.failed as usize).min(kernel.failures.len());
        for failure in 0..count {
            let message = kernel.texts.get(kernel.failures[failure].message);
            if !message.contains('{') {
                continue;
            }
            let mut text = String::new();
            let mut rest = message.as_str();
            while let Some((before, after)) = rest.split_once('{') {
                text += before;
                let Some((what, after)) = after.split_once('}') else {
                    break;
                };
                rest = after;
                match what.split_once(' ') {
                    Some(("address", hex)) => {
                        let address = u64::from_str_radix(hex, 16).unwrap_or(0);
                        text += &self.variable(address, base);
                    }
                    Some(("place", number)) => {
                        let number = number.parse().unwrap_or(0);
                        let stack = match kernel.texts.explanation(number) {
                            stack if stack.is_empty() => "somewhere".into(),
                            stack => stack.replace('\n', ", called by "),
                        };
                        text += &format!("({stack})");
                    }
                    Some(("actor", number)) => {
                        let number = number.parse().unwrap_or(0);
                        text += &mazurka_explore::actor_name(kernel, number);
                    }
                    _ => text += what,
                }
            }
            text += rest;
            kernel.failures[failure].message = kernel.texts.name(&text);
        }
    }

    /// Asks for the lines of these addresses.
    fn look_up(&mut self, mut addresses: Vec<u64>, base: u64) {
        addresses.retain(|address| !self.lines.contains_key(address));
        addresses.sort_unstable();
        addresses.dedup();
        if addresses.is_empty() {
            return;
        }
        let mut modules: HashMap<PathBuf, Vec<(u64, u64)>> = HashMap::new();
        for address in addresses {
            let own = || (self.program.as_path(), address.wrapping_sub(base));
            let (file, relative) = self.module(address).unwrap_or_else(own);
            let places = modules.entry(file.into()).or_default();
            places.push((address, relative));
        }
        for (file, places) in modules {
            self.look_up_in(&file, &places);
        }
    }

    /// The same in one file, for addresses in memory and in the file.
    fn look_up_in(&mut self, module: &Path, places: &[(u64, u64)]) {
        // What was called returns behind the call.
        let text: String = places
            .iter()
            .map(|(_, relative)| format!("{:#x}\n", relative.wrapping_sub(1)))
            .collect();
        let answer = ask(
            Command::new("addr2line")
                .args(["-a", "-f", "-C", "-i", "-e"])
                .arg(module),
            &text,
        );
        let is_told = !self.modules.is_empty();
        let mut number = 0;
        let mut lines = answer.lines().peekable();
        while let Some(line) = lines.next() {
            if !line.starts_with("0x") {
                continue;
            }
            let Some(&(address, relative)) = places.get(number) else {
                break;
            };
            number += 1;
            let found = self.lines.entry(address).or_default();
            while let Some(function) = lines.next_if(|line| !line.starts_with("0x")) {
                let Some(place) = lines.next() else { break };
                let place = place.split(" (").next().unwrap_or_default();
                let (file, line) = place.rsplit_once(':').unwrap_or((place, "0"));
                let function = match function {
                    // Whose lines are not known is still told by its address.
                    "??" if is_told => format!("{}+{relative:#x}", name_of(module)),
                    function => function.into(),
                };
                found.push(Line {
                    function,
                    file: file.into(),
                    line: line.parse().unwrap_or(0),
                });
            }
        }
        for (address, _) in places {
            self.lines.entry(*address).or_default();
        }
    }

    /// The variables of which something is in the eight bytes at an address.
    fn variables_at(&mut self, address: u64, base: u64) -> String {
        let mut names = vec![self.variable(address, base)];
        let behind = (address + 1..address + 8).map(|address| self.variable(address, base));
        names.extend(behind.filter(|name| !name.contains('+') && !name.starts_with("0x")));
        if names.len() > 1 && names[0].starts_with("0x") {
            names.remove(0);
        }
        names.join(", ")
    }

    /// What is at an address, or what goes with it.
    fn variable(&mut self, address: u64, base: u64) -> String {
        if let Some(name) = library::object_name(address) {
            return name.into();
        }
        // What goes with something at an address has bits that no address has.
        let address = address & (USER_SPACE - 1);
        let program = &self.program;
        let variables = self.variables.get_or_insert_with(|| variables_of(program));
        let relative = address.wrapping_sub(base);
        let after = variables.partition_point(|(start, ..)| *start <= relative);
        let found = after.checked_sub(1).map(|at| &variables[at]);
        match found.filter(|(start, size, _)| relative < start + (*size).max(1)) {
            Some((start, _, name)) if *start == relative => name.clone(),
            Some((start, _, name)) => format!("{name}+{}", relative - start),
            None => format!("{address:#x}"),
        }
    }
}

fn variables_of(program: &Path) -> Vec<(u64, u64, String)> {
    let answer = ask(Command::new("nm").args(["-n", "-S", "-C"]).arg(program), "");
    let line = |line: &str| {
        let mut words = line.splitn(4, ' ');
        let start = u64::from_str_radix(words.next()?, 16).ok()?;
        let size = u64::from_str_radix(words.next()?, 16).ok()?;
        let kind = words.next()?;
        let name = words.next()?;
        matches!(
            kind,
            "b" | "B" | "d" | "D" | "r" | "R" | "u" | "V" | "v" | "C"
        )
        .then(|| (start, size, name.into()))
    };
    answer.lines().filter_map(line).collect()
}

/// What a command answers to a text; nothing if it cannot be run.
pub(crate) fn ask(command: &mut Command, text: &str) -> String {
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return String::new();
    };
    let input = child.stdin.take();
    let text = text.to_string();
    let writer = std::thread::spawn(move || {
        if let Some(mut input) = input {
            let _ = input.write_all(text.as_bytes());
        }
    });
    let output = child.wait_with_output();
    let _ = writer.join();
    output.map_or(String::new(), |output| {
        String::from_utf8_lossy(&output.stdout).into_owned()
    })
}

fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    name.to_string_lossy().into_owned()
}

fn is_of_the_system(file: &str) -> bool {
    file.starts_with("/usr/") || file.starts_with("../") || file.contains("/lib/gcc/")
}

/// A file as the user knows it: seen from where the explorer runs.
fn shorten(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Path::new(file);
    let path = path.strip_prefix(&here).unwrap_or(path);
    path.display().to_string()
}

/// Who called whom, as far as it is the program: a line for each function, the inner ones first.
fn stack(lines: &[&Line]) -> String {
    let own = lines.iter().filter(|line| match line.line {
        0 => line.function.contains("+0x"),
        _ => !is_of_the_system(&line.file),
    });
    let words: Vec<String> = own
        .map(|line| match line.line {
            0 => line.function.clone(),
            number => format!("{} at {}:{number}", line.function, shorten(&line.file)),
        })
        .collect();
    words.join("\n")
}
