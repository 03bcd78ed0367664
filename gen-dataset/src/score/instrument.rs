//! Counts the work of a compiled answer: a count of instructions is added to the assembly that the compiler writes.
//!
//! The answer cannot lower the count. What it counts stands in no source text, but in the text that the compiler made
//! of it; the counter lies in a page whose address only the segment register `gs` holds; and an answer with assembly of
//! its own, which could name that register, is refused.
//!
//! Each label adds the number of instructions up to the next one. The sum over a loop is therefore proportional to what
//! runs. Instructions behind a branch that is taken count, too, which changes a count by a constant factor at most.

use std::fmt::Write as _;

/// The functions of the C library that touch many bytes, whose work the host counts.
const COUNTED: [&str; 4] = ["memcpy", "memmove", "memset", "memcmp"];

/// The assembly with counts.
///
/// # Errors
/// The answer has assembly of its own.
pub(super) fn instrument(assembly: &str) -> Result<String, String> {
    let mut counted = String::with_capacity(assembly.len() * 3 / 2);
    let mut is_code = true;
    // The lines since the last label, and how many of them are instructions.
    let (mut block, mut instructions) = (String::new(), 0u64);
    let mut flush = |block: &mut String, instructions: &mut u64| {
        if *instructions > 0 {
            // Writing to a `String` does not fail.
            let _ = writeln!(counted, "\taddq\t${instructions}, %gs:0");
        }
        counted.push_str(block);
        block.clear();
        *instructions = 0;
    };
    for line in assembly.lines() {
        if line.starts_with("#APP") {
            return Err("it has assembly of its own, which a kernel for several systems cannot have".to_owned());
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        match word {
            ".text" => is_code = true,
            ".data" | ".bss" => is_code = false,
            ".section" => is_code = line.contains(".text") || line.contains("\"ax"),
            _ => {}
        }
        let is_label = !line.starts_with(char::is_whitespace) && line.ends_with(':');
        if is_label && is_code {
            flush(&mut block, &mut instructions);
            // The count comes behind the label.
            block.push_str(line);
            block.push('\n');
            flush(&mut block, &mut 0);
            continue;
        }
        if is_code && line.starts_with('\t') && word.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
            instructions += 1;
            if is_repeated(line) {
                block.push_str("\taddq\t%rcx, %gs:0\n");
            }
        }
        block.push_str(&renamed(line));
        block.push('\n');
    }
    flush(&mut block, &mut instructions);
    Ok(counted)
}

/// Whether the instruction repeats itself `%rcx` times.
fn is_repeated(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|word| word.starts_with("rep")) && words.next().is_some_and(|word| word != "ret")
}

/// The line with calls of [`COUNTED`] functions replaced by calls of the host's.
fn renamed(line: &str) -> String {
    for name in COUNTED {
        if let Some(start) = line.strip_suffix(&format!("\t{name}@PLT")) {
            return format!("{start}\tweft_{name}@PLT");
        }
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_label_counts_the_instructions_behind_it() {
        let assembly = "\t.text\nwave:\n.LFB1:\n\tpushq\t%rbp\n\tmovl\t$1, %eax\n.L2:\n\tcall\tmemcpy@PLT\n\trep stosq\n\tjmp\t.L2\n\t.section\t.rodata\n.LC0:\n\t.long\t3\n";
        let counted = "\t.text\nwave:\n.LFB1:\n\taddq\t$2, %gs:0\n\tpushq\t%rbp\n\tmovl\t$1, %eax\n.L2:\n\taddq\t$3, %gs:0\n\tcall\tweft_memcpy@PLT\n\taddq\t%rcx, %gs:0\n\trep stosq\n\tjmp\t.L2\n\t.section\t.rodata\n.LC0:\n\t.long\t3\n";
        assert_eq!(instrument(assembly).unwrap(), counted);
    }

    #[test]
    fn assembly_of_its_own_is_refused() {
        assert!(instrument("\t.text\nf:\n#APP\n# 3 \"a\" 1\n\tmovq $0, %gs:0\n#NO_APP\n").is_err());
    }
}
