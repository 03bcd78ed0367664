//! Shared code of the benchmarks beside NVIDIA Warp: the kernels, their inputs, and Warp itself.

use gen_dataset::judges;
use kernel_rt::prelude::*;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

pub(crate) const ELEMENTS: usize = 1 << 24;
pub(crate) const BODIES: usize = 4096;
pub(crate) const SIDE: usize = 512;

/// y = a·x + y.
#[kernel]
pub(crate) fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}

/// out = sin(x)·exp(−x²) + √(1 + x²).
#[kernel]
pub(crate) fn wave(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let v = x[i];
    out[i] = v.sin() * (-v * v).exp() + (1.0 + v * v).sqrt();
}

/// The pull of all bodies on each: ∑ m·d / (|d|² + ε)^1.5.
#[kernel]
pub(crate) fn nbody(softening: f32, at: &[Vec3], mass: &[f32], pull: &mut [Vec3]) {
    let i = tid();
    let here = at[i];
    let mut sum = Vec3::ZERO;
    for j in 0..at.len() {
        let d = at[j] - here;
        let r2 = d.dot(d) + softening;
        sum += d * (mass[j] / (r2 * r2.sqrt()));
    }
    pull[i] = sum;
}

/// C = A·B.
#[kernel]
pub(crate) fn matmul(a: &Array2<f32>, b: &Array2<f32>, c: &mut Array2<f32>) {
    let (i, j) = tid2();
    let mut sum = 0.0;
    for k in 0..a.shape()[1] {
        sum += a[[i, k]] * b[[k, j]];
    }
    c[[i, j]] = sum;
}

/// The same kernels in Warp, in another process.
pub(crate) struct Warp {
    process: Child,
    requests: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    pub(crate) version: String,
    /// Holds the script.
    _folder: TempDir,
}

impl Warp {
    /// Starts Warp on `device`, which is `cpu` or `cuda:0`: the judges' Warp, or that of `python3`. `None` if neither
    /// exists.
    pub(crate) fn open(device: &str) -> Option<Warp> {
        let installed = judges::folder().map(|folder| folder.join("venv/bin/python")).ok();
        let python = installed.filter(|python| python.exists()).unwrap_or_else(|| PathBuf::from("python3"));
        // Warp reads the source of its kernels from a file. The build's own source may be on another machine.
        let folder = tempfile::tempdir().ok()?;
        let script = folder.path().join("warp_kernels.py");
        std::fs::write(&script, include_str!("warp_kernels.py")).ok()?;
        let mut process = Command::new(python)
            .args([script.as_os_str(), device.as_ref()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let requests = process.stdin.take()?;
        let mut answers = BufReader::new(process.stdout.take()?).lines();
        let version =
            answers.by_ref().map_while(Result::ok).find_map(|line| line.strip_prefix("ready: ").map(str::to_owned))?;
        Some(Warp { process, requests, answers, version, _folder: folder })
    }

    /// The seconds of a launch of `kernel`: `forward`, `backward`, or the `gradient` by a tape.
    pub(crate) fn time(&mut self, kernel: &str, direction: &str) -> f64 {
        writeln!(self.requests, "{kernel} {direction}").expect("Warp listens");
        let mut lines = self.answers.by_ref().map_while(Result::ok);
        let answer = lines.find_map(|line| line.strip_prefix("took ").and_then(|seconds| seconds.parse().ok()));
        answer.expect("Warp answers")
    }
}

impl Drop for Warp {
    fn drop(&mut self) {
        // The process ends by itself when its input ends, so it may be gone.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| (i % 97) as f32 * 0.01).collect()
}

pub(crate) fn points(len: usize) -> Vec<Vec3> {
    let at = |i: usize, by: f32| (i as f32 * by).sin();
    (0..len).map(|i| Vec3::new(at(i, 0.37), at(i, 0.71), at(i, 0.11))).collect()
}

pub(crate) fn square() -> Array2<f32> {
    Array2::from_vec([SIDE, SIDE], numbers(SIDE * SIDE)).expect("the shape fits")
}
