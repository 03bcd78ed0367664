//! The WGSL of every registered kernel and adjoint: `naga` validates it, or the writer refuses the kernel with a reason. With
//! the feature `wgpu` and an adapter, the judge `vulkan` runs them.

#[cfg(feature = "wgpu")]
mod functions;
#[cfg(feature = "wgpu")]
mod launch;
#[cfg(feature = "wgpu")]
mod parity;
#[cfg(feature = "wgpu")]
mod translations;

use crate::adjoint::backward;
use crate::guide::blocks;
use kernel_ir::back::wgsl;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::registered_kernels;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::collections::BTreeMap;
use std::path::Path;
use tests::{checked, report};

#[test]
fn naga_validates_every_text() {
    let mut tally = Tally::default();
    for info in registered_kernels() {
        let (name, kernel) = (format!("{}::{}", info.family, info.name), checked(info));
        tally.check(&name, &kernel);
        if info.backward.is_some() {
            let adjoint = backward(&kernel).unwrap_or_else(|why| panic!("{name}: {why}"));
            tally.check(&format!("{name} (backward)"), &adjoint.kernel);
        }
    }
    tally.conclude();
}

#[test]
fn naga_validates_the_texts_of_the_compilers_tests() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel-ir/tests/data/back");
    let read = |folder| std::fs::read_dir(data.join(folder)).expect("the folder is there");
    let mut count = 0;
    for entry in ["wgsl", "checked"].into_iter().flat_map(read) {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_none_or(|extension| extension != "wgsl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("an output is text");
        if !text.starts_with("WGSL has no") {
            count += 1;
            validate(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        }
    }
    assert!(count > 10, "{count} texts");
}

#[test]
fn the_page_shows_what_is_written() {
    let page = include_str!("../docs/wgsl.md");
    let saxpy = registered_kernels()
        .into_iter()
        .find(|info| (info.module, info.name) == ("kernels::arithmetic", "saxpy"))
        .expect("the family has it");
    let text = wgsl::write(&checked(saxpy)).expect("WGSL has all of saxpy");
    let shown: Vec<&str> = blocks(page).into_iter().filter(|block| block.0 == "wgsl").map(|block| block.1).collect();
    assert_eq!(shown, [text], "docs/wgsl.md");
}

/// The results of the writer.
#[derive(Default)]
struct Tally {
    texts: usize,
    failures: Vec<String>,
    /// The refused kernels and adjoints, by reason.
    refused: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn check(&mut self, name: &str, kernel: &VerifiedKernel) {
        let texts = wgsl::write(kernel).and_then(|text| Ok([text, wgsl::write_checked(kernel)?]));
        match texts {
            Err(why) => self.refused.entry(why).or_default().push(name.to_owned()),
            Ok(texts) => {
                self.texts += 1;
                let wrong = texts.iter().filter_map(|text| validate(text).err());
                self.failures.extend(wrong.map(|why| format!("{name}: {why}")));
            }
        }
    }

    fn conclude(&self) {
        let Tally { texts, failures, refused } = self;
        assert!(failures.is_empty(), "{} of {texts} texts are wrong:\n{}", failures.len(), failures.join("\n"));
        let counts: Vec<(&str, usize)> = refused.iter().map(|(why, names)| (why.as_str(), names.len())).collect();
        report(&format!("WGSL: {texts} texts are valid; refused: {counts:?}"));
        assert_eq!(counts, REFUSED, "{refused:#?}");
    }
}

/// The reasons for which kernels and adjoints are refused, with their numbers.
const REFUSED: [(&str, usize); 1] = [("atomic operations on `f64` in structs of several types", 2)];

/// Checks a text as the runtime does.
fn validate(text: &str) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let used = Capabilities::FLOAT64
        | Capabilities::SHADER_INT64
        | Capabilities::SHADER_INT64_ATOMIC_ALL_OPS
        | Capabilities::SHADER_INT64_ATOMIC_MIN_MAX;
    let validated = Validator::new(ValidationFlags::all(), used).validate(&module);
    validated.map(drop).map_err(|error| error.emit_to_string(text))
}
