//! The operations, as an enum. Their operands and meaning are in [`ops`](crate::ops).

macro_rules! names {
    ([$($symbol:ident)*] $($variant:ident $name:literal $rust:ident($spelling:literal) $doc:literal { $($row:tt)* })*) => {
        /// An operation of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Op {
            $(#[doc = $doc] $variant,)*
        }
    };
}

operations!(names);
