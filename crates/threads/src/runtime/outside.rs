//! Calls that leave the program: functions of libraries that nobody instrumented.
//!
//! The program finds them by a table of addresses, which the loader has filled. Each entry is replaced by a stub that comes here first.
//! `mazurka_processes::library` says what a function does: whether the order of such calls by different threads can be noticed (then
//! it is a step, on an object that stands for all that the system keeps for the process), what memory it reads and writes, and what it
//! keeps for itself without protecting it (an access to memory that has no address). A function that is not known is a step, and
//! makes the verdict inconclusive if others could do something at that time, or use memory with nothing that orders it with the call.
//!
//! As long as there is one thread, nothing of this happens.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use mazurka_processes::library::{self, Class, SIGNALS, SYSTEM, Stream};
use mazurka_processes::uncontrolled;
use mazurka_runtime::accesses::{ATOMIC, FREE, WRITE};
use mazurka_runtime::{ActorState, Kind, Operation};

use super::atomics::cell;
use super::beyond::did;
use super::formats::{self, Arguments};
use super::global;
use super::state::{self, acquire, is_active, kernel, perform, place, population, release};
use super::streams;
use super::threads::as_function;
use super::waiting::{looked, perform_looking};

/// Where the memory is taken to be that the C library keeps without protecting it.
const KEPT: usize = 1 << 59;
const KEPT_NAMES: [(char, &str); 8] = [
    ('e', "the environment"),
    ('t', "what strtok keeps"),
    ('c', "what functions of the calendar keep"),
    ('l', "the locale"),
    ('d', "what random numbers are made of"),
    ('o', "what getopt keeps"),
    ('n', "what is kept of users, groups and hosts"),
    ('x', "what the C library keeps"),
];

/// What memory is called that has no address.
pub fn name_of(address: usize) -> Option<&'static str> {
    let place = address.checked_sub(KEPT)? / 8;
    KEPT_NAMES.get(place).map(|(_, name)| *name)
}

/// Where a function touches memory, and how much of it.
enum Effect {
    /// What an argument or the result points to: read, written, given back or new.
    Memory {
        what: What,
        at: At,
        size: Size,
    },
    /// Before what has no address: where, and whether it is written, or only if an argument is not null.
    Kept {
        address: usize,
        is_write: bool,
        unless_null: Option<usize>,
    },
    Format(usize),
    List(usize),
    Scan(usize),
    /// Output that nobody reads back.
    Descriptor(usize),
    Stream(usize),
    Object(usize),
    /// A string of the C++ library, and whether it is written.
    Text(usize, bool),
    Closes(usize),
    ClosesStream(usize),
}

#[derive(PartialEq)]
enum What {
    Reads,
    Writes,
    WritesLater,
    GivesBack,
    IsNew,
}

enum At {
    Argument(usize),
    Result,
}

enum Size {
    Bytes(usize),
    Argument(usize),
    Product(usize, usize),
    String,
    StringUpTo(usize),
    /// Up to a byte: the arguments that say where it is looked for, which it is, and among how many.
    Byte(usize, usize, Option<usize>),
    WideString,
    WideCharacters(usize),
    ResultWideCharacters,
    Result,
    ResultOf(usize),
    ResultUpTo(usize),
}

/// A function that is called by way of a stub.
struct Function {
    real: usize,
    class: Option<Class>,
    effects: Vec<Effect>,
    /// The stream that it locks.
    stream: Option<Stream>,
    /// Whether it gives a stream a buffer, and which argument says how large that is, if any does.
    sets_buffer: Option<Option<usize>>,
    /// Whether something is to be done when it has returned.
    returns: bool,
    /// What is looked at though there may be one thread only.
    watched: Watched,
}

#[derive(Clone, Copy, PartialEq)]
enum Watched {
    Nothing,
    /// It finds functions by their names.
    Finds,
    /// It maps memory.
    Maps,
}

static LAST: AtomicPtr<Vec<(usize, usize)>> = AtomicPtr::new(std::ptr::null_mut());
/// Where the code is that is looked at.
static OWN: AtomicPtr<Vec<(usize, usize)>> = AtomicPtr::new(std::ptr::null_mut());
/// `dlsym` itself: who calls it by its name comes to a stub.
static LOOK_UP: AtomicUsize = AtomicUsize::new(0);
static FUNCTIONS: AtomicPtr<Vec<Function>> = AtomicPtr::new(std::ptr::null_mut());
/// The streams of the C++ library that write to standard output.
static STREAMS: AtomicPtr<Vec<usize>> = AtomicPtr::new(std::ptr::null_mut());
const STREAM_SIZE: usize = 280;

/// The bytes of a wide character.
const WIDE: usize = 4;

/// How large the buffer is that `setbuf` gives a stream.
const BUFFER: usize = 8192;

/// How many words of arguments on the stack are passed on where a call returns here.
const WORDS: usize = 16;

/// A call on its way. The assembly below knows where the fields are.
#[repr(C)]
struct Call {
    arguments: [usize; 6],
    /// How many vector registers are in use, if their number is not fixed.
    vectors: usize,
    number: usize,
    floats: [[u64; 2]; 8],
    from: usize,
    stack: *const usize,
    returns: usize,
    result: usize,
    result_float: [u64; 2],
}

// A stub comes here with the number of its function in r11. The registers that a function must keep are noted, for it may be called by
// a loop that waits.
std::arch::global_asm!(
    ".text",
    ".type mazurka_outside,@function",
    ".globl mazurka_outside",
    "mazurka_outside:",
    "mov [rip + MAZURKA_REGISTERS], rsp",
    "mov [rip + MAZURKA_REGISTERS + 8], rbx",
    "mov [rip + MAZURKA_REGISTERS + 16], rbp",
    "mov [rip + MAZURKA_REGISTERS + 24], r12",
    "mov [rip + MAZURKA_REGISTERS + 32], r13",
    "mov [rip + MAZURKA_REGISTERS + 40], r14",
    "mov [rip + MAZURKA_REGISTERS + 48], r15",
    "push rbp",
    "mov rbp, rsp",
    "sub rsp, 240",
    "mov [rbp - 240], rdi",
    "mov [rbp - 232], rsi",
    "mov [rbp - 224], rdx",
    "mov [rbp - 216], rcx",
    "mov [rbp - 208], r8",
    "mov [rbp - 200], r9",
    "mov [rbp - 192], rax",
    "mov [rbp - 184], r11",
    "movups [rbp - 176], xmm0",
    "movups [rbp - 160], xmm1",
    "movups [rbp - 144], xmm2",
    "movups [rbp - 128], xmm3",
    "movups [rbp - 112], xmm4",
    "movups [rbp - 96], xmm5",
    "movups [rbp - 80], xmm6",
    "movups [rbp - 64], xmm7",
    "mov rax, [rbp + 8]",
    "mov [rbp - 48], rax",
    "lea rax, [rbp + 16]",
    "mov [rbp - 40], rax",
    "lea rdi, [rbp - 240]",
    "call mazurka_goes_out",
    "mov r11, rax",
    "cmp qword ptr [rbp - 32], 0",
    "je 2f",
    "sub rsp, {stack}",
    "lea rsi, [rbp + 16]",
    "mov rdi, rsp",
    "mov ecx, {words}",
    "rep movsq",
    "2:",
    "mov rdi, [rbp - 240]",
    "mov rsi, [rbp - 232]",
    "mov rdx, [rbp - 224]",
    "mov rcx, [rbp - 216]",
    "mov r8, [rbp - 208]",
    "mov r9, [rbp - 200]",
    "mov rax, [rbp - 192]",
    "movups xmm0, [rbp - 176]",
    "movups xmm1, [rbp - 160]",
    "movups xmm2, [rbp - 144]",
    "movups xmm3, [rbp - 128]",
    "movups xmm4, [rbp - 112]",
    "movups xmm5, [rbp - 96]",
    "movups xmm6, [rbp - 80]",
    "movups xmm7, [rbp - 64]",
    "cmp qword ptr [rbp - 32], 0",
    "jne 3f",
    "leave",
    "jmp r11",
    "3:",
    "call r11",
    "mov [rbp - 24], rax",
    "movups [rbp - 16], xmm0",
    "lea rdi, [rbp - 240]",
    "call mazurka_comes_back",
    "mov rax, [rbp - 24]",
    "movups xmm0, [rbp - 16]",
    "leave",
    "ret",
    ".size mazurka_outside,.-mazurka_outside",
    stack = const WORDS * 8,
    words = const WORDS,
);

unsafe extern "C" {
    fn mazurka_outside();
    static stdin: usize;
    static stdout: usize;
    static stderr: usize;
    static environ: *const usize;
}

fn functions() -> &'static [Function] {
    // SAFETY: made once, before any stub, and never changed.
    unsafe { &*FUNCTIONS.load(Ordering::Relaxed) }
}

/// A function is called. Gives where it is.
#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_goes_out(call: &mut Call) -> usize {
    let function = &functions()[call.number];
    call.returns = 0;
    if !is_active() {
        return function.real;
    }
    if let Some(size) = function.sets_buffer {
        let size = size.map_or(BUFFER, |at| call.arguments[at]);
        streams::set_buffer(call.arguments[0], call.arguments[1], size);
    }
    match function.watched {
        Watched::Nothing => {}
        Watched::Finds => call.find(),
        Watched::Maps => call.map(),
    }
    if population() == 1 {
        return function.real;
    }
    if let Some(stream) = function.stream {
        call.use_stream(stream);
    }
    if !call.is_output(function) {
        call.step(function);
    }
    for effect in &function.effects {
        call.before(effect);
    }
    // Of more arguments nobody knows.
    call.returns = (function.returns && !call.has_many_arguments(function)).into();
    function.real
}

/// A function has returned.
#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_comes_back(call: &mut Call) {
    // SAFETY: the place of the running thread's error number, which is the function's.
    let error = unsafe { *libc::__errno_location() };
    if is_active() {
        for effect in &functions()[call.number].effects {
            call.after(effect);
        }
    }
    // SAFETY: the same.
    unsafe { *libc::__errno_location() = error };
}

const LOOKS_UP: &str = "dlsym";

/// Where the function with this name is; zero if there is none.
///
/// # Safety
///
/// The name ends in zero.
pub unsafe fn look_up(handle: *mut c_void, name: *const c_char) -> usize {
    let found = match LOOK_UP.load(Ordering::Relaxed) {
        // SAFETY: the caller's promise.
        0 => unsafe { libc::dlsym(handle, name) },
        real => {
            type LookUp = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;
            // SAFETY: the caller's promise; the address is that of this function.
            unsafe { as_function::<LookUp>(real)(handle, name) }
        }
    };
    found as usize
}

/// A step that may change what an object stands for that is no memory; others may follow from it.
pub fn change(address: u64, from: usize) {
    let id = cell(address as usize, 8);
    perform(Operation::on(Kind::FETCH_ADD, id).with(1).at(place(from)));
    acquire(id);
    release(id);
}

/// A step that looks at it.
pub fn look(address: u64, from: usize) {
    let id = cell(address as usize, 8);
    let look = Operation::on(Kind::READ, id).at(place(from));
    perform_looking(look, from, |_, _| ());
    looked(id);
    acquire(id);
}

impl Call {
    /// Memory is mapped. Of a file that is written that way there may be another mapping, here or in another process.
    fn map(&self) {
        let [_, _, rights, flags, ..] = self.arguments.map(|word| word as c_int);
        let is_file = flags & libc::MAP_ANONYMOUS == 0;
        // One way to ask for it has the bits of both.
        let is_shared = flags & libc::MAP_SHARED != 0;
        if is_file && is_shared && rights & libc::PROT_WRITE != 0 {
            did(uncontrolled::MEMORY);
        }
    }

    /// A function is looked for, and will be called without a stub: it should be one that does nothing to others.
    fn find(&self) {
        // SAFETY: as `dlsym` asks for; the regions are made once, before any stub, and never changed.
        let (name, found, own) = unsafe {
            let name = CStr::from_ptr(self.arguments[1] as *const c_char);
            let found = look_up(self.arguments[0] as *mut c_void, name.as_ptr());
            (name, found, &*OWN.load(Ordering::Relaxed))
        };
        let is_harmless = name.to_str().is_ok_and(is_harmless);
        if found != 0 && !is_harmless && !is_within(found, own) {
            did(uncontrolled::UNKNOWN);
        }
    }

    /// Whether it writes to standard output, which nobody reads back.
    fn is_output(&self, function: &Function) -> bool {
        function.effects.iter().any(|effect| match effect {
            Effect::Descriptor(at) => matches!(self.arguments[*at], 1 | 2),
            // SAFETY: words of the C library.
            Effect::Stream(at) => unsafe { [stdout, stderr].contains(&self.arguments[*at]) },
            _ => false,
        })
    }

    /// It uses a stream: waits for who has locked it, and uses the buffer that the program has given it.
    fn use_stream(&self, stream: Stream) {
        // SAFETY: words of the C library.
        let standard = unsafe { [stdin, stdout, stderr] };
        let stream = match stream {
            Stream::Argument(at) => self.arguments[at],
            Stream::Standard(number) => standard[number],
        };
        if stream == 0 {
            return;
        }
        streams::pass(stream, self.from);
        if let Some((start, size)) = streams::buffer(stream) {
            // The stream's own lock orders those who use it; others it does not.
            state::access(start, size, WRITE | ATOMIC, self.from);
        }
    }

    fn step(&self, function: &Function) {
        match function.class {
            Some(Class::Pure) => {}
            Some(Class::Looks) => look(SYSTEM, self.from),
            Some(Class::Files) => change(SYSTEM, self.from),
            Some(Class::Signals) => change(SIGNALS, self.from),
            Some(Class::Masks) => {
                did(uncontrolled::SIGNAL);
                change(SIGNALS, self.from);
            }
            None => {
                if others_run() {
                    did(uncontrolled::UNKNOWN);
                }
                state::does_unseen(uncontrolled::UNKNOWN);
                change(SYSTEM, self.from);
            }
        }
    }

    fn before(&self, effect: &Effect) {
        match effect {
            Effect::Memory { what, at, size } => {
                let address = match at {
                    At::Argument(at) => self.arguments[*at],
                    At::Result => return,
                };
                // SAFETY: as the function asks for.
                let size = unsafe { self.size_before(address, size) };
                self.touch(what, address, size);
            }
            Effect::Kept {
                address,
                is_write,
                unless_null,
            } => {
                let is_null = unless_null.is_some_and(|at| self.arguments[at] == 0);
                let what = if *is_write && !is_null { WRITE } else { 0 };
                state::access(*address, 8, what, self.from);
                if *address == KEPT {
                    self.use_environment(what);
                }
            }
            Effect::Format(at) => {
                let mut arguments = self.rest(at + 1);
                // SAFETY: as the function asks for.
                unsafe { formats::print(self.arguments[*at], &mut arguments, self.from) };
            }
            Effect::List(at) => {
                // SAFETY: as the function asks for.
                unsafe {
                    let mut arguments = Arguments::of_list(self.arguments[at + 1]);
                    formats::print(self.arguments[*at], &mut arguments, self.from);
                }
            }
            Effect::Scan(at) => {
                let mut arguments = self.rest(at + 1);
                // SAFETY: as the function asks for.
                unsafe { formats::scan(self.arguments[*at], &mut arguments, self.from) };
            }
            Effect::Object(at) => {
                let address = self.arguments[*at];
                // SAFETY: made once, before any stub, and never changed.
                let streams = unsafe { &*STREAMS.load(Ordering::Relaxed) };
                let is_output = |start: &usize| (*start..start + STREAM_SIZE).contains(&address);
                if !streams.iter().any(is_output) {
                    self.touch(&What::Writes, address, 8);
                }
            }
            Effect::Text(at, is_write) => {
                let address = self.arguments[*at];
                let what = if *is_write { What::Writes } else { What::Reads };
                // SAFETY: a string begins with where its text is and how long that is.
                let [text, length] = unsafe { *(address as *const [usize; 2]) };
                self.touch(&what, address, 16);
                self.touch(&what, text, length + 1);
            }
            Effect::Closes(at) => {
                if matches!(self.arguments[*at], 1 | 2) {
                    did(uncontrolled::OUTPUT);
                }
            }
            Effect::ClosesStream(at) => {
                // SAFETY: words of the C library.
                if unsafe { [stdout, stderr].contains(&self.arguments[*at]) } {
                    did(uncontrolled::OUTPUT);
                }
            }
            Effect::Descriptor(_) | Effect::Stream(_) => {}
        }
    }

    /// The program may look at the environment without asking the C library.
    fn use_environment(&self, what: u8) {
        // SAFETY: a word of the C library, and a list that ends in zero.
        unsafe {
            state::access(&raw const environ as usize, 8, what, self.from);
            let mut words = 1;
            while !environ.is_null() && *environ.add(words - 1) != 0 {
                words += 1;
            }
            if !environ.is_null() {
                state::access(environ as usize, words * 8, what, self.from);
            }
        }
    }

    fn after(&self, effect: &Effect) {
        let Effect::Memory { what, at, size } = effect else {
            return;
        };
        let address = match at {
            At::Argument(at) => self.arguments[*at],
            At::Result => self.result,
        };
        let is_later = matches!(what, What::WritesLater | What::IsNew);
        if !is_later || address == 0 || address == usize::MAX {
            return;
        }
        let result = (self.result as isize).max(0) as usize;
        let size = match size {
            Size::Result => result,
            Size::ResultOf(other) => result * self.arguments[*other],
            Size::ResultWideCharacters => result * WIDE,
            Size::ResultUpTo(most) => (result + 1).min(self.arguments[*most]),
            // SAFETY: as the function promises.
            size => unsafe { self.size_before(address, size) },
        };
        match what {
            What::IsNew => state::hand_out(address, size.min(1 << 16)),
            _ => self.touch(&What::Writes, address, size),
        }
    }

    /// # Safety
    ///
    /// Where a string is expected at the address, there is one.
    unsafe fn size_before(&self, address: usize, size: &Size) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            match size {
                Size::Bytes(bytes) => *bytes,
                Size::Argument(at) => self.arguments[*at],
                Size::Product(one, other) => self.arguments[*one] * self.arguments[*other],
                _ if address == 0 => 0,
                Size::String => formats::length(address, usize::MAX) + 1,
                Size::StringUpTo(most) => {
                    let most = self.arguments[*most];
                    (formats::length(address, most) + 1).min(most)
                }
                Size::Byte(start, byte, most) => {
                    let most = most.map_or(usize::MAX, |at| self.arguments[at]);
                    let byte = self.arguments[*byte] as u8;
                    let start = self.arguments[*start] as *const u8;
                    let found = (0..most).find(|&place| *start.add(place) == byte);
                    found.map_or(most, |place| place + 1)
                }
                Size::WideString => {
                    let characters = address as *const u32;
                    let mut length = 0;
                    while characters.add(length).read_unaligned() != 0 {
                        length += 1;
                    }
                    (length + 1) * WIDE
                }
                Size::WideCharacters(count) => self.arguments[*count] * WIDE,
                Size::Result
                | Size::ResultOf(_)
                | Size::ResultUpTo(_)
                | Size::ResultWideCharacters => 0,
            }
        }
    }

    fn touch(&self, what: &What, address: usize, size: usize) {
        // Below are no addresses.
        if size == 0 || address < 1 << 12 {
            return;
        }
        let what = match what {
            What::Reads => 0,
            What::Writes => WRITE,
            What::GivesBack => WRITE | FREE,
            What::WritesLater | What::IsNew => return,
        };
        state::access(address, size, what, self.from);
    }

    fn rest(&self, first: usize) -> Arguments {
        Arguments::of_call(&self.arguments, self.stack, first)
    }

    fn has_many_arguments(&self, function: &Function) -> bool {
        function.effects.iter().any(|effect| match effect {
            Effect::Format(at) | Effect::Scan(at) => {
                let mut arguments = self.rest(at + 1);
                // SAFETY: as the function asks for.
                unsafe { formats::skip(self.arguments[*at], &mut arguments) };
                arguments.on_stack() > WORDS
            }
            _ => false,
        })
    }
}

/// Whether there is anybody else who could do something now.
pub fn others_run() -> bool {
    let kernel = kernel();
    let me = state::current();
    let actors = kernel.actors[..population()].iter().enumerate();
    let mut others = actors.filter(|(number, _)| *number != me && kernel.alive >> number & 1 == 1);
    others.any(|(_, other)| other.state != ActorState::PENDING || other.pending.kind != Kind::JOIN)
}

/// Reads what the table says of a function.
fn effects(words: &str) -> Vec<Effect> {
    words.split(',').filter_map(effect).collect()
}

fn effect(word: &str) -> Option<Effect> {
    let mut letters = word.chars();
    let first = letters.next()?;
    let digit = |letter: Option<char>| letter?.to_digit(10).map(|digit| digit as usize);
    let kept = |letter: char| {
        let place = KEPT_NAMES.iter().position(|(other, _)| *other == letter)?;
        Some(KEPT + place * 8)
    };
    let rest = letters.as_str();
    match first {
        'k' | 'K' => {
            let unless_null = rest
                .strip_prefix('?')
                .and_then(|rest| digit(rest.chars().next()));
            Some(Effect::Kept {
                address: kept(rest.chars().next_back()?)?,
                is_write: first == 'K',
                unless_null,
            })
        }
        'f' => digit(letters.next()).map(Effect::Format),
        'v' => digit(letters.next()).map(Effect::List),
        'g' => digit(letters.next()).map(Effect::Scan),
        'o' => digit(letters.next()).map(Effect::Descriptor),
        'F' => digit(letters.next()).map(Effect::Stream),
        'S' => digit(letters.next()).map(Effect::Object),
        'b' | 'B' => digit(letters.next()).map(|at| Effect::Text(at, first == 'B')),
        'c' => digit(letters.next()).map(Effect::Closes),
        'C' => digit(letters.next()).map(Effect::ClosesStream),
        _ => {
            let what = match first {
                'r' => What::Reads,
                'w' => What::Writes,
                'W' => What::WritesLater,
                'x' => What::GivesBack,
                _ => What::IsNew,
            };
            let (at, size) = rest.split_once(':')?;
            let at = match at {
                "$" => At::Result,
                at => At::Argument(digit(at.chars().next())?),
            };
            let mut letters = size.chars();
            let size = match letters.next()? {
                '=' => Size::Bytes(letters.as_str().parse().ok()?),
                's' => digit(letters.next()).map_or(Size::String, Size::StringUpTo),
                'm' => Size::ResultUpTo(digit(letters.next())?),
                'h' => {
                    let (start, byte) = (digit(letters.next())?, digit(letters.next())?);
                    Size::Byte(start, byte, digit(letters.next()))
                }
                'l' => match letters.next() {
                    None => Size::WideString,
                    Some('$') => Size::ResultWideCharacters,
                    count => Size::WideCharacters(digit(count)?),
                },
                '$' => digit(letters.nth(1)).map_or(Size::Result, Size::ResultOf),
                one => match (digit(Some(one))?, digit(letters.nth(1))) {
                    (one, Some(other)) => Size::Product(one, other),
                    (one, None) => Size::Argument(one),
                },
            };
            Some(Effect::Memory { what, at, size })
        }
    }
}

/// What is known of the modules of the process while the tables are being changed.
struct Modules {
    /// Code of the program, and of libraries that are instrumented.
    own: Vec<(usize, usize)>,
    code: Vec<(usize, usize)>,
    slots: Vec<(usize, &'static str)>,
    /// The words with what is to be called at the end, of modules whose code is our own.
    last: Vec<(usize, usize)>,
}

/// A module's tables.
#[derive(Default)]
struct Tables {
    is_instrumented: bool,
    slots: Vec<(usize, &'static str)>,
    last: (usize, usize),
}

const UNDEFINED: u16 = 0;
/// A word of a table, of one that is for calls, and a word of memory that is an address.
const RELOCATIONS: [u32; 3] = [6, 7, 1];
const STUB: usize = 24;

/// Calls the functions that the program, and instrumented libraries, have for their end: those with the attribute `destructor`.
pub fn call_the_last() {
    let modules = LAST.load(Ordering::Relaxed);
    if modules.is_null() {
        return;
    }
    // SAFETY: made once and never changed. The words are functions without arguments, as the loader takes them to be.
    unsafe {
        for (start, end) in &*modules {
            let words = (*start..*end).step_by(size_of::<usize>()).rev();
            for word in words {
                let function: extern "C" fn() = as_function(*(word as *const usize));
                function();
            }
        }
    }
}

fn is_within(address: usize, regions: &[(usize, usize)]) -> bool {
    let mut regions = regions.iter();
    regions.any(|(start, end)| (*start..*end).contains(&address))
}

/// Whether a function concerns nobody but who calls it.
fn is_harmless(name: &str) -> bool {
    let known = library::known(name);
    known.is_some_and(|(class, effects)| class == Class::Pure && effects.is_empty())
}

/// Puts stubs into the tables of addresses by which the program calls functions of other libraries.
pub fn prepare() {
    let mut modules = Modules {
        own: vec![],
        code: vec![],
        slots: vec![],
        last: vec![],
    };
    // SAFETY: the callback gets what it is given here.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut modules).cast()) };
    let last = std::mem::take(&mut modules.last);
    LAST.store(Box::into_raw(Box::new(last)), Ordering::Relaxed);
    let mut all: Vec<Function> = vec![];
    let mut numbers: Vec<(usize, &str, usize)> = vec![];
    let mut changes = vec![];
    for (slot, name) in &modules.slots {
        // SAFETY: a word that the loader has filled.
        let real = unsafe { *(*slot as *const usize) };
        if *name == LOOKS_UP {
            LOOK_UP.store(real, Ordering::Relaxed);
        }
        // Data, or a function of ours.
        if !is_within(real, &modules.code) || is_within(real, &modules.own) {
            continue;
        }
        let known = library::known(name);
        let stream = library::stream(name);
        if *name != LOOKS_UP && stream.is_none() && is_harmless(name) {
            continue;
        }
        let number = numbers
            .iter()
            .find(|(address, other, _)| (*address, *other) == (real, name));
        let number = number.map_or(all.len(), |found| found.2);
        if number == all.len() {
            let effects = known.as_ref().map_or(vec![], |(_, words)| effects(words));
            let is_later = |effect: &Effect| matches!(effect, Effect::Memory { what, .. } if matches!(what, What::WritesLater | What::IsNew));
            all.push(Function {
                real,
                class: known.map(|(class, _)| class),
                stream,
                sets_buffer: match *name {
                    "setvbuf" => Some(Some(3)),
                    "setbuffer" => Some(Some(2)),
                    "setbuf" => Some(None),
                    _ => None,
                },
                returns: effects.iter().any(is_later),
                watched: match *name {
                    LOOKS_UP => Watched::Finds,
                    "mmap" | "mmap64" => Watched::Maps,
                    _ => Watched::Nothing,
                },
                effects,
            });
            numbers.push((real, name, number));
        }
        changes.push((*slot, number));
    }
    let size = (all.len() * STUB).next_multiple_of(1 << 12);
    if size == 0 {
        return;
    }
    let stubs = global::map(size, 0);
    for number in 0..all.len() {
        let mut code = [0u8; STUB];
        // mov r11d, number; jmp [rip + 0]; the address
        code[..2].copy_from_slice(&[0x41, 0xbb]);
        code[2..6].copy_from_slice(&(number as u32).to_le_bytes());
        code[6..12].copy_from_slice(&[0xff, 0x25, 0, 0, 0, 0]);
        code[12..20].copy_from_slice(&(mazurka_outside as *const () as usize).to_le_bytes());
        // SAFETY: a stub of the mapping.
        unsafe { std::ptr::copy_nonoverlapping(code.as_ptr(), stubs.add(number * STUB), STUB) };
    }
    let streams = [
        c"_ZSt4cout",
        c"_ZSt4cerr",
        c"_ZSt4clog",
        c"_ZSt5wcout",
        c"_ZSt5wcerr",
    ];
    // SAFETY: names that end in zero.
    let find = |name: &CStr| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) } as usize;
    let streams = streams
        .iter()
        .map(|name| find(name))
        .filter(|found| *found != 0);
    STREAMS.store(
        Box::into_raw(Box::new(streams.collect())),
        Ordering::Relaxed,
    );
    OWN.store(
        Box::into_raw(Box::new(std::mem::take(&mut modules.own))),
        Ordering::Relaxed,
    );
    FUNCTIONS.store(Box::into_raw(Box::new(all)), Ordering::Relaxed);
    // SAFETY: the stubs are complete; the words hold addresses of functions that the stubs stand for.
    unsafe {
        libc::mprotect(stubs.cast(), size, libc::PROT_READ | libc::PROT_EXEC);
        for (slot, number) in changes {
            let page = slot & !0xfff;
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            // The loader may have made it read-only.
            if libc::mprotect(page as *mut c_void, 1 << 12, rights) == 0 {
                *(slot as *mut usize) = stubs as usize + number * STUB;
            }
        }
    }
}

/// Looks at a module: where its code is, and by which words it finds functions of others, if it is instrumented.
unsafe extern "C" fn visit(
    module: *mut libc::dl_phdr_info,
    _: usize,
    modules: *mut c_void,
) -> c_int {
    // SAFETY: the loader's own description of a module, and what `prepare` has given.
    unsafe {
        let (module, modules) = (&*module, &mut *modules.cast::<Modules>());
        let base = module.dlpi_addr as usize;
        let headers = std::slice::from_raw_parts(module.dlpi_phdr, module.dlpi_phnum.into());
        let mut code = vec![];
        let mut tables = Tables::default();
        for header in headers {
            let start = base + header.p_vaddr as usize;
            if header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0 {
                code.push((start, start + header.p_memsz as usize));
            }
            if header.p_type == libc::PT_DYNAMIC {
                tables = read_tables(base, start as *const [usize; 2]);
            }
        }
        let is_program = CStr::from_ptr(module.dlpi_name).is_empty() && modules.code.is_empty();
        if is_program || tables.is_instrumented {
            modules.own.extend(&code);
            modules.slots.extend(tables.slots);
            modules.last.push(tables.last);
        }
        modules.code.extend(code);
    }
    0
}

/// The words by which a module finds functions of others, and more that its tables say.
///
/// # Safety
///
/// As the loader has described it.
unsafe fn read_tables(base: usize, dynamic: *const [usize; 2]) -> Tables {
    const SYMBOL: usize = 24;
    const RELOCATION: usize = 24;
    let mut table = [0usize; 29];
    let mut found = Tables::default();
    let mut entry = dynamic;
    // SAFETY: the caller's promise: the list ends in zero, and names ends in zero.
    unsafe {
        while (*entry)[0] != 0 {
            if let Some(place) = table.get_mut((*entry)[0]) {
                *place = (*entry)[1];
            }
            entry = entry.add(1);
        }
        let absolute = |at: usize| if at < base { base + at } else { at };
        // What is called at the end, and how many bytes that is.
        if table[26] != 0 {
            found.last = (absolute(table[26]), absolute(table[26]) + table[28]);
        }
        let [names, symbols] = [table[5], table[6]].map(absolute);
        if table[5] == 0 || table[6] == 0 {
            return found;
        }
        // Table and size: of words, and of those for calls.
        for (at, size) in [(table[7], table[8]), (table[23], table[2])] {
            if at == 0 {
                continue;
            }
            let at = absolute(at);
            for number in 0..size / RELOCATION {
                let relocation = (at + number * RELOCATION) as *const u64;
                let information = *relocation.add(1);
                if !RELOCATIONS.contains(&(information as u32)) {
                    continue;
                }
                let symbol = symbols + (information >> 32) as usize * SYMBOL;
                if *((symbol + 6) as *const u16) != UNDEFINED {
                    continue;
                }
                let name = names + *(symbol as *const u32) as usize;
                let Ok(name) = CStr::from_ptr(name as *const c_char).to_str() else {
                    continue;
                };
                found.is_instrumented |= name.starts_with("__tsan_");
                found.slots.push((base + *relocation as usize, name));
            }
        }
    }
    found
}
