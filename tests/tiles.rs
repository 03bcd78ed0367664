//! Tiles, through every stage. The suites of all registered kernels run these, too.

use kernel_rt::prelude::*;

/// Every form of loads and stores, at edges of arrays, with a padding value that has a gradient.
#[kernel(family = "test")]
fn forms(
    padding: f32,
    #[shape(dim0 * 4 + 4, 9)] x: &Array2<f32>,
    #[shape(dim0 * 8 + 4)] line: &[f32],
    #[shape(dim0 * 4 + 1, 9)] y: &mut Array2<f32>,
    #[shape(dim0 * 8)] out: &mut [f32],
) {
    let block = block::<8>();
    let b = block.index;
    let whole = x.load_tile_at::<4, 6>([b * 4 + 1, 2]);
    let edge = x.load_tile_or::<4, 6>([b, 1], padding);
    let corner = x.load_tile_at_or::<4, 6>([b * 4 + 2, 5], -0.5);
    let row = line.load_row::<4>(2 * b) + x.load_row_at::<4>([b * 4, 1]);
    let column = line.load_col_at::<4>(b * 8 + 1) * x.load_col_or::<4>([b, 8], 2.0)
        + line.load_col_at_or::<4>(b * 8 + 10, padding * padding);
    let mixed = whole * edge - corner + column;
    y.store_tile([b, 1], mixed);
    y.store_tile_at([b * 4, 0], x.load_tile::<4, 6>([b, 0]) * 0.5);
    out.store_row_at(b * 8, row * row);
    out.store_col(2 * b + 1, column.map(|v| v.sin()));
}

/// Fewer elements than threads, more of them, and products of rows and columns.
#[kernel(family = "test")]
fn shapes(
    #[shape(dim0 * 3, 5)] x: &Array2<f64>,
    #[shape(5)] weights: &[f64],
    #[shape(3)] scale: &[f64],
    #[shape(dim0 * 3, 5)] y: &mut Array2<f64>,
    #[shape(dim0)] norm: &mut [f64],
) {
    let block = block::<4>();
    let tile = x.load_tile::<3, 5>([block.index, 0]);
    let (row, column) = (weights.load_row::<5>(0), scale.load_col::<3>(0));
    let outer = column.matmul(row) + tile;
    let along = outer.matmul(row.transpose()) - row.matmul(outer.transpose()).transpose() * 0.5;
    let least = outer.column_minima() + outer.column_maxima() * 2.0;
    y.store_tile([block.index, 0], outer * along + least / 3.0);
    norm[block.index] = (outer * outer).sum().sqrt() + along.max() - least.min();
}

/// Tiles that a branch and loops change, of a number of trips that is not known before the launch.
#[kernel(family = "test")]
fn carried(
    #[domain(0.1..0.9)] rate: f32,
    #[domain(1..7)] steps: &[i32],
    #[shape(dim0 * 4, 4)] x: &Array2<f32>,
    #[shape(dim0 * 4, 4)] y: &mut Array2<f32>,
) {
    let block = block::<8>();
    let mut state = x.load_tile::<4, 4>([block.index, 0]);
    let mut total = Row::<f32, 4>::zeros();
    for k in 0..steps[block.index] {
        let sums = state.column_sums();
        if k % 2 == 0 {
            state -= (state * state).map(|v| v.tanh()) * rate;
        } else {
            state = state.transpose() + sums * 0.1;
        }
        total += sums * sums;
    }
    y.store_tile([block.index, 0], state * total.map(|v| 1.0 / (1.0 + v)));
}

/// Integers, a choice by place, and additions to elements of all blocks.
#[kernel(family = "test")]
fn counted(
    #[shape(dim0 * 8)]
    #[domain(-9..9)]
    n: &[i32],
    #[shape(8)] counts: &mut [i32],
    #[shape(dim0 * 8)] y: &mut [f32],
) {
    let block = block::<16>();
    let numbers = n.load_row::<8>(block.index);
    counts.atomic_add_row(0, numbers.map_with_location(|j, v| if j % 2 == 0 { v.max(0) } else { -1 }));
    let halves = numbers.map(|v| v as f32 * 0.5);
    y.store_row(block.index, halves.map_with_location(|j, v| v + j as f32));
}

/// The same elements in other shapes, and the places of the largest and the smallest.
#[kernel(family = "test")]
fn rearranged(
    #[shape(dim0 * 4, 6)] x: &Array2<f32>,
    #[shape(dim0 * 24)] y: &mut [f32],
    #[shape(dim0 * 4)] places: &mut [u32],
    #[shape(dim0 * 6)] columns: &mut [u32],
    #[shape(dim0)] best: &mut [u32],
) {
    let block = block::<8>();
    let tile = x.load_tile::<4, 6>([block.index, 0]);
    let wide = tile.reshape_tile::<3, 8>();
    let line = (wide * wide.column_sums()).reshape_row::<24>();
    y.store_row(block.index, line + tile.map(|v| v.sin()).reshape_col::<24>().transpose());
    places.store_col(block.index, tile.row_argmax() * 10 + (tile * tile).row_argmin());
    columns.store_row(block.index, tile.column_argmin() + tile.transpose().row_argmax().transpose() * 10);
    best[block.index] = line.argmax() + 100 * tile.reshape_col::<24>().argmin();
}

/// Sums up to each element, of floats and of integers, in a loop and of one element.
#[kernel(family = "test")]
fn running(
    #[shape(dim0 * 7)] x: &[f32],
    #[shape(dim0 * 5)]
    #[domain(-9..9)]
    n: &[i32],
    #[shape(dim0 * 7)] y: &mut [f32],
    #[shape(dim0 * 5)] counts: &mut [i32],
    #[shape(dim0)] last: &mut [f32],
) {
    let block = block::<4>();
    let mut values = x.load_row::<7>(block.index);
    for k in 0..3 {
        let before = (values * values).transpose().exclusive_sum();
        values = values.inclusive_sum() * before.transpose().map(|v| v.cos()) + values.exclusive_sum() * (k as f32);
    }
    y.store_row(block.index, values);
    let count = n.load_col::<5>(block.index);
    counts.store_col(block.index, count.inclusive_sum() * 2 - count.exclusive_sum());
    let one = x.load_row_at::<1>(block.index * 7 + 6);
    last[block.index] = (one.inclusive_sum() * one.inclusive_sum() + one.exclusive_sum()).sum();
}

/// Phases beside tiles.
#[kernel(family = "test", no_grad)]
fn beside_phases(#[shape(dim0 * 16)] x: &[f32], #[shape(dim0 * 16)] y: &mut [f32], total: &mut [f32]) {
    let block = block::<16>();
    let mut line = shared::<f32, 16>();
    block.phase(|t| line[t] = x[block.index * 16 + t]);
    let sums = x.load_row::<16>(block.index).sum();
    let values = block.phase(|t| line[15 - t] / (1.0 + sums * sums));
    total[block.index] = values.block_sum() + sums;
    block.phase(|t| y[block.index * 16 + t] = values[t]);
}

#[test]
fn the_cpu_computes_tiles() -> Result<(), LaunchError> {
    let x = Array2::from_vec([6, 5], (0..30).map(f64::from).collect()).expect("30 numbers");
    let (mut y, mut norm) = (Array2::zeros([6, 5]), [0.0; 2]);
    shapes::cpu(2, &x, &[0.0; 5], &[0.0; 3], &mut y, &mut norm)?;
    assert_eq!(y[[0, 0]], 20.0 / 3.0);
    // The columns begin with 0 to 4 and end with 10 to 14; `along` is zero.
    assert_eq!(norm[0], (0..15).map(|k| f64::from(k * k)).sum::<f64>().sqrt() - 20.0);
    Ok(())
}

#[test]
fn a_load_outside_of_an_array_is_an_error() {
    let mut y = Array2::zeros([12, 4]);
    let error = carried::cpu(3, 0.5, &[1, 1, 1], &Array2::zeros([8, 4]), &mut y).expect_err("there are two tiles");
    let text = error.to_string();
    assert!(text.contains("`x`"), "{text}");
}

#[test]
fn a_launch_refuses_arrays_that_tiles_do_not_cover() -> Result<(), Box<dyn std::error::Error>> {
    let rows = "kernel `carried`: `x` has 7 elements along axis 0, and its tiles need a multiple of 4\n\
                help: pass an array that fits, or load the tiles with a padding value: `load_tile_or`";
    let columns = "kernel `carried`: `x` has 3 elements along axis 1, and its tiles need at least 4\n\
                   help: pass an array that fits, or load the tiles with a padding value: `load_tile_or`";
    for (shape, expected) in [([7, 4], rows), ([8, 3], columns)] {
        // Nothing runs, so what is stored stays.
        let mut y = Array2::from_vec([8, 4], vec![3.0; 32])?;
        let error = carried::cpu(2, 0.5, &[1, 1], &Array2::zeros(shape), &mut y).expect_err("the tiles do not fit");
        assert_eq!(error.to_string(), expected);
        assert_eq!(y.as_slice(), [3.0; 32]);
        let device = Device::cpu();
        let (x, steps) = (device.zeros_nd(shape)?, device.array_from(&[1, 1])?);
        let on_device = device.array_from_nd(y)?;
        let tape = Tape::new(&device);
        let launch = |error: LaunchError| error.to_string();
        let found = carried::launch(&device, 2, (0.5, &steps, &x, &on_device)).map_err(launch);
        assert_eq!(found, Err(expected.to_owned()));
        let found = carried::launch(&tape, 2, (0.5, &steps, &x, &on_device)).map(drop).map_err(launch);
        assert_eq!(found, Err(expected.to_owned()));
        assert_eq!(on_device.to_vec()?, [3.0; 32]);
    }
    // More columns than those of the tiles are no mistake: the place is a constant.
    carried::cpu(2, 0.5, &[1, 1], &Array2::zeros([8, 7]), &mut Array2::zeros([8, 4]))?;
    Ok(())
}
