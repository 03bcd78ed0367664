//! Kernels, gradients and graphs on a CUDA device, and on an adapter of `wgpu`.
//!
//! Without a device, each test prints that it is skipped. With g++, `stand_in` runs all of them and those of the
//! tape, with `device/stand_in.cpp` in place of NVIDIA's driver and compiler. `tapes_on_an_adapter` runs those of the tape on the
//! first adapter.

mod dlpack;
mod graph;
mod launch;
mod parity;
mod stand_in;
mod streams;
mod views;

use kernel_rt::prelude::*;
use tests::skip;

/// The first CUDA device, if there is one. With `WEFT_REQUIRE_DEVICE=1` there must be one.
pub(crate) fn cuda() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(why) => {
            let required = std::env::var_os("WEFT_REQUIRE_DEVICE").is_some_and(|value| value == "1");
            assert!(!required, "{why}");
            skip(&why.to_string().replace('\n', "; "));
            None
        }
    }
}

/// The first adapter, if there is one. With `WEFT_REQUIRE_JUDGES=1` there must be one.
#[cfg(feature = "wgpu")]
pub(crate) fn adapter() -> Option<Device> {
    Device::wgpu(0).map_err(|why| crate::judges::miss(&why.to_string().replace('\n', "; "))).ok()
}

/// Runs a test on the first CUDA device and on the first adapter, as far as there are such.
fn on_each(test: impl Fn(Device)) {
    cuda().into_iter().for_each(&test);
    #[cfg(feature = "wgpu")]
    adapter().into_iter().for_each(&test);
}

/// The device for tests that run on any device: the CPU, the first CUDA device with `WEFT_DEVICE=cuda`, or the first adapter
/// with `WEFT_DEVICE=wgpu`.
pub(crate) fn chosen() -> Device {
    match std::env::var_os("WEFT_DEVICE") {
        Some(name) if name == "cuda" => Device::cuda(0).unwrap_or_else(|why| panic!("{why}")),
        Some(name) if name == "wgpu" => Device::wgpu(0).unwrap_or_else(|why| panic!("{why}")),
        _ => Device::cpu(),
    }
}

/// The tests of the tape with the first adapter in the place of the CPU.
#[cfg(feature = "wgpu")]
#[test]
fn tapes_on_an_adapter() {
    if adapter().is_none() {
        return;
    }
    let program = std::env::current_exe().expect("a test knows its program");
    let output =
        std::process::Command::new(program).arg("tape::").env("WEFT_DEVICE", "wgpu").output().expect("it can be run");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    for line in out.lines().filter(|line| line.starts_with("test result")) {
        tests::report(&format!("on an adapter, tape:: {line}"));
    }
}
