//! The texts in the languages of GPU interfaces.

use crate::adjoint::backward;
use kernel_ir::back::wgsl;
use kernel_ir::target::Capabilities;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::{KernelInfo, ShaderLanguage, registered_kernels, translate_wgsl};
use tests::{checked, report};

const LANGUAGES: [ShaderLanguage; 3] = [ShaderLanguage::SpirV, ShaderLanguage::Msl, ShaderLanguage::Hlsl];

#[test]
fn every_text_is_translated() {
    let (mut counts, mut excused) = ([0; 3], 0);
    for (name, kernel) in registered_kernels().into_iter().flat_map(kernel_and_adjoint) {
        let Ok(text) = wgsl::write(&kernel) else { continue };
        let needs = Capabilities::needed_by(&kernel);
        for (language, count) in LANGUAGES.into_iter().zip(&mut counts) {
            match translate_wgsl(&text, language) {
                Ok(translated) => {
                    *count += 1;
                    assert!(
                        is_of(language, &translated),
                        "{name} in {language:?}:\n{}",
                        String::from_utf8_lossy(&translated)
                    );
                }
                // Metal has no `f64`, few atomic operations on 64 bits, and 31 buffers.
                Err(why) => {
                    let is_excused = needs.f64 || why.contains("SHADER_INT64_ATOMIC") || why.contains("buffers");
                    assert!(is_excused && language == ShaderLanguage::Msl, "{name} in {language:?}: {why}");
                    excused += 1;
                }
            }
        }
    }
    report(&format!("texts in SPIR-V, MSL and HLSL: {counts:?}; {excused} are not in MSL"));
}

/// A kernel and its adjoint, with their names.
fn kernel_and_adjoint(info: &KernelInfo) -> Vec<(String, VerifiedKernel)> {
    let kernel = checked(info);
    let adjoint = info.backward.map(|_| backward(&kernel).unwrap_or_else(|why| panic!("{}: {why}", info.name)).kernel);
    let adjoint = adjoint.map(|adjoint| (format!("{} (backward)", info.name), adjoint));
    [(info.name.to_owned(), kernel)].into_iter().chain(adjoint).collect()
}

/// Whether a text has what every one in its language has.
fn is_of(language: ShaderLanguage, text: &[u8]) -> bool {
    let has = |words: &str| String::from_utf8_lossy(text).contains(words);
    match language {
        ShaderLanguage::SpirV => text.len().is_multiple_of(4) && text.starts_with(&[0x03, 0x02, 0x23, 0x07]),
        ShaderLanguage::Msl => has("#include <metal_stdlib>") && has("[[buffer(0)]]") && !has("[[user(fake"),
        ShaderLanguage::Hlsl => has("[numthreads(64, 1, 1)]") && has("register(b0)"),
    }
}

#[test]
fn what_is_no_wgsl_is_refused() {
    for language in LANGUAGES {
        let why = translate_wgsl("fn f( {", language).unwrap_err();
        assert!(why.contains("expected"), "{why}");
    }
}
