//! The names of types: in records and in the text form, and in Rust. They follow from scalar and shape by rule.

use super::scalar::{SCALARS, Scalar, ScalarNames};
use super::tile::TileForm;
use super::ty::{Shape, StructId, Type};
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, RwLock};

impl Type {
    /// The name in records and in the text form: Rust's name for scalars and structs, Warp's names for the others
    /// (`vec3`, `mat33d`, `quat`), and a list in parentheses for a tuple.
    pub fn name(self) -> &'static str {
        static MADE: LazyLock<RwLock<HashMap<Type, &'static str>>> = LazyLock::new(RwLock::default);
        if self.is_scalar() {
            return self.scalar.name();
        }
        if let Some(name) = MADE.read().expect("nobody panics with the names").get(&self) {
            return name;
        }
        let warp = self.scalar.names().warp;
        let made = match self.shape {
            Shape::Scalar => self.scalar.name().to_owned(),
            Shape::Vector(n) => format!("vec{n}{warp}"),
            Shape::Matrix(rows @ ..10, columns @ ..10) => format!("mat{rows}{columns}{warp}"),
            Shape::Matrix(rows, columns) => format!("mat{rows}x{columns}{warp}"),
            Shape::Quat => format!("quat{warp}"),
            Shape::Struct(id) if id.is_tuple() => tuple(id, Type::to_string),
            Shape::Struct(id) => id.name.clone(),
            Shape::Tile(rows, columns) => format!("tile{rows}x{columns}_{}", self.scalar.name()),
        };
        // The leak is bounded, because a program uses few types.
        MADE.write().expect("nobody panics with the names").entry(self).or_insert_with(|| made.leak())
    }

    /// The type with this [`name`](Type::name); `None` if the language has none.
    pub fn from_name(name: &str) -> Option<Type> {
        if let Some((size, scalar)) = name.strip_prefix("tile").and_then(|rest| rest.split_once('_')) {
            let (rows, columns) = size.split_once('x')?;
            let shape = Shape::Tile(rows.parse().ok()?, columns.parse().ok()?);
            let scalar = Type::from_name(scalar).filter(|ty| ty.is_scalar())?.scalar;
            return Some(Type::new(scalar, shape)).filter(|ty| ty.name() == name);
        }
        let with_ending = |rest: &str, shape: Shape| {
            SCALARS.iter().position(|names| names.warp == rest).map(|place| Type::new(Scalar::ALL[place], shape))
        };
        let (family, rest) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len().min(4)));
        let (sizes, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != 'x').unwrap_or(rest.len()));
        let found = match family {
            "vec" => with_ending(rest, Shape::Vector(size(sizes)?)),
            "mat" => {
                let (rows, columns) = match sizes.split_once('x') {
                    Some(sizes) => sizes,
                    None => sizes.split_at_checked(1)?,
                };
                with_ending(rest, Shape::Matrix(size(rows)?, size(columns)?))
            }
            "quat" => with_ending(rest, Shape::Quat),
            _ => SCALARS.iter().position(|names| names.name == name).map(|place| Type::of(Scalar::ALL[place])),
        };
        // `mat4x4` and `mat04` are no names.
        let found = found.filter(|ty| ty.name() == name);
        found.filter(|ty| ty.is_admitted())
    }

    /// The name in Rust: `f32`, `DVec3`, `Mat3`, `Quat`, and `Vector<f32, 6>` for what has no name of its own.
    pub fn rust_name(self) -> String {
        self.rust_text("<")
    }

    /// The name in Rust as the start of a path in an expression: `Vec3`, `Vector::<f32, 6>`.
    pub fn rust_path(self) -> String {
        self.rust_text("::<")
    }

    /// The name in Rust, where `open` starts a list of generic arguments.
    fn rust_text(self, open: &str) -> String {
        let (scalar, prefix) = (self.scalar.name(), self.scalar.names().prefix);
        match self.shape {
            Shape::Scalar => scalar.to_owned(),
            Shape::Vector(n @ 2..=4) => format!("{prefix}Vec{n}"),
            Shape::Vector(n) => format!("Vector{open}{scalar}, {n}>"),
            Shape::Matrix(n @ 2..=4, columns) if n == columns => format!("{prefix}Mat{n}"),
            Shape::Matrix(rows, columns) => format!("Matrix{open}{scalar}, {rows}, {columns}>"),
            Shape::Quat => format!("{prefix}Quat"),
            Shape::Struct(id) if id.is_tuple() => tuple(id, |ty| ty.rust_name()),
            Shape::Struct(id) => id.name.clone(),
            Shape::Tile(rows, columns) => {
                let form = TileForm::of((rows, columns));
                let sizes: String = form.sizes((rows, columns)).iter().map(|size| format!(", {size}")).collect();
                format!("{}{open}{scalar}{sizes}>", form.type_name())
            }
        }
    }

    /// The type with this [`rust_name`](Type::rust_name), or this generic name; `None` if the language has none.
    pub fn from_rust_name(name: &str) -> Option<Type> {
        if let Some((family, args)) = name.strip_suffix('>').and_then(|name| name.split_once('<')) {
            let mut args = args.split(", ");
            let scalar = Type::from_rust_name(args.next()?).filter(|ty| ty.is_scalar())?.scalar;
            let shape = match (family, args.next(), args.next(), args.next()) {
                ("Vector", Some(n), None, None) => Shape::Vector(size(n)?),
                ("Matrix", Some(rows), Some(columns), None) => Shape::Matrix(size(rows)?, size(columns)?),
                ("Quaternion", None, None, None) => Shape::Quat,
                _ => return None,
            };
            return Some(Type::new(scalar, shape)).filter(|ty| ty.is_admitted());
        }
        let digit = |text: &str| text.parse::<u8>().ok().filter(|_| text.len() == 1);
        let of = |(scalar, names): (Scalar, &ScalarNames)| {
            if name == names.name {
                return Some(Type::of(scalar));
            }
            let shape = match name.strip_prefix(names.prefix)?.split_at_checked(3)? {
                ("Vec", n) => Shape::Vector(digit(n)?),
                ("Mat", n) => Shape::Matrix(digit(n)?, digit(n)?),
                ("Qua", "t") => Shape::Quat,
                _ => return None,
            };
            Some(Type::new(scalar, shape)).filter(|ty| ty.is_admitted() && ty.rust_name() == name)
        };
        Scalar::ALL.into_iter().zip(&SCALARS).find_map(of)
    }
}

/// The types of a tuple in parentheses.
fn tuple(id: StructId, name: impl Fn(&Type) -> String) -> String {
    let types: Vec<String> = id.fields.iter().map(|field| name(&field.ty)).collect();
    format!("({})", types.join(", "))
}

/// The size that digits denote.
fn size(digits: &str) -> Option<u8> {
    digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0'))
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_types() {
        for ty in Type::all() {
            assert_eq!(Type::from_name(ty.name()), Some(ty));
            assert_eq!(Type::from_rust_name(&ty.rust_name()), Some(ty));
        }
        for (name, rust_name) in [
            ("vec1", "Vector<f32, 1>"),
            ("vec6d", "Vector<f64, 6>"),
            ("vec16ul", "Vector<u64, 16>"),
            ("vec2l", "I64Vec2"),
            ("mat23", "Matrix<f32, 2, 3>"),
            ("mat66d", "Matrix<f64, 6, 6>"),
            ("mat12x3", "Matrix<f32, 12, 3>"),
        ] {
            let ty = Type::from_name(name).unwrap();
            assert_eq!(
                (ty.name(), ty.rust_name().as_str(), Type::from_rust_name(rust_name)),
                (name, rust_name, Some(ty))
            );
        }
        assert_eq!(Type::from_rust_name("Vector<f32, 3>"), Type::from_rust_name("Vec3"));
        for name in [
            "vec17",
            "vec0",
            "vec",
            "mat",
            "mat2",
            "mat2x3",
            "mat03",
            "vec3b",
            "quati",
            "vec3é",
            "é",
            "",
            "Vec",
            "Vec03",
            "Vec+3",
            "IMat3",
            "BVec2",
            "Vec6",
            "Vector<f32>",
            "Vector<f32, 17>",
            "Vector<bool, 2>",
            "Matrix<i32, 2, 2>",
        ] {
            assert_eq!((Type::from_name(name), Type::from_rust_name(name)), (None, None), "{name}");
        }
    }
}
