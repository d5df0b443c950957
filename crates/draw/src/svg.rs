//! What every picture has in common: escaping, measuring and cutting text, colours.

use mazurka_scenario::clean;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of a character of a monospaced font of twelve pixels, in hundredths of a pixel: a little more than fonts in use have.
const HUNDREDTHS: usize = 730;

/// Fonts and lines of charts and graphs. No font is fetched, and every system has one of these.
const RULES: &str = "\
.mz{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace}\
.mz text{fill:$ink;stroke:none}\
.mz .ground{fill:$ground}\
.mz .halo{paint-order:stroke;stroke:$ground;stroke-width:4px;stroke-linejoin:round}\
.mz text.faint{fill:$faint}\
.mz .life{stroke:$line;stroke-width:1}\
.mz .box{fill:$soft;stroke:$line}\
.mz .head{fill:$soft;stroke:$faint}\
.mz .arrow{stroke:$accent;stroke-width:1.3;fill:none}\
.mz .late{stroke-opacity:.45}\
.mz .tip{fill:$accent;stroke:none}\
.mz .dot{fill:$ground;stroke:$accent;stroke-width:1.3}\
.mz .end{stroke:$ink;stroke-width:1.6}\
.mz .atomic{fill:none;stroke:$faint;stroke-dasharray:3 3}\
.mz .frame{fill:none;stroke:$accent;stroke-width:1.3;stroke-dasharray:8 4}\
.mz text.frame-name{fill:$accent;stroke:$ground}\
.mz text.wrong{fill:$wrong}\
.mz text.print{fill:$faint;font-style:italic}\
.mz .edge{stroke:$faint;stroke-width:1.1;fill:none}\
.mz .edge-tip{fill:$faint;stroke:none}\
.mz .node{fill:$soft;stroke:$faint}\
.mz .first .node{stroke:$ink;stroke-width:2.2}\
.mz .stop .node{stroke:$good;stroke-width:1.6}\
.mz .bad .node{stroke:$wrong;stroke-width:2}\
.mz .bad text.mark{fill:$wrong}\
.mz .more .node{stroke-dasharray:4 3}\
.mz .out{opacity:.38}\
.mz .out .node,.mz .out .edge{stroke-dasharray:3 4}\
.mz .n.here .node{fill:$accent;stroke:$accent}\
.mz .n.here text{fill:$ground}";

const LIGHT: [(&str, &str); 8] = [
    ("$ground", "#ffffff"),
    ("$ink", "#1f2328"),
    ("$faint", "#656d76"),
    ("$line", "#afb8c1"),
    ("$soft", "#f3f4f6"),
    ("$accent", "#0b63ce"),
    ("$wrong", "#b42318"),
    ("$good", "#1a7f37"),
];
const DARK: [(&str, &str); 8] = [
    ("$ground", "#15181c"),
    ("$ink", "#e3e7eb"),
    ("$faint", "#98a2ad"),
    ("$line", "#49525c"),
    ("$soft", "#22272d"),
    ("$accent", "#6cb0ff"),
    ("$wrong", "#ff8177"),
    ("$good", "#56c271"),
];

/// The style of a picture that stands alone: light, and dark where the reader's system is. Not all that read SVG know variables.
pub fn style() -> String {
    let with = |colours: [(&str, &str); 8]| {
        let rules = RULES.to_string();
        colours
            .iter()
            .fold(rules, |rules, (name, colour)| rules.replace(name, colour))
    };
    let (light, dark) = (with(LIGHT), with(DARK));
    format!("{light}@media (prefers-color-scheme:dark){{{dark}}}")
}

/// The style of pictures in a page that has a variable for each colour, such as `--ink`.
pub fn style_of_page() -> String {
    let rules = RULES.to_string();
    let colours = LIGHT.iter().map(|(name, _)| name);
    colours.fold(rules, |rules, name| {
        rules.replace(name, &format!("var(--{})", &name[1..]))
    })
}

/// Makes text harmless in SVG and HTML, in content and in attributes. Characters that no document may contain are shown as such.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            '\u{FFFE}' | '\u{FFFF}' => escaped.push('\u{FFFD}'),
            other if other.is_control() => escaped.push('\u{FFFD}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The width of a text in pixels.
pub(crate) fn width_of(text: &str) -> i32 {
    (text.width() * HUNDREDTHS).div_ceil(100) as i32
}

/// A text on one line that is no wider than this many pixels.
pub fn cut(text: &str, pixels: i32) -> String {
    let text = clean(text);
    if width_of(&text) <= pixels {
        return text;
    }
    let room = (pixels.max(0) as usize * 100 / HUNDREDTHS).saturating_sub(1);
    let mut used = 0;
    let mut kept = String::new();
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if used > room {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept
}

/// A text element; the whole of a text that is cut is its title.
pub(crate) fn label(x: i32, y: i32, anchor: &str, class: &str, text: &str, room: i32) -> String {
    let shown = cut(text, room);
    let title = match shown == clean(text) {
        true => String::new(),
        false => format!("<title>{}</title>", escape(text)),
    };
    let anchor = match anchor {
        "start" => String::new(),
        other => format!(" text-anchor=\"{other}\""),
    };
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    format!(
        "<text x=\"{x}\" y=\"{y}\"{anchor}{class}>{title}{}</text>",
        escape(&shown)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        let text = "</text><script>alert('1')</script> & \"x\" \u{1}";
        let escaped = escape(text);
        assert!(!escaped.contains(['<', '>', '"', '\'', '\u{1}']));
        assert_eq!(
            escape("a<b&&c"),
            "a&lt;b&amp;&amp;c",
            "and it reads the same"
        );
    }

    #[test]
    fn a_text_that_is_cut_keeps_its_whole_as_a_title() {
        let text = label(0, 0, "start", "", "a very long text <b>", 60);
        assert!(text.contains("<title>a very long text &lt;b&gt;</title>"));
        assert!(text.contains("…</text>"));
        assert!(!label(0, 0, "start", "", "short", 60).contains("title"));
        assert!(width_of(&cut("日本語日本語日本語", 60)) <= 60);
    }
}
