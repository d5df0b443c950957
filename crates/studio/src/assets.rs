//! The page, as it was built. See `page/`.

/// A file of the page and its type; the names are all there is, so that no path leads anywhere else.
pub fn asset(name: &str) -> Option<(&'static [u8], &'static str)> {
    Some(match name {
        "" => (
            include_bytes!("../assets/index.html"),
            "text/html; charset=utf-8",
        ),
        "studio.js" => (
            include_bytes!("../assets/studio.js"),
            "text/javascript; charset=utf-8",
        ),
        "studio.css" => (
            include_bytes!("../assets/studio.css"),
            "text/css; charset=utf-8",
        ),
        "icon.svg" => (include_bytes!("../assets/icon.svg"), "image/svg+xml"),
        _ => return None,
    })
}
