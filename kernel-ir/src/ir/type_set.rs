//! Sets of types, as unions of scalars × shape patterns. Inference uses them for unknown types, and the table of
//! operations for operand types.
//!
//! A set is a list of families. A family has a set of scalars and one pattern of shapes. Patterns leave sizes open, so
//! a set does not grow with the number of types in the language.

use super::language::{Admitted, LANGUAGE};
use super::scalar::ScalarSet;
use super::shape_pattern::ShapePattern;
use super::ty::Type;

/// The types with one of these scalars and a shape that matches the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeFamily {
    /// The scalars.
    pub scalars: ScalarSet,
    /// The pattern of the shapes.
    pub shape: ShapePattern,
}

impl TypeFamily {
    /// The family of this type alone.
    pub(crate) fn only(ty: Type) -> TypeFamily {
        TypeFamily { scalars: ScalarSet::of(&[ty.scalar()]), shape: ShapePattern::only(ty.shape) }
    }

    /// The intersection of two families; `None` if it is empty.
    pub(crate) fn and(self, other: TypeFamily) -> Option<TypeFamily> {
        let scalars = self.scalars.and(other.scalars);
        if scalars.is_empty() {
            return None;
        }
        Some(TypeFamily { scalars, shape: self.shape.and(other.shape)? })
    }

    /// Whether `ty` belongs to the family.
    pub fn contains(self, ty: Type) -> bool {
        self.scalars.contains(ty.scalar()) && self.shape.covers(ShapePattern::only(ty.shape))
    }
}

impl Admitted {
    /// Whether the row has the type.
    pub(super) fn contains(&self, ty: Type) -> bool {
        self.and(TypeFamily::only(ty)).is_some()
    }

    fn family(&self) -> TypeFamily {
        TypeFamily { scalars: ScalarSet::of(self.scalars), shape: self.shapes }
    }

    /// The types of the language in `family`.
    fn and(&self, family: TypeFamily) -> Option<TypeFamily> {
        let both = self.family().and(family)?;
        both.shape.sizes().all(|n| self.sizes.contains(&n)).then_some(both)
    }
}

/// A set of types: the disjoint union of its families.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TypeSet(Vec<TypeFamily>);

impl TypeSet {
    /// Every type of the language, and every struct.
    pub(crate) fn every() -> TypeSet {
        let structs = TypeFamily { scalars: ScalarSet::ALL, shape: ShapePattern::Struct(None) };
        TypeSet(LANGUAGE.iter().map(Admitted::family).chain([structs]).collect())
    }

    /// The set of this type alone.
    pub(crate) fn only(ty: Type) -> TypeSet {
        TypeSet(vec![TypeFamily::only(ty)])
    }

    /// The set of these scalar types.
    pub(crate) fn scalars(scalars: ScalarSet) -> TypeSet {
        TypeSet(vec![TypeFamily { scalars, shape: ShapePattern::Scalar }])
    }

    /// The types of the language that consist of these scalars.
    pub(crate) fn made_of(scalars: ScalarSet) -> TypeSet {
        LANGUAGE.iter().filter_map(|admitted| admitted.and(TypeFamily { scalars, shape: admitted.shapes })).collect()
    }

    /// The types of the language in the family.
    pub(crate) fn of(family: TypeFamily) -> TypeSet {
        LANGUAGE.iter().filter_map(|admitted| admitted.and(family)).collect()
    }

    /// The families of the set.
    pub(crate) fn families(&self) -> impl Iterator<Item = TypeFamily> {
        self.0.iter().copied()
    }

    /// The members among [`Type::all`], in that order; the only member, if there is one.
    pub(crate) fn types(&self) -> impl Iterator<Item = Type> {
        let single = self.single();
        let all = Type::all().filter(move |ty| single.is_none() && self.contains(*ty));
        single.into_iter().chain(all)
    }

    pub(crate) fn contains(&self, ty: Type) -> bool {
        self.0.iter().any(|family| family.contains(ty))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the scalar of every member is in `scalars`.
    pub(crate) fn is_made_of(&self, scalars: ScalarSet) -> bool {
        self.0.iter().all(|family| family.scalars.without(scalars).is_empty())
    }

    /// Whether every member is a struct.
    pub(crate) fn is_struct(&self) -> bool {
        self.0.iter().all(|family| matches!(family.shape, ShapePattern::Struct(_)))
    }

    /// The intersection of two sets.
    pub(crate) fn and(&self, other: &TypeSet) -> TypeSet {
        self.0.iter().flat_map(|family| other.0.iter().filter_map(|other| family.and(*other))).collect()
    }

    /// The only member; `None` if the set has none or several.
    pub(crate) fn single(&self) -> Option<Type> {
        match *self.0 {
            [TypeFamily { scalars, shape }] => Some(Type::new(scalars.single()?, shape.single()?)),
            _ => None,
        }
    }

    fn insert(&mut self, mut family: TypeFamily) {
        // Families stay disjoint: scalars that another family already covers for these shapes are removed from the
        // narrower family.
        for known in &mut self.0 {
            if known.shape.covers(family.shape) {
                family.scalars = family.scalars.without(known.scalars);
            } else if family.shape.covers(known.shape) {
                known.scalars = known.scalars.without(family.scalars);
            }
        }
        self.0.retain(|known| !known.scalars.is_empty());
        match self.0.iter_mut().find(|known| known.shape == family.shape) {
            Some(known) => known.scalars = known.scalars | family.scalars,
            None if family.scalars.is_empty() => {}
            None => self.0.push(family),
        }
    }
}

impl From<TypeFamily> for TypeSet {
    fn from(family: TypeFamily) -> TypeSet {
        TypeSet(vec![family])
    }
}

impl FromIterator<TypeFamily> for TypeSet {
    fn from_iter<I: IntoIterator<Item = TypeFamily>>(families: I) -> TypeSet {
        let mut set = TypeSet::default();
        families.into_iter().for_each(|family| set.insert(family));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(scalars: ScalarSet, shape: ShapePattern) -> TypeFamily {
        TypeFamily { scalars, shape }
    }

    #[test]
    fn every_type_of_the_language_is_in_the_set_of_all() {
        assert!(Type::all().all(|ty| TypeSet::every().contains(ty) && ty.is_admitted()));
        assert_eq!(TypeSet::every().types().count(), Type::all().count());
    }

    #[test]
    fn sets_meet_and_join_type_by_type() {
        let sets: Vec<TypeSet> = [
            vec![family(ScalarSet::FLOATS, ShapePattern::Vector(None))],
            vec![
                family(ScalarSet::ALL, ShapePattern::Vector(Some(3))),
                family(ScalarSet::FLOATS, ShapePattern::Scalar),
            ],
            vec![
                family(ScalarSet::ALL, ShapePattern::Matrix(Some(3), None)),
                family(ScalarSet::BOOL, ShapePattern::Scalar),
            ],
            vec![
                family(ScalarSet::FLOATS, ShapePattern::Vector(Some(2))),
                family(ScalarSet::NUMBERS, ShapePattern::Vector(None)),
            ],
        ]
        .map(|families| families.into_iter().collect())
        .into();
        for (a, b) in sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b))) {
            let (both, either) = (a.and(b), a.families().chain(b.families()).collect::<TypeSet>());
            for ty in Type::all() {
                assert_eq!(both.contains(ty), a.contains(ty) && b.contains(ty), "{ty} {a:?} {b:?}");
                assert_eq!(either.contains(ty), a.contains(ty) || b.contains(ty), "{ty} {a:?} {b:?}");
            }
        }
    }
}
