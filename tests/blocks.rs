//! Kernels that are launched over blocks, through every stage.

use crate::judges::{case_of, launches, miss};
use gen_dataset::judges::{Case, Judge, Outcome, cxx::Cxx};
use kernel_ir::interp::check_races;
use kernel_rt::KernelInfo;
use kernel_rt::prelude::*;
use tests::{checked, report};

/// Squares of a row of 8 numbers, added up in pairs, with a gradient.
#[kernel(family = "test")]
fn energy(#[shape(dim0, 8)] x: &Array2<f32>, y: &mut [f32]) {
    let block = block::<8>();
    let squares = block.phase(|t| x[[block.index, t]] * x[[block.index, t]]);
    y[block.index] = squares.block_sum().sqrt();
}

/// A stencil of its neighbours in a ring, twice, with a gradient.
#[kernel(family = "test")]
fn ring(weight: f64, #[shape(dim0 * 4)] x: &[f64], #[shape(dim0 * 4)] y: &mut [f64]) {
    let block = block::<4>();
    let mut cells = shared::<f64, 4>();
    block.phase(|t| cells[t] = x[block.index * 4 + t]);
    for _ in 0..2 {
        let next = block.phase(|t| cells[t] + weight * cells[(t + 1) % 4] * cells[(t + 3) % 4]);
        block.phase(|t| cells[t] = next[t]);
    }
    block.phase(|t| y[block.index * 4 + t] = cells[t]);
}

/// What the whole block reads and writes, and a branch and a loop that depend on it.
#[kernel(family = "test", no_grad)]
fn uniform(#[shape(dim0 * 8)] x: &[f32], #[shape(dim0 * 8)] y: &mut [f32], #[shape(1)] total: &mut [u32]) {
    let block = block::<8>();
    let mut line = shared::<f32, 9>();
    const SCALES: [f32; 2] = [1.0, -0.5];
    block.phase(|t| line[t] = SCALES[t % 2] * x[block.index * 8 + t]);
    line[8] = line[0] + line[7];
    if line[8] > 0.0 {
        block.phase(|t| line[t] += line[8]);
    }
    let mut rounds = 0;
    while line[1] < 1.0 && rounds < 4 {
        block.phase(|t| line[t] += 0.25);
        rounds += 1;
    }
    block.phase(|t| y[block.index * 8 + t] = line[t] * rounds as f32);
    atomic_add(&mut total[0], rounds);
    if rounds == 4 {
        return;
    }
    y[block.index * 8] += 1.0;
}

/// Integers, vectors and half of the threads.
#[kernel(family = "test", no_grad)]
fn mixed(#[shape(dim0 * 16)] x: &[Vec3], #[domain(-9..9)] n: &[i32], sums: &mut [Vec3], least: &mut [i32]) {
    let block = block::<16>();
    let mut counts = block.per_thread(n[block.index]);
    let values = block.phase(|t| {
        if t % 3 == 0 {
            counts[t] -= t as i32;
        }
        x[block.index * 16 + t] * t as f32
    });
    sums[block.index] = values.block_sum();
    least[block.index] = counts.block_min() * counts.block_max();
}

/// Every operation on lanes that gives numbers, in groups of 32 and less.
#[kernel(family = "test", no_grad)]
fn lanes(#[domain(0..40)] step: usize, #[shape(dim0 * 64)] x: &[f32], #[shape(dim0 * 64, 11)] y: &mut Array2<f32>) {
    let block = block::<64>();
    let v = block.phase(|t| x[block.index * 64 + t]);
    let sums = v.warp_sum();
    let most = v.lanes::<8>().warp_max();
    let least = v.lanes::<16>().warp_min();
    let up = v.shuffle_up(step);
    let down = v.lanes::<8>().shuffle_down(step);
    let crossed = v.lanes::<8>().shuffle_xor(step);
    let turned = v.shuffle(|t| 2 * t + step);
    let after = v.warp_inclusive_sum();
    let before = v.lanes::<4>().warp_exclusive_sum();
    let all_after = v.block_inclusive_sum();
    let all_before = v.block_exclusive_sum();
    block.phase(|t| {
        let i = block.index * 64 + t;
        y[[i, 0]] = sums[t];
        y[[i, 1]] = most[t];
        y[[i, 2]] = least[t];
        y[[i, 3]] = up[t];
        y[[i, 4]] = down[t];
        y[[i, 5]] = crossed[t];
        y[[i, 6]] = turned[t];
        y[[i, 7]] = after[t];
        y[[i, 8]] = before[t];
        y[[i, 9]] = all_after[t];
        y[[i, 10]] = all_before[t];
    });
}

/// Exchanges of integers, votes, and places in a block.
#[kernel(family = "test", no_grad)]
fn votes(
    limit: f64,
    #[shape(dim0 * 32)] x: &[f64],
    #[shape(dim0 * 32)]
    #[domain(-9..9)]
    n: &[i64],
    #[shape(dim0 * 32, 5)] m: &mut Array2<i64>,
    #[shape(dim0 * 32, 4)] bits: &mut Array2<u32>,
) {
    let block = block::<32>();
    let v = block.phase(|t| x[block.index * 32 + t]);
    let w = block.phase(|t| n[block.index * 32 + t]);
    let counts = w.lanes::<2>().warp_sum();
    let other = w.shuffle_xor(1);
    let so_far = w.warp_inclusive_sum();
    let is_large = block.phase(|t| v[t] > limit);
    let all_votes = is_large.ballot();
    let of_four = is_large.lanes::<4>().ballot();
    let any = is_large.lanes::<4>().warp_any();
    let all = is_large.lanes::<2>().warp_all();
    let (high, low) = (w.block_argmax(), v.block_argmin());
    block.phase(|t| {
        let i = block.index * 32 + t;
        m[[i, 0]] = counts[t];
        m[[i, 1]] = other[t];
        m[[i, 2]] = so_far[t];
        m[[i, 3]] = high as i64;
        m[[i, 4]] = low as i64;
        bits[[i, 0]] = all_votes[t];
        bits[[i, 1]] = of_four[t];
        bits[[i, 2]] = any[t] as u32;
        bits[[i, 3]] = all[t] as u32;
    });
}

/// Every atomic operation on arrays that the threads share, one of them an element for each thread.
#[kernel(family = "test", no_grad)]
fn atomics(
    #[shape(dim0 * 32)]
    #[domain(0..9)]
    n: &[i32],
    #[shape(dim0 * 32)]
    #[domain(-2.0..2.0)]
    x: &[Vec2],
    #[shape(dim0, 9)] counts: &mut Array2<i32>,
    #[shape(dim0, 3)] sums: &mut Array2<f32>,
) {
    let block = block::<32>();
    let mut bins = shared::<i32, 9>();
    let mut total = shared::<Vec2, 2>();
    let mut own = shared::<f32, 32>();
    bins[4] = 100;
    block.phase(|t| {
        let i = block.index * 32 + t;
        atomic_add(&mut bins[0], n[i]);
        atomic_sub(&mut bins[1], 1);
        atomic_min(&mut bins[2], n[i] - 5);
        atomic_max(&mut bins[3], n[i]);
        atomic_and(&mut bins[4], n[i]);
        atomic_or(&mut bins[5], 1 << n[i]);
        atomic_xor(&mut bins[6], n[i]);
        atomic_exch(&mut bins[7], 7);
        atomic_cas(&mut bins[8], 0, 3);
        atomic_add(&mut total[t % 2], x[i]);
        atomic_sub(&mut total[t % 2].x, 1.0);
        atomic_add(&mut own[t], x[i].y);
    });
    block.phase(|t| {
        if t < 9 {
            counts[[block.index, t]] = bins[t];
        }
    });
    sums[[block.index, 0]] = total[0].x + total[1].x;
    sums[[block.index, 1]] = total[0].y + total[1].y;
    sums[[block.index, 2]] = own[0] + own[31];
}

/// The number of threads that came before, and a gradient through sums in shared memory.
#[kernel(family = "test")]
fn shares(
    #[shape(dim0 * 8)]
    #[domain(0..4)]
    n: &[u32],
    #[shape(dim0 * 8)] x: &[f64],
    #[shape(dim0 * 8)] y: &mut [f64],
) {
    let block = block::<8>();
    let mut sums = shared::<f64, 4>();
    let mut counts = shared::<u32, 4>();
    block.phase(|t| {
        let i = block.index * 8 + t;
        let before = atomic_add(&mut counts[n[i] as usize], 1);
        if before < 100 {
            atomic_add(&mut sums[n[i] as usize], x[i] * x[i]);
        }
    });
    block.phase(|t| {
        let i = block.index * 8 + t;
        y[i] = sums[n[i] as usize] / counts[n[i] as usize] as f64;
    });
}

/// Groups of lanes where no warp is whole, and of vectors: they exchange values in shared memory. With a gradient.
#[kernel(family = "test")]
fn lanes_of_no_warp(#[shape(dim0 * 12)] x: &[Vec3], #[shape(dim0 * 12)] y: &mut [Vec3]) {
    let block = block::<12>();
    let v = block.phase(|t| x[block.index * 12 + t]);
    let sums = v.lanes::<4>().warp_sum();
    let next = sums.lanes::<2>().shuffle_xor(1);
    let so_far = next.block_inclusive_sum();
    block.phase(|t| y[block.index * 12 + t] = so_far[t] * v[t].dot(next[t]));
}

#[test]
fn blocks_compute_on_the_cpu() {
    let mut sums = [0.0; 3];
    let x: Vec<f32> = (0..768).map(|i| (i % 256) as f32).collect();
    kernels::shared::block_sums::cpu(3, &x, &mut sums).unwrap();
    assert_eq!(sums, [32640.0; 3]);
    let mut values: Vec<f32> = (0..128).map(|i| ((i * 37) % 64) as f32).collect();
    kernels::shared::bitonic_sort::cpu(2, &mut values).unwrap();
    assert_eq!(values, [(0..64), (0..64)].map(|half| half.map(|i| i as f32).collect::<Vec<_>>()).concat());
    let x = Array2::from_vec([1, 8], vec![3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 12.0]).unwrap();
    let mut y = [0.0];
    energy::cpu(1, &x, &mut y).unwrap();
    assert_eq!(y, [13.0]);
}

#[test]
fn lanes_exchange_values_on_the_cpu() {
    let x: Vec<f32> = (0..64).map(|i| (i * 37 % 64) as f32).collect();
    let mut y = Array2::from_vec([64, 11], vec![0.0; 64 * 11]).unwrap();
    lanes::cpu(1, 3, &x, &mut y).unwrap();
    for t in 0..64 {
        let group = |width: usize| t / width * width..t / width * width + width;
        let total = |values: std::ops::Range<usize>| values.map(|i| x[i]).sum::<f32>();
        let extreme = |width, pick: fn(f32, f32) -> f32| group(width).map(|i| x[i]).reduce(pick).unwrap();
        let expected = [
            total(group(32)),
            extreme(8, f32::max),
            extreme(16, f32::min),
            x[if t % 32 >= 3 { t - 3 } else { t }],
            x[if t % 8 < 5 { t + 3 } else { t }],
            x[t ^ 3],
            x[t / 32 * 32 + (2 * t + 3) % 32],
            total(group(32).start..t + 1),
            total(group(4).start..t),
            total(0..t + 1),
            total(0..t),
        ];
        for (place, expected) in expected.into_iter().enumerate() {
            assert_eq!(y[[t, place]], expected, "result {place} of thread {t}");
        }
    }
}

#[test]
fn lanes_vote_on_the_cpu() {
    let x: Vec<f64> = (0..32).map(|i| (i * 37 % 32) as f64).collect();
    let n: Vec<i64> = (0..32).map(|i| i * 23 % 16).collect();
    let mut m = Array2::from_vec([32, 5], vec![0; 32 * 5]).unwrap();
    let mut bits = Array2::from_vec([32, 4], vec![0; 32 * 4]).unwrap();
    votes::cpu(1, 6.0, &x, &n, &mut m, &mut bits).unwrap();
    for t in 0..32 {
        let group = |width: usize| t / width * width..t / width * width + width;
        let place = |found: Option<usize>| found.unwrap() as i64;
        let expected = [
            group(2).map(|i| n[i]).sum(),
            n[t ^ 1],
            (0..=t).map(|i| n[i]).sum(),
            // The first of the two.
            place((0..32).find(|&i| n[i] == 15)),
            place((0..32).find(|&i| x[i] == 0.0)),
        ];
        for (place, expected) in expected.into_iter().enumerate() {
            assert_eq!(m[[t, place]], expected, "integer {place} of thread {t}");
        }
        let ballot = |width| group(width).map(|i| u32::from(x[i] > 6.0) << (i % width)).sum::<u32>();
        let expected = [ballot(32), ballot(4), u32::from(ballot(4) != 0), u32::from(ballot(2) == 3)];
        assert_eq!([0, 1, 2, 3].map(|place| bits[[t, place]]), expected, "thread {t}");
    }
}

#[test]
fn atomics_work_on_what_a_block_shares() {
    let n: Vec<i32> = (0..32).map(|i| i * 7 % 9).collect();
    let x: Vec<Vec2> = (0..32).map(|i| Vec2::new(i as f32, 1.0)).collect();
    let mut counts = Array2::from_vec([1, 9], vec![0; 9]).unwrap();
    let mut sums = Array2::from_vec([1, 3], vec![0.0; 3]).unwrap();
    atomics::cpu(1, &n, &x, &mut counts, &mut sums).unwrap();
    let (sum, bits, odd) = (n.iter().sum(), n.iter().fold(0, |bits, n| bits | 1 << n), n.iter().fold(0, |x, n| x ^ n));
    assert_eq!(counts.as_slice(), [sum, -32, -5, 8, 0, bits, odd, 7, 3]);
    assert_eq!(sums.as_slice(), [496.0 - 32.0, 32.0, 2.0]);
}

#[test]
fn gradients_go_through_sums_in_shared_memory() {
    let device = Device::cpu();
    let tape = Tape::new(&device);
    let n = device.array_from(&[0_u32, 1, 0, 2, 0, 1, 3, 3]).unwrap();
    let x = device.array_from(&[1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
    let y = device.array_from(&[0.0_f64; 8]).unwrap();
    shares::launch(&tape, 1, (&n, &x, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [35.0 / 3.0, 20.0, 35.0 / 3.0, 16.0, 35.0 / 3.0, 20.0, 56.5, 56.5]);
    let ones = device.array_from(&[1.0_f64; 8]).unwrap();
    tape.backward_from(&[Seed::new(&y, &ones).unwrap()]).unwrap();
    // Each y of a group has the mean of its squares, and there are as many as the divisor says.
    assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0]);
}

#[test]
fn gradients_go_through_phases() {
    let device = Device::cpu();
    let tape = Tape::new(&device);
    let x = Array2::from_vec([1, 8], vec![3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 12.0]).unwrap();
    let (x, y) = (device.array_from_nd(x).unwrap(), device.array_from(&[0.0_f32]).unwrap());
    energy::launch(&tape, 1, (&x, &y)).unwrap();
    tape.backward(&y).unwrap();
    let gradient = tape.gradient(&x).unwrap().to_vec().unwrap();
    for (found, value) in gradient.iter().zip([3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 12.0]) {
        assert!((found - value / 13.0_f32).abs() < 1e-6, "{gradient:?}");
    }
}

#[test]
fn an_index_out_of_bounds_names_the_array_and_the_block() {
    let error = kernels::shared::block_sums::cpu(2, &[0.0; 300], &mut [0.0; 2]).unwrap_err();
    assert!(error.to_string().contains("`x`"), "{error}");
}

#[test]
fn races_in_phases_are_found() {
    let ends = |body: &str| {
        let text = format!(
            "#[kernel(family = \"f\", dim = 1, block = 4)]\nfn k(x: &mut [f32; 4], y: &mut [f32; 4],) {{\n\
             let mut a.0: [f32; 4];\nfor t.1: usize in (0usize..4usize).phase() {{ {body} }}\n}}\n"
        );
        let kernel = kernel_ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let kernel = kernel_ir::verify::verify(kernel).unwrap();
        let arg = || kernel_rt::ir::Arg {
            ty: kernel_rt::ir::Type::F32,
            shape: vec![4],
            data: kernel_rt::ir::Data::F32(vec![1.0; 4]),
        };
        check_races(&kernel, &[1], &mut [arg(), arg()])
    };
    for sound in [
        "a.0[t.1] = x[t.1]; y[t.1] = a.0[t.1];",
        "a.0[t.1] = 1f32; } for t.2: usize in (0usize..4usize).phase() { y[t.2] = a.0[3usize - t.2];",
        "a.0[t.1] = 1f32; } for t.2: usize in (0usize..4usize).phase() { y[t.2] = a.0[t.2 / 2usize * 2usize + (t.2 ^ 1usize) % 2usize];",
        "if t.1 == 2usize { a.0[0usize] = 1f32; y[0usize] = a.0[0usize]; }",
        "atomic_add(y[0usize], x[t.1]);",
        "atomic_add(a.0[0usize], x[t.1]);",
        "atomic_add(a.0[0usize], x[t.1]); } for t.2: usize in (0usize..4usize).phase() { y[t.2] = a.0[0usize];",
    ] {
        assert_eq!(ends(sound).map_err(|fault| fault.message), Ok(()), "{sound}");
    }
    for race in [
        "a.0[t.1] = x[t.1]; y[t.1] = a.0[3usize - t.1];",
        "a.0[0usize] = x[t.1];",
        "a.0[t.1] = x[t.1]; y[t.1] = a.0[t.1 / 2usize * 2usize + (t.1 ^ 1usize) % 2usize];",
        "y[0usize] = x[t.1];",
        "y[t.1] = x[t.1]; x[3usize - t.1] = 0f32;",
        "atomic_add(y[0usize], x[t.1]); a.0[t.1] = y[0usize];",
        "atomic_add(a.0[0usize], x[t.1]); y[t.1] = a.0[0usize];",
        "atomic_add(a.0[0usize], x[t.1]); a.0[t.1] = 1f32;",
    ] {
        assert!(ends(race).is_err_and(|fault| fault.message.contains("a data race")), "{race}");
    }
}

#[test]
fn no_registered_block_kernel_has_races() {
    let mut launched = 0;
    for info in registered_kernels().into_iter().filter(|info| checked(info).block.is_some()) {
        let case = case_of(info);
        for launch in launches(&case, 0..1, 1).iter().filter(|launch| launch.dim.iter().product::<usize>() < 40) {
            let found = check_races(&case.kernel, &launch.dim, &mut launch.before.clone());
            assert!(found.is_ok(), "{}: {found:?}", case.name);
            launched += 1;
        }
    }
    assert!(launched > 50, "{launched} launches");
}

/// The C++ judge runs the threads of a block side by side, so a text without one of its barriers computes something else. A barrier
/// behind the stores of an array that the block shares is needed; others may be one too many.
#[test]
fn missing_barriers_are_noticed() {
    let mut judge = match Cxx::open() {
        Ok(judge) => judge,
        Err(why) => return miss(&why),
    };
    let mut mutants = Vec::new();
    // A softmax is the same whatever its rows are shifted by, so it does not need its first barriers.
    let is_tried = |info: &&KernelInfo| info.family == "shared" && info.name != "softmax_rows";
    for info in registered_kernels().into_iter().filter(is_tried) {
        let case = case_of(info);
        let launches: Vec<_> = launches(&case, 0..1, 1).into_iter().filter(|launch| launch.dim[0] > 1).collect();
        let lines: Vec<&str> = case.texts["cuda"].lines().collect();
        for barrier in needed_barriers(&lines) {
            let mut without = lines.clone();
            without[barrier] = "";
            let texts = [("cuda", without.join("\n"))].into();
            let name = format!("{} without line {}", case.name, barrier + 1);
            mutants.push(Case { name, texts, launches: launches.clone(), python: None, ..case.clone() });
        }
    }
    assert!(mutants.len() > 15, "{} barriers", mutants.len());
    let outcomes = judge.judge(&mutants).expect("the judge works");
    let survives = |outcome: &Outcome| !matches!(outcome, Outcome::Failed(_));
    let survivors = mutants.iter().zip(&outcomes).filter(|(_, outcome)| survives(outcome));
    let survivors: Vec<&str> = survivors.map(|(mutant, _)| mutant.name.as_str()).collect();
    report(&format!("{} of {} missing barriers are not noticed: {survivors:?}", survivors.len(), mutants.len()));
    assert!(survivors.is_empty(), "{survivors:?}");
}

/// The lines of a CUDA text that are barriers behind the stores of a shared array.
fn needed_barriers(lines: &[&str]) -> Vec<usize> {
    let shared: Vec<String> = lines
        .iter()
        .filter_map(|line| line.trim().strip_prefix("__shared__ "))
        .filter_map(|declared| Some(format!("{}[", declared.split_once(' ')?.1.split_once('[')?.0)))
        .collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let is_needed = |barrier: usize| {
        // The block that ends before the barrier.
        let block = lines[..barrier].iter().rev().skip(1).take_while(|line| depth(line) > depth(lines[barrier]));
        let stores =
            |line: &str, array: &str| line.trim_start().starts_with(array) || line.contains(&format!("&{array}"));
        block.into_iter().any(|line| shared.iter().any(|array| stores(line, array)))
    };
    (0..lines.len()).filter(|&at| lines[at].trim() == "__syncthreads();" && is_needed(at)).collect()
}
