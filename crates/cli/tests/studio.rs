//! The studio from outside: who is let in, what is answered, and the page in a real browser.

#![cfg(feature = "studio")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

struct Studio {
    child: Child,
    host: String,
    token: String,
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Studio {
    fn start(arguments: &[&str]) -> Studio {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .arg("studio")
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect("an address");
        let (host, token) = address.split_once('/').unwrap();
        Studio {
            child,
            host: host.into(),
            token: token.trim_end_matches('/').into(),
        }
    }

    /// Sends a request as it is, and gives the status and everything that comes back.
    fn send(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        // A request that is refused early is not read to its end.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let status = text.get(9..12).and_then(|code| code.parse().ok());
        (status.unwrap_or(0), text)
    }

    fn get(&self, path: &str, headers: &str) -> (u16, String) {
        let request = format!("GET {path} HTTP/1.1\r\n{headers}connection: close\r\n\r\n");
        self.send(request.as_bytes())
    }

    fn post(&self, question: &str, body: &str) -> (u16, String) {
        let Studio { host, token, .. } = self;
        let length = body.len();
        let request = format!(
            "POST /{token}/api/{question} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        self.send(request.as_bytes())
    }
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("examples").join(name).display().to_string()
}

#[test]
fn nobody_is_let_in_without_token_host_and_origin() {
    let studio = Studio::start(&[&example("promela/counter.pml")]);
    let Studio { host, token, .. } = &studio;
    let own = format!("host: {host}\r\n");
    let page = format!("/{token}/");
    let (status, text) = studio.get(&page, &own);
    assert_eq!(status, 200, "{text}");
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self' 'nonce-",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(text.contains(header), "{header}:\n{text}");
    }
    assert!(host.starts_with("127.0.0.1:"), "{host}");
    for (path, headers) in [
        ("/", own.clone()),
        ("/studio.js", own.clone()),
        ("/0123456789abcdef0123456789abcdef/", own.clone()),
        (page.as_str(), "host: studio.example\r\n".into()),
        (
            page.as_str(),
            format!("{own}origin: http://studio.example\r\n"),
        ),
        (page.as_str(), format!("{own}origin: null\r\n")),
    ] {
        let (status, text) = studio.get(path, &headers);
        assert_eq!(status, 403, "{path} {headers}\n{text}");
        assert!(!text.contains(token.as_str()));
    }
    // A form of another page sends no JSON, but it would not have to.
    let form = format!(
        "POST /{token}/api/act HTTP/1.1\r\nhost: {host}\r\ncontent-length: 13\r\nconnection: close\r\n\r\n{{\"do\":\"back\"}}"
    );
    assert_eq!(studio.send(form.as_bytes()).0, 403);
}

#[test]
fn no_path_leads_out_of_the_page() {
    let studio = Studio::start(&[&example("promela/counter.pml")]);
    let Studio { host, token, .. } = &studio;
    let own = format!("host: {host}\r\n");
    for path in [
        "../Cargo.toml",
        "..%2fCargo.toml",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "studio.js/../../x",
        "assets/studio.js",
        "api/open",
        "index.html%00",
    ] {
        let (status, text) = studio.get(&format!("/{token}/{path}"), &own);
        assert!(
            status == 404 || status == 403 || status == 400,
            "{path}: {text}"
        );
        assert!(!text.contains("root:") && !text.contains("[package]"));
    }
}

#[test]
fn what_is_too_large_or_makes_no_sense_is_refused() {
    let studio = Studio::start(&[&example("promela/counter.pml")]);
    let large = format!("{{\"text\": \"{}\"}}", "x".repeat(10 << 20));
    let (status, _) = studio.post("diagnose", &large);
    // The connection may be closed while the rest is still being sent.
    assert!(status == 413 || status == 0, "{status}");
    for (question, body) in [
        ("act", "{"),
        ("act", "{\"do\": \"fly\"}"),
        ("act", "{\"do\": \"take\", \"choice\": 99}"),
        ("act", "{\"do\": \"branch\", \"number\": 7}"),
        ("act", "{\"do\": \"node\", \"number\": 7, \"slot\": 9}"),
        ("act", "{\"do\": \"until\", \"expression\": \"nobody + 1\"}"),
        ("graph", "{\"states\": 5}"),
        ("explain", "{}"),
        ("check/start", "{\"serach\": \"dfs\"}"),
        ("nothing", "{}"),
        ("apply", "{\"text\": \"byte byte\", \"revision\": 1}"),
    ] {
        let (status, text) = studio.post(question, body);
        assert_eq!(status, 400, "{question} {body}\n{text}");
        assert!(text.contains("\"error\":"), "{text}");
    }
    // It is still there.
    let (status, text) = studio.post("act", "{\"do\": \"take\", \"choice\": 0}");
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("\"position\":1"));
}

#[test]
fn a_file_is_written_on_request_only_and_not_over_the_work_of_others() {
    let folder = std::env::temp_dir().join(format!("studio-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("lamp.pml");
    let old = "bit on; active proctype P() { on = 1 }\n";
    let new = "bit on; active proctype P() { on = 1; on = 0 }\\n";
    std::fs::write(&file, old).unwrap();
    let studio = Studio::start(&[file.to_str().unwrap()]);
    let text = format!("{{\"text\": \"{new}\"}}");
    let read = |revision: u64| format!("{{\"text\": \"{new}\", \"revision\": {revision}}}");
    assert_eq!(studio.post("diagnose", &text).0, 200);
    let (status, said) = studio.post("apply", &read(1));
    assert!(status == 200 && said.contains("\"revision\":2"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), old);
    // Another page still shows the first text.
    for question in ["apply", "save"] {
        let (status, said) = studio.post(question, &read(1));
        assert!(status == 400 && said.contains("another page"), "{said}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), old);
    let text = read(2);
    assert_eq!(studio.post("save", &text).0, 200);
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        new.replace("\\n", "\n")
    );
    std::fs::write(&file, "byte mine;\n").unwrap();
    let (status, said) = studio.post("save", &text);
    assert!(status == 400 && said.contains("somebody else"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "byte mine;\n");
    let _ = std::fs::remove_dir_all(&folder);
}

/// A scenario may come from anybody: what it names is not run unless that is asked for, and then it has to be there.
#[test]
fn a_program_is_run_only_if_that_is_asked_for() {
    let scenario = "../studio/page/tests/fixtures/philosophers-c.scenario.json";
    let studio = Studio::start(&[scenario]);
    let (status, text) = studio.post("act", "{\"do\": \"look\"}");
    assert!(status == 200 && text.contains("\"runs\":false"), "{text}");
    for action in ["{\"do\": \"take\", \"choice\": 0}", "{\"do\": \"reset\"}"] {
        let (status, text) = studio.post("act", action);
        let is_refused = status == 400 && text.contains("does not run yet");
        assert!(is_refused, "{text}");
    }
    let (status, text) = studio.post("act", "{\"do\": \"start\"}");
    assert_eq!(status, 400, "{text}");
    let (status, text) = studio.post("act", "{\"do\": \"back\"}");
    assert!(status == 200 && text.contains("\"runs\":false"), "{text}");
}

#[test]
fn bad_input_ends_with_a_message() {
    for (arguments, message) in [
        (&["nothing.pml"][..], "cannot read nothing.pml"),
        (&["../studio/page/package.json"], "it is not a scenario"),
        // What is no scenario is a model, whatever it is called.
        (&["Cargo.toml"], "error[P0030]"),
        (&["--address", "here", "x.pml"], "invalid IP address"),
        (&["Cargo.toml", "--", "once"], "Cargo.toml is no program"),
        (&["/bin/true"], "/bin/true"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .arg("studio")
            .args(arguments)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

/// Where the page and its tests are.
fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../studio/page")
}

#[test]
fn the_page_works_in_a_browser() {
    let missing = [
        (
            page().join("node_modules/playwright-core"),
            "playwright-core",
        ),
        (PathBuf::from("/usr/bin/chromium"), "chromium"),
    ];
    if let Some((_, what)) = missing.iter().find(|(path, _)| !path.exists()) {
        eprintln!("skipped: there is no {what}; scripts/test installs it");
        return;
    }
    let output = Command::new("node")
        .args(["--test", "--test-reporter=spec", "tests/browser.test.mjs"])
        .current_dir(page())
        .env("MAZURKA", env!("CARGO_BIN_EXE_mazurka"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
}
