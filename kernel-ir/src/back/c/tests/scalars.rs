//! What emitted operations on scalars give where C and Rust disagree, or C has no answer: the same as Rust's.

use super::build::*;
use super::run::output;
use crate::back::c::types::{scalar_name, unsigned};
use crate::back::c::{self, Dialect};
use crate::ir::{Expr, Literal, Scalar, Type};
use crate::ops::Op;

/// A number that both sides of the comparison know by its bits.
trait Number: Copy {
    const SCALAR: Scalar;
    fn bits(self) -> u64;
}

macro_rules! number {
    ($($ty:ident $scalar:ident $bits:expr;)*) => {
        $(impl Number for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
            fn bits(self) -> u64 {
                let bits: fn($ty) -> u64 = $bits;
                bits(self)
            }
        })*
    };
}

number! {
    i8 I8 |x| u64::from(x as u8);
    u8 U8 u64::from;
    i16 I16 |x| u64::from(x as u16);
    u16 U16 u64::from;
    i32 I32 |x| u64::from(x as u32);
    u32 U32 u64::from;
    i64 I64 |x| x as u64;
    u64 U64 |x| x;
    f32 F32 |x| if x.is_nan() { 1 << 40 } else { x.to_bits().into() };
    f64 F64 |x| if x.is_nan() { 1 << 40 } else { x.to_bits() };
}

/// A program that applies operations, and what Rust says that it prints.
struct Comparison {
    source: String,
    calls: String,
    expected: Vec<(u64, String)>,
}

impl Comparison {
    fn new() -> Comparison {
        let source = "#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n\
            template <class To, class From> static To bits(From from) {\n    To to;\n    \
            std::memcpy(&to, &from, sizeof to);\n    return to;\n}\n";
        Comparison { source: source.to_owned(), calls: String::new(), expected: Vec::new() }
    }

    /// `make` applied to every pair of `left` and `right`.
    fn binary<A: Number, B: Number, R: Number>(
        &mut self,
        what: &str,
        (left, right): (&[A], &[B]),
        make: impl Fn(&Expr, &Expr) -> Expr,
        rust: impl Fn(A, B) -> R,
    ) {
        let name = format!("apply_{}", self.expected.len());
        let mut b = Build::new(&name, 1);
        let values = [("x", A::SCALAR), ("y", B::SCALAR)].map(|(name, scalar)| b.value(name, scalar.into()));
        let out = b.array("out", R::SCALAR.into(), true, 1);
        let i = b.tid("i", 0);
        let target = b.load(out, vec![i]);
        b.push(assign(&target, make(&values[0], &values[1])));
        self.source += &format!("namespace in_{name} {{\n{}}}\n", c::write(&b.finish(), Dialect::Cpp));
        let ret = scalar_name(R::SCALAR);
        for (x, y) in left.iter().flat_map(|x| right.iter().map(move |y| (*x, *y))) {
            let value = rust(x, y);
            let args = [constant(x), constant(y)].join(", ");
            let whole = if ret == "float" { "unsigned int" } else { "unsigned long long" };
            let print = if R::SCALAR.is_float() {
                format!("r != r ? 1ULL << 40 : (unsigned long long)bits<{whole}>(r)")
            } else {
                format!("(unsigned long long)({})r", scalar_name(unsigned(R::SCALAR)))
            };
            self.calls +=
                &format!("    {{ {ret} r; in_{name}::{name}({args}, &r, 1); std::printf(\"%llu\\n\", {print}); }}\n");
            self.expected.push((value.bits(), format!("{what} of {args}")));
        }
    }

    fn unary<A: Number, R: Number>(
        &mut self,
        what: &str,
        values: &[A],
        make: impl Fn(&Expr) -> Expr,
        rust: impl Fn(A) -> R,
    ) {
        self.binary(what, (values, &[0_u32]), |x, _| make(x), |x, _| rust(x));
    }

    fn finish(mut self, name: &str) {
        self.source += &format!("int main() {{\n{}}}\n", self.calls);
        let Some(printed) = output(name, &self.source) else { return };
        let differ = printed.lines().zip(&self.expected).filter(|(line, (bits, _))| **line != bits.to_string());
        let differ: Vec<String> = differ.map(|(line, (bits, what))| format!("{line}, not {bits}: {what}")).collect();
        assert!(differ.is_empty(), "{}", differ.join("\n"));
        assert_eq!(printed.lines().count(), self.expected.len());
    }
}

/// A value by its bits; NaN, which has many, by name.
fn constant<T: Number>(value: T) -> String {
    let ty = scalar_name(T::SCALAR);
    match T::SCALAR {
        Scalar::F32 | Scalar::F64 if value.bits() == 1 << 40 => format!("({ty})__builtin_nan(\"\")"),
        Scalar::F32 => format!("bits<float>({}u)", value.bits()),
        Scalar::F64 => format!("bits<double>({}ULL)", value.bits()),
        _ => format!("({ty}){}ULL", value.bits()),
    }
}

const F32S: [f32; 22] = [
    126.9,
    -128.5,
    255.5,
    -32769.0,
    65534.9,
    65536.0,
    0.0,
    -0.0,
    0.5,
    -0.5,
    -0.9,
    1.5,
    -2.5,
    1e-40,
    2147483647.0,
    -2147483648.0,
    4294967296.0,
    9.3e18,
    -9.3e18,
    1.9e19,
    f32::NEG_INFINITY,
    f32::NAN,
];
const F64S: [f64; 14] = [
    -0.0,
    0.99,
    -1.5,
    2147483647.5,
    2147483648.0,
    -2147483648.9,
    -2147483649.0,
    4294967295.9,
    9.3e18,
    -9.3e18,
    1.9e19,
    1e300,
    f64::INFINITY,
    f64::NAN,
];
const I8S: [i8; 7] = [0, 1, -1, 7, i8::MIN, i8::MIN + 1, i8::MAX];
const U8S: [u8; 5] = [0, 1, 7, 0x80, u8::MAX];
const I16S: [i16; 8] = [0, 1, -1, 300, -300, i16::MIN, i16::MIN + 1, i16::MAX];
const U16S: [u16; 6] = [0, 1, 300, 0x8000, 0xdead, u16::MAX];
const I32S: [i32; 9] = [0, 1, -1, 7, -7, 3, i32::MIN, i32::MIN + 1, i32::MAX];
const U32S: [u32; 6] = [0, 1, 7, 0x8000_0000, 0xdead_beef, u32::MAX];
const I64S: [i64; 7] = [0, 5, -5, 1 << 40, i64::MIN, i64::MIN + 3, i64::MAX];
const U64S: [u64; 5] = [0, 9, 1 << 33, 1 << 63, u64::MAX];

#[test]
fn casts_have_rusts_meaning() {
    macro_rules! casts {
        ($c:ident $($from:ident => $($to:ident)*;)*) => {
            $($($c.unary(
                concat!(stringify!($from), " as ", stringify!($to)),
                &$from,
                |x| cast(x, Type::from_name(stringify!($to)).expect("a type")),
                |x| x as $to,
            );)*)*
        };
    }
    let mut c = Comparison::new();
    casts! { c
        F32S => i8 u8 i16 u16 i32 u32 i64 u64 f64;
        F64S => i8 u8 i16 u16 i32 u32 i64 u64 f32;
        I8S => u8 i16 u16 i32 u32 i64 u64 f32 f64;
        U8S => i8 i16 u16 i32 u32 i64 u64 f32 f64;
        I16S => i8 u8 u16 i32 u32 i64 u64 f32 f64;
        U16S => i8 u8 i16 i32 u32 i64 u64 f32 f64;
        I32S => i8 u8 i16 u16 u32 i64 u64 f32 f64;
        U32S => i8 u8 i16 u16 i32 i64 u64 f32 f64;
        I64S => i8 u8 i16 u16 i32 u32 u64 f32 f64;
        U64S => i8 u8 i16 u16 i32 u32 i64 f32 f64;
    }
    c.finish("casts");
}

/// The number 1.
fn one(ty: Type) -> Expr {
    Expr::literal(Literal::int(1, ty).expect("an integer"))
}

/// C computes with these types as `int`.
#[test]
fn narrow_operations_have_rusts_meaning() {
    let mut c = Comparison::new();
    macro_rules! narrow {
        ($($ty:ident $values:ident: $($op:ident $method:ident)*;)*) => {
            $($(
                let make = |x: &Expr, y: &Expr| arith(Op::$op, &[x.clone(), y.clone()]);
                c.binary(stringify!($ty::$method), (&$values, &$values), make, |x: $ty, y| x.$method(y));
            )*
            for (op, method) in [(Op::CountOnes, $ty::count_ones as fn($ty) -> u32), (Op::LeadingZeros, $ty::leading_zeros),
                (Op::TrailingZeros, $ty::trailing_zeros)] {
                c.unary(stringify!($ty), &$values, |x| self::op(op, std::slice::from_ref(x), Type::U32), method);
            }
            for (op, method) in [(Op::RotateLeft, $ty::rotate_left as fn($ty, u32) -> $ty), (Op::RotateRight, $ty::rotate_right)] {
                let make = |x: &Expr, y: &Expr| arith(op, &[x.clone(), y.clone()]);
                c.binary(stringify!($ty), (&$values, &[0_u32, 1, 7, 8, 15, 45]), make, method);
            }
            let distances: [$ty; 3] = [0, 1, $ty::BITS as $ty - 1];
            let make = |op| move |x: &Expr, y: &Expr| arith(op, &[x.clone(), y.clone()]);
            c.binary("<<", (&$values, &distances), make(Op::Shl), |x, y| x << y);
            c.binary(">>", (&$values, &distances), make(Op::Shr), |x, y| x >> y);
            c.unary("!", &$values, |x| arith(Op::Not, std::slice::from_ref(x)), |x| !x);
            // The result of one operation is the operand of the next: it must have been cast back.
            let average = |x: &Expr, y: &Expr| {
                let half = arith(Op::Shr, &[arith(Op::WrappingSub, &[x.clone(), y.clone()]), one(y.ty)]);
                arith(Op::WrappingAdd, &[half, y.clone()])
            };
            c.binary("average", (&$values, &$values), average, |x, y| (x.wrapping_sub(y) >> 1).wrapping_add(y));
            let negated = |x: &Expr| arith(Op::Shr, &[arith(Op::Not, std::slice::from_ref(x)), one(x.ty)]);
            c.unary("!x >> 1", &$values, negated, |x| !x >> 1);
            )*
        };
    }
    narrow! {
        i8 I8S: WrappingAdd wrapping_add WrappingSub wrapping_sub WrappingMul wrapping_mul SaturatingSub saturating_sub Min min Max max;
        u8 U8S: WrappingAdd wrapping_add WrappingSub wrapping_sub WrappingMul wrapping_mul SaturatingSub saturating_sub Min min Max max AbsDiff abs_diff;
        i16 I16S: WrappingAdd wrapping_add WrappingSub wrapping_sub WrappingMul wrapping_mul SaturatingSub saturating_sub Min min Max max;
        u16 U16S: WrappingAdd wrapping_add WrappingSub wrapping_sub WrappingMul wrapping_mul SaturatingSub saturating_sub Min min Max max AbsDiff abs_diff;
    }
    c.finish("narrow");
}

#[test]
fn integer_operations_have_rusts_meaning() {
    let mut c = Comparison::new();
    macro_rules! binary {
        ($($op:ident $method:ident $left:expr, $right:expr;)*) => {
            $(c.binary(stringify!($method), (&$left, &$right), |x, y| arith(Op::$op, &[x.clone(), y.clone()]), |x, y| x.$method(y));)*
        };
    }
    binary! {
        WrappingAdd wrapping_add I32S, I32S;
        WrappingSub wrapping_sub I32S, I32S;
        WrappingMul wrapping_mul I32S, I32S;
        WrappingMul wrapping_mul U32S, U32S;
        WrappingMul wrapping_mul I64S, I64S;
        SaturatingSub saturating_sub I32S, I32S;
        SaturatingSub saturating_sub U32S, U32S;
        SaturatingSub saturating_sub I64S, I64S;
        AbsDiff abs_diff U32S, U32S;
        AbsDiff abs_diff U64S, U64S;
        RotateLeft rotate_left I32S, [0_u32, 1, 31, 32, 45];
        RotateRight rotate_right U64S, [0_u32, 1, 31, 32, 63, 64];
        RotateLeft rotate_left U32S, [0_u32, 5, 32];
        RemEuclid rem_euclid [7_i32, -7, i32::MAX, i32::MIN], [3, -3, i32::MIN, i32::MAX];
        RemEuclid rem_euclid F32S, [1.5_f32, -1.5];
        Pow pow [-3_i32, 2, 0, 1], [0_u32, 1, 5, 13];
        Max max I32S, I32S;
        Min min U64S, U64S;
    }
    macro_rules! unary {
        ($($op:ident $method:ident $values:expr => $ret:expr;)*) => {
            $(c.unary(stringify!($method), &$values, |x| op(Op::$op, std::slice::from_ref(x), $ret), |x| x.$method());)*
        };
    }
    unary! {
        CountOnes count_ones I32S => Type::U32;
        CountOnes count_ones I64S => Type::U32;
        LeadingZeros leading_zeros I32S => Type::U32;
        LeadingZeros leading_zeros U64S => Type::U32;
        TrailingZeros trailing_zeros U32S => Type::U32;
        TrailingZeros trailing_zeros I64S => Type::U32;
        Signum signum I32S => Type::I32;
        Signum signum F64S => Type::F64;
        Fract fract F32S => Type::F32;
        Round round F32S => Type::F32;
        ToRadians to_radians F32S => Type::F32;
        ToDegrees to_degrees F32S => Type::F32;
        ToRadians to_radians F64S => Type::F64;
        ToDegrees to_degrees F64S => Type::F64;
    }
    let pairs = |op| move |x: &Expr, y: &Expr| arith(op, &[x.clone(), y.clone()]);
    c.binary("<<", (&I32S, &[0, 1, 31]), pairs(Op::Shl), |x, y| x << y);
    c.binary(">>", (&I32S, &[0, 1, 31]), pairs(Op::Shr), |x, y| x >> y);
    c.binary("/", (&[7, -7, i32::MAX], &[2, -2]), pairs(Op::Div), |x, y| x / y);
    c.binary("%", (&[7, -7, i32::MAX], &[2, -2]), pairs(Op::Rem), |x, y| x % y);
    let clamp = |x: &Expr, y: &Expr| arith(Op::Clamp, &[x.clone(), f32(-1.0), y.clone()]);
    c.binary("clamp", (&F32S, &[1.0_f32]), clamp, |x, y| x.clamp(-1.0, y));
    c.finish("integers");
}
