//! Escapes and highlights source texts for HTML and SVG.

use std::fmt::Write;

/// The text escaped for elements and attributes of HTML and SVG.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // HTML and SVG cannot hold control characters. Writing to a string does not fail.
            c if c.is_control() && !c.is_whitespace() => {
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(c));
            }
            c => safe.push(c),
        }
    }
    safe
}

/// A language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Warp Python.
    Python,
    /// Rust.
    Rust,
    /// C++, and what follows it: CUDA and HIP.
    C,
    /// The language of WebGPU's shaders.
    Wgsl,
}

const PYTHON: &[&str] = &[
    "and", "as", "assert", "break", "continue", "def", "elif", "else", "False", "for", "from", "if", "import", "in",
    "is", "lambda", "None", "not", "or", "pass", "range", "return", "True", "while", "with",
];
const RUST: &[&str] = &[
    "as", "bf16", "bool", "break", "const", "continue", "else", "f16", "f32", "f64", "false", "fn", "for", "i16",
    "i32", "i64", "i8", "if", "in", "let", "loop", "match", "mod", "mut", "pub", "return", "true", "u16", "u32", "u64",
    "u8", "use", "usize", "while",
];
const WGSL: &[&str] = &[
    "array",
    "atomic",
    "bitcast",
    "bool",
    "break",
    "case",
    "const",
    "continue",
    "continuing",
    "default",
    "else",
    "enable",
    "f16",
    "f32",
    "f64",
    "false",
    "fn",
    "for",
    "i32",
    "i64",
    "if",
    "let",
    "loop",
    "ptr",
    "read",
    "read_write",
    "return",
    "storage",
    "struct",
    "switch",
    "true",
    "u32",
    "u64",
    "uniform",
    "var",
    "vec2",
    "vec3",
    "vec4",
    "while",
];
const C: &[&str] = &[
    "__device__",
    "__forceinline__",
    "__global__",
    "__half",
    "__host__",
    "__nv_bfloat16",
    "__restrict__",
    "auto",
    "bfloat16",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "do",
    "double",
    "else",
    "extern",
    "false",
    "float",
    "for",
    "if",
    "inline",
    "int",
    "int32_t",
    "int64_t",
    "long",
    "namespace",
    "return",
    "size_t",
    "static",
    "static_cast",
    "struct",
    "switch",
    "template",
    "true",
    "typedef",
    "typename",
    "uint32_t",
    "uint64_t",
    "unsigned",
    "using",
    "void",
    "while",
];

impl Language {
    /// The language of a source file with this extension: one of C's family, unless it is known.
    pub(crate) fn of_extension(extension: &str) -> Language {
        match extension {
            "py" => Language::Python,
            "rs" => Language::Rust,
            "wgsl" => Language::Wgsl,
            _ => Language::C,
        }
    }

    fn keywords(self) -> &'static [&'static str] {
        match self {
            Language::Python => PYTHON,
            Language::Rust => RUST,
            Language::C => C,
            Language::Wgsl => WGSL,
        }
    }

    /// The length of the token at the start of `rest`, and its HTML element. `opens_line` says that only white space
    /// precedes it on its line.
    fn piece(self, rest: &str, opens_line: bool) -> (usize, Option<&'static str>) {
        let line = rest.find('\n').unwrap_or(rest.len());
        let up_to = |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
        let comment = if self == Language::Python { "#" } else { "//" };
        if rest.starts_with(comment) {
            return (line, Some("i"));
        }
        if self != Language::Python && rest.starts_with("/*") {
            return (up_to("*/", 2), Some("i"));
        }
        match self {
            Language::Python if rest.starts_with("\"\"\"") => return (up_to("\"\"\"", 3), Some("q")),
            Language::Python if rest.starts_with('@') => return (line, Some("em")),
            Language::Rust if rest.starts_with("#[") => return (up_to("]", 2), Some("em")),
            // An attribute, such as `@group(0)`.
            Language::Wgsl if rest.starts_with('@') => {
                let end = rest[1..].find(|c| !is_word(c)).map_or(rest.len(), |at| 1 + at);
                return (end, Some("em"));
            }
            Language::C if opens_line && rest.starts_with('#') => return (line, Some("em")),
            _ => {}
        }
        let first = rest.chars().next().unwrap_or_default();
        // In Rust a single quote may begin a lifetime.
        if first == '"' || (first == '\'' && self != Language::Rust) {
            return (quoted(&rest[..line], first), Some("q"));
        }
        if first.is_ascii_digit() {
            return (number(rest), Some("u"));
        }
        if !is_word(first) {
            return (first.len_utf8(), None);
        }
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        (word.len(), self.keywords().contains(&word).then_some("b"))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the string literal at the start of the line.
fn quoted(line: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at + c.len_utf8();
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    line.len()
}

/// The length of the number at the start of the text. The dots of a range are not part of it.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let belongs = |at: usize| match bytes[at] {
        b'.' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        b'+' | b'-' => matches!(bytes[at - 1], b'e' | b'E') && !text.starts_with("0x"),
        byte => byte.is_ascii_alphanumeric() || byte == b'_',
    };
    (1..bytes.len()).find(|at| !belongs(*at)).unwrap_or(bytes.len())
}

/// The text as HTML, with keywords in `b`, comments in `i`, strings in `q`, numbers in `u`, and attributes and
/// directives in `em`.
pub(crate) fn highlighted(text: &str, language: Language) -> String {
    let mut html = String::with_capacity(text.len() * 2);
    let (mut at, mut opens_line) = (0, true);
    while at < text.len() {
        let (length, element) = language.piece(&text[at..], opens_line);
        let piece = &text[at..at + length];
        match element {
            Some(element) => {
                let _ = write!(html, "<{element}>{}</{element}>", escaped(piece));
            }
            None => html += &escaped(piece),
        }
        opens_line = piece.ends_with('\n') || (opens_line && piece.trim().is_empty());
        at += length;
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text() {
        assert_eq!(escaped("a<b && \"c\" > 'd'\n\0"), "a&lt;b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;\n\\u{0}");
    }

    #[test]
    fn languages_have_their_own_words() {
        let rust = "#[kernel(family = \"a\")]\npub fn f(x: &[f32]) { // <x>\n    for i in 0..1_0 { y[i] = 1.5e-3; }\n}";
        assert_eq!(
            highlighted(rust, Language::Rust),
            "<em>#[kernel(family = &quot;a&quot;)]</em>\n<b>pub</b> <b>fn</b> f(x: &amp;[<b>f32</b>]) { <i>// &lt;x&gt;</i>\n    \
             <b>for</b> i <b>in</b> <u>0</u>..<u>1_0</u> { y[i] = <u>1.5e-3</u>; }\n}"
        );
        let python = "@wp.kernel\ndef f():\n    \"\"\"Says\n    <it>.\"\"\"\n    return 'a\\'b'  # no";
        assert_eq!(
            highlighted(python, Language::Python),
            "<em>@wp.kernel</em>\n<b>def</b> f():\n    <q>&quot;&quot;&quot;Says\n    &lt;it&gt;.&quot;&quot;&quot;</q>\n    \
             <b>return</b> <q>&#39;a\\&#39;b&#39;</q>  <i># no</i>"
        );
        let c = "#include <math.h>\n/* a\n b */ float x = 0x1e-1.0f;";
        assert_eq!(
            highlighted(c, Language::C),
            "<em>#include &lt;math.h&gt;</em>\n<i>/* a\n b */</i> <b>float</b> x = <u>0x1e</u>-<u>1.0f</u>;"
        );
    }

    #[test]
    fn nothing_is_lost_whatever_the_text_is() {
        for text in ["", "\"", "'", "\"\"\"", "/*", "#", "#[", "0", "0.", "1e+", "é<ß>", "\"\\", "@", "//", "\r\n\t"]
        {
            for language in [Language::Python, Language::Rust, Language::C] {
                let html = highlighted(text, language);
                let mut plain = html.clone();
                for element in ["b", "i", "q", "u", "em"] {
                    plain = plain.replace(&format!("<{element}>"), "").replace(&format!("</{element}>"), "");
                }
                assert_eq!(plain, escaped(text), "{html}");
            }
        }
    }
}
