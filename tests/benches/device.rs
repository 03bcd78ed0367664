//! The cost of launches on a CUDA device: `cargo bench -p tests --features cuda --bench device`.
//!
//! Goals: saxpy and the stencil reach 90 % of the bandwidth of a copy on the device; a launch costs the host less than
//! 5 µs, a replayed one less than 2 µs; the four kernels take no longer than NVIDIA Warp's, and their gradients by a
//! tape at most 1/1.2 of Warp's time. Times are measured by the device, and the fastest of alternating rounds counts.

mod beside;

use beside::{BODIES, ELEMENTS, SIDE, Warp, matmul, nbody, numbers, points, saxpy, square, wave};
use kernel_rt::prelude::*;
use kernel_rt::{DeviceError, Seed};
use std::error::Error;
use std::time::{Duration, Instant};

const LEN: usize = 1 << 26;
const ROWS: usize = 1 << 13;
/// The number of rounds of a time. The fastest counts.
const ROUNDS: usize = 20;
/// The number of launches in a row, where one is too short to be timed.
const LAUNCHES: u32 = 1000;

/// out = 5-point Laplacian of u.
#[kernel]
fn laplacian(u: &Array2<f32>, out: &mut Array2<f32>) {
    let (i, j) = tid2();
    if i > 0 && j > 0 && i + 1 < u.shape()[0] && j + 1 < u.shape()[1] {
        out[[i, j]] = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - 4.0 * u[[i, j]];
    }
}

/// Almost nothing.
#[kernel]
fn bump(x: &mut [f32]) {
    let i = tid();
    x[i] += 1.0;
}

#[expect(clippy::print_stdout, reason = "that is what a benchmark is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let device = match Device::cuda(0) {
        Ok(device) => device,
        Err(why) => {
            println!("SKIPPED: {why}");
            return Ok(());
        }
    };
    println!("{}", device.name());
    let copy = bandwidth_of_copies(&device)?;
    println!("copy on the device: {:.0} GB/s", copy / 1e9);
    for (name, bandwidth) in [("saxpy", bandwidth_of_saxpy(&device)?), ("laplacian", bandwidth_of_stencil(&device)?)] {
        println!("{name}: {:.0} GB/s, {:.2} times a copy (goal: at least 0.9)", bandwidth / 1e9, bandwidth / copy);
    }
    println!("launch: {:.2} us (goal: below 5)", cost_of_a_launch(&device)?.as_secs_f64() * 1e6);
    println!("replayed launch: {:.2} us (goal: below 2)", cost_of_a_replay(&device)?.as_secs_f64() * 1e6);
    beside_warp(&device)
}

/// Prints the times of the kernels and of their gradients, beside Warp's.
fn beside_warp(device: &Device) -> Result<(), Box<dyn Error>> {
    let mut beside = Beside { device, warp: Warp::open("cuda:0") };
    beside.introduce();
    let line = || device.array_from(numbers(ELEMENTS));
    let square = || device.array_from_nd(square());

    let (tape, x, y, adjoint) = (Tape::new(device), line()?, line()?, line()?);
    beside.forward("saxpy", || Ok(saxpy::launch(device, ELEMENTS, (2.0, &x, &y))?))?;
    saxpy::launch(&tape, ELEMENTS, (2.0, &x, &y))?;
    beside.gradient("saxpy", &tape, &Seed::new(&y, &adjoint)?)?;

    let (tape, x, out, adjoint) = (Tape::new(device), line()?, line()?, line()?);
    beside.forward("wave", || Ok(wave::launch(device, ELEMENTS, (&x, &out))?))?;
    wave::launch(&tape, ELEMENTS, (&x, &out))?;
    beside.gradient("wave", &tape, &Seed::new(&out, &adjoint)?)?;

    let [at, pull, adjoint] = [(); 3].map(|()| device.array_from(points(BODIES)));
    let (tape, at, pull, adjoint) = (Tape::new(device), at?, pull?, adjoint?);
    let mass = device.array_from(numbers(BODIES))?;
    beside.forward("nbody", || Ok(nbody::launch(device, BODIES, (0.01, &at, &mass, &pull))?))?;
    nbody::launch(&tape, BODIES, (0.01, &at, &mass, &pull))?;
    beside.gradient("nbody", &tape, &Seed::new(&pull, &adjoint)?)?;

    let (tape, a, b, c, adjoint) = (Tape::new(device), square()?, square()?, square()?, square()?);
    beside.forward("matmul", || Ok(matmul::launch(device, (SIDE, SIDE), (&a, &b, &c))?))?;
    matmul::launch(&tape, (SIDE, SIDE), (&a, &b, &c))?;
    beside.gradient("matmul", &tape, &Seed::new(&c, &adjoint)?)
}

/// Where the kernels run.
struct Beside<'a> {
    device: &'a Device,
    warp: Option<Warp>,
}

#[expect(clippy::print_stdout, reason = "that is what a benchmark is for")]
impl Beside<'_> {
    fn introduce(&self) {
        match &self.warp {
            Some(warp) => println!("beside {}:", warp.version),
            None => println!("SKIPPED: no Warp that has a CUDA device"),
        }
    }

    /// Times a launch of `kernel` by `run`.
    fn forward(&mut self, kernel: &str, run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
        let time = fastest(self.device, run)?;
        self.report(kernel, "forward", time, 1.0);
        Ok(())
    }

    /// Times the gradients of the launch on the tape, which are set to zero before.
    fn gradient(&mut self, kernel: &str, tape: &Tape, seed: &Seed) -> Result<(), Box<dyn Error>> {
        let time = fastest(self.device, || {
            tape.zero_gradients();
            Ok(tape.backward_from(std::slice::from_ref(seed))?)
        })?;
        self.report(kernel, "gradient", time, 1.2);
        Ok(())
    }

    fn report(&mut self, kernel: &str, direction: &str, time: f64, goal: f64) {
        let mut line = format!("{kernel:7}{direction:9}{:8.3} ms", time * 1e3);
        if let Some(warp) = &mut self.warp {
            let by_warp = (0..=ROUNDS).map(|_| warp.time(kernel, direction)).fold(f64::MAX, f64::min);
            line += &format!(", {:5.2} times as fast as Warp (goal: at least {goal})", by_warp / time);
        }
        println!("{line}");
    }
}

/// The fastest of several times, measured on the device.
fn fastest(device: &Device, mut run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    run()?;
    let mut fastest = Duration::MAX;
    for _ in 0..ROUNDS {
        let timer = device.timer()?;
        run()?;
        fastest = fastest.min(timer.elapsed()?);
    }
    Ok(fastest.as_secs_f64())
}

/// The bandwidth of a copy in bytes a second: one read and one write for each byte.
fn bandwidth_of_copies(device: &Device) -> Result<f64, Box<dyn Error>> {
    let (x, y) = two_arrays(device)?;
    let time = fastest(device, || Ok(y.copy_from(&x)?))?;
    Ok((2 * LEN * size_of::<f32>()) as f64 / time)
}

/// The bandwidth of saxpy in bytes a second: two reads and one write for each element.
fn bandwidth_of_saxpy(device: &Device) -> Result<f64, Box<dyn Error>> {
    let (x, y) = two_arrays(device)?;
    let time = fastest(device, || Ok(saxpy::launch(device, LEN, (2.0, &x, &y))?))?;
    Ok((3 * LEN * size_of::<f32>()) as f64 / time)
}

/// The bandwidth of the stencil in bytes a second: one read and one write for each element, as neighbours are cached.
fn bandwidth_of_stencil(device: &Device) -> Result<f64, Box<dyn Error>> {
    let (u, out) = (device.zeros_nd([ROWS, ROWS])?, device.zeros_nd([ROWS, ROWS])?);
    let time = fastest(device, || Ok(laplacian::launch(device, (ROWS, ROWS), (&u, &out))?))?;
    Ok((2 * ROWS * ROWS * size_of::<f32>()) as f64 / time)
}

fn two_arrays(device: &Device) -> Result<(DeviceArray<f32>, DeviceArray<f32>), DeviceError> {
    Ok((device.zeros(LEN)?, device.zeros(LEN)?))
}

/// The time that a launch takes on the host.
fn cost_of_a_launch(device: &Device) -> Result<Duration, Box<dyn Error>> {
    let x = device.zeros::<f32>(256)?;
    bump::launch(device, 256, (&x,))?;
    device.synchronize()?;
    let start = Instant::now();
    for _ in 0..LAUNCHES {
        bump::launch(device, 256, (&x,))?;
    }
    let time = start.elapsed();
    device.synchronize()?;
    Ok(time / LAUNCHES)
}

/// The whole time that a launch takes when the device replays it.
fn cost_of_a_replay(device: &Device) -> Result<Duration, Box<dyn Error>> {
    let x = device.zeros::<f32>(256)?;
    let graph = Graph::new(device)?;
    for _ in 0..LAUNCHES {
        bump::launch(&graph, 256, (&x,))?;
    }
    graph.replay()?;
    device.synchronize()?;
    let start = Instant::now();
    graph.replay()?;
    device.synchronize()?;
    Ok(start.elapsed() / LAUNCHES)
}
