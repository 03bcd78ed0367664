//! Mutations of program texts: small changes such as a careless author or model makes.

use std::collections::BTreeMap;

/// A stream of numbers (splitmix64).
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Random(u64);

impl Random {
    /// The stream `number` for `name`.
    pub(super) fn new(name: &str, number: u64) -> Random {
        let mut random = Random(number);
        for byte in name.bytes() {
            random.0 = random.next() ^ u64::from(byte);
        }
        Random(random.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `choices`. `None` if there are none.
    pub(super) fn choose<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        choices.get((self.next() % choices.len().max(1) as u64) as usize)
    }
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Cuda,
    Cpp,
    Python,
}

/// The kind of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mistake {
    Operator,
    DroppedLine,
    SwappedArguments,
    Bound,
    Constant,
    Index,
    Component,
    MissingAtomic,
}

/// A mutated text.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    pub(super) language: Language,
    pub(super) mistake: Mistake,
    pub(super) text: String,
    /// The line before and after, for messages.
    pub(super) before: String,
    pub(super) after: String,
}

/// A random mutation of `text`: first the kind is drawn, then the place.
pub(super) fn mutate(text: &str, language: Language, random: &mut Random) -> Option<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut changes: BTreeMap<Mistake, Vec<(usize, String)>> = BTreeMap::new();
    let numbers = match language {
        Language::Cuda | Language::Cpp => c_code(&lines),
        Language::Python => python_code(&lines)?,
    };
    for number in numbers {
        for (mistake, changed) in line_changes(lines[number], language) {
            changes.entry(mistake).or_default().push((number, changed));
        }
    }
    let mistakes: Vec<Mistake> = changes.keys().copied().collect();
    let mistake = *random.choose(&mistakes)?;
    let (number, changed) = random.choose(&changes[&mistake])?.clone();
    let mut mutated: Vec<&str> = lines.clone();
    mutated[number] = &changed;
    let text = mutated.join("\n") + "\n";
    Some(Mutant { language, mistake, before: lines[number].trim().to_owned(), after: changed.trim().to_owned(), text })
}

/// The lines of a C++ text that compute something. Declarations and comments are not mutated.
fn c_code(lines: &[&str]) -> Vec<usize> {
    let is_code = |line: &str| {
        let code = line.trim_start();
        let declarations = ["//", "#", "using ", "extern ", "struct ", "static ", "__device__"];
        !declarations.iter().any(|word| code.starts_with(word))
    };
    (0..lines.len()).filter(|&number| is_code(lines[number])).collect()
}

/// The start of a kernel in Python.
pub(super) const KERNEL: &str = "@wp.kernel\ndef ";

/// The lines of a Python kernel that compute something. `None` if the kernel has a `while`, because a mutant may not
/// terminate and Warp has no time limit. Helper functions are not mutated, because kernels in one build share them.
fn python_code(lines: &[&str]) -> Option<Vec<usize>> {
    if lines.iter().any(|line| line.trim_start().starts_with("while ")) {
        return None;
    }
    let kernel = lines.iter().position(|line| *line == "@wp.kernel")?;
    let signature_end = kernel + lines[kernel..].iter().position(|line| line.ends_with("):"))?;
    let mut in_docstring = false;
    let is_code = |number: &usize| {
        let quotes = lines[*number].matches("\"\"\"").count();
        let was_in_docstring = in_docstring;
        in_docstring ^= quotes == 1;
        !was_in_docstring && quotes == 0
    };
    Some((signature_end + 1..lines.len()).filter(is_code).collect())
}

/// The number of leading digits in which a number may be changed.
const SIGNIFICANT: usize = 5;

/// Every mutation of one line.
fn line_changes(line: &str, language: Language) -> Vec<(Mistake, String)> {
    const OPERATORS: [(&str, &str); 25] = [
        (" + ", " - "),
        (" - ", " + "),
        (" * ", " + "),
        (" / ", " * "),
        (" // ", " * "),
        (" % ", " / "),
        (" & ", " | "),
        (" | ", " & "),
        (" ^ ", " | "),
        (" << ", " >> "),
        (" >> ", " << "),
        (" && ", " || "),
        (" || ", " && "),
        (" and ", " or "),
        (" or ", " and "),
        (" == ", " != "),
        (" != ", " == "),
        (" < ", " > "),
        (" > ", " < "),
        (" <= ", " > "),
        (" >= ", " < "),
        (" += ", " -= "),
        (" -= ", " += "),
        (" *= ", " += "),
        (" /= ", " *= "),
    ];
    let mut changes = Vec::new();
    for (from, to) in OPERATORS {
        for (place, _) in line.match_indices(from) {
            changes.push((Mistake::Operator, spliced(line, place, from.len(), to)));
        }
    }
    let code = line.trim();
    let is_loop = code.starts_with("for ") || code.starts_with("while ");
    if is_loop && language == Language::Python {
        changes.extend(line.strip_suffix("):").map(|head| (Mistake::Bound, format!("{head} + 1):"))));
        changes.extend(line.strip_suffix("):").map(|head| (Mistake::Bound, format!("{head} - 1):"))));
    } else if is_loop {
        for (from, to) in [(" < ", " <= "), (" <= ", " < "), (" = 0;", " = 1;"), (" > ", " >= ")] {
            for (place, _) in line.match_indices(from) {
                changes.push((Mistake::Bound, spliced(line, place, from.len(), to)));
            }
        }
    } else if code.ends_with(';') {
        changes.push((Mistake::DroppedLine, String::new()));
    } else if language == Language::Python && !code.is_empty() && !code.ends_with([':', '(', ',']) {
        changes.push((Mistake::DroppedLine, line.replace(code, "pass")));
    }
    for (start, end) in parentheses(line) {
        let name_end = &line[..start];
        let name: String = name_end.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let name: String = name.chars().rev().collect();
        let arguments: Vec<&str> = line[start + 1..end].split(", ").collect();
        let simple = arguments.len() == 2 && !line[start + 1..end].contains(['(', ')']);
        // Exchanged arguments of a commutative function are no mistake. `strong_mul` commutes in these launches, where
        // derivatives are finite; `hostile.rs` has others.
        let symmetric = ["min", "max", "dot", "hypot", "distance", "strong_mul", "if", "while", "for"];
        let symmetric = symmetric.iter().any(|word| name.contains(word));
        if simple && !symmetric && !name.is_empty() && arguments[0] != arguments[1] {
            let swapped = format!("{}, {}", arguments[1], arguments[0]);
            changes.push((Mistake::SwappedArguments, spliced(line, start + 1, end - start - 1, &swapped)));
        }
    }
    for (place, length) in numbers(line) {
        let number = &line[place..place + length];
        // The last digit that matters: further digits vanish in an f32.
        let digits: Vec<usize> =
            number.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(place, _)| place).collect();
        let is_leading = |place: &&usize| number[..=**place].bytes().all(|c| matches!(c, b'0' | b'.'));
        let leading = digits.iter().take_while(is_leading).count();
        if let Some(&digit) = digits.get(leading + SIGNIFICANT - 1).or(digits.last()) {
            let changed = (number.as_bytes()[digit] - b'0' + 1) % 10;
            let changed = spliced(number, digit, 1, &changed.to_string());
            changes.push((Mistake::Constant, spliced(line, place, length, &changed)));
        }
    }
    // A local array may be longer than needed.
    let is_declared = |place: usize| line[place..].starts_with("] = {");
    for (place, _) in line.match_indices(']').filter(|(place, _)| !is_declared(*place)) {
        changes.push((Mistake::Index, spliced(line, place, 1, " + 1]")));
    }
    for (from, to) in [(".x", ".y"), (".y", ".x"), (".z", ".x"), (".w", ".z")] {
        for (place, _) in line.match_indices(from) {
            let named_further = line[place + 2..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
            if !named_further {
                changes.push((Mistake::Component, spliced(line, place, 2, to)));
            }
        }
    }
    // Only in the form of CUDA. On the host threads run one by one, so a plain update is equivalent.
    let plain = plain_update(line).filter(|_| !line.trim_start().starts_with("atomic_add("));
    changes.extend(plain.map(|plain| (Mistake::MissingAtomic, plain)));
    changes
}

/// A line with an atomic addition, rewritten as a plain update.
pub(crate) fn plain_update(line: &str) -> Option<String> {
    let (indent, call) = line.split_at(line.len() - line.trim_start().len());
    let args =
        call.split_once("(&").filter(|(name, _)| matches!(*name, "block_atomic_add" | "atomicAdd" | "atomic_add"))?.1;
    let args = args.strip_suffix(");")?;
    // A block's addition has further arguments: the index of the thread, and the number of threads.
    let own = [", thread", ", (thread"].iter().find_map(|name| args.find(name)).unwrap_or(args.len());
    let (target, value) = args[..own].rsplit_once(", ")?;
    Some(format!("{indent}{target} += {value};"))
}

/// `text` with `length` bytes at `place` replaced.
fn spliced(text: &str, place: usize, length: usize, replacement: &str) -> String {
    format!("{}{replacement}{}", &text[..place], &text[place + length..])
}

/// The positions of matching parentheses.
fn parentheses(line: &str) -> Vec<(usize, usize)> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for (place, c) in line.char_indices() {
        match c {
            '(' => open.push(place),
            ')' => pairs.extend(open.pop().map(|start| (start, place))),
            _ => {}
        }
    }
    pairs
}

/// The positions and lengths of numbers, without suffix and exponent.
fn numbers(line: &str) -> Vec<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut place = 0;
    while place < bytes.len() {
        let in_name = place > 0 && (bytes[place - 1].is_ascii_alphanumeric() || b"_.".contains(&bytes[place - 1]));
        let length = bytes[place..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
        if bytes[place].is_ascii_digit() && !in_name {
            found.push((place, length));
        }
        place += length.max(1);
    }
    found
}
