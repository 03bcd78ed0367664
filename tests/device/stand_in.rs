//! The device suites on a machine without a GPU.

use kernel_ir::back::c::on_host::HEADERS;
use kernel_ir::back::c::{BLOCK_ON_HOST, CUDA_ON_HOST};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tests::{report, skip};

/// The stand-in for NVIDIA's driver and compiler, built into a folder.
struct StandIn(PathBuf);

impl StandIn {
    /// # Errors
    /// A sentence, if there is no g++ or it rejects the sources.
    fn build() -> Result<StandIn, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stand-in-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let stand_in = StandIn(folder);
        let header = stand_in.0.join("cuda_on_host.h");
        std::fs::write(&header, format!("{CUDA_ON_HOST}{BLOCK_ON_HOST}")).map_err(|error| error.to_string())?;
        // Texts include these; what they declare is in the header above.
        for name in HEADERS {
            std::fs::write(stand_in.0.join(name), "").map_err(|error| error.to_string())?;
        }
        // Every compilation includes this header, so it is precompiled.
        stand_in.compile(
            &["-O0", "-ffp-contract=off", "-fno-strict-aliasing", "-w", "-fPIC", "-x", "c++-header"],
            &header,
            "cuda_on_host.h.gch",
        )?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("device/stand_in.cpp");
        stand_in.compile(&["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-ldl"], &source, "libcuda.so")?;
        std::fs::copy(stand_in.0.join("libcuda.so"), stand_in.0.join("libnvrtc.so"))
            .map_err(|error| error.to_string())?;
        Ok(stand_in)
    }

    fn compile(&self, options: &[&str], source: &Path, to: &str) -> Result<(), String> {
        let mut command = Command::new("g++");
        command.arg("-std=c++17").args(options).arg("-o").arg(self.0.join(to)).arg(source);
        let output = command.output().map_err(|error| format!("g++: {error}"))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// Runs the tests of this program whose names begin with `filter`.
    fn run(&self, filter: &str, cache: &Path) -> Output {
        let program = std::env::current_exe().expect("a test knows its program");
        let mut command = Command::new(program);
        command.args([filter, "--skip", "device::stand_in"]);
        command.env("LD_LIBRARY_PATH", &self.0).env("WEFT_STAND_IN", &self.0).env("WEFT_CACHE", cache);
        command.env("WEFT_REQUIRE_DEVICE", "1").env("WEFT_DEVICE", "cuda");
        command.output().expect("a program that runs can be run")
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        // The folder is in the target folder, where a leftover does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn on_the_stand_in_all_is_as_on_a_device() {
    if !cfg!(feature = "cuda") {
        return skip("this build has no CUDA support; use `--features cuda`");
    }
    let stand_in = match StandIn::build() {
        Ok(stand_in) => stand_in,
        Err(why) => return crate::judges::miss(&format!("the stand-in for a GPU: {why}")),
    };
    let cache = stand_in.0.join("cache");
    for filter in ["device::", "tape::"] {
        let output = stand_in.run(filter, &cache);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{filter}\n{out}\n{err}");
        let summary = out.lines().filter(|line| line.starts_with("test result"));
        for line in err.lines().filter(|line| line.contains("agree")).chain(summary) {
            report(&format!("on the stand-in, {filter} {line}"));
        }
    }
}
