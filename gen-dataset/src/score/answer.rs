//! The code in what a model wrote.

/// The code of an answer: its last fenced block that has a kernel, or the only block, or the whole text if it has no
/// fence.
///
/// # Errors
/// The answer has no code.
pub(super) fn code(answer: &str) -> Result<String, String> {
    if answer.contains('\0') {
        return Err("it has a NUL byte".to_owned());
    }
    let blocks = blocks(answer);
    let has_kernel = |block: &&String| block.contains("__global__");
    let code = match blocks.iter().rev().find(has_kernel).or(blocks.last()) {
        Some(block) => block.clone(),
        None => answer.to_owned(),
    };
    if code.trim().is_empty() { Err("it is empty".to_owned()) } else { Ok(code) }
}

/// The fenced blocks of a Markdown text. A block that is not closed ends with the text.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for line in text.lines() {
        let ticks = line.trim_start().chars().take_while(|sign| *sign == '`').count();
        match &mut open {
            None if ticks >= 3 => open = Some((ticks, String::new())),
            Some((opened, _)) if ticks >= *opened && line.trim().len() == ticks => {
                blocks.extend(open.take().map(|(_, block)| block));
            }
            Some((_, block)) => {
                block.push_str(line);
                block.push('\n');
            }
            None => {}
        }
    }
    blocks.extend(open.map(|(_, block)| block));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_block_with_a_kernel_is_the_code() {
        let answer = "First\n```cuda\n__global__ void a() {}\n```\nor\n````cpp\n__global__ void b() {}\n```\n````\n```text\nnote\n```\n";
        assert_eq!(code(answer).unwrap(), "__global__ void b() {}\n```\n");
        assert_eq!(code("```\nx\n").unwrap(), "x\n");
        assert_eq!(code("__global__ void a() {}").unwrap(), "__global__ void a() {}");
    }

    #[test]
    fn what_has_no_code_says_so() {
        assert_eq!(code(" \n").unwrap_err(), "it is empty");
        assert_eq!(code("```cuda\n```").unwrap_err(), "it is empty");
        assert_eq!(code("a\0b").unwrap_err(), "it has a NUL byte");
    }
}
