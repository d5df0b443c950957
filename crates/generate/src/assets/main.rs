//! Runs the network by hand, at random, or as a script says. Made by Mazurka; an export replaces this file.
//!
//!     run                          choose every step
//!     run --random SEED            choose at random
//!     run --script                 read steps: the number of who moves, then what is chosen; # begins a comment
//!     --steps N                    stop after N steps
//!     --trace FILE                 write what happens, for `mazurka simulate MODEL --follow FILE`

mod mapping;
mod network;
mod trace;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use mapping::World;
use network::{Failure, Network, MOVERS};

/// How steps are chosen.
enum How {
    ByHand,
    AtRandom(u64),
    /// What of a line of a script is not read yet.
    ByScript(Vec<usize>),
}

impl How {
    /// A number below `count`.
    fn choose(&mut self, count: usize) -> usize {
        match self {
            How::ByHand => ask(&format!("one of {count}, from 0: which?")).unwrap_or(0),
            How::AtRandom(seed) => {
                *seed ^= *seed << 13;
                *seed ^= *seed >> 7;
                *seed ^= *seed << 17;
                (*seed >> 11) as usize % count
            }
            How::ByScript(rest) if rest.is_empty() => 0,
            How::ByScript(rest) => rest.remove(0),
        }
    }
}

fn line() -> Option<String> {
    let mut line = String::new();
    match io::stdin().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}

fn ask(question: &str) -> Option<usize> {
    print!("{question} ");
    io::stdout().flush().ok()?;
    line()?.trim().parse().ok()
}

/// Who moves next; nobody if nobody can, or an error.
fn next_mover(net: &mut Network<World<How>>) -> Result<Option<usize>, String> {
    let able: Vec<usize> = (0..MOVERS).filter(|mover| net.can_move(*mover)).collect();
    if let How::ByScript(rest) = &mut net.mapping.runner {
        let mut lines = std::iter::from_fn(line);
        let Some(line) = lines.find(|line| !line.starts_with('#')) else {
            return Ok(None);
        };
        *rest = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        if !rest.first().is_some_and(|mover| able.contains(mover)) {
            return Err(format!("this step is not possible: {line}"));
        }
        return Ok(Some(rest.remove(0)));
    }
    if able.is_empty() {
        return Ok(None);
    }
    if let How::ByHand = net.mapping.runner {
        print!("{}", trace::state(net));
        for (number, mover) in able.iter().enumerate() {
            println!("{number:4}) {}", trace::MOVERS_NAMED[*mover]);
        }
        return Ok(ask("who moves?").and_then(|number| able.get(number).copied()));
    }
    let chosen = net.mapping.runner.choose(able.len());
    Ok(Some(able[chosen]))
}

fn run() -> Result<Failure, String> {
    let mut how = How::ByHand;
    let mut steps = 10_000;
    let mut out: Option<Box<dyn Write>> = None;
    let mut is_quiet = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        if option == "--script" {
            how = How::ByScript(Vec::new());
            continue;
        }
        let value = arguments.next().ok_or("usage: run [--random SEED | --script] [--steps N] [--trace FILE]")?;
        let number = || value.parse::<u64>().map_err(|error| format!("{value}: {error}"));
        match option.as_str() {
            // Zero would stay zero for ever; seeds next to each other should not run alike.
            "--random" => how = How::AtRandom((number()?.wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            "--steps" => steps = number()?,
            "--trace" if value == "-" => {
                is_quiet = true;
                out = Some(Box::new(BufWriter::new(io::stdout())));
            }
            "--trace" => {
                let file = File::create(&value).map_err(|error| format!("{value}: {error}"))?;
                out = Some(Box::new(BufWriter::new(file)));
            }
            _ => return Err(format!("{option} is no option")),
        }
    }
    let mut net = Network::new(World { runner: how });
    let mut tell = |text: String| match &mut out {
        Some(out) => out.write_all(text.as_bytes()).map_err(|error| error.to_string()),
        None => Ok(()),
    };
    tell(trace::begin(&net))?;
    let mut taken = 0;
    while taken < steps {
        let Some(mover) = next_mover(&mut net)? else {
            break;
        };
        net.step(mover);
        tell(trace::step(&net, mover))?;
        taken += 1;
    }
    if !is_quiet {
        println!("{taken} step{}", if taken == 1 { "" } else { "s" });
        print!("{}", trace::state(&net));
    }
    if let Some(out) = &mut out {
        out.flush().map_err(|error| error.to_string())?;
    }
    Ok(net.failure)
}

impl mapping::Runner for How {
    fn choose(&mut self, count: usize) -> usize {
        How::choose(self, count)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(Failure::Fine) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::from(2)
        }
    }
}
