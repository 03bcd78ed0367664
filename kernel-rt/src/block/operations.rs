//! Operations on the values of the threads of a block. The kernel language has the same ones, in the same orders.

use super::PerThread;
use crate::value::Number;
use std::array;
use std::ops::Add;

impl<T: Copy, const N: usize> PerThread<T, N> {
    /// Combines the values of all threads: in each round, the first half takes in the values of the other half.
    fn combine(&self, with: impl Fn(T, T) -> T) -> T {
        assert!(
            N.is_power_of_two(),
            "the operations of a block need a number of threads that is a power of two, not {N}"
        );
        let (mut totals, mut half) = (self.0, N / 2);
        while half > 0 {
            for t in 0..half {
                totals[t] = with(totals[t], totals[t + half]);
            }
            half /= 2;
        }
        totals[0]
    }

    /// The sum of the values of all threads. Values are added in this order: thread `t` adds that of thread `t + N / 2`, then
    /// that of `t + N / 4`, and so on.
    ///
    /// # Panics
    /// If `N` is no power of two.
    pub fn block_sum(&self) -> T
    where
        T: Add<Output = T>,
    {
        self.combine(|a, b| a + b)
    }

    /// The largest of the values of all threads.
    ///
    /// # Panics
    /// If `N` is no power of two.
    pub fn block_max(&self) -> T
    where
        T: Number,
    {
        self.combine(|a, b| a.max(b))
    }

    /// The smallest of the values of all threads.
    ///
    /// # Panics
    /// If `N` is no power of two.
    pub fn block_min(&self) -> T
    where
        T: Number,
    {
        self.combine(|a, b| a.min(b))
    }

    /// The thread with the largest value, the first one of equal values. A NaN is neither larger nor smaller.
    ///
    /// # Panics
    /// If `N` is no power of two.
    pub fn block_argmax(&self) -> usize
    where
        T: PartialOrd,
    {
        self.place_of(|a, b| a > b)
    }

    /// The thread with the smallest value, the first one of equal values. A NaN is neither larger nor smaller.
    ///
    /// # Panics
    /// If `N` is no power of two.
    pub fn block_argmin(&self) -> usize
    where
        T: PartialOrd,
    {
        self.place_of(|a, b| a < b)
    }

    fn place_of(&self, beats: impl Fn(T, T) -> bool) -> usize
    where
        T: PartialOrd,
    {
        let places = PerThread(array::from_fn::<_, N, _>(|t| (self.0[t], t)));
        let wins = |(a, at): (T, usize), (b, place): (T, usize)| beats(a, b) || a == b && at < place;
        places.combine(|best, other| if wins(other, best) { other } else { best }).1
    }

    /// The sum of the values of the threads up to each thread, its own included. In each round a thread takes in the sum that is
    /// 1, 2, 4, … threads before it (Hillis and Steele, 1986).
    pub fn block_inclusive_sum(&self) -> PerThread<T, N>
    where
        T: Add<Output = T>,
    {
        PerThread(scan::<T, N>(self.0, N))
    }

    /// The sum of the values of the threads before each thread; zero for the first one.
    pub fn block_exclusive_sum(&self) -> PerThread<T, N>
    where
        T: Add<Output = T> + Default,
    {
        let sums = scan::<T, N>(self.0, N);
        PerThread(array::from_fn(|t| if t > 0 { sums[t - 1] } else { T::default() }))
    }

    /// Groups of `W` consecutive threads, whose lanes exchange values. The methods of `PerThread` of the same names take groups
    /// of 32.
    ///
    /// This does not compile if `W` is not 2, 4, 8, 16 or 32, or does not divide `N`.
    pub fn lanes<const W: usize>(&self) -> Lanes<'_, T, N, W> {
        const { assert!(matches!(W, 2 | 4 | 8 | 16 | 32), "a group has 2, 4, 8, 16 or 32 lanes") };
        const { assert!(N.is_multiple_of(W), "the threads of the block are no groups of so many lanes") };
        Lanes(self)
    }
}

/// Each thread takes in the value `step` before it in its group of `width` threads, for `step` 1, 2, 4 and so on.
fn scan<T: Copy + Add<Output = T>, const N: usize>(mut sums: [T; N], width: usize) -> [T; N] {
    let mut step = 1;
    while step < width {
        sums = array::from_fn(|t| if t % width >= step { sums[t - step] + sums[t] } else { sums[t] });
        step *= 2;
    }
    sums
}

/// The values of the `N` threads of a block, in groups of `W` lanes. [`PerThread::lanes`] makes it.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'a, T, const N: usize, const W: usize>(&'a PerThread<T, N>);

impl<T: Copy, const N: usize, const W: usize> Lanes<'_, T, N, W> {
    /// The values of lanes: `lane` gives the number of one, for each thread.
    fn of_lanes(self, mut lane: impl FnMut(usize) -> usize) -> PerThread<T, N> {
        PerThread(array::from_fn(|t| self.0[t / W * W + lane(t)]))
    }

    fn butterfly(self, with: impl Fn(T, T) -> T) -> PerThread<T, N> {
        let (mut out, mut step) = (self.0.0, W / 2);
        while step > 0 {
            out = array::from_fn(|t| with(out[t], out[t / W * W + (t ^ step) % W]));
            step /= 2;
        }
        PerThread(out)
    }

    /// The sum of the values of the group, for each of its lanes. In each round a lane adds the sum of the lane at half the
    /// distance of the round before: `W / 2`, `W / 4` and so on.
    pub fn warp_sum(self) -> PerThread<T, N>
    where
        T: Add<Output = T>,
    {
        self.butterfly(|a, b| a + b)
    }

    /// The largest of the values of the group, for each of its lanes.
    pub fn warp_max(self) -> PerThread<T, N>
    where
        T: Number,
    {
        self.butterfly(|a, b| a.max(b))
    }

    /// The smallest of the values of the group, for each of its lanes.
    pub fn warp_min(self) -> PerThread<T, N>
    where
        T: Number,
    {
        self.butterfly(|a, b| a.min(b))
    }

    /// The sum of the values of the group up to each lane, its own included.
    pub fn warp_inclusive_sum(self) -> PerThread<T, N>
    where
        T: Add<Output = T>,
    {
        PerThread(scan::<T, N>(self.0.0, W))
    }

    /// The sum of the values of the group before each lane; zero for the first one.
    pub fn warp_exclusive_sum(self) -> PerThread<T, N>
    where
        T: Add<Output = T> + Default,
    {
        let sums = scan::<T, N>(self.0.0, W);
        PerThread(array::from_fn(|t| if t % W > 0 { sums[t - 1] } else { T::default() }))
    }

    /// The value of the lane that `lane` gives for each thread, modulo `W`.
    pub fn shuffle(self, mut lane: impl FnMut(usize) -> usize) -> PerThread<T, N> {
        self.of_lanes(|t| lane(t) % W)
    }

    /// The value of the lane whose number differs by the bits of `mask`.
    pub fn shuffle_xor(self, mask: usize) -> PerThread<T, N> {
        self.of_lanes(|t| (t ^ mask) % W)
    }

    /// The value of the lane that is `step` lower; its own value if there is none.
    pub fn shuffle_up(self, step: usize) -> PerThread<T, N> {
        self.of_lanes(|t| (t % W).checked_sub(step).unwrap_or(t % W))
    }

    /// The value of the lane that is `step` higher; its own value if there is none.
    pub fn shuffle_down(self, step: usize) -> PerThread<T, N> {
        self.of_lanes(|t| if step < W - t % W { t % W + step } else { t % W })
    }
}

impl<const N: usize, const W: usize> Lanes<'_, bool, N, W> {
    /// Whether the value of any lane of the group is true.
    pub fn warp_any(self) -> PerThread<bool, N> {
        self.butterfly(|a, b| a || b)
    }

    /// Whether the values of all lanes of the group are true.
    pub fn warp_all(self) -> PerThread<bool, N> {
        self.butterfly(|a, b| a && b)
    }

    /// A number whose bits are the values of the group, the lowest bit that of the lane 0, for each of its lanes.
    pub fn ballot(self) -> PerThread<u32, N> {
        let bits = PerThread(array::from_fn::<u32, N, _>(|t| u32::from(self.0[t]) << (t % W)));
        bits.lanes::<W>().butterfly(|a, b| a | b)
    }
}

impl<T: Copy, const N: usize> PerThread<T, N> {
    /// [`Lanes::warp_sum`] in groups of 32 lanes.
    pub fn warp_sum(&self) -> PerThread<T, N>
    where
        T: Add<Output = T>,
    {
        self.lanes::<32>().warp_sum()
    }

    /// [`Lanes::warp_max`] in groups of 32 lanes.
    pub fn warp_max(&self) -> PerThread<T, N>
    where
        T: Number,
    {
        self.lanes::<32>().warp_max()
    }

    /// [`Lanes::warp_min`] in groups of 32 lanes.
    pub fn warp_min(&self) -> PerThread<T, N>
    where
        T: Number,
    {
        self.lanes::<32>().warp_min()
    }

    /// [`Lanes::warp_inclusive_sum`] in groups of 32 lanes.
    pub fn warp_inclusive_sum(&self) -> PerThread<T, N>
    where
        T: Add<Output = T>,
    {
        self.lanes::<32>().warp_inclusive_sum()
    }

    /// [`Lanes::warp_exclusive_sum`] in groups of 32 lanes.
    pub fn warp_exclusive_sum(&self) -> PerThread<T, N>
    where
        T: Add<Output = T> + Default,
    {
        self.lanes::<32>().warp_exclusive_sum()
    }

    /// [`Lanes::shuffle`] in groups of 32 lanes.
    pub fn shuffle(&self, lane: impl FnMut(usize) -> usize) -> PerThread<T, N> {
        self.lanes::<32>().shuffle(lane)
    }

    /// [`Lanes::shuffle_xor`] in groups of 32 lanes.
    pub fn shuffle_xor(&self, mask: usize) -> PerThread<T, N> {
        self.lanes::<32>().shuffle_xor(mask)
    }

    /// [`Lanes::shuffle_up`] in groups of 32 lanes.
    pub fn shuffle_up(&self, step: usize) -> PerThread<T, N> {
        self.lanes::<32>().shuffle_up(step)
    }

    /// [`Lanes::shuffle_down`] in groups of 32 lanes.
    pub fn shuffle_down(&self, step: usize) -> PerThread<T, N> {
        self.lanes::<32>().shuffle_down(step)
    }
}

impl<const N: usize> PerThread<bool, N> {
    /// [`Lanes::warp_any`] in groups of 32 lanes.
    pub fn warp_any(&self) -> PerThread<bool, N> {
        self.lanes::<32>().warp_any()
    }

    /// [`Lanes::warp_all`] in groups of 32 lanes.
    pub fn warp_all(&self) -> PerThread<bool, N> {
        self.lanes::<32>().warp_all()
    }

    /// [`Lanes::ballot`] in groups of 32 lanes.
    pub fn ballot(&self) -> PerThread<u32, N> {
        self.lanes::<32>().ballot()
    }
}
