//! Functions of other libraries that a threaded program calls: what they do to memory is not seen.

use std::ffi::OsStr;
use std::process::Command;

use crate::symbols::ask;

/// How many are named.
const NAMED: usize = 6;

/// What there is to say about the functions that a program takes from libraries that nobody instrumented; nothing if it takes none
/// that uses memory of the program.
pub(crate) fn unseen(program: &OsStr) -> Option<String> {
    let listed = ask(
        Command::new("nm")
            .args(["-D", "--undefined-only"])
            .arg(program),
        "",
    );
    let names = listed
        .lines()
        .filter_map(|line| line.split(' ').next_back());
    let names = names.map(|name| name.split('@').next().unwrap_or(name));
    let mut unseen: Vec<&str> = names.filter(|name| is_unseen(name)).collect();
    let is_cpp = |name: &&str| name.starts_with("_Z");
    let has_cpp = unseen.iter().any(is_cpp);
    unseen.retain(|name| !is_cpp(name));
    unseen.sort_unstable();
    unseen.dedup();
    let mut words: Vec<String> = unseen
        .iter()
        .take(NAMED)
        .map(|name| (*name).into())
        .collect();
    if unseen.len() > NAMED {
        words.push(format!("{} more", unseen.len() - NAMED));
    }
    if has_cpp {
        words.push("functions of the C++ library".into());
    }
    let words = words.join(", ");
    (!words.is_empty()).then(|| format!("what these do to memory was not looked at: {words}"))
}

fn is_unseen(name: &str) -> bool {
    let is_known = KNOWN.split_whitespace().any(|known| known == name);
    let is_harmless = HARMLESS
        .split_whitespace()
        .any(|start| name.starts_with(start));
    !is_known && !is_harmless
}

/// What the library needs itself that programs are linked with, and what uses no memory of the program's.
const KNOWN: &str = "assume_abort_if_not bcmp close dl_iterate_phdr dlsym environ exit fflush fstat fstat64 getcwd getenv getpid \
    getrlimit getrusage gettid kill lseek64 memcmp memcpy memmove memset mmap mmap64 munmap on_exit open64 pause prctl read readlink \
    realpath send setenv sigaction sigaltstack sigfillset sigismember siglongjmp stat64 statx strcat strcmp strcpy strdup strlen strncmp strncpy \
    strnlen unsetenv waitpid write abs labs putchar fputc putc stdout stderr stdin getppid sched_getcpu sysconf getpagesize fesetround \
    fegetround sqrt pow exp log sin cos umask drand48 lrand48 srand48 isatty getuid nice atoi";

/// How names begin of what manages threads, memory, exceptions and the program itself.
const HARMLESS: &str = "_ITM _Unwind __ pthread_ sem_ sched_ _Zn _Zd _ZT _ZNSt6thread _ZNKSt6thread _ZNSt18condition_variable _ZSt9terminate \
    _ZSt1 _ZSt2 _ZNSt15__exception_ptr _ZNSt9exception _ZNKSt9exception _ZNSt13runtime_error _ZNSt11logic_error _ZNSt12system_error \
    _ZNSt8ios_base4Init _ZSt15system_category _ZSt16generic_category _ZNSt10_Sp";

#[cfg(test)]
mod tests {
    use super::is_unseen;

    #[test]
    fn what_uses_memory_is_told() {
        assert!(is_unseen("qsort") && is_unseen("snprintf"));
        assert!(is_unseen(
            "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm"
        ));
        for known in [
            "exit",
            "memcpy",
            "sigismember",
            "__cxa_throw",
            "_Znwm",
            "_ZdlPvm",
        ] {
            assert!(!is_unseen(known), "{known}");
        }
    }
}
