//! Transcripts of the command line: `cli/NAME.trycmd` is run in a copy of `cli/NAME.in`.
//! `TRYCMD=overwrite cargo test -p mazurka-cli` writes them anew; times must then be hidden by hand.

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .env("COLUMNS", "100")
        // Models are edited in the transcript of the first hour.
        .register_bin("sed", std::path::Path::new("/bin/sed"))
        .case("tests/cli/*.trycmd")
        .case("tests/cli/*.toml");
}
