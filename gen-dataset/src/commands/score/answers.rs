//! The lines of answers.

use crate::error::Error;
use serde_json::Value;
use std::io::BufRead;
use std::path::Path;

/// An answer to a task.
#[derive(Debug, PartialEq)]
pub(super) struct Answer {
    /// The id of the record.
    pub(super) id: String,
    /// The name of the task.
    pub(super) task: String,
    /// What the model wrote.
    pub(super) text: String,
    /// The kernel of the record, if the line has it. Otherwise the dataset has it.
    pub(super) row: Option<Row>,
}

/// What scoring needs of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// The text form of the IR.
    pub(super) ir: String,
    /// The seed of the record.
    pub(super) seed: u64,
    /// The family of the kernel. Empty if it is not known.
    pub(super) family: String,
    /// The intended difficulty, for synthesised kernels.
    pub(super) difficulty: Option<u8>,
}

impl Answer {
    /// Parses a line such as `{"id": "…", "task": "python_to_cuda", "completion": "…"}`. A completion may be a list of
    /// messages, of which the last one counts. `ir`, `seed` and `category` of a row of `rl` may be there, too.
    ///
    /// # Errors
    /// What the line lacks.
    pub(super) fn parse(line: &str) -> Result<Answer, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("it is no JSON: {error}"))?;
        let text = |name: &str| match value.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(format!("its `{name}` is no string")),
            None => Err(format!("it has no `{name}`; a line is like {{\"id\": …, \"task\": …, \"completion\": …}}")),
        };
        let completion = match value.get("completion") {
            Some(Value::Array(messages)) => {
                let content = messages.last().and_then(|message| message.get("content")).and_then(Value::as_str);
                content.map(str::to_owned).ok_or("the last message of its `completion` has no `content`")?
            }
            _ => text("completion")?,
        };
        let row = match (value.get("ir").and_then(Value::as_str), value.get("seed").and_then(Value::as_u64)) {
            (Some(ir), Some(seed)) => {
                let family = value.get("category").and_then(Value::as_str).unwrap_or_default().to_owned();
                Some(Row { ir: ir.to_owned(), seed, family, difficulty: None })
            }
            _ => None,
        };
        Ok(Answer { id: text("id")?, task: text("task")?, text: completion, row })
    }
}

/// The lines of `input` that are not empty. `path` names it in errors. Bytes that are not UTF-8 become the replacement
/// character, so that one line does not end a run.
pub(super) fn lines_of(input: impl BufRead, path: &Path) -> impl Iterator<Item = Result<String, Error>> {
    let lines = input.split(b'\n').map(move |line| {
        let line = line.map_err(Error::io("read", path))?;
        Ok(String::from_utf8_lossy(&line).trim().to_owned())
    });
    lines.filter(|line: &Result<String, Error>| !matches!(line, Ok(line) if line.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_completion_is_text_or_messages() {
        let answer = Answer { id: "a".to_owned(), task: "t".to_owned(), text: "x".to_owned(), row: None };
        for completion in ["\"x\"", r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": "x"}]"#] {
            let line = format!(r#"{{"id": "a", "task": "t", "completion": {completion}}}"#);
            assert_eq!(Answer::parse(&line).as_ref(), Ok(&answer));
        }
    }

    #[test]
    fn what_a_line_lacks_is_named() {
        for (line, why) in [
            ("x", "it is no JSON"),
            (r#"{"id": "a", "task": "t"}"#, "it has no `completion`"),
            (r#"{"id": 3, "task": "t", "completion": "x"}"#, "its `id` is no string"),
            (r#"{"id": "a", "task": "t", "completion": []}"#, "has no `content`"),
        ] {
            assert!(Answer::parse(line).unwrap_err().contains(why), "{line}");
        }
    }
}
