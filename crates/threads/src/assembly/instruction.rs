//! Instructions of x86-64 as compilers write them (AT&T's way), as far as it matters what memory they use.

/// A place in memory, as an operand names it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Memory<'a> {
    /// `fs` for thread-local variables.
    pub segment: &'a str,
    /// The symbol of the displacement, or nothing.
    pub symbol: &'a str,
    pub offset: i64,
    pub base: &'a str,
    pub index: &'a str,
    pub scale: i64,
    /// The displacement as written.
    pub displacement: &'a str,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Operand<'a> {
    /// A number, or the address of a symbol and an offset.
    Immediate(&'a str, i64),
    Register(&'a str),
    Memory(Memory<'a>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Instruction<'a> {
    /// `rep`, `lock`, … or nothing.
    pub prefix: &'a str,
    pub name: &'a str,
    pub operands: Vec<Operand<'a>>,
}

impl<'a> Instruction<'a> {
    /// Reads a line; nothing if it is no instruction.
    pub fn read(line: &'a str) -> Option<Instruction<'a>> {
        let text = line.split('#').next().unwrap_or_default().trim();
        if text.is_empty() || text.starts_with('.') || text.ends_with(':') {
            return None;
        }
        let (mut prefix, mut text) = ("", text);
        for known in [
            "rep", "repz", "repnz", "repe", "repne", "lock", "notrack", "data16", "bnd",
        ] {
            let Some(rest) = text.strip_prefix(known) else {
                continue;
            };
            if rest.starts_with([' ', '\t', ';']) {
                (prefix, text) = (known, rest.trim_start_matches([' ', '\t', ';']));
                break;
            }
        }
        let (name, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let operands = split(rest).map(operand).collect();
        Some(Instruction {
            prefix,
            name,
            operands,
        })
    }

    /// The function that is called by its name.
    pub fn called(&self) -> Option<&'a str> {
        match (self.name, self.operands.as_slice()) {
            ("call" | "callq", [Operand::Memory(place)]) if place.base.is_empty() => {
                Some(place.symbol.split('@').next().unwrap_or_default())
            }
            _ => None,
        }
    }

    pub fn is_call(&self) -> bool {
        matches!(self.name, "call" | "callq")
    }

    /// The place in memory that it uses, where that is one operand.
    pub fn memory(&self) -> Option<&Memory<'a>> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Memory(place) => Some(place),
            _ => None,
        })
    }
}

/// Operands, parted by commas outside brackets.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}

fn operand(text: &str) -> Operand<'_> {
    let text = text.strip_prefix('*').unwrap_or(text);
    if let Some(value) = text.strip_prefix('$') {
        let (symbol, offset) = displacement(value);
        return Operand::Immediate(symbol, offset);
    }
    if let Some(name) = text.strip_prefix('%')
        && !name.contains(':')
    {
        return Operand::Register(name.split('(').next().unwrap_or_default());
    }
    let (segment, text) = match text.strip_prefix('%').and_then(|rest| rest.split_once(':')) {
        // For the others the segment makes no difference.
        Some((segment, rest)) if matches!(segment, "fs" | "gs") => (segment, rest),
        Some((_, rest)) => ("", rest),
        None => ("", text),
    };
    let (before, inside) = text.split_once('(').unwrap_or((text, ""));
    let mut parts = inside.trim_end_matches(')').split(',').map(str::trim);
    let mut register = || parts.next().unwrap_or_default().trim_start_matches('%');
    let (base, index) = (register(), register());
    let scale = register().parse().unwrap_or(1);
    let (symbol, offset) = displacement(before);
    Operand::Memory(Memory {
        segment,
        symbol,
        offset,
        base,
        index,
        scale,
        displacement: before,
    })
}

fn number(text: &str) -> Option<i64> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let value = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()? as i64,
        None => text.parse::<u64>().ok()? as i64,
    };
    Some(value.wrapping_mul(sign))
}

/// `8+s`, `s+8`, `s-8`, `s`, `8`: the symbol and the number.
fn displacement(text: &str) -> (&str, i64) {
    if text.is_empty() {
        return ("", 0);
    }
    if let Some(value) = number(text) {
        return ("", value);
    }
    if let Some((first, rest)) = text.split_once('+') {
        match (number(first), number(rest)) {
            (Some(value), None) => return (rest, value),
            (None, Some(value)) => return (first, value),
            _ => {}
        }
    }
    if let Some((symbol, rest)) = text.rsplit_once('-')
        && let Some(value) = number(rest)
    {
        return (symbol, -value);
    }
    (text, 0)
}

/// The register of 64 bits that a register is a part of, and how many bytes it has; nothing for others than the general ones.
pub fn whole(name: &str) -> Option<(usize, u32)> {
    const NAMES: [[&str; 4]; 8] = [
        ["rax", "eax", "ax", "al"],
        ["rbx", "ebx", "bx", "bl"],
        ["rcx", "ecx", "cx", "cl"],
        ["rdx", "edx", "dx", "dl"],
        ["rsi", "esi", "si", "sil"],
        ["rdi", "edi", "di", "dil"],
        ["rbp", "ebp", "bp", "bpl"],
        ["rsp", "esp", "sp", "spl"],
    ];
    for (at, names) in NAMES.iter().enumerate() {
        if let Some(width) = names.iter().position(|known| *known == name) {
            return Some((at, 8 >> width));
        }
    }
    if let Some(at) = ["ah", "bh", "ch", "dh"]
        .iter()
        .position(|high| *high == name)
    {
        return Some((at, 1));
    }
    let digits = name.strip_prefix('r')?;
    let (digits, width) = match digits.as_bytes().last()? {
        b'd' => (&digits[..digits.len() - 1], 4),
        b'w' => (&digits[..digits.len() - 1], 2),
        b'b' => (&digits[..digits.len() - 1], 1),
        _ => (digits, 8),
    };
    let at: usize = digits.parse().ok()?;
    (8..16).contains(&at).then_some((at, width))
}

/// What an instruction does to the memory that its operand names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Use {
    /// It only names it.
    None,
    /// How many bytes, whether they are read, and whether they are written.
    Bytes(u32, bool, bool),
    Unknown,
}

/// What an instruction with an operand in memory does to it.
pub fn usage(instruction: &Instruction) -> Use {
    let name = instruction.name;
    let is_last = matches!(instruction.operands.last(), Some(Operand::Memory(_)));
    const NAMED: [&str; 7] = ["lea", "nop", "prefetch", "clflush", "j", "loop", "endbr"];
    if NAMED.iter().any(|start| name.starts_with(start)) {
        return Use::None;
    }
    if instruction.is_call() {
        return Use::Bytes(8, true, false);
    }
    if !instruction.prefix.is_empty() && instruction.prefix != "notrack" {
        return Use::Unknown;
    }
    let Some(size) = size(instruction) else {
        return Use::Unknown;
    };
    if !is_last {
        // One that writes to a register or compares; `xchg` and the like use both ways.
        let both = ["xchg", "xadd", "cmpxchg"]
            .iter()
            .any(|start| name.starts_with(start));
        return Use::Bytes(size, true, both);
    }
    let begins = |names: &[&str]| names.iter().any(|start| name.starts_with(start));
    if begins(&[
        "cmp", "test", "push", "bt", "ucomis", "comis", "vucomis", "vcomis", "fld", "fild", "fadd",
        "fsub", "fmul", "fdiv", "fcom", "fucom", "fiadd", "fisub", "fimul", "fidiv", "mul", "div",
        "imul", "idiv", "ldmxcsr",
    ]) && !begins(&["btc", "btr", "bts", "cmpxchg"])
    {
        return Use::Bytes(size, true, false);
    }
    let is_plain = begins(&[
        "mov", "vmov", "set", "fst", "fist", "fnst", "pop", "stmxcsr", "cvt", "pextr", "extract",
    ]);
    Use::Bytes(size, !is_plain, true)
}

/// How many bytes of memory an instruction uses.
fn size(instruction: &Instruction) -> Option<u32> {
    let name = instruction.name;
    let registers = || {
        instruction
            .operands
            .iter()
            .filter_map(|operand| match operand {
                Operand::Register(name) => Some(*name),
                _ => None,
            })
    };
    if name.starts_with('f') {
        return float(name);
    }
    let is_vector = |name: &str| {
        ["xmm", "ymm", "zmm"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    if registers().any(is_vector) || name.starts_with("cvt") || name.ends_with("mxcsr") {
        return vector(name, registers().find(|name| is_vector(name)));
    }
    if name.starts_with("set") {
        return Some(1);
    }
    for (start, size) in [
        ("movzb", 1),
        ("movsb", 1),
        ("movzw", 2),
        ("movsw", 2),
        ("movslq", 4),
        ("movsx", 0),
        ("movzx", 0),
    ] {
        if name.starts_with(start) {
            return (size != 0).then_some(size);
        }
    }
    if let Some((_, size)) = registers().filter(|name| *name != "cl").find_map(whole) {
        return Some(size);
    }
    match name.as_bytes().last()? {
        b'b' => Some(1),
        b'w' => Some(2),
        b'l' => Some(4),
        b'q' => Some(8),
        _ => None,
    }
}

fn float(name: &str) -> Option<u32> {
    let is_integer = name.starts_with("fi");
    if name.contains("cw") || name.contains("sw") {
        return Some(2);
    }
    match name.as_bytes().last()? {
        b's' => Some(if is_integer { 2 } else { 4 }),
        b'l' if is_integer && !name.ends_with("ll") => Some(4),
        b'l' | b'q' => Some(8),
        b't' => Some(10),
        _ => None,
    }
}

fn vector(name: &str, register: Option<&str>) -> Option<u32> {
    let name = name.strip_prefix('v').unwrap_or(name);
    if name.ends_with("mxcsr") {
        return Some(4);
    }
    if let Some(rest) = name.strip_prefix("cvt") {
        let rest = rest.strip_prefix('t').unwrap_or(rest);
        return match () {
            () if rest.starts_with("si2") => Some(if name.ends_with('q') { 8 } else { 4 }),
            () if rest.starts_with("ss") => Some(4),
            () if rest.starts_with("sd") => Some(8),
            () => None,
        };
    }
    let whole = match register?.as_bytes()[0] {
        b'x' => 16,
        b'y' => 32,
        _ => 64,
    };
    match name {
        "movd" => return Some(4),
        "movq" | "movhps" | "movlps" | "movhpd" | "movlpd" | "movddup" => return Some(8),
        "pextrb" | "pinsrb" => return Some(1),
        "pextrw" | "pinsrw" => return Some(2),
        "pextrd" | "pinsrd" | "insertps" | "extractps" => return Some(4),
        "pextrq" | "pinsrq" => return Some(8),
        _ => {}
    }
    if [
        "gather",
        "scatter",
        "broadcast",
        "pmov",
        "mask",
        "insert",
        "extract",
    ]
    .iter()
    .any(|part| name.contains(part))
    {
        return None;
    }
    match () {
        // Integers: all of the register.
        () if name.starts_with('p') => Some(whole),
        () if name.ends_with("ss") => Some(4),
        () if name.ends_with("sd") => Some(8),
        () => Some(whole),
    }
}
