//! Arrays and launches on the device.

use super::{cuda, on_each};
use kernel_rt::DeviceError;
use kernel_rt::prelude::*;

/// y = a·x + y.
#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}

/// The place of an element, in every type that an argument can have.
#[kernel]
fn places(
    first: usize,
    odd: bool,
    step: u64,
    offset: Vec3,
    turn: DMat3,
    cells: &Array2<i32>,
    places: &mut Array2<f64>,
) {
    let (i, j) = tid2();
    let rows = cells.shape()[0];
    let columns = cells.shape()[1];
    let mut place = (first + i * columns + j) as f64 + 1000.0 * rows as f64;
    if odd {
        place += 0.5;
    }
    places[[i, j]] = place + step as f64 * offset.y as f64 + turn.y_axis.x + cells[[i, j]] as f64;
}

/// A sum of squares, and the squares by two indices, as far as somebody wants them.
#[kernel]
fn squares(x: &[f32], sum: Option<&mut [f32]>, grid: Option<&mut Array2<f32>>) {
    let i = tid();
    if let Some(sum) = sum {
        atomic_add(&mut sum[0], x[i] * x[i]);
    }
    let Some(grid) = grid else { return };
    grid[[i, grid.shape()[1] - 1]] = x[i] * x[i];
}

#[test]
fn launches_leave_out_optional_arrays() {
    on_each(|device| {
        for device in [device.clone(), device.bounds_checked()] {
            let x = device.array_from(&[1.0, 2.0, 3.0]).unwrap();
            let (sum, grid) = (device.zeros(1).unwrap(), device.zeros_nd([3, 2]).unwrap());
            squares::launch(&device, 3, (&x, None, None)).unwrap();
            squares::launch(&device, 3, (&x, Some(&sum), None)).unwrap();
            squares::launch(&device, 3, (&x, None, Some(&grid))).unwrap();
            assert_eq!(sum.to_vec().unwrap(), [14.0]);
            assert_eq!(grid.to_array().unwrap().as_slice(), [0.0, 1.0, 0.0, 4.0, 0.0, 9.0]);
            let graph = Graph::new(&device).unwrap();
            squares::launch(&graph, 3, (&x, Some(&sum), None)).unwrap();
            graph.replay().unwrap();
            assert_eq!(sum.to_vec().unwrap(), [28.0]);
            let tape = Tape::new(&device);
            squares::launch(&tape, 3, (&x, Some(&sum), None)).unwrap();
            tape.backward(&sum).unwrap();
            assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [2.0, 4.0, 6.0]);
            // An array without elements is an absent one.
            let empty = device.zeros(0).unwrap();
            squares::launch(&device, 3, (&x, Some(&empty), None)).unwrap();
        }
    });
}

#[test]
fn arrays_come_back_as_they_went() {
    on_each(|device| {
        let array = device.array_from(&[1.5_f32, -2.0]).unwrap();
        assert_eq!(array.to_vec().unwrap(), [1.5, -2.0]);
        assert_eq!(device.zeros::<DVec3>(3).unwrap().to_vec().unwrap(), [DVec3::ZERO; 3]);
        assert!(device.array_from::<i64>(&[]).unwrap().to_vec().unwrap().is_empty());
        let host = Array3::from_vec([1, 2, 1], vec![7_u32, 8]).unwrap();
        assert_eq!(device.array_from_nd(&host).unwrap().to_array().unwrap(), host);
    });
}

#[test]
fn elements_are_replaced_filled_and_copied() {
    on_each(|device| {
        let (a, b) = (device.zeros::<i32>(2).unwrap(), device.array_from(&[3, 4]).unwrap());
        a.assign(&[1, 2]).unwrap();
        assert_eq!(a.to_vec().unwrap(), [1, 2]);
        assert_eq!(a.assign(&[1]), Err(DeviceError::WrongLength { expected: 2, found: 1 }));
        a.copy_from(&b).unwrap();
        b.fill(9).unwrap();
        assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![3, 4], vec![9, 9]));
        let host = Device::cpu().array_from(&[5, 6]).unwrap();
        a.copy_from(&host).unwrap();
        host.copy_from(&b).unwrap();
        assert_eq!((a.to_vec().unwrap(), host.to_vec().unwrap()), (vec![5, 6], vec![9, 9]));
        assert_eq!((a.version(), b.version()), (3, 1));
    });
}

#[test]
fn a_launch_computes_what_the_cpu_does() {
    on_each(|device| {
        // Several blocks, the last one not full.
        let host: Vec<f32> = (0..1000).map(|i| i as f32 * 0.37).collect();
        let mut expected = host.clone();
        saxpy::cpu(host.len(), 1.7, &host, &mut expected).unwrap();
        let (x, y) = (device.array_from(&host).unwrap(), device.array_from(&host).unwrap());
        saxpy::launch(&device, host.len(), (1.7, &x, &y)).unwrap();
        device.synchronize().unwrap();
        assert_eq!(y.to_vec().unwrap(), expected);
        assert_eq!((x.version(), y.version()), (0, 1));
    });
}

#[test]
fn arguments_of_every_type_arrive() {
    on_each(|device| {
        let turn = DMat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let offset = Vec3::new(-1.0, 0.25, 3.0);
        let cells = Array2::from_vec([3, 40], (0..120).map(|i| 2 * i).collect()).unwrap();
        let mut expected = Array2::zeros([3, 40]);
        places::cpu((3, 40), 7, true, 1 << 40, offset, turn, &cells, &mut expected).unwrap();
        let (cells, found) = (device.array_from_nd(&cells).unwrap(), device.zeros_nd([3, 40]).unwrap());
        places::launch(&device, (3, 40), (7, true, 1 << 40, offset, turn, &cells, &found)).unwrap();
        assert_eq!(found.to_array().unwrap(), expected);
    });
}

/// Where the first number is larger, a mask is kept in a second one, and says where they differed.
#[kernel]
fn keep_masks(x: &[f32], y: &[f32], a: &mut [bool], b: &mut Array2<bool>) {
    let i = tid();
    if x[i] > y[i] {
        let before = a[i];
        a[i] ^= b[[i, 0]];
        b[[i, 0]] = before;
    }
}

#[test]
fn masks_are_exchanged_with_the_device() {
    on_each(|device| {
        let (x, y): (Vec<f32>, Vec<f32>) = (0..100).map(|i| ((i * 7 % 10) as f32, (i * 3 % 10) as f32)).unzip();
        let (mut a, flags): (Vec<bool>, Vec<bool>) = (0..100).map(|i| (i % 2 == 0, i % 3 == 0)).unzip();
        let mut b = Array2::from_vec([100, 1], flags).unwrap();
        let on_device = (device.array_from(&a).unwrap(), device.array_from_nd(&b).unwrap());
        keep_masks::cpu(100, &x, &y, &mut a, &mut b).unwrap();
        let (x, y) = (device.array_from(&x).unwrap(), device.array_from(&y).unwrap());
        keep_masks::launch(&device, 100, (&x, &y, &on_device.0, &on_device.1)).unwrap();
        assert_eq!((on_device.0.to_vec().unwrap(), on_device.1.to_array().unwrap()), (a, b));
        on_device.0.rows(10..20).unwrap().fill(true).unwrap();
        assert_eq!(on_device.0.rows(8..20).unwrap().to_vec().unwrap()[2..], [true; 10]);
        assert_eq!(device.zeros::<bool>(2).unwrap().to_vec().unwrap(), [false; 2]);
    });
}

#[test]
fn an_empty_launch_does_nothing() {
    on_each(|device| {
        let empty = device.zeros::<f32>(0).unwrap();
        let other = device.zeros::<f32>(0).unwrap();
        saxpy::launch(&device, 0, (1.0, &empty, &other)).unwrap();
        assert!(other.to_vec().unwrap().is_empty());
    });
}

#[test]
fn arrays_of_another_device_are_refused() {
    on_each(|device| {
        let (here, there) = (device.zeros::<f32>(1).unwrap(), Device::cpu().zeros::<f32>(1).unwrap());
        let error = saxpy::launch(&device, 1, (1.0, &there, &here)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("kernel `saxpy`: `x` is on the CPU, but the launch is on {device}; copy the array to {device}")
        );
        let error = saxpy::launch(&Device::cpu(), 1, (1.0, &there, &here)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("kernel `saxpy`: `y` is on {device}, but the launch is on the CPU; copy the array to the CPU")
        );
        assert_eq!((here.version(), there.version()), (0, 0));
    });
}

#[test]
fn a_launch_beyond_the_end_of_an_array_is_refused() {
    on_each(|device| {
        let (x, y) = (device.zeros::<f32>(7).unwrap(), device.zeros::<f32>(8).unwrap());
        let error = saxpy::launch(&device, 8, (1.0, &x, &y)).unwrap_err();
        let expected = "kernel `saxpy`: `x` has 7 elements along axis 0, but the launch has 8 threads along that axis";
        assert_eq!(error.to_string(), expected);
        saxpy::launch(&device, 7, (1.0, &x, &y)).unwrap();
    });
}

#[test]
fn what_is_not_to_be_had_is_an_error() {
    let Some(device) = cuda() else { return };
    let error = Device::cuda(99).unwrap_err();
    assert!(matches!(error, DeviceError::NoSuchDevice { ordinal: 99, .. }), "{error}");
    let error = device.zeros::<f64>(1 << 45).unwrap_err();
    assert!(error.to_string().contains("CUDA_ERROR_OUT_OF_MEMORY"), "{error}");
    let error = device.zeros::<f64>(usize::MAX / 2).unwrap_err();
    assert!(matches!(error, DeviceError::TooLarge { .. }), "{error}");
}

#[test]
fn handles_of_one_device_are_equal() {
    let Some(device) = cuda() else { return };
    assert_eq!(device, Device::cuda(0).unwrap());
    assert_ne!(device, Device::cpu());
    assert_eq!(device.to_string(), "CUDA device 0");
}

#[test]
fn a_timer_measures_what_lies_between() {
    on_each(|device| {
        let (x, y) = (device.zeros::<f32>(1 << 16).unwrap(), device.zeros::<f32>(1 << 16).unwrap());
        let timer = device.timer().unwrap();
        saxpy::launch(&device, 1 << 16, (1.0, &x, &y)).unwrap();
        let one = timer.elapsed().unwrap();
        saxpy::launch(&device, 1 << 16, (1.0, &x, &y)).unwrap();
        assert!(timer.elapsed().unwrap() >= one);
    });
}

/// out\[i\] = x\[at\[i\]\], and at the end of a row what comes after it.
#[kernel]
fn pick(#[domain(0..1)] at: &[u32], x: &[f64], #[shape(1, 4)] grid: &Array2<f32>, out: &mut [f64]) {
    let i = tid();
    for k in 0..3 {
        if k == 2 {
            out[i] = x[at[i] as usize] + grid[[0, at[i] as usize]] as f64;
            return;
        }
    }
}

/// An element of a part of an array.
#[kernel]
fn in_a_part(#[domain(1..2)] start: &[u32], #[shape(dim0 + 4)] x: &[f32], out: &mut [f32]) {
    let i = tid();
    let start = start[i] as usize;
    let part = &x[start..start + 2];
    out[i] = part[start];
}

/// out = √x.
#[kernel]
fn root(#[domain(0.5..4.0)] x: &[f32], out: &mut [Vec2]) {
    let i = tid();
    out[i] = Vec2::new(1.0, x[i].sqrt());
}

/// A bounds-checked launch of `pick` with these indices.
fn pick_at(device: &Device, at: &[u32], len: usize) -> Result<Vec<f64>, LaunchError> {
    let (at, x) = (device.array_from(at).unwrap(), device.array_from(vec![0.5; len]).unwrap());
    let grid = device.zeros_nd::<f32, 2>([1, 4]).unwrap();
    let out = device.zeros::<f64>(at.len()).unwrap();
    pick::launch(&device.bounds_checked(), at.len(), (&at, &x, &grid, &out))?;
    Ok(out.to_vec().unwrap())
}

#[test]
fn a_checked_launch_finds_an_index_out_of_bounds() {
    on_each(|device| {
        assert_eq!(pick_at(&device, &[0, 3, 1], 4), Ok(vec![0.5; 3]));
        let error = pick_at(&device, &[0, 3, 1], 3).unwrap_err();
        let expected = "kernel `pick`, thread [1], array `x`: \
                    index out of bounds: the index is 3 along axis 0, whose extent is 3";
        assert_eq!(error.to_string(), expected);
        let error = pick_at(&device, &[0, 1, 6], 9).unwrap_err();
        let expected = "kernel `pick`, thread [2], array `grid`: \
                    index out of bounds: the index is 6 along axis 1, whose extent is 4";
        assert_eq!(error.to_string(), expected);
        // An empty array has no element 0 either.
        assert!(pick_at(&device, &[0], 0).is_err());
    });
}

#[test]
fn a_checked_launch_finds_an_index_beyond_a_part() {
    on_each(|device| {
        let x = device.array_from(&[0.5, 1.0, 1.5, 2.0]).unwrap();
        let of = |start: [u32; 2]| {
            let (start, out) = (device.array_from(&start).unwrap(), device.zeros(2).unwrap());
            in_a_part::launch(&device.bounds_checked(), 2, (&start, &x, &out)).map(|()| out.to_vec().unwrap())
        };
        assert_eq!(of([0, 1]), Ok(vec![0.5, 1.5]));
        // The array has elements there.
        let error = of([0, 2]).unwrap_err().to_string();
        assert_eq!(
            error,
            "kernel `in_a_part`, thread [1]: index out of bounds: the index is 2, but it must be below 2"
        );
        let error = of([0, 3]).unwrap_err().to_string();
        assert_eq!(
            error,
            "kernel `in_a_part`, thread [1]: index out of bounds: the index is 5, but it must be below 5"
        );
    });
}

/// The store changes what its own index is computed from.
#[kernel(no_grad)]
fn hop(#[domain(0.0..1.0)] y: &mut [f32]) {
    let i = tid();
    if i == 0 {
        y[y[0] as usize] = 7.0;
    }
}

#[test]
fn a_checked_store_may_change_its_own_index() {
    on_each(|device| {
        let launch = |y: &[f32]| {
            let y = device.array_from(y).unwrap();
            hop::launch(&device.bounds_checked(), 1, (&y,)).map(|()| y.to_vec().unwrap())
        };
        assert_eq!(launch(&[0.0, 1.0]), Ok(vec![7.0, 1.0]));
        assert_eq!(launch(&[1.0, 1.0]), Ok(vec![1.0, 7.0]));
        let error = launch(&[2.0, 1.0]).unwrap_err().to_string();
        assert!(error.contains("the index is 2 along axis 0, whose extent is 2"), "{error}");
    });
}

#[test]
fn a_checked_launch_finds_a_nan() {
    on_each(|device| {
        let launch = |x: &[f32]| {
            let (x, out) = (device.array_from(x).unwrap(), device.zeros::<Vec2>(x.len()).unwrap());
            root::launch(&device.bounds_checked(), x.len(), (&x, &out))
        };
        assert_eq!(launch(&[1.0, 4.0]), Ok(()));
        let error = launch(&[1.0, 4.0, -1.0]).unwrap_err();
        assert_eq!(error.to_string(), "kernel `root`, thread [2], array `out`: a NaN is stored");
    });
}

#[test]
fn the_adjoint_of_a_checked_launch_is_checked_too() {
    on_each(|device| {
        let (x, out) = (device.array_from(&[0.0_f32]).unwrap(), device.zeros::<Vec2>(1).unwrap());
        let tape = Tape::new(&device.bounds_checked());
        root::launch(&tape, 1, (&x, &out)).unwrap();
        let seed = device.array_from(&[Vec2::NAN]).unwrap();
        let error = tape.backward_from(&[kernel_rt::Seed::new(&out, &seed).unwrap()]).unwrap_err();
        assert!(error.to_string().contains("array `adj_x`: a NaN is stored"), "{error}");
    });
}
