//! An optimised crate outside the workspace has its integer overflows checked on request, as `docs/language.md` says.
//!
//! Cargo builds that crate alone: the libraries are those of this test.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = r#"
use kernel_rt::prelude::*;

#[kernel]
fn next(x: &[i32], y: &mut [i32]) {
    let i = tid();
    y[i] = x[i] + 1;
}

fn main() {
    let mut y = [0; 3];
    match next::cpu(3, &[1, 2, i32::MAX], &mut y) {
        Ok(()) => println!("{y:?}"),
        Err(error) => println!("{error}"),
    }
}
"#;

/// What the program prints if it is built in `folder` as a release whose profile has `settings`.
fn printed(folder: &str, settings: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    // Cargo does not see that the libraries behind an earlier build have changed.
    _ = std::fs::remove_dir_all(&folder);
    let manifest = format!("[package]\nname = \"my-kernels\"\nedition = \"2024\"\n\n[workspace]\n\n{settings}");
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/main.rs"), PROGRAM).unwrap();
    let libraries = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let flags = [
        "--extern".to_owned(),
        format!("kernel_rt={}", newest(&libraries, "libkernel_rt-").display()),
        "-L".to_owned(),
        format!("dependency={}", libraries.display()),
    ];
    let run = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--release", "--offline", "--target-dir"])
        .arg(folder.join("target"))
        .current_dir(&folder)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

/// The library in `folder` with that beginning of its name that was built last.
fn newest(folder: &Path, name: &str) -> PathBuf {
    let is_library = |path: &PathBuf| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        file.starts_with(name) && file.ends_with(".rlib")
    };
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_library);
    files.max_by_key(|path| path.metadata().unwrap().modified().unwrap()).expect("this test is linked with it")
}

#[test]
fn an_optimised_build_checks_overflow_on_request() {
    let page = include_str!("../../docs/language.md");
    let (_, behind) = page.split_once("```toml\n").expect("the page says how to ask");
    let (settings, _) = behind.split_once("```").expect("the block ends");
    assert!(settings.contains("overflow-checks"), "{settings}");
    assert_eq!(printed("wraps", ""), "[2, 3, -2147483648]\n");
    let error = printed("checks", settings);
    for part in ["`next`", "thread [2]", "src/main.rs:7", "overflow"] {
        assert!(error.contains(part), "{part} is not in {error}");
    }
}
