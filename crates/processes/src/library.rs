//! What functions of the C library and of the C++ library do, as far as threads can notice it: `library.txt`.
//!
//! Nobody has instrumented these libraries. A function that is not in the table may do anything.

use std::borrow::Cow;

use crate::mangled;

/// What the system keeps for the process, as an object at an address that no program has.
pub const SYSTEM: u64 = 1 << 60;
/// What happens at signals.
pub const SIGNALS: u64 = SYSTEM + 8;
/// The clock.
pub const CLOCK: u64 = SYSTEM + 16;
/// The keys for what threads keep for themselves.
pub const KEYS: u64 = SYSTEM + 24;

/// What such an object is called.
pub fn object_name(address: u64) -> Option<&'static str> {
    match address {
        SYSTEM => Some("files"),
        SIGNALS => Some("signals"),
        CLOCK => Some("the clock"),
        KEYS => Some("keys"),
        _ => None,
    }
}

/// What threads notice of a function, beside what it does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Nothing.
    Pure,
    /// It looks at files, or at what else the system keeps for the process.
    Looks,
    /// It changes such things.
    Files,
    /// It is about what happens at a signal.
    Signals,
    /// It is about signals in a way that is not explored.
    Masks,
}

/// The function of this name, and what it does to memory in the words of the table; nothing if it is not known.
pub fn known(name: &str) -> Option<(Class, Cow<'static, str>)> {
    let plain = plain_name(name);
    if let Some((class, effects)) = in_table(name).or_else(|| in_table(plain)) {
        return Some((class, effects.into()));
    }
    // What is checked by the compiler's wish has other arguments.
    if name.ends_with("_chk") {
        return None;
    }
    cpp(name)
}

/// The stream that a function locks while it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// What an argument points to.
    Argument(usize),
    /// Standard input, output or error: 0, 1 or 2.
    Standard(usize),
}

/// The stream that the function of this name locks.
pub fn stream(name: &str) -> Option<Stream> {
    const LOCKING: [(Stream, &str); 7] = [
        (
            Stream::Argument(0),
            "fprintf vfprintf fwprintf vfwprintf fflush fclose fgetc getc fgetwc getwc ftell ftello fseek fseeko rewind feof ferror \
             clearerr fgetpos fsetpos fscanf vfscanf fwscanf setvbuf setbuf setbuffer setlinebuf getw fileno",
        ),
        (
            Stream::Argument(1),
            "putc fputc fputs ungetc putw fputwc putwc fputws ungetwc",
        ),
        (Stream::Argument(2), "fgets fgetws getline freopen"),
        (Stream::Argument(3), "fwrite fread getdelim"),
        (
            Stream::Standard(0),
            "getchar getwchar scanf vscanf wscanf gets",
        ),
        (
            Stream::Standard(1),
            "printf vprintf puts putchar wprintf vwprintf putwchar",
        ),
        (Stream::Standard(2), "perror psignal warn warnx err errx"),
    ];
    let name = ["__isoc99_", "__isoc23_"]
        .iter()
        .find_map(|start| name.strip_prefix(start))
        .unwrap_or(name);
    let name = name.strip_suffix("64").unwrap_or(name);
    let has = |names: &&str| names.split_whitespace().any(|known| known == name);
    let found = LOCKING.iter().find(|(_, names)| has(names));
    found.map(|(stream, _)| *stream)
}

/// Names of one function: the same for large files, without a lock, by a later standard.
fn plain_name(name: &str) -> &str {
    let name = ["__isoc99_", "__isoc23_"]
        .iter()
        .find_map(|start| name.strip_prefix(start))
        .unwrap_or(name);
    let name = name.strip_suffix("_unlocked").unwrap_or(name);
    name.strip_suffix("64").unwrap_or(name)
}

fn in_table(name: &str) -> Option<(Class, &'static str)> {
    let mut class = Class::Pure;
    let mut is_math = false;
    let lines = include_str!("library.txt").lines();
    for word in lines
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
    {
        if let Some(kind) = word.strip_suffix(':') {
            is_math = kind == "math";
            class = match kind {
                "looks" => Class::Looks,
                "files" => Class::Files,
                "signals" => Class::Signals,
                "masks" => Class::Masks,
                _ => Class::Pure,
            };
            continue;
        }
        let (known, effects) = word.split_once('(').unwrap_or((word, ")"));
        let is_it = known == name
            || is_math
                && name
                    .strip_suffix(['f', 'l'])
                    .is_some_and(|name| name == known);
        if is_it {
            return Some((class, effects.trim_end_matches(')')));
        }
    }
    None
}

/// How names begin of what manages threads, memory, exceptions and the program itself.
const HARMLESS: &str = "_ITM _Unwind _dl_ __ pthread_ sem_ sched_ thrd_ mtx_ cnd_ tss_ _Zn _Zd _ZT _ZNSt6thread _ZNKSt6thread \
    _ZNSt18condition_variable _ZSt9terminate _ZSt1 _ZSt2 _ZNSt15__exception_ptr _ZNSt9exception _ZNKSt9exception _ZNSt13runtime_error \
    _ZNSt11logic_error _ZNSt12system_error _ZNSt8ios_base4Init _ZSt15system_category _ZSt16generic_category _ZNSt10_Sp _ZNSt6chrono _ZNSt11this_thread \
    _ZNSt15_Sp _ZNSt28__atomic_futex _ZNSt13__future_base _ZNSt17__timepunct _ZNSt3_V2 _ZNKSt8__detail20_Prime _ZSt11_Hash_bytes \
    _ZSt7nothrow _ZN10__cxxabiv1 _ZNSt9type_info _ZNKSt9type_info _ZNSt16nested_exception _ZNSt14error_ _ZNSa \
    _ZNSt12future_error _ZNSt12bad_weak_ptr _ZNSt17bad_function_call _ZNSt12out_of_range _ZNSt16invalid_argument _ZNSt12length_error \
    _ZNSt11range_error _ZNSt14overflow_error _ZNSt12domain_error _ZNSt9bad_alloc _ZNSt8bad_cast";

/// How names begin of functions that write to a stream or read from it.
const STREAM: &str = "_ZStls _ZStrs _ZSt4endl _ZSt5flush _ZSt4ends _ZSt16__ostream_insert";
/// How names of functions end that give a stream a value, or have it take one in another way from now on.
const VALUES: &str = "_c _a _h _w St5_Setw St8_SetfillIS3_E St8_SetfillIT_E St12_Setiosflags St14_Resetiosflags St8_Setbase St13_Setprecision";
/// How names of members of classes go on that hold nothing but memory.
const MEMBER: &str = "So Si Sd Ss St7__cxx11 St8ios_base St9basic_ios St13basic_ostream St13basic_istream St14basic_iostream \
    St15basic_streambuf St18basic_stringstream St19basic_ostringstream St19basic_istringstream St15basic_stringbuf St8__detail \
    St8bad_cast St5ctype St8valarray";

/// Functions of the C++ library. Its classes promise that members that are `const` may be used by several threads at once, and others
/// not, so a call of one is taken as a read or a write of the object (`S0`: not of a stream of output).
fn cpp(name: &str) -> Option<(Class, Cow<'static, str>)> {
    const TREE: &str = "_ZSt29_Rb_tree_insert_and_rebalance";
    const ERASE: &str = "_ZSt28_Rb_tree_rebalance_for_erase";
    const NEIGHBOUR: [&str; 2] = ["_ZSt18_Rb_tree_increment", "_ZSt18_Rb_tree_decrement"];
    let starts = |start: &str| name.starts_with(start);
    let effects = if starts(TREE) {
        "w1:=32,w2:=32,w3:=32"
    } else if starts(ERASE) {
        "w0:=32,w1:=32"
    } else if NEIGHBOUR.into_iter().any(starts) {
        "r0:=32"
    } else if starts("_ZNSt8__detail15_List_node_base") {
        "w0:=16,w1:=16"
    } else if starts("_ZSt17__istream_extract") {
        "w0:=8,w1:2"
    } else if HARMLESS.split_whitespace().any(starts) {
        ""
    } else if STREAM.split_whitespace().any(starts) {
        match () {
            _ if starts("_ZStls") && name.contains("RKNSt7__cxx1112basic_string") => "S0,b1",
            _ if starts("_ZStrs") && name.contains("RNSt7__cxx1112basic_string") => "S0,B1",
            _ if starts("_ZStls") && name.ends_with("PKc") => "S0,r1:s",
            _ if starts("_ZStlsIw") && name.ends_with("PKS3_") => "S0,r1:l",
            _ if starts("_ZSt16__ostream_insertIc") => "S0,r1:2",
            _ if starts("_ZSt16__ostream_insertIw") => "S0,r1:l2",
            _ if starts("_ZStrsIc") && name.ends_with("_RS3_") => "w0:=8,w1:=1",
            _ if starts("_ZStrsIw") && name.ends_with("_RS3_") => "w0:=8,w1:=4",
            _ if starts("_ZStrsIc") && name.ends_with("_PS3_") => "w0:=8,W1:s",
            _ if VALUES.split_whitespace().any(|end| name.ends_with(end)) => "S0",
            _ if starts("_ZSt4endl") || starts("_ZSt5flush") || starts("_ZSt4ends") => "S0",
            _ => return None,
        }
    } else if starts("_ZSt7getline") {
        "w0:=8,B1"
    } else if name == "_ZNSo5writeEPKcl" {
        "S0,r1:2"
    } else if name == "_ZNSi4readEPcl" || name == "_ZNSi8readsomeEPcl" {
        "w0:=8,w1:2"
    } else if takes_string(name) {
        "w0:=8,b1"
    } else {
        let (member, effects) = match name.strip_prefix("_ZNK") {
            // A result that is an object comes before the object.
            Some(member) if member.ends_with("3strEv") => (member, "w0:=8,r1:=8"),
            Some(member) => (member, "r0:=8"),
            None => (name.strip_prefix("_ZN")?, "S0"),
        };
        let member = member.strip_prefix('R').unwrap_or(member);
        let is_known = |start: &str| member.starts_with(start);
        if !MEMBER.split_whitespace().any(is_known) {
            return None;
        }
        let more = mangled::arguments(name)?;
        let effects = match more.as_str() {
            "" => effects.into(),
            more => format!("{effects},{more}").into(),
        };
        return Some((Class::Pure, of_both_streams(name, effects)));
    };
    Some((Class::Pure, of_both_streams(name, effects.into())))
}

/// A stream for input and output is two: what concerns all of it concerns both.
fn of_both_streams(name: &str, effects: Cow<'static, str>) -> Cow<'static, str> {
    let is_both = [
        "18basic_stringstream",
        "13basic_fstream",
        "14basic_iostream",
    ]
    .iter()
    .any(|class| name.contains(class));
    let is_of_all = |word: &&str| word.starts_with('S') || word.ends_with(":=8");
    let whole = |word: &str| match is_of_all(&word) {
        true => word.replace('S', "w").trim_end_matches(":=8").to_string() + ":=24",
        false => word.to_string(),
    };
    match is_both {
        true => effects
            .split(',')
            .map(whole)
            .collect::<Vec<_>>()
            .join(",")
            .into(),
        false => effects,
    }
}

/// Whether it is a member of a stream in memory that is given a string: a constructor, or `str`.
fn takes_string(name: &str) -> bool {
    let is_stream = ["stringstream", "stringbuf"]
        .iter()
        .any(|class| name.contains(class));
    let gives = [
        "C1ERKNS_12basic_string",
        "C2ERKNS_12basic_string",
        "3strERKNS_12basic_string",
    ];
    name.starts_with("_ZNSt7__cxx11") && is_stream && gives.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_function_are_known() {
        assert_eq!(known("open64"), Some((Class::Files, "r0:s".into())));
        assert_eq!(
            known("__isoc99_sscanf"),
            Some((Class::Pure, "r0:s,g1,kl".into()))
        );
        assert_eq!(known("fputs_unlocked"), known("fputs"));
        assert_eq!(known("sqrtf"), Some((Class::Pure, "".into())));
        assert_eq!(known("signal").map(|known| known.0), Some(Class::Signals));
    }

    #[test]
    fn functions_lock_their_streams() {
        assert_eq!(stream("fputs"), Some(Stream::Argument(1)));
        assert_eq!(stream("__isoc99_fscanf"), Some(Stream::Argument(0)));
        assert_eq!(stream("printf"), Some(Stream::Standard(1)));
        assert_eq!(stream("fputs_unlocked"), None);
        assert_eq!(stream("strlen"), None);
    }

    #[test]
    fn functions_of_the_cpp_library_use_their_object() {
        let append = "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm";
        assert_eq!(known(append), Some((Class::Pure, "S0,r1:2".into())));
        let size = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv";
        assert_eq!(known(size), Some((Class::Pure, "r0:=8".into())));
        let swap = "_ZNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE4swapERS4_";
        assert_eq!(known(swap), Some((Class::Pure, "w0:=24,w1:=24".into())));
        let out = "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE";
        assert_eq!(known(out), Some((Class::Pure, "S0,b1".into())));
        let from = "_ZNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEEC1ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode";
        assert_eq!(known(from), Some((Class::Pure, "w0:=8,b1".into())));
        for harmless in [
            "__cxa_throw",
            "_Znwm",
            "_ZdlPvm",
            "_ZNSt6chrono3_V212steady_clock3nowEv",
        ] {
            assert_eq!(
                known(harmless),
                Some((Class::Pure, "".into())),
                "{harmless}"
            );
        }
    }

    #[test]
    fn others_are_not_known() {
        for name in [
            "__snprintf_chk",
            "BZ2_bzCompress",
            "deflate",
            "_ZNSt10filesystem6removeERKNS_7__cxx114pathE",
        ] {
            assert_eq!(known(name), None, "{name}");
        }
    }

    #[test]
    fn no_function_is_in_the_table_twice() {
        let lines = include_str!("library.txt").lines();
        let words = lines
            .filter(|line| !line.starts_with('#'))
            .flat_map(str::split_whitespace);
        let mut names: Vec<&str> = words
            .map(|word| word.split('(').next().unwrap_or(word))
            .collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None);
    }
}
