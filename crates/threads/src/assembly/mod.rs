//! What the compilers' thread instrumentation leaves out, found in the assembly that they write.
//!
//! Compilers announce the accesses of a program before they decide how structures are passed and returned, and the copies that this
//! takes are announced by nobody; clang also leaves out what belongs to a structure on the stack. But the assembly has it all:
//! atomic operations have become calls, so whatever instruction uses memory is a plain access. This pass announces those that no call
//! before them is about, which [`values`] tells; a function's own variables only if it takes an address of one of them. An access that
//! is announced twice is only looked at twice, so where nobody can tell, it is announced.
//!
//! Assembly within the program (`asm`) is not understood. A call before it says that it was there.

mod instruction;
mod values;

use instruction::{Instruction, Memory, Operand, Use, usage, whole};
use values::{RDI, RSI, Value, Values};

/// What comes before the registers that a call of ours saves: nobody may write below the end of the stack.
const BELOW: &str = "\tleaq\t-128(%rsp), %rsp\n\tpushq\t%rdi\n\tpushq\t%rsi\n";
const ABOVE: &str = "\tpopq\t%rsi\n\tpopq\t%rdi\n\tleaq\t128(%rsp), %rsp\n";
/// How far that moves the end of the stack.
const MOVED: i64 = 144;

/// The assembly of a file, with calls for what was left out. It is given back as it is if no instrumentation is in it.
pub fn announce(text: &str) -> String {
    if !text.contains("__tsan_") || text.contains(".intel_syntax") {
        return text.to_string();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len() * 2);
    let mut start = 0;
    while start < lines.len() {
        let end = lines[start..].iter().position(|line| ends_function(line));
        let end = end.map_or(lines.len(), |length| start + length + 1);
        Function::new(&lines[start..end]).announce(&mut out);
        start = end;
    }
    // Whether the program locks streams by itself: others that use them then wait.
    if text.contains("flockfile") || text.contains("ftrylockfile") {
        out.push_str("\t.section\t.data.mazurka,\"aw\"\n\t.weak\tmazurka_locks_streams\nmazurka_locks_streams:\n\t.byte\t1\n\t.text\n");
    }
    out
}

/// Whether a line says how long a function was.
fn ends_function(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(".size") && line.contains('-')
}

/// An access that was announced: the address, how many bytes if that is known, and which of them nobody has used yet.
struct Announced {
    address: Value,
    size: Option<i64>,
    is_write: bool,
    left: u64,
    is_left: bool,
}

/// Some lines with at most one function.
struct Function<'a> {
    lines: &'a [&'a str],
    values: Values,
    announced: Vec<Announced>,
    /// The lowest of its variables whose address it takes.
    lowest: Option<i64>,
    /// How many bytes below `rbp` are registers of the caller.
    saved: i64,
    /// Whether something besides arguments may be at the end of the stack, and its address taken.
    has_open_end: bool,
}

impl<'a> Function<'a> {
    fn new(lines: &'a [&'a str]) -> Function<'a> {
        let (mut lowest, mut has_frame, mut has_open_end) = (None::<i64>, false, false);
        let (mut takes_end, mut saved, mut is_saving) = (false, 0, false);
        for instruction in lines.iter().filter_map(|line| Instruction::read(line)) {
            is_saving &= matches!(instruction.name, "pushq" | "push");
            saved += if is_saving { 8 } else { 0 };
            match (instruction.name, instruction.operands.as_slice()) {
                ("leaq" | "lea", [Operand::Memory(place), _]) if place.base == "rbp" => {
                    lowest = Some(lowest.unwrap_or(i64::MAX).min(place.offset));
                    // With an index, anything may be meant.
                    if !place.index.is_empty() {
                        lowest = Some(i64::MIN);
                    }
                }
                ("leaq" | "lea", [Operand::Memory(place), Operand::Register(to)])
                    if place.base == "rsp" =>
                {
                    takes_end |= *to != "rsp";
                }
                ("movq" | "mov", [Operand::Register("rsp"), Operand::Register("rbp")]) => {
                    (has_frame, is_saving) = (true, true);
                }
                ("movq" | "mov", [Operand::Register("rsp"), _]) => takes_end = true,
                ("subq" | "sub", [Operand::Register(_), Operand::Register("rsp")]) => {
                    has_open_end = true
                }
                _ => {}
            }
        }
        has_open_end |= takes_end && !has_frame;
        Function {
            lines,
            values: Values::new(has_frame),
            announced: vec![],
            lowest,
            saved,
            has_open_end,
        }
    }

    fn announce(mut self, out: &mut String) {
        let lines = self.lines;
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            if line.trim_start().starts_with("#APP") {
                let length = lines[at..]
                    .iter()
                    .position(|line| line.trim_start().starts_with("#NO_APP"));
                let end = length.map_or(lines.len(), |length| at + length + 1);
                if lines[at + 1..end].iter().any(|line| !is_harmless(line)) {
                    out.push_str(BELOW);
                    out.push_str("\tcall\tmazurka_left_out_unknown@PLT\n");
                    out.push_str(ABOVE);
                }
                lines[at..end].iter().for_each(|line| push(out, line));
                self.values.forget();
                self.announced.clear();
                at = end;
                continue;
            }
            at += 1;
            if is_target(line) {
                self.values.forget();
                self.announced.clear();
            }
            let Some(instruction) = Instruction::read(line) else {
                push(out, line);
                continue;
            };
            match instruction.called() {
                Some(name) => self.call(name, line, out),
                None => {
                    self.look_at(&instruction, &lines[at..], out);
                    push(out, line);
                }
            }
        }
    }

    /// A function is called by its name.
    fn call(&mut self, name: &str, line: &str, out: &mut String) {
        // Compilers copy and fill structures by these; what the program itself calls has other names already.
        if let "memcpy" | "memmove" | "memset" | "memcmp" = name {
            push(out, &line.replacen(name, &format!("mazurka_{name}"), 1));
        } else {
            push(out, line);
        }
        let Some(what) = name.strip_prefix("__tsan_") else {
            self.announced.clear();
            return self.values.called(false);
        };
        let what = what
            .trim_start_matches("unaligned_")
            .trim_start_matches("volatile_");
        let kinds: &[bool] = match () {
            () if what.starts_with("read_write") => &[false, true],
            () if what.starts_with("read") || what == "vptr_read" => &[false],
            () if what.starts_with("write") || what == "vptr_update" => &[true],
            () if what.starts_with("func_") => &[],
            () => return self.atomic(what),
        };
        let digits = what.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        let size = match digits.parse() {
            Ok(size) => Some(size),
            Err(_) if what.starts_with("vptr") => Some(8),
            Err(_) => {
                let size = self.values.register(RSI);
                size.is_number().then_some(size.number)
            }
        };
        for &is_write in kinds {
            self.announced.push(Announced {
                address: self.values.register(RDI).clone(),
                size,
                is_write,
                left: u64::MAX,
                is_left: true,
            });
        }
        self.values.called(true);
    }

    /// An atomic operation. Clang leaves the load that it replaces by one in place, though nobody uses what it loads.
    fn atomic(&mut self, what: &str) {
        self.announced.clear();
        let bits = what.trim_start_matches("atomic").split('_').next();
        let is_load = what.ends_with("_load");
        if let Some(bits) = bits.and_then(|bits| bits.parse::<i64>().ok())
            && is_load
        {
            self.announced.push(Announced {
                address: self.values.register(RDI).clone(),
                size: Some(bits / 8),
                is_write: false,
                left: u64::MAX,
                is_left: true,
            });
        }
        match is_load {
            true => self.values.called(true),
            false => self.values.performed(self.lowest),
        }
    }

    /// Any other instruction.
    fn look_at(&mut self, instruction: &Instruction, next: &[&str], out: &mut String) {
        if let Some(width) = copies(instruction) {
            self.copy(instruction, width, out);
            self.values.carry_out(instruction, 0);
            return;
        }
        let mut size = 8;
        if let Some(place) = instruction.memory() {
            match usage(instruction) {
                Use::None => {}
                Use::Unknown => {
                    let address = self.values.address(place);
                    if !self.is_private(&address, place) {
                        insert(out, place, 0, "unknown");
                    }
                }
                Use::Bytes(bytes, reads, writes) => {
                    size = bytes;
                    for is_write in [false, true] {
                        if (is_write && writes || !is_write && reads)
                            && !self.is_known(place, bytes, is_write)
                        {
                            let what = match is_write {
                                true => "write",
                                false if loads_argument(instruction, next) => "copy",
                                false => "read",
                            };
                            insert(out, place, bytes, what);
                        }
                    }
                }
            }
        }
        if instruction.is_call() {
            self.announced.clear();
            self.values.called(false);
        } else {
            self.values.carry_out(instruction, size);
        }
    }

    /// Whether nobody else can know of an address.
    fn is_private(&self, address: &Value, place: &Memory) -> bool {
        if place.symbol.contains("@GOT")
            || place.symbol.contains("@got")
            || place.symbol.starts_with(".LC")
        {
            return true;
        }
        // What the C library keeps of the thread.
        if !place.segment.is_empty() && place.symbol.is_empty() && place.base.is_empty() {
            return true;
        }
        if let Some(offset) = self.values.in_frame(address) {
            // Where to return to, and registers of the caller.
            return (-self.saved..16).contains(&offset)
                || self.lowest.is_none_or(|lowest| offset < lowest);
        }
        self.values.is_at_end(address) && !self.has_open_end
    }

    /// Whether an access is private, or was announced.
    fn is_known(&mut self, place: &Memory, size: u32, is_write: bool) -> bool {
        let address = self.values.address(place);
        if self.is_private(&address, place) {
            return true;
        }
        let size = i64::from(size);
        for announced in self
            .announced
            .iter_mut()
            .filter(|announced| announced.is_write == is_write)
        {
            let Some(offset) = address.from(&announced.address) else {
                continue;
            };
            let Some(whole) = announced.size else {
                continue;
            };
            // A number of ten bytes is announced as one of sixteen.
            if offset < 0 || offset + size > whole {
                continue;
            }
            if whole > 64 {
                return true;
            }
            let bytes = u64::MAX >> (64 - size.clamp(1, 64)) << offset;
            if announced.left & bytes == bytes {
                announced.left &= !bytes;
                return true;
            }
        }
        false
    }

    /// An instruction that copies or fills as much as registers say.
    fn copy(&mut self, instruction: &Instruction, width: u32, out: &mut String) {
        let count = match instruction.prefix {
            "" => format!("\tmovl\t${width}, %esi\n"),
            _ => format!("\tleaq\t(,%rcx,{width}), %rsi\n"),
        };
        let is_fill = instruction.name.starts_with("stos");
        for (register, is_write) in [(RSI, false), (RDI, true)] {
            if is_fill && !is_write {
                continue;
            }
            let address = self.values.register(register);
            let place = Memory {
                base: if is_write { "rdi" } else { "rsi" },
                ..Memory::default()
            };
            if self.is_private(address, &place) {
                continue;
            }
            let announced = self.announced.iter_mut().rev();
            // The instrumentation says the whole at once; compilers then copy some of it by other means.
            let mut announced = announced.filter(|one| {
                one.is_write == is_write && one.is_left && one.size.is_none_or(|size| size > 16)
            });
            if let Some(announced) = announced.next() {
                announced.is_left = false;
                continue;
            }
            out.push_str(BELOW);
            if !is_write {
                out.push_str("\tmovq\t%rsi, %rdi\n");
            }
            out.push_str(&count);
            let what = if is_write { "write" } else { "read" };
            out.push_str(&format!("\tcall\tmazurka_left_out_{what}@PLT\n"));
            out.push_str(ABOVE);
        }
    }
}

/// How many bytes an instruction copies or fills at once, if it is one that does by `rsi` and `rdi`.
fn copies(instruction: &Instruction) -> Option<u32> {
    let has_registers = instruction.operands.iter().any(|operand| match operand {
        Operand::Register(name) => !matches!(*name, "al" | "ax" | "eax" | "rax"),
        _ => false,
    });
    match instruction.name {
        _ if has_registers => None,
        "movsb" | "stosb" => Some(1),
        "movsw" | "stosw" => Some(2),
        "movsl" | "stosl" => Some(4),
        "movsq" | "stosq" => Some(8),
        _ => None,
    }
}

/// Whether an instruction loads four or eight bytes to a register in which they are passed on: a shorter structure is passed in one
/// too, and what comes behind it is loaded with it. What is stored in memory next is meant.
fn loads_argument(instruction: &Instruction, next: &[&str]) -> bool {
    let register = match (instruction.name, instruction.operands.last()) {
        ("movq" | "movl", Some(Operand::Register(name))) => whole(name),
        _ => None,
    };
    let Some((register, _)) = register else {
        return false;
    };
    let is_it = |operand: Option<&Operand>| match operand {
        Some(Operand::Register(name)) => whole(name).is_some_and(|(other, _)| other == register),
        _ => false,
    };
    for line in next.iter().take_while(|line| !is_target(line)) {
        let Some(later) = Instruction::read(line) else {
            continue;
        };
        let operands = &later.operands;
        let is_store = matches!(operands.last(), Some(Operand::Memory(_)));
        if is_store && is_it(operands.first()) {
            return false;
        }
        if later.is_call() || is_it(operands.last()) {
            break;
        }
    }
    true
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// A call that says what is about to happen at a place. Registers and conditions stay as they are.
fn insert(out: &mut String, place: &Memory, size: u32, what: &str) {
    let (base, index) = (place.base, place.index);
    let mut displacement = place.displacement.to_string();
    if base == "rsp" {
        displacement = match displacement.as_str() {
            "" => format!("{MOVED}"),
            before => format!("{MOVED}+{before}"),
        };
    }
    out.push_str(BELOW);
    let inside = match (base.is_empty(), index.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("(%{base})"),
        (true, false) => format!("(,%{index},{})", place.scale),
        (false, false) => format!("(%{base},%{index},{})", place.scale),
    };
    out.push_str(&format!("\tleaq\t{displacement}{inside}, %rdi\n"));
    if !place.segment.is_empty() {
        out.push_str(&format!(
            "\tmovq\t%{}:0, %rsi\n\tleaq\t(%rdi,%rsi), %rdi\n",
            place.segment
        ));
    }
    out.push_str(&format!(
        "\tmovl\t${size}, %esi\n\tcall\tmazurka_left_out_{what}@PLT\n"
    ));
    out.push_str(ABOVE);
}

/// Whether a line is a label that somebody may jump to. Others are about debugging and exceptions.
fn is_target(line: &str) -> bool {
    let Some(label) = line
        .split('#')
        .next()
        .unwrap_or_default()
        .trim()
        .strip_suffix(':')
    else {
        return false;
    };
    const OTHERS: [&str; 9] = [
        ".LVL", ".LBB", ".LBE", ".LFB", ".LFE", ".LEHB", ".LEHE", ".Ltmp", ".Lfunc_",
    ];
    // Clang's blocks are called `.LBB` and two numbers.
    let is_block = label.starts_with(".LBB") && label.contains('_');
    is_block || !OTHERS.iter().any(|other| label.starts_with(other))
}

/// Whether a line of assembly within the program touches no memory.
fn is_harmless(line: &str) -> bool {
    let text = line.split('#').next().unwrap_or_default().trim();
    let mut parts = text.split(';').map(str::trim);
    parts.all(|part| {
        part.is_empty()
            || matches!(
                part,
                "nop" | "pause" | "rep" | "rep nop" | "mfence" | "lfence" | "sfence"
            )
    })
}
