//! Annotations of channels: what they may be about, and what is only a comment.

use mazurka_promela::{MemoryLoader, compile, spelled_out};
use mazurka_span::SourceMap;

/// The codes of a model, warnings too, without those of lints.
fn told(text: &str) -> Vec<String> {
    let loader = MemoryLoader::default();
    let compiled = compile(
        &mut SourceMap::new(),
        "m.pml",
        text.as_bytes(),
        &[],
        &loader,
    );
    let told = compiled.map_or_else(|errors| errors, |compiled| compiled.warnings);
    let codes = told.iter().map(|one| one.code.to_string());
    codes.filter(|code| code.as_str() < "P0200").collect()
}

const USES: &str = "init { c!1; c?_ }";

#[test]
fn what_can_be_annotated() {
    for (declaration, codes) in [
        ("/*@ lossy */ chan c = [2] of { byte };", &["P0050"][..]),
        ("/*@lossy, sorted*/ chan c = [2] of { byte };", &["P0050"]),
        (
            "/*@ duplicating */\nhidden chan c = [2] of { byte };",
            &["P0050"],
        ),
        // Comments like any other.
        ("/* lossy */ chan c = [2] of { byte };", &[]),
        ("/*@ is it lossy? */ chan c = [2] of { byte };", &[]),
        ("//@ lossy\nchan c = [2] of { byte };", &[]),
        // Not a rendezvous, not a variable, not what it cannot be.
        (
            "/*@ lossy */ chan c = [0] of { byte };",
            &["P0050", "P0118"],
        ),
        (
            "/*@ lossy */ byte b; chan c = [2] of { byte };",
            &["P0050", "P0050"],
        ),
        (
            "/*@ lossy */ mtype = { a }; chan c = [2] of { byte };",
            &["P0050", "P0050"],
        ),
        ("/*@ lossy tidy */ chan c = [2] of { byte };", &["P0050"]),
        // Variables of few values.
        ("/*@ mutex */ bit m; chan c = [2] of { byte };", &[]),
        (
            "/*@ semaphore */ byte s = 3; chan c = [2] of { byte };",
            &[],
        ),
        ("/*@ object */ byte o[4]; chan c = [2] of { byte };", &[]),
        ("/*@ mutex */ byte m; chan c = [2] of { byte };", &["P0050"]),
        (
            "/*@ counter */ int n; chan c = [2] of { byte };",
            &["P0050"],
        ),
        (
            "/*@ counter */ hidden byte n; chan c = [2] of { byte };",
            &["P0050"],
        ),
        ("/*@ counter */ chan c = [2] of { byte };", &["P0050"]),
        (
            "/*@ counter lossy */ byte n; chan c = [2] of { byte };",
            &["P0050"],
        ),
        ("/*@ lossy counter */ chan c = [2] of { byte };", &["P0050"]),
        ("/*@ reordering */ chan c = [2] of { byte };", &["P0050"]),
        (
            "/*@ lossy */ chan d; chan c = [2] of { byte };",
            &["P0050", "P0050"],
        ),
        (
            "chan c /*@ lossy */ = [2] of { byte };",
            &["P0050", "P0030"],
        ),
        (
            "typedef T { /*@ lossy */ chan d = [1] of { byte } }; T t; chan c = [2] of { byte };",
            &["P0050", "P0050"],
        ),
        // What is left out by the preprocessor is not there.
        (
            "#if 0\n/*@ lossy */ chan c = [1] of { byte };\n#else\nchan c = [1] of { byte };\n#endif",
            &[],
        ),
    ] {
        assert_eq!(
            told(&format!("{declaration}\n{USES}")),
            codes,
            "{declaration}"
        );
    }
}

#[test]
fn how_an_annotated_channel_can_be_used() {
    for (kind, body, codes) in [
        ("lossy", "init { c!1; c?_ }", &["P0050"][..]),
        (
            "lossy",
            "init { d_step { c!1; c!2 } }",
            &["P0050", "P0117", "P0117"],
        ),
        ("sorted", "init { d_step { c!1; c!2 } }", &["P0050"]),
        (
            "lossy",
            "chan d = [1] of { byte }; init { c = d }",
            &["P0050", "P0118"],
        ),
        (
            "lossy",
            "chan d = [1] of { chan }; init { d?c }",
            &["P0050", "P0118"],
        ),
        (
            "lossy",
            "chan d = [1] of { byte }; init { d = c }",
            &["P0050", "P0118"],
        ),
        ("lossy", "chan d; init { d = c; d!1 }", &["P0050"]),
        ("sorted", "chan d; init { d = c; d!1 }", &["P0050", "P0118"]),
        ("sorted", "chan d; init { d = c; d!!1 }", &["P0050"]),
        (
            "lossy",
            "init { c!1 } trace { do :: c!_ od }",
            &["P0050", "P0128"],
        ),
        // Inside a process another channel may have the name.
        (
            "lossy",
            "init { chan c = [1] of { byte }; d_step { c!1 } }",
            &["P0050"],
        ),
    ] {
        let text = format!("/*@ {kind} */ chan c = [2] of {{ byte }};\n{body}");
        assert_eq!(told(&text), codes, "{text}");
    }
}

/// The text for SPIN has no annotation, and a name that means something else is not taken for the channel.
#[test]
fn annotations_are_written_out() {
    let written = |text: &str| {
        let loader = MemoryLoader::default();
        spelled_out(
            &mut SourceMap::new(),
            "m.pml",
            text.as_bytes(),
            &[],
            &loader,
        )
    };
    assert!(written("chan c = [1] of { byte }; init { c!1 }").is_none());
    let lossy = "/*@ lossy */ chan c = [1] of { byte };";
    let text = written(&format!("{lossy} init {{ c!1 }}"))
        .unwrap()
        .unwrap();
    assert!(text.contains("skip") && !text.contains('@'), "{text}");
    // What is done with an object is written already, whatever else there is.
    let object = "/*@ counter */ byte n; chan c[2 * 1] = [1] of { byte };";
    let text = written(&format!("{object} init {{ n++; c[0]!1 }}"));
    let text = text.unwrap().unwrap();
    assert!(text.contains("n++") && !text.contains('@'), "{text}");
    let hidden = written(&format!(
        "{lossy} init {{ chan c = [1] of {{ byte }}; c!1 }}"
    ));
    assert!(hidden.unwrap().is_err());
    let wrong = written(&format!("{lossy} init {{ d_step {{ c!1 }} }}"));
    assert!(wrong.unwrap().is_err());
}

/// Is a model refused with the word that was probably meant?
fn is_meant(text: &str, meant: &str) -> bool {
    let loader = MemoryLoader::default();
    let compiled = compile(
        &mut SourceMap::new(),
        "m.pml",
        text.as_bytes(),
        &[],
        &loader,
    );
    let hint = format!("did you mean `{meant}`?");
    let mut errors = compiled.err().unwrap_or_default().into_iter();
    errors.any(|one| one.message.contains(&hint))
}

#[test]
fn a_misspelt_annotation_is_an_error() {
    for (words, meant) in [
        ("losy", "lossy"),
        ("LOSSY", "lossy"),
        ("loses", "lossy"),
        ("unreliable", "lossy"),
        ("dup", "duplicating"),
        ("duplicates", "duplicating"),
        ("reorders", "reordering"),
        ("sort", "sorted"),
    ] {
        let text = format!("/*@ {words} */ chan c = [2] of {{ byte }}; {USES}");
        assert!(is_meant(&text, meant), "{words}");
    }
    // A word that is known shows what the comment is meant to be.
    let half = format!("/*@ unrelyable duplicating */ chan c = [2] of {{ byte }}; {USES}");
    assert_eq!(told(&half), ["P0050"]);
    // Comments that some other tool reads.
    for words in ["weight 3", "see the standard", ""] {
        let text = format!("/*@ {words} */ chan c = [2] of {{ byte }}; {USES}");
        assert!(told(&text).is_empty(), "{words}");
    }
    for (words, meant) in [
        ("semaphor", "semaphore"),
        ("mutx", "mutex"),
        ("lock", "mutex"),
        ("sem", "semaphore"),
        ("obj", "object"),
    ] {
        let text = format!("/*@ {words} */ bit b; init {{ b = 1 }}");
        assert!(is_meant(&text, meant), "{words}");
    }
    // Not before a channel.
    assert!(told("/*@ loses */ byte x; init { x = 1 }").is_empty());
}

/// What is said to be a mutex, a semaphore or a counter is used as one.
#[test]
fn objects_are_used_as_what_they_are() {
    for (body, wrong) in [
        ("d_step { m == 0 -> m = 1 }; m = 0", 0),
        ("atomic { !m -> m = true }; m = false", 0),
        ("m = 1", 1),
        ("m == 0 -> m = 1", 1),
        ("d_step { m == 1 -> m = 1 }", 1),
        ("m++", 1),
        ("m = s", 1),
        ("d_step { s > 0 -> s-- }; s++", 0),
        ("if :: d_step { s -> s-- } :: atomic { s >= 1; s-- } fi", 0),
        ("s--", 1),
        ("s > 0 -> s--", 1),
        ("d_step { a[0] > 0 -> a[0]-- }", 0),
        ("d_step { a[0] > 0 -> a[1]-- }", 1),
        ("s = 2", 1),
        ("n++; n--", 0),
        ("n = n + 1", 1),
        ("for (n : 1 .. 3) { skip }", 1),
        ("select (s : 1 .. 3)", 1),
        ("q?n", 1),
        ("o = 7; o++; q?o", 0),
        // Another variable has the name.
        ("byte s; s = 2", 0),
    ] {
        let text = format!(
            "chan q = [1] of {{ byte }}; /*@ mutex */ bit m; /*@ semaphore */ byte s = 2; \
             /*@ semaphore */ byte a[2]; /*@ counter */ byte n; /*@ object */ byte o; init {{ {body} }}"
        );
        let codes = told(&text);
        assert_eq!(codes.len(), wrong, "{body}: {codes:?}");
        assert!(codes.iter().all(|code| code == "P0050"), "{body}");
    }
}
