//! Any bytes as a Promela model: diagnostics or a program that runs, never a panic.
//!
//! The fuzz target in `fuzz/` has the same body and searches longer. More cases here: `PROPTEST_CASES=100000`.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use mazurka_hostile::models::{Fate, promela};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::{RenderOptions, SourceMap, render};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const PATIENCE: Duration = Duration::from_secs(30);

/// Compiles and walks in a thread with the smallest usual stack, and does not wait for ever.
fn survive(source: impl Into<Vec<u8>>) -> Fate {
    let source: Vec<u8> = source.into();
    let text = String::from_utf8_lossy(&source).into_owned();
    let (report, fate) = channel();
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || report.send(promela(&source)))
        .unwrap();
    match fate.recv_timeout(PATIENCE) {
        Ok(fate) => fate,
        Err(RecvTimeoutError::Timeout) => panic!("too slow: {text}"),
        Err(RecvTimeoutError::Disconnected) => panic!("a panic on: {text}"),
    }
}

/// What is said about a model that does not compile.
fn complaint(source: &[u8]) -> String {
    assert_eq!(survive(source), Fate::Refused);
    let mut map = SourceMap::new();
    let diagnostics = compile(&mut map, "any.pml", source, &[], &MemoryLoader::default())
        .expect_err("a model that is refused");
    render(&map, &diagnostics, RenderOptions::default())
}

/// Small models that compile, with something of everything in them.
const MODELS: &[&str] = &[
    "
mtype = { request, grant, done };
chan toServer = [2] of { mtype, byte, chan };
byte served;
active proctype server() {
    byte who; chan reply;
end:
    do
    :: toServer ? request, who, reply -> reply ! grant, who; served = served + 1
    :: toServer ?? done, who, reply
    :: served > 200 -> served = 0
    od
}
active [2] proctype client() {
    chan mine = [0] of { mtype, byte };
    mtype answer; byte who;
    do
    :: toServer ! request(_pid, mine) -> mine ? answer, eval(_pid)
    :: nfull(toServer) -> toServer !! done, _pid, mine
    :: timeout -> break
    od;
    assert(answer == grant || served >= 0)
}
",
    "
#define N 3
#define next(i) ((i + 1) % N)
typedef Cell { byte level; short limit[2]; bit flags[N] };
Cell cell[N];
int total = 1 << 4;
unsigned small : 3;
hidden byte scratch;
inline fill(i, amount) {
    byte old;
    old = cell[i].level;
    cell[i].level = old + amount;
    cell[i].flags[next(i)] = !cell[i].flags[next(i)]
}
active [N] proctype filler() provided (total < 100) {
    byte i;
    for (i : 0 .. N - 1) {
        fill(i, _pid)
    }
    for (i in cell[0].flags) {
        select (small : 1 .. 6);
        total = total + (small > 3 -> small : - small)
    }
    d_step {
        i = 0;
        do
        :: i < N -> scratch = i; i++
        :: else -> break
        od;
        total = total * 2 / (1 + i)
    }
    atomic {
        if
        :: total % 2 == 0 -> total--
        :: else -> total = ~total & 255 | 1 ^ 3
        fi
    }
}
",
    "
chan c = [0] of { int, bool };
int seen = -7;
proctype left(int start; bool flag) priority 3 {
    int n = start;
again:
    c ! n, flag;
    n = n - 1;
    if
    :: n > 0 -> goto again
    :: n <= 0 -> skip
    fi;
    { printf(\"%d %u %x %c %e\\n\", n, n, n, n, n) } unless { seen == 0 -> set_priority(_pid, 2) }
}
proctype right() {
    bool b;
    do
    :: atomic { c ? seen, b -> assert(b) }
    :: seen == 1 -> break
    od
}
init {
    pid l;
    atomic { l = run left(3, true); run right() };
    left[l]@again;
    (_nr_pr == 1 || pc_value(l) > 0);
    seen = left[l]:n;
progress: empty(c) -> seen = len(c)
}
ltl calm { [] (seen < 10) }
never { accept: do :: seen > 3 od }
",
    "
mtype:fruit = { apple, pear };
mtype:colour = { red, green };
chan box[2] = [1] of { mtype:fruit, mtype:colour };
bool turn, flag[2];
byte critical;
active [2] proctype user() {
    mtype:fruit f = apple;
    xs box[0];
    flag[_pid] = 1;
    turn = _pid;
    flag[1 - _pid] == 0 || turn == 1 - _pid;
    critical++;
    assert(critical == 1 && _last >= 0);
    critical--;
    flag[_pid] = 0;
    do
    :: box[_pid] ! f, red; f = pear
    :: box[1 - _pid] ? [ apple, _ ] -> box[1 - _pid] ? < f, green >
    :: flag[0] = len(box[1])
    :: full(box[0]) && nempty(box[1]) -> printm(f); break
    :: goto out
    od;
out: skip
}
",
];

/// Words and signs of the language, and some that are not.
const WORDS: &[&str] = &[
    "active",
    "proctype",
    "D_proctype",
    "init",
    "never",
    "ltl",
    "inline",
    "typedef",
    "mtype",
    "byte",
    "bit",
    "bool",
    "int",
    "short",
    "pid",
    "chan",
    "unsigned",
    "hidden",
    "show",
    "local",
    "if",
    "fi",
    "do",
    "od",
    "::",
    "->",
    ";",
    ":",
    "atomic",
    "d_step",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "unless",
    "goto",
    "break",
    "else",
    "for",
    "select",
    "in",
    "..",
    "run",
    "eval",
    "len",
    "empty",
    "nempty",
    "full",
    "nfull",
    "enabled",
    "pc_value",
    "set_priority",
    "get_priority",
    "_priority",
    "timeout",
    "np_",
    "printf",
    "printm",
    "assert",
    "return",
    "xr",
    "xs",
    "c_code",
    "c_expr",
    "_pid",
    "_last",
    "_nr_pr",
    "x",
    "y",
    "P",
    "f",
    "q",
    "_",
    "0",
    "1",
    "-1",
    "255",
    "256",
    "65535",
    "65536",
    "1048576",
    "2147483647",
    "2147483648",
    "99999999999999999999",
    "'a'",
    "\"%d\"",
    "=",
    "==",
    "!=",
    "!",
    "!!",
    "?",
    "??",
    "&&",
    "||",
    "&",
    "|",
    "^",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "--",
    "++",
    "~",
    "@",
    ".",
    ",",
    "of",
    "U",
    "[]",
    "<>",
    "\n",
    "\n#define f(x) x f\n",
    "\n#define x x + y\n",
    "\n#if x\n",
    "\n#else\n",
    "\n#endif\n",
    "\n#include \"x\"\n",
    "#",
    "##",
    "/*",
    "*/",
    "//",
    "\\",
    "$",
    "priority",
    "provided",
    "skip",
    "true",
    "trace",
    "\0",
    "\u{e9}",
];

/// One change of a text that is seen as words.
#[derive(Clone, Debug)]
enum Edit {
    Remove(Index, usize),
    Insert(Index, &'static str),
    Replace(Index, &'static str),
    Copy(Index, Index, usize),
    Swap(Index, Index),
    /// Puts a word of the same text there, so that names and types get mixed up.
    Borrow(Index, Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let index = any::<Index>;
    prop_oneof![
        (index(), 1..6usize).prop_map(|(at, count)| Edit::Remove(at, count)),
        (index(), select(WORDS)).prop_map(|(at, word)| Edit::Insert(at, word)),
        (index(), select(WORDS)).prop_map(|(at, word)| Edit::Replace(at, word)),
        (index(), index(), 1..20usize).prop_map(|(at, from, count)| Edit::Copy(at, from, count)),
        (index(), index()).prop_map(|(one, other)| Edit::Swap(one, other)),
        (index(), index()).prop_map(|(at, from)| Edit::Borrow(at, from)),
    ]
}

fn apply(words: &mut Vec<&str>, edit: &Edit) {
    if words.is_empty() {
        return;
    }
    let length = words.len();
    match edit {
        Edit::Remove(at, count) => {
            let at = at.index(length);
            words.drain(at..(at + count).min(length));
        }
        Edit::Insert(at, word) => words.insert(at.index(length), word),
        Edit::Replace(at, word) => words[at.index(length)] = word,
        Edit::Copy(at, from, count) => {
            let (at, from) = (at.index(length), from.index(length));
            let copied: Vec<&str> = words[from..(from + count).min(length)].to_vec();
            words.splice(at..at, copied);
        }
        Edit::Swap(one, other) => words.swap(one.index(length), other.index(length)),
        Edit::Borrow(at, from) => words[at.index(length)] = words[from.index(length)],
    }
}

/// Cuts a text into words, signs and white space; joined again they give the text.
fn words(text: &str) -> Vec<&str> {
    fn class(c: char) -> u32 {
        match c {
            '\n' => 0,
            ' ' => 1,
            c if c.is_alphanumeric() || c == '_' => 2,
            ':' | '.' | '?' | '+' | '-' | '=' | '&' | '|' | '>' => c as u32,
            _ => u32::MAX,
        }
    }
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = u32::MAX;
    for (at, c) in text.char_indices() {
        let this = class(c);
        if at > start && (this != last || this == u32::MAX) {
            words.push(&text[start..at]);
            start = at;
        }
        last = this;
    }
    words.push(&text[start..]);
    words
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes(bytes in vec(any::<u8>(), 0..400)) {
        survive(bytes);
    }

    #[test]
    fn soup(words in vec(select(WORDS), 0..100)) {
        survive(words.join(" "));
        survive(format!("byte x; chan q = [1] of {{ byte }}; inline f(y) {{ y }} proctype P(byte y) {{ x }} init {{ {} }}", words.join(" ")));
    }

    #[test]
    fn edited_models(which in 0..MODELS.len(), edits in vec(edit(), 1..6)) {
        let mut words = words(MODELS[which]);
        for edit in &edits {
            apply(&mut words, edit);
        }
        survive(words.concat());
    }

    #[test]
    fn broken_models(which in 0..MODELS.len(), changes in vec((any::<Index>(), any::<u8>()), 1..6), end in any::<Index>()) {
        let mut bytes = MODELS[which].as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        survive(&bytes[..]);
        survive(&bytes[..end.index(bytes.len())]);
    }

    #[test]
    fn crossed_models(one in 0..MODELS.len(), other in 0..MODELS.len(), cut in any::<Index>(), join in any::<Index>()) {
        let (one, other) = (words(MODELS[one]), words(MODELS[other]));
        let mut text = one[..cut.index(one.len())].concat();
        text += &other[join.index(other.len())..].concat();
        survive(text);
    }
}

#[test]
fn the_models_run() {
    for model in MODELS {
        let fate = survive(*model);
        assert!(
            matches!(fate, Fate::Ran(steps) if steps > 5),
            "{fate:?}: {model}"
        );
    }
}

#[test]
fn nothing_in_it() {
    for source in ["", "\n", " \t\r\n", "/* */", "//", "#define x\n", ";;"] {
        assert!(!complaint(source.as_bytes()).is_empty(), "{source:?}");
    }
}

#[test]
fn binary_files() {
    let all: Vec<u8> = (0..=255u8).cycle().take(1 << 16).collect();
    assert_eq!(survive(all), Fate::Refused);
    assert_eq!(survive(vec![0; 1 << 16]), Fate::Refused);
    assert_eq!(
        survive(&b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"[..]),
        Fate::Refused
    );
    assert_eq!(survive(&b"\xef\xbb\xbf\xff\xfe"[..]), Fate::Refused);
}

#[test]
fn ten_thousand_brackets() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{ ", " }"),
        ("if :: ", " fi"),
        ("do :: ", " od"),
        ("atomic { ", " }"),
        ("d_step { ", " }"),
        ("{ skip } unless { ", " }"),
        ("!", ""),
        ("a[", "]"),
    ] {
        let deep = |depth: usize| {
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            format!("byte a[2]; init {{ {open} 1 {close} }}")
        };
        assert_eq!(survive(deep(10_000)), Fate::Refused, "{open}");
        assert_eq!(
            survive(deep(10_000).split('1').next().unwrap()),
            Fate::Refused,
            "{open}"
        );
        // As deep as it may be, it must still fit the stack of every stage.
        for depth in [20, 40, 80, 120, 250] {
            survive(deep(depth));
        }
    }
}

#[test]
fn huge_constants() {
    for constant in [
        "2147483648",
        "4294967296",
        "18446744073709551616",
        "99999999999999999999999999",
    ] {
        for model in [
            "init { int x; x = # }",
            "byte a[#]; init { a[0] = 1 }",
            "init { byte a[#]; a[0] = 1 }",
            "chan q = [#] of { byte }; init { q!1 }",
            "active [#] proctype P() { skip }",
            "unsigned x : #; init { x = 1 }",
            "init { skip } priority #",
            "int x = #; init { skip }",
            "#if # > 1\n#endif\ninit { skip }",
            "init { int x; for (x : 0 .. #) { skip } }",
            "init { int x; select (x : # .. #) }",
        ] {
            survive(
                model
                    .replacen('#', constant, 9)
                    .replace(&format!("{constant}if"), "#if")
                    .replace(&format!("{constant}endif"), "#endif"),
            );
        }
    }
    assert!(complaint(b"byte a[2147483647]; init { a[0] = 1 }").contains("error["));
    // Large enough to hurt if everything that is allowed is multiplied.
    for model in [
        "typedef A { int a[1000] }; typedef B { A a[1000] }; typedef C { B a[1000] }; C c[1000]; init { skip }",
        "chan q[255] = [255] of { int, int, int, int, int, int, int, int }; init { q[0]!1,2,3,4,5,6,7,8 }",
        "typedef A { int a[100000] }; chan q = [255] of { A }; init { A a; q!a }",
        "proctype P() { int a[200000]; run P() } init { run P() }",
        "init { do :: run P() od } proctype P() { chan q = [200] of { int }; byte a[10000]; q!1; q?1; 0 }",
        "int x = 1 << 31; int y = -2147483647 - 1; init { x = y / -1; x = y % -1; x = - y; x = 1 << 32; x = 1 >> -1; y-- }",
    ] {
        survive(model);
    }
}

#[test]
fn odd_arithmetic() {
    for expression in [
        "x / -1",
        "x % -1",
        "-x",
        "x - 1",
        "x * x",
        "1 << 31",
        "1 << 32",
        "1 << -1",
        "x >> 33",
        "x >> -5",
        "~x",
        "x / 0",
        "x % 0",
        "a[x]",
        "a[-1]",
        "a[3]",
        "x++",
        "len(q)",
        "(x -> 1 : 1 / 0)",
        "P[x]:y",
        "P[-1]@l",
        "enabled(x)",
        "pc_value(x)",
        "pc_value(-1)",
        "get_priority(x)",
        "get_priority(300)",
        "q",
        "q + 1",
        "run P()",
    ] {
        survive(format!(
            "int x = -2147483647 - 1; byte a[3]; chan q = [1] of {{ int }}; \
             proctype P() {{ byte y; l: y = y + 255; y-- ; goto l }} \
             init {{ run P(); do :: x = {expression} :: {expression} :: q!{expression} :: q?eval({expression}) :: a[{expression}] = 1 \
             :: set_priority({expression}, {expression}) :: d_step {{ x = {expression}; x = x + 1 }} :: x = 2147483647; x++ od }}"
        ));
        survive(format!(
            "int x = -2147483647 - 1; byte a[3]; chan q = [1] of {{ int }}; proctype P() {{ byte y; l: y++ }} \
             int z = {expression}; init {{ int w = {expression}; run P(); for (z : {expression} .. 2) {{ skip }} select (x : 0 .. {expression}) }}"
        ));
    }
}

#[test]
fn endless_macros() {
    for source in [
        "#define a a\ninit { a }",
        "#define a b\n#define b a\ninit { a }",
        "#define f(x) f(f(x))\ninit { f(1) }",
        "#define f(x) x x\ninit { f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(1)))))))))))))))))))))))))) }",
        "#define f(x) g(x\n#define g(x) f(x\ninit { f(1) }",
        "#define a #define a\na\ninit { skip }",
        "inline f() { f() } init { f() }",
        "inline f() { g(); g() } inline g() { f(); f() } init { f() }",
        "#if a\n#define a a\n#elif a\ninit { skip }\n",
        "#if 1 / 0\n#endif\ninit { skip }",
        "#define f(",
        "#define f(x,x) x",
        "#if (((((((((",
    ] {
        survive(source);
    }
    let doubling: String = (0..40)
        .map(|level| format!("#define m{} m{level} m{level}\n", level + 1))
        .collect();
    assert_eq!(
        survive(doubling + "#define m0 skip;\ninit { m40 }"),
        Fate::Refused
    );
}

#[test]
fn missing_includes() {
    let text = complaint(b"#include \"nowhere.h\"\ninit { skip }");
    assert!(text.contains("nowhere.h"), "{text}");
    for source in [
        "#include",
        "#include \"\"\ninit { skip }",
        "#include \"any.pml\"\ninit { skip }",
        "#include <stdio.h>\ninit { skip }",
        "#include \"../../../../etc/passwd\"\ninit { skip }",
        "#include \"a\\",
        "#include \"a\0b\"\ninit { skip }",
    ] {
        assert_eq!(survive(source), Fate::Refused, "{source:?}");
    }
}

#[test]
fn processes_that_ask_each_other() {
    assert_ne!(
        survive("active [2] proctype P() { enabled(1 - _pid) }"),
        Fate::Refused
    );
}

#[test]
fn structures_in_structures() {
    let mut text = String::from("typedef T0 { byte x };\n");
    for level in 1..5000 {
        text += &format!("typedef T{level} {{ T{} a }};\n", level - 1);
    }
    text += "T4999 x; init { skip }";
    assert!(complaint(text.as_bytes()).contains("nested too deeply"));
}

#[test]
fn more_alternatives_than_a_step_can_name() {
    let mut text = String::from("chan c = [0] of { int }; active proctype r() { do ");
    for value in 0..65_536 {
        text += &format!(":: c?{value}\n");
    }
    text += "od } active proctype s() { c!65535 }";
    assert!(complaint(text.as_bytes()).contains("65,535"));
}
