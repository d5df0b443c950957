//! The page that is committed is what its sources give, and small.

use std::path::Path;
use std::process::Command;

const FILES: [&str; 4] = ["index.html", "studio.js", "studio.css", "icon.svg"];

#[test]
fn the_built_page_is_what_the_sources_give() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    if !page.join("node_modules/esbuild").exists() {
        eprintln!(
            "skipped: the page cannot be built without npm; scripts/test installs what it needs"
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let built = Command::new("node")
        .arg("build.mjs")
        .arg(folder.path())
        .current_dir(&page)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    for name in FILES {
        let committed = std::fs::read(page.join("../assets").join(name)).unwrap();
        let fresh = std::fs::read(folder.path().join(name)).unwrap();
        assert!(
            committed == fresh,
            "{name} is not what the sources give: run `npm run build` in crates/studio/page"
        );
    }
}

/// Compressed, the page has 400 kB. Uncompressed, it is about three times as large.
#[test]
fn the_page_is_small() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let sizes = FILES.map(|name| std::fs::metadata(assets.join(name)).unwrap().len());
    let all: u64 = sizes.iter().sum();
    assert!(all < 600_000, "{sizes:?}");
}

/// What the page writes besides ASCII. Debian's fonts (DejaVu Sans and DejaVu Sans Mono) have these, and browsers elsewhere have them too.
const SIGNS: &str = "·×“”…←→↻−│╭╰■▶▸▾◀○●✓✗";

#[test]
fn the_page_uses_signs_that_fonts_have() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/src");
    for entry in std::fs::read_dir(sources).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let odd: String = text
            .chars()
            .filter(|sign| !sign.is_ascii() && !SIGNS.contains(*sign))
            .collect();
        assert_eq!(odd, "", "{}", path.display());
    }
}
