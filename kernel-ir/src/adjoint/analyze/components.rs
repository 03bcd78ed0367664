//! Sets of the components of a value, of which there may be any number.

/// A set of components, by number. The first 64 take no memory of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ComponentSet {
    first: u64,
    /// A bit for each component from 64 on. The last word is not 0.
    more: Vec<u64>,
}

impl ComponentSet {
    const BITS: usize = u64::BITS as usize;

    /// The components below `count`.
    pub(super) fn below(count: usize) -> ComponentSet {
        ComponentSet::of_words(count.div_ceil(Self::BITS), |word| {
            u64::MAX >> Self::BITS.saturating_sub(count - word * Self::BITS)
        })
    }

    fn of_words(count: usize, word: impl Fn(usize) -> u64) -> ComponentSet {
        let first = if count == 0 { 0 } else { word(0) };
        let mut more: Vec<u64> = (1..count).map(word).collect();
        while more.last() == Some(&0) {
            more.pop();
        }
        ComponentSet { first, more }
    }

    fn word(&self, place: usize) -> u64 {
        if place == 0 { self.first } else { self.more.get(place - 1).copied().unwrap_or(0) }
    }

    fn words(&self) -> usize {
        1 + self.more.len()
    }

    /// One more than the largest component.
    fn end(&self) -> usize {
        let last = self.words() - 1;
        last * Self::BITS + Self::BITS - self.word(last).leading_zeros() as usize
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first == 0 && self.more.is_empty()
    }

    /// The components in both sets.
    pub(super) fn and(&self, other: &ComponentSet) -> ComponentSet {
        ComponentSet::of_words(self.words().min(other.words()), |place| self.word(place) & other.word(place))
    }

    /// The components in one of the sets.
    pub(super) fn or(&self, other: &ComponentSet) -> ComponentSet {
        ComponentSet::of_words(self.words().max(other.words()), |place| self.word(place) | other.word(place))
    }

    /// The components that are not in the `other` set.
    pub(super) fn without(&self, other: &ComponentSet) -> ComponentSet {
        ComponentSet::of_words(self.words(), |place| self.word(place) & !other.word(place))
    }

    /// The components as parts of a value in which `offset` other ones come before them.
    pub(super) fn behind(&self, offset: usize) -> ComponentSet {
        let (words, bits) = (offset / Self::BITS, offset % Self::BITS);
        ComponentSet::of_words((self.end() + offset).div_ceil(Self::BITS), |place| {
            let at = |back: usize| place.checked_sub(back).map_or(0, |place| self.word(place));
            at(words) << bits | at(words + 1).checked_shr((Self::BITS - bits) as u32).unwrap_or(0)
        })
    }

    /// The components from `offset` on as parts of a value that begins there.
    pub(super) fn from(&self, offset: usize) -> ComponentSet {
        let (words, bits) = (offset / Self::BITS, offset % Self::BITS);
        ComponentSet::of_words(self.words().saturating_sub(words), |place| {
            let next = self.word(place + words + 1);
            self.word(place + words) >> bits | next.checked_shl((Self::BITS - bits) as u32).unwrap_or(0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_any_size() {
        for count in [0, 1, 4, 16, 63, 64, 65, 128, 200] {
            let set = ComponentSet::below(count);
            assert_eq!((set.end(), set.is_empty()), (count, count == 0));
            for offset in [0, 1, 5, 63, 64, 70, 128] {
                let moved = set.behind(offset);
                assert_eq!(moved, ComponentSet::below(count + offset).without(&ComponentSet::below(offset)));
                assert_eq!(moved.from(offset), set);
                assert_eq!(set.from(offset), ComponentSet::below(count.saturating_sub(offset)));
                assert_eq!(moved.or(&ComponentSet::below(offset)), ComponentSet::below(count + offset));
                assert_eq!(moved.and(&set), moved.without(&moved.without(&set)));
            }
        }
    }
}
