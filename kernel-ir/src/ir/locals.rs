//! Sets and maps of locals. Locals are numbered from 0, so both are dense arrays.
//!
//! The crate `fixedbitset` is not used for two reasons: its union does not tell whether the set grew, which fixpoints
//! need, and every user of the macro would have to build it.

use super::{Block, Local, LocalId};

/// A set of locals.
#[derive(Clone, Debug, Default)]
pub struct LocalSet {
    /// One bit for each local.
    words: Vec<u64>,
}

impl LocalSet {
    fn place(local: LocalId) -> (usize, u64) {
        (local.0 as usize / 64, 1 << (local.0 % 64))
    }

    /// Whether `local` is in the set.
    pub fn contains(&self, local: LocalId) -> bool {
        let (word, bit) = LocalSet::place(local);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Adds `local`; returns whether it is new.
    pub fn insert(&mut self, local: LocalId) -> bool {
        let (word, bit) = LocalSet::place(local);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Removes `local`; returns whether it was present.
    pub fn remove(&mut self, local: LocalId) -> bool {
        let was_there = self.contains(local);
        let (word, bit) = LocalSet::place(local);
        if was_there {
            self.words[word] &= !bit;
        }
        was_there
    }

    /// Removes all locals.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// The number of locals in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set has no locals.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Adds every local of `other`; returns whether the set grew.
    pub fn add(&mut self, other: &LocalSet) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grew = false;
        for (own, more) in self.words.iter_mut().zip(&other.words) {
            grew |= *more & !*own != 0;
            *own |= *more;
        }
        grew
    }
}

impl Extend<LocalId> for LocalSet {
    fn extend<I: IntoIterator<Item = LocalId>>(&mut self, locals: I) {
        for local in locals {
            self.insert(local);
        }
    }
}

impl FromIterator<LocalId> for LocalSet {
    fn from_iter<I: IntoIterator<Item = LocalId>>(locals: I) -> LocalSet {
        let mut set = LocalSet::default();
        set.extend(locals);
        set
    }
}

/// A partial map from locals to values.
#[derive(Clone, Debug)]
pub struct LocalMap<T> {
    values: Vec<Option<T>>,
}

impl<T> Default for LocalMap<T> {
    fn default() -> LocalMap<T> {
        LocalMap { values: Vec::new() }
    }
}

impl<T> LocalMap<T> {
    /// The value of `local`; `None` if it has none.
    pub fn get(&self, local: LocalId) -> Option<&T> {
        self.values.get(local.0 as usize)?.as_ref()
    }

    /// Whether `local` has a value.
    pub fn contains(&self, local: LocalId) -> bool {
        self.get(local).is_some()
    }

    /// Sets the value of `local`.
    pub fn insert(&mut self, local: LocalId, value: T) {
        let place = local.0 as usize;
        if place >= self.values.len() {
            self.values.resize_with(place + 1, || None);
        }
        self.values[place] = Some(value);
    }

    /// Whether no local has a value.
    pub fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }

    /// The locals that have a value, each with its value, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (LocalId, &T)> {
        (0..).map(LocalId).zip(&self.values).filter_map(|(local, value)| Some((local, value.as_ref()?)))
    }
}

impl<T> Extend<(LocalId, T)> for LocalMap<T> {
    fn extend<I: IntoIterator<Item = (LocalId, T)>>(&mut self, pairs: I) {
        for (local, value) in pairs {
            self.insert(local, value);
        }
    }
}

impl<T> FromIterator<(LocalId, T)> for LocalMap<T> {
    fn from_iter<I: IntoIterator<Item = (LocalId, T)>>(pairs: I) -> LocalMap<T> {
        let mut map = LocalMap::default();
        map.extend(pairs);
        map
    }
}

/// Drops the locals that nothing in `body` declares, and numbers the others in the order of their declarations. Returns
/// the new numbers, by which `body` is to be renamed.
pub(crate) fn drop_undeclared(body: &Block, locals: &mut Vec<Local>) -> LocalMap<LocalId> {
    let mut numbers = LocalMap::default();
    let mut kept = Vec::with_capacity(locals.len());
    for stmt in body {
        stmt.walk(&mut |stmt| {
            if let Some(local) = stmt.declared_local() {
                numbers.insert(local, LocalId(kept.len() as u32));
                kept.push(locals[local.0 as usize].clone());
            }
        });
    }
    *locals = kept;
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut set: LocalSet = [3, 64, 200].map(LocalId).into_iter().collect();
        assert!(set.contains(LocalId(64)) && !set.contains(LocalId(65)) && !set.contains(LocalId(5000)));
        assert!(
            !set.insert(LocalId(3)) && set.insert(LocalId(4)) && set.remove(LocalId(64)) && !set.remove(LocalId(64))
        );
        assert_eq!(set.len(), 3);
        let other: LocalSet = [4, 300].map(LocalId).into_iter().collect();
        assert!(set.add(&other) && !set.add(&other));
        assert_eq!(set.len(), 4);
        set.clear();
        assert!(set.is_empty());
    }

    #[test]
    fn a_map_goes_through_its_locals_in_order() {
        let mut map: LocalMap<char> = [(LocalId(9), 'b'), (LocalId(2), 'a')].into_iter().collect();
        map.insert(LocalId(9), 'c');
        assert_eq!(map.iter().collect::<Vec<_>>(), [(LocalId(2), &'a'), (LocalId(9), &'c')]);
        assert!(map.contains(LocalId(2)) && map.get(LocalId(3)).is_none());
    }
}
