//! Shows what rust-analyzer gives in the bodies of kernels with mistakes.
//!
//! The program loads a crate of kernels into rust-analyzer's own libraries, with the real expansion of `#[kernel]` and
//! `#[device]` by the macro server of the toolchain. It writes one mistake at a time into the open file, as one types
//! in an editor, and asks for hover, completion, inlay hints and definitions at fixed places. A table compares the
//! answers with those in the correct file.

mod editor;

use editor::{CURSOR, Editor, QUERIES};
use std::error::Error;
use std::path::{Path, PathBuf};

/// The file without mistakes.
const CORRECT: &str = include_str!("kernels.rs");

/// One mistake in each line: a statement for the place of `// HERE`, or an old and a new text.
const MISTAKES: &str = include_str!("mistakes.txt");

/// The function with the mistake, and the function in which the questions are asked.
const PLACES: [(&str, &str); 4] =
    [("heights", "heights"), ("springs", "springs"), ("force", "force"), ("force", "springs")];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = args.next().map_or_else(|| here.join("../.."), PathBuf::from).canonicalize()?;
    let only = args.next();
    let mut editor = Editor::load(&write_user_crate(&here.join("target/user"), &root)?)?;
    editor.type_text(CORRECT);
    println!("Diagnostics of the correct file:");
    editor.diagnostics().iter().for_each(|line| println!("- {line}"));

    let (mut same, mut more, mut other) = (0, 0, 0);
    for (wrong, asked) in PLACES.into_iter().filter(|(wrong, _)| only.as_ref().is_none_or(|only| only == wrong)) {
        editor.type_text(CORRECT);
        let correct: Vec<String> = QUERIES.iter().map(|query| editor.ask(query, asked)).collect();
        println!("\n## A mistake in `{wrong}`, seen in `{asked}`\n");
        QUERIES.iter().zip(&correct).for_each(|(query, answer)| println!("- {}: {answer}", query.name));
        println!("\n| mistake | {} | completion of it |", QUERIES.map(|query| query.name).join(" | "));
        println!("|---|{}---|", "---|".repeat(QUERIES.len()));
        for mistake in MISTAKES.lines() {
            let Some(text) = with_mistake(mistake, wrong) else { continue };
            let cursor = text.find(CURSOR);
            editor.type_text(&text.replace(CURSOR, ""));
            print!("| `{mistake}` |");
            for (query, correct) in QUERIES.iter().zip(&correct) {
                let answer = editor.ask(query, asked);
                let has_all = correct.split("; ").all(|part| answer.split("; ").any(|other| other == part));
                let (count, shown) = match has_all {
                    true if answer == *correct => (&mut same, "="),
                    true => (&mut more, "+"),
                    false => (&mut other, &*answer),
                };
                *count += 1;
                print!(" {shown} |");
            }
            println!(" {} |", cursor.map_or_else(String::new, |at| editor.complete(at)));
        }
    }
    println!("\n{same} answers are those in the correct file (`=`), {more} have more (`+`), {other} are others.");
    Ok(())
}

/// The file with `mistake` in the function `wrong`; `None` if the mistake has no place there.
fn with_mistake(mistake: &str, wrong: &str) -> Option<String> {
    let (old, new) = mistake.split_once(" ⇒ ").unwrap_or(("// HERE", mistake));
    let start = CORRECT.find(&format!("pub fn {wrong}("))?;
    let end = start + CORRECT[start..].find("\n}\n")?;
    let at = start + CORRECT[start..end].find(old)?;
    Some(format!("{}{new}{}", &CORRECT[..at], &CORRECT[at + old.len()..]))
}

/// Makes a crate as the user's guide says. It has its own `target`.
fn write_user_crate(folder: &Path, root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let package = "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
    let dependencies = format!("[dependencies]\nkernel-rt = {{ path = {:?} }}\n", root.join("kernel-rt"));
    std::fs::create_dir_all(folder.join("src"))?;
    std::fs::write(folder.join("Cargo.toml"), format!("{package}\n{dependencies}"))?;
    std::fs::write(folder.join("src/lib.rs"), CORRECT)?;
    Ok(folder.to_owned())
}
