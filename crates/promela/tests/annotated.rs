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
    let hidden = written(&format!(
        "{lossy} init {{ chan c = [1] of {{ byte }}; c!1 }}"
    ));
    assert!(hidden.unwrap().is_err());
    let wrong = written(&format!("{lossy} init {{ d_step {{ c!1 }} }}"));
    assert!(wrong.unwrap().is_err());
}

#[test]
fn a_misspelt_annotation_is_an_error() {
    for (words, meant) in [
        ("losy", "lossy"),
        ("LOSSY", "lossy"),
        ("loses", "lossy"),
        ("duplicates", "duplicating"),
        ("reorders", "reordering"),
        ("sort", "sorted"),
    ] {
        let text = format!("/*@ {words} */ chan c = [2] of {{ byte }}; {USES}");
        let loader = MemoryLoader::default();
        let compiled = compile(
            &mut SourceMap::new(),
            "m.pml",
            text.as_bytes(),
            &[],
            &loader,
        );
        let errors = compiled.err().unwrap_or_default();
        let is_told = |message: &str| message.contains(&format!("did you mean `{meant}`?"));
        assert!(errors.iter().any(|one| is_told(&one.message)), "{words}");
    }
    // Comments that some other tool reads.
    for words in ["weight 3", "see the standard", ""] {
        let text = format!("/*@ {words} */ chan c = [2] of {{ byte }}; {USES}");
        assert!(told(&text).is_empty(), "{words}");
    }
    // Not before a channel.
    assert!(told("/*@ loses */ byte x; init { x = 1 }").is_empty());
}
