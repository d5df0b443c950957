//! What the registers of a function hold, in terms of each other: enough to tell that two addresses are the same.
//!
//! A value is a sum of things that are not known, each with a factor, and a number. What cannot be told is a new thing. The same
//! computation on the same things gives the same thing, so an address that is worked out twice, once for the instrumentation and once
//! for the access, is found to be one.

use std::collections::HashMap;

use super::instruction::{Instruction, Memory, Operand, whole};

/// A sum of things, and a number.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Value {
    terms: Vec<(u32, i64)>,
    pub number: i64,
}

impl Value {
    fn thing(thing: u32) -> Value {
        Value {
            terms: vec![(thing, 1)],
            number: 0,
        }
    }

    fn number(number: i64) -> Value {
        Value {
            terms: vec![],
            number,
        }
    }

    fn plus(&self, other: &Value, factor: i64) -> Value {
        let mut sum = self.clone();
        for &(thing, times) in &other.terms {
            let times = times.wrapping_mul(factor);
            match sum.terms.iter_mut().find(|(known, _)| *known == thing) {
                Some((_, known)) => *known = known.wrapping_add(times),
                None => sum.terms.push((thing, times)),
            }
        }
        sum.terms.retain(|(_, times)| *times != 0);
        sum.terms.sort_unstable();
        sum.number = sum.number.wrapping_add(other.number.wrapping_mul(factor));
        sum
    }

    /// How far this is from another, if that is known.
    pub fn from(&self, other: &Value) -> Option<i64> {
        (self.terms == other.terms).then(|| self.number.wrapping_sub(other.number))
    }

    pub fn is_number(&self) -> bool {
        self.terms.is_empty()
    }

    fn is_thing(&self, thing: u32) -> bool {
        self.terms == [(thing, 1)]
    }
}

/// Where a function's own variables are, counted from.
const FRAME: u32 = 0;
/// The end of the stack.
const STACK: u32 = 1;
const RAX: usize = 0;
const RCX: usize = 2;
const RDX: usize = 3;
pub const RSI: usize = 4;
pub const RDI: usize = 5;
pub const RBP: usize = 6;
pub const RSP: usize = 7;
/// What a function that is called may use for itself.
const FREE: [usize; 9] = [RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11];

/// What registers and the function's own variables hold at a place in the program.
pub struct Values {
    registers: [Value; 16],
    slots: HashMap<(i64, u32), Value>,
    known: HashMap<String, u32>,
    things: u32,
    has_frame: bool,
}

impl Values {
    /// At the beginning of a function, which counts its variables from `rbp` or from the end of the stack.
    pub fn new(has_frame: bool) -> Values {
        let mut values = Values {
            registers: Default::default(),
            slots: HashMap::new(),
            known: HashMap::new(),
            things: 2,
            has_frame,
        };
        values.forget();
        values
    }

    /// Somebody may come here from elsewhere.
    pub fn forget(&mut self) {
        for at in 0..16 {
            self.registers[at] = self.fresh();
        }
        self.slots.clear();
        self.registers[RSP] = Value::thing(STACK);
        if self.has_frame {
            self.registers[RBP] = Value::thing(FRAME);
        }
    }

    fn fresh(&mut self) -> Value {
        self.things += 1;
        Value::thing(self.things)
    }

    fn named(&mut self, name: String) -> Value {
        let next = self.things + 1;
        let thing = *self.known.entry(name).or_insert(next);
        self.things = self.things.max(thing);
        Value::thing(thing)
    }

    pub fn register(&self, at: usize) -> &Value {
        &self.registers[at]
    }

    /// The offset from the frame, if the address is there.
    pub fn in_frame(&self, address: &Value) -> Option<i64> {
        address.is_thing(FRAME).then_some(address.number)
    }

    /// Whether the address is at the end of the stack, where arguments are put.
    pub fn is_at_end(&self, address: &Value) -> bool {
        address.is_thing(STACK)
    }

    /// The address that an operand names.
    pub fn address(&mut self, place: &Memory) -> Value {
        let mut address = Value::number(place.offset);
        if !place.symbol.is_empty() {
            let symbol = self.named(place.symbol.to_string());
            address = address.plus(&symbol, 1);
        }
        if !place.segment.is_empty() {
            let segment = self.named(format!("%{}", place.segment));
            address = address.plus(&segment, 1);
        }
        for (register, factor) in [(place.base, 1), (place.index, place.scale)] {
            match whole(register) {
                Some((at, 8)) => address = address.plus(&self.registers[at].clone(), factor),
                _ if register.is_empty() || register == "rip" => {}
                _ => address = self.fresh(),
            }
        }
        address
    }

    fn load(&mut self, place: &Memory, size: u32) -> Value {
        if let Some((symbol, "GOTPCREL" | "gotpcrel")) = place.symbol.split_once('@') {
            return self.named(symbol.to_string());
        }
        if let Some((symbol, "gottpoff" | "GOTTPOFF")) = place.symbol.split_once('@') {
            return self.named(format!("{symbol}@tpoff"));
        }
        if place.segment == "fs"
            && place.symbol.is_empty()
            && place.offset == 0
            && place.base.is_empty()
        {
            return self.named("%fs".into());
        }
        let address = self.address(place);
        let Some(offset) = self.in_frame(&address) else {
            return self.fresh();
        };
        if let Some(value) = self.slots.get(&(offset, size)) {
            return value.clone();
        }
        let value = self.fresh();
        self.slots.insert((offset, size), value.clone());
        value
    }

    fn store(&mut self, place: &Memory, size: u32, value: Option<Value>) {
        let address = self.address(place);
        let Some(offset) = self.in_frame(&address) else {
            return;
        };
        let end = offset + i64::from(size);
        self.slots
            .retain(|(other, length), _| *other >= end || *other + i64::from(*length) <= offset);
        if let Some(value) = value {
            self.slots.insert((offset, size), value);
        }
    }

    /// A function has been called. One of the instrumentation changes no variable.
    pub fn called(&mut self, is_instrumentation: bool) {
        for at in FREE {
            self.registers[at] = self.fresh();
        }
        if !is_instrumentation {
            self.slots.clear();
        }
    }

    /// An atomic operation was called: it may change what has an address, which nothing below `lowest` has.
    pub fn performed(&mut self, lowest: Option<i64>) {
        self.called(true);
        let is_below = |offset, size| {
            lowest.is_none_or(|lowest| i64::saturating_add(offset, i64::from(size)) <= lowest)
        };
        self.slots
            .retain(|(offset, size), _| is_below(*offset, *size));
    }

    fn set(&mut self, at: usize, value: Value) {
        let is_frame = at == RBP && self.has_frame;
        if !is_frame {
            self.registers[at] = value;
        }
    }

    fn operand(&mut self, operand: &Operand, size: u32) -> Value {
        match operand {
            Operand::Immediate("", number) => Value::number(*number),
            Operand::Immediate(symbol, number) => {
                let symbol = self.named(symbol.to_string());
                symbol.plus(&Value::number(*number), 1)
            }
            Operand::Register(name) => match whole(name) {
                Some((at, 8)) => self.registers[at].clone(),
                Some((at, width)) => {
                    let value = self.registers[at].clone();
                    self.part(&value, width)
                }
                None => self.fresh(),
            },
            Operand::Memory(place) => self.load(place, size),
        }
    }

    /// The lower bytes of a value.
    fn part(&mut self, value: &Value, width: u32) -> Value {
        let is_small = value.is_number() && (0..1 << (8 * width - 1)).contains(&value.number);
        match is_small {
            true => value.clone(),
            false => self.named(format!("{width} bytes of {value:?}")),
        }
    }

    /// An instruction that is no call is carried out; `size` is how much of memory it uses.
    pub fn carry_out(&mut self, instruction: &Instruction, size: u32) {
        let name = instruction.name;
        match name {
            "pushq" | "push" => return self.move_end(-8),
            "popq" | "pop" => {
                self.move_end(8);
                let fresh = self.fresh();
                return self.write(&instruction.operands, fresh, 8);
            }
            "leave" => return,
            "cltq" | "cwtl" | "cbtw" | "cdqe" => {
                let value = self.registers[RAX].clone();
                self.registers[RAX] = self.named(format!("{name} {value:?}"));
                return;
            }
            "cqto" | "cltd" | "cqo" | "cdq" => {
                self.registers[RDX] = self.fresh();
                return;
            }
            _ => {}
        }
        let begins = |names: &[&str]| names.iter().any(|start| name.starts_with(start));
        if begins(&[
            "cmp", "test", "j", "nop", "ucomis", "comis", "endbr", "ret", "prefetch",
        ]) && !name.starts_with("cmpxchg")
        {
            return;
        }
        if !instruction.prefix.is_empty()
            || instruction.operands.is_empty()
            || begins(&["xchg", "xadd", "cmpxchg", "cpuid", "rdtsc"])
        {
            let kept = (self.registers[RSP].clone(), self.registers[RBP].clone());
            for at in 0..16 {
                self.registers[at] = self.fresh();
            }
            self.registers[RSP] = kept.0;
            self.set(RBP, kept.1);
            return;
        }
        if instruction.operands.len() == 1 && begins(&["mul", "imul", "div", "idiv"]) {
            self.registers[RAX] = self.fresh();
            self.registers[RDX] = self.fresh();
            return;
        }
        let (to, from) = match instruction.operands.as_slice() {
            [to] => (to, None),
            [from, to] => (to, Some(from)),
            [_, _, ..] => {
                let fresh = self.fresh();
                return self.write(&instruction.operands, fresh, size);
            }
            [] => return,
        };
        if let ("movl", Some(Operand::Immediate(symbol, _)), Operand::Register(to)) =
            (name, from, to)
            && !symbol.is_empty()
            && let Some((at, _)) = whole(to)
        {
            // An address in the lower four gigabytes.
            let address = self.operand(&instruction.operands[0], 8);
            return self.set(at, address);
        }
        let value = match (name, from) {
            ("movq" | "movl" | "mov" | "movabsq" | "movb" | "movw", Some(from)) => {
                self.operand(from, size)
            }
            ("leaq" | "lea", Some(Operand::Memory(place))) => self.address(place),
            ("addq" | "add", Some(from)) => {
                let (first, second) = (self.operand(to, size), self.operand(from, size));
                first.plus(&second, 1)
            }
            ("subq" | "sub", Some(from)) => {
                let (first, second) = (self.operand(to, size), self.operand(from, size));
                first.plus(&second, -1)
            }
            ("salq" | "shlq", Some(Operand::Immediate("", by))) if (0..32).contains(by) => {
                Value::default().plus(&self.operand(to, size), 1 << by)
            }
            ("salq" | "shlq", None) => Value::default().plus(&self.operand(to, size), 2),
            (_, Some(from)) if begins(&["mov"]) => {
                let from = self.operand(from, size);
                self.named(format!("{name} {from:?}"))
            }
            // These ask for the carry, or for a condition.
            _ if begins(&["adc", "sbb", "set", "cmov", "rcl", "rcr"]) => self.fresh(),
            (_, from) => {
                let first = self.operand(to, size);
                let second = from.map(|from| self.operand(from, size));
                self.named(format!("{name} {first:?} {second:?}"))
            }
        };
        self.write(&instruction.operands, value, size);
    }

    fn move_end(&mut self, by: i64) {
        self.registers[RSP] = self.registers[RSP].plus(&Value::number(by), 1);
    }

    /// The last operand gets a value.
    fn write(&mut self, operands: &[Operand], value: Value, size: u32) {
        match operands.last() {
            Some(Operand::Register(name)) => {
                let Some((at, width)) = whole(name) else {
                    return;
                };
                let value = match width {
                    8 => value,
                    4 => self.part(&value, 4),
                    // The other bytes stay.
                    _ => self.fresh(),
                };
                self.set(at, value);
            }
            Some(Operand::Memory(place)) => {
                let is_word = size == 8;
                self.store(place, size, is_word.then_some(value));
            }
            _ => {}
        }
    }
}
