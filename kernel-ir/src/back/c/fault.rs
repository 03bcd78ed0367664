//! The fault record of bounds-checked text.

/// The first fault of a launch of [checked](super::write_checked) text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// 0: no fault; 1: an index out of bounds; 2: a store of a NaN.
    pub kind: i32,
    /// The number of the array parameter.
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
    /// The size of the record on the device, in 64-bit words. A record is initialised with zeros.
    pub const WORDS: usize = 8;

    /// Decodes the record from its words, as a little-endian device lays them out.
    pub fn from_words(words: [u64; Fault::WORDS]) -> Fault {
        let [first, second, index, extent, thread @ ..] = words;
        let (low, high) = (|word: u64| word as u32, |word: u64| (word >> 32) as u32);
        let (kind, param, axis) = (low(first).cast_signed(), high(first), low(second));
        Fault { kind, param, axis, index, extent, thread }
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
    }
}
