//! Formats of `printf` and `scanf`: which memory they make these functions read and write.

use mazurka_runtime::accesses::WRITE;

use super::state;

/// The arguments behind a format, one after the other.
pub struct Arguments {
    /// Registers that are left, and where; then words on the stack.
    registers: *const usize,
    left: usize,
    floats: usize,
    stack: *const usize,
    start: *const usize,
}

impl Arguments {
    /// Those of a call from this one on.
    pub fn of_call(registers: &[usize; 6], stack: *const usize, first: usize) -> Arguments {
        Arguments {
            registers: registers.as_ptr().wrapping_add(first),
            left: 6usize.saturating_sub(first),
            floats: 8,
            stack,
            start: stack,
        }
    }

    /// Those of a list (`va_list`).
    ///
    /// # Safety
    ///
    /// It is one, as the compilers of this machine make it.
    pub unsafe fn of_list(list: usize) -> Arguments {
        // SAFETY: the caller's promise.
        let (general, floats, stack, registers) = unsafe {
            let words = list as *const u32;
            let addresses = list as *const usize;
            (
                *words as usize,
                *words.add(1) as usize,
                *addresses.add(1) as *const usize,
                *addresses.add(2),
            )
        };
        Arguments {
            registers: (registers + general) as *const usize,
            left: 48usize.saturating_sub(general) / 8,
            floats: 176usize.saturating_sub(floats) / 16,
            stack,
            start: stack,
        }
    }

    /// How many words on the stack have been passed.
    pub fn on_stack(&self) -> usize {
        (self.stack as usize - self.start as usize) / 8
    }

    unsafe fn take_word(&mut self) -> usize {
        // SAFETY: the caller has as many arguments.
        let word = unsafe { *self.stack };
        self.stack = self.stack.wrapping_add(1);
        word
    }

    unsafe fn next(&mut self) -> usize {
        if self.left == 0 {
            // SAFETY: the caller has as many arguments.
            return unsafe { self.take_word() };
        }
        self.left -= 1;
        // SAFETY: one of those that are left.
        let word = unsafe { *self.registers };
        self.registers = self.registers.wrapping_add(1);
        word
    }

    unsafe fn pass_float(&mut self, is_long: bool) {
        if is_long {
            let aligned = (self.stack as usize).next_multiple_of(16) + 16;
            self.stack = aligned as *const usize;
        } else if self.floats == 0 {
            // SAFETY: the caller has as many arguments.
            unsafe { self.take_word() };
        } else {
            self.floats -= 1;
        }
    }
}

/// What a conversion does with its argument.
enum Use {
    /// Its value alone.
    Value,
    /// The string that it points to, of which this much may be read.
    Text(usize),
    /// What it points to is written.
    Place,
}

/// Walks along a format.
///
/// # Safety
///
/// It is one, and the arguments are what it asks for.
unsafe fn walk(
    format: usize,
    arguments: &mut Arguments,
    is_scan: bool,
    mut use_it: impl FnMut(usize, Use),
) {
    let mut at = format as *const u8;
    // SAFETY: the caller's promise.
    unsafe {
        while *at != 0 {
            if *at != b'%' {
                at = at.add(1);
                continue;
            }
            at = at.add(1);
            let mut precision = usize::MAX;
            let (mut is_long, mut is_wide, mut is_skipped, mut in_precision) =
                (false, false, false, false);
            loop {
                match *at {
                    b'*' if is_scan => is_skipped = true,
                    b'*' => {
                        let word = arguments.next();
                        if in_precision {
                            precision = usize::try_from(word as i32).unwrap_or(usize::MAX);
                        }
                    }
                    b'.' => {
                        in_precision = true;
                        precision = 0;
                    }
                    digit @ b'0'..=b'9' if in_precision => {
                        precision = precision.saturating_mul(10) + usize::from(digit - b'0');
                    }
                    // An argument by its number.
                    b'$' => return,
                    b'L' => is_long = true,
                    b'l' => is_wide = true,
                    b'0'..=b'9'
                    | b'-'
                    | b'+'
                    | b' '
                    | b'#'
                    | b'\''
                    | b'I'
                    | b'h'
                    | b'q'
                    | b'j'
                    | b'z'
                    | b't' => {}
                    _ => break,
                }
                at = at.add(1);
            }
            let conversion = *at;
            if conversion == 0 {
                return;
            }
            at = at.add(1);
            if is_scan && conversion == b'[' {
                at = at.add(usize::from(*at == b'^'));
                at = at.add(usize::from(*at == b']'));
                while *at != 0 && *at != b']' {
                    at = at.add(1);
                }
            }
            match conversion {
                b'%' | b'm' => {}
                _ if is_scan && is_skipped => {}
                _ if is_scan => use_it(arguments.next(), Use::Place),
                b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                    arguments.pass_float(is_long)
                }
                b's' if !is_wide => use_it(arguments.next(), Use::Text(precision)),
                b'n' => use_it(arguments.next(), Use::Place),
                _ => use_it(arguments.next(), Use::Value),
            }
        }
    }
}

/// What `printf` reads with this format: the format itself, and strings.
///
/// # Safety
///
/// As [`walk`].
pub unsafe fn print(format: usize, arguments: &mut Arguments, from: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        read_text(format, usize::MAX, from);
        walk(format, arguments, false, |argument, what| match what {
            Use::Text(most) if argument != 0 => read_text(argument, most, from),
            Use::Place => {
                state::access(argument, 4, WRITE, from);
            }
            _ => {}
        });
    }
}

/// What `scanf` writes with this format. How much is not known before, but where it begins.
///
/// # Safety
///
/// As [`walk`].
pub unsafe fn scan(format: usize, arguments: &mut Arguments, from: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        read_text(format, usize::MAX, from);
        walk(format, arguments, true, |argument, _| {
            state::access(argument, 1, WRITE, from);
        });
    }
}

/// Goes past the arguments of a format.
///
/// # Safety
///
/// As [`walk`].
pub unsafe fn skip(format: usize, arguments: &mut Arguments) {
    // SAFETY: the caller's promise.
    unsafe { walk(format, arguments, false, |_, _| ()) };
}

/// The length of a string, or this if it is longer. The function of the C library would come back here by its stub.
///
/// # Safety
///
/// There is a string, or as many bytes.
pub unsafe fn length(address: usize, most: usize) -> usize {
    let text = address as *const u8;
    // SAFETY: the caller's promise.
    (0..most)
        .find(|&at| unsafe { *text.add(at) } == 0)
        .unwrap_or(most)
}

unsafe fn read_text(address: usize, most: usize, from: usize) {
    // SAFETY: the caller's promise.
    let length = unsafe { length(address, most) };
    let size = length.saturating_add(1).min(most);
    if size > 0 {
        state::access(address, size, 0, from);
    }
}
