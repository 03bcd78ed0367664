//! The fault record of bounds-checked text.

/// Whether a text checks indices and stored values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    Off,
    On,
}

/// The first fault of a launch of checked text, in [CUDA C++](super::c::write_checked) or [WGSL](super::wgsl::write_checked).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// 0: no fault; 1: an index out of bounds; 2: a store of a NaN.
    pub kind: i32,
    /// The number of the array parameter, [`Fault::LOCAL`] or [`Fault::PART`].
    pub param: u32,
    /// The axis of the index.
    pub axis: u32,
    /// The index. A negative index has wrapped around.
    pub index: u64,
    /// The extent of the array along the axis.
    pub extent: u64,
    /// The thread index, outermost axis first; 0 for axes that the launch does not have.
    pub thread: [u64; 4],
}

impl Fault {
    /// The number of a local array.
    pub const LOCAL: u32 = u32::MAX;

    /// The number of the bound of a part of an array.
    pub const PART: u32 = u32::MAX - 1;

    /// The size of the record of CUDA C++, in 64-bit words. A record is initialised with zeros.
    pub const WORDS: usize = 8;

    /// The size of the record of WGSL, in 32-bit words. A record is initialised with zeros.
    pub const SHORT_WORDS: usize = 10;

    /// Decodes the record of CUDA C++, as a little-endian device lays it out.
    pub fn from_words(words: [u64; Fault::WORDS]) -> Fault {
        let [first, second, index, extent, thread @ ..] = words;
        let (low, high) = (|word: u64| word as u32, |word: u64| (word >> 32) as u32);
        let (kind, param, axis) = (low(first).cast_signed(), high(first), low(second));
        Fault { kind, param, axis, index, extent, thread }
    }

    /// Decodes the record of WGSL. Its first word says whether a thread has written the others.
    pub fn from_short_words(words: [u32; Fault::SHORT_WORDS]) -> Fault {
        let [_, kind, param, axis, index, extent, thread @ ..] = words;
        let (index, extent, thread) = (index.into(), extent.into(), thread.map(u64::from));
        Fault { kind: kind.cast_signed(), param, axis, index, extent, thread }
    }
}

#[cfg(test)]
mod tests {
    use super::Fault;

    #[test]
    fn a_record_is_read_as_the_device_writes_it() {
        let words = [(7 << 32) | 1, (9 << 32) | 2, 30, 20, 4, 5, 0, 0];
        let fault = Fault { kind: 1, param: 7, axis: 2, index: 30, extent: 20, thread: [4, 5, 0, 0] };
        assert_eq!(Fault::from_words(words), fault);
        assert_eq!(Fault::from_short_words([1, 1, 7, 2, 30, 20, 4, 5, 0, 0]), fault);
    }
}
