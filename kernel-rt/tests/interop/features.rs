//! The features are off by default: whoever builds the tool alone builds none of their crates.

use std::process::Command;

fn crates_of(package: &str, features: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]);
    cargo.args(["--package", package]).args(features).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_build_without_the_features_has_none_of_their_crates() {
    let has = |tree: &str, name: &str| tree.lines().any(|line| line.split(' ').next() == Some(name));
    let (tool, runtime) = (crates_of("gen-dataset", &[]), crates_of("kernel-rt", &[]));
    let all = crates_of("kernel-rt", &["--features", "dlpack,image,ndarray,npy,serde"]);
    for name in ["image", "ndarray", "zip"] {
        assert!(has(&all, name) && !has(&tool, name) && !has(&runtime, name), "{name}");
    }
    assert!(has(&all, "serde") && !has(&runtime, "serde"));
}
