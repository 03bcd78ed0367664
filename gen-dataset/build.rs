//! Passes the version of rustc to the program. Records name it as the compiler of the registered kernels.

use std::process::Command;

fn main() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().ok();
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let version = text.split_whitespace().nth(1).unwrap_or("of an unknown version");
    println!("cargo::rustc-env=WEFT_RUSTC={version}");
    println!("cargo::rerun-if-changed=build.rs");
}
