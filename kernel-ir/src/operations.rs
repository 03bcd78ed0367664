//! THE table of operations: every operation of the language is declared here, once.
//!
//! An entry has four columns: variant, name, Rust syntax, meaning. Rows follow, one for each overload: class of `T`,
//! operand types, result type, spelling in C, spelling in Warp Python, accuracy. A row of floats may end with a list of
//! derivative rules. The k-th rule is the term that the k-th operand's adjoint receives: a formula over the operands
//! `a`, `b` and `c`, the result `r` and the adjoint of the result `g`. Operands beyond the list carry no derivative,
//! and no operand carries one where the result is not a float.
//!
//! A row that starts with `@each N [1 2 …]` stands for one row for each of these sizes `N`. There a list of operands or
//! rules may be `[S; N]`; `k` in a rule is the position of the operand.
//!
//! The table is a macro because two modules read it: [`ir`](crate::ir) declares the enum of operations from it, and
//! [`ops`](crate::ops), which is a layer above `ir`, gives the columns their meaning.

/// Hands the table to the macro `$declare`.
macro_rules! operations {
    ($declare:ident) => {
        $declare! {
            [a b c r g k]

            // Arithmetic. Integer overflow and division by zero are errors of the program, as in Rust.
            Add "add" Infix("+") "The sum." {
                Num [T, T] => T, Infix("+"), Infix("+"), Exact, [g, g];
                Vec [T, T] => T, Infix("+"), Infix("+"), Exact, [g, g];
                Mat [T, T] => T, Infix("+"), Infix("+"), Exact, [g, g];
                Quat [T, T] => T, Infix("+"), Infix("+"), Exact, [g, g];
            }
            Sub "sub" Infix("-") "The difference." {
                Num [T, T] => T, Infix("-"), Infix("-"), Exact, [g, -g];
                Vec [T, T] => T, Infix("-"), Infix("-"), Exact, [g, -g];
                Mat [T, T] => T, Infix("-"), Infix("-"), Exact, [g, -g];
                Quat [T, T] => T, Infix("-"), Infix("-"), Exact, [g, -g];
            }
            Mul "mul" Infix("*") "The product: by component for two vectors, the Hamilton product for two quaternions. A quaternion times a vector is the rotated vector." {
                Num [T, T] => T, Infix("*"), Infix("*"), Exact, [g.strong_mul(b), g.strong_mul(a)];
                Vec [T, T] => T, Infix("*"), Call("wp.cw_mul"), Exact, [g.strong_mul(b), g.strong_mul(a)];
                Vec [T, S] => T, Infix("*"), Infix("*"), Exact, [g.strong_mul(b), g.strong_dot(a)];
                Vec [S, T] => T, Infix("*"), Infix("*"), Exact, [g.strong_dot(b), g.strong_mul(a)];
                Mat [T, S] => T, Infix("*"), Infix("*"), Exact, [g.strong_mul(b), inner(g, a)];
                Mat [S, T] => T, Infix("*"), Infix("*"), Exact, [inner(g, b), g.strong_mul(a)];
                Mat [T, Row] => Col, Infix("*"), Infix("*"), Exact, [outer(g, b), g.strong_mul(a)];
                Quat [T, S] => T, Infix("*"), Infix("*"), Exact, [g.strong_mul(b), g.strong_dot(a)];
                Quat [T, T] => T, Infix("*"), Helper("quat_mul"), Exact,
                    [g.strong_mul(b.conjugate()), g.conjugate().strong_mul(a).conjugate()];
                Quat [T, V3] => V3, Infix("*"), Helper("quat_rotate"), Exact,
                    [-(pure(g).strong_mul(a).strong_mul(pure(b)) * 2.0), rotated_back(a, g)];
                @each N [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] Mat, [T, Right(N)] => With(N), Infix("*"), Helper("mat_mul"), Exact,
                    [g.strong_mul(b.transpose()), g.transpose().strong_mul(a).transpose()];
            }
            Div "div" Infix("/") "The quotient: rounded towards zero for integers, by component for two vectors." {
                AnyFloat [T, T] => T, Infix("/"), Infix("/"), Exact, [g.strong_div(b), -(g.strong_div(b).strong_mul(r))];
                Signed [T, T] => T, Infix("/"), Infix("/"), Exact;
                Unsigned [T, T] => T, Infix("/"), Infix("//"), Exact;
                Vec [T, T] => T, Infix("/"), Call("wp.cw_div"), Exact,
                    [g.strong_div(b), -(g.strong_div(b).strong_mul(r))];
                Vec [T, S] => T, Infix("/"), Infix("/"), Exact, [g.strong_div(b), -(g.strong_dot(r).strong_div(b))];
                Quat [T, S] => T, Infix("/"), Infix("/"), Exact, [g.strong_div(b), -(g.strong_dot(r).strong_div(b))];
            }

            // Products and quotients of an adjoint and a derivative. See `ops/gradient/mod.rs`.
            StrongMul "strong_mul" Method("strong_mul") "The product with a strong zero: a 0 in the first operand contributes 0, whatever the second operand is. For a vector and a matrix, the row vector times the matrix." {
                AnyFloat [T, T] => T, Helper("strong_mul"), Helper("strong_mul"), Exact, [g.strong_mul(b), g.strong_mul(a)];
                FloatVec [T, T] => T, Helper("strong_mul"), Helper("vec_strong_mul"), Exact, [g.strong_mul(b), g.strong_mul(a)];
                FloatVec [T, S] => T, Helper("strong_mul"), Helper("vec_strong_scale"), Exact, [g.strong_mul(b), g.strong_dot(a)];
                FloatVec [S, T] => T, Helper("strong_mul"), Helper("strong_scale"), Exact, [g.strong_dot(b), g.strong_mul(a)];
                Mat [T, S] => T, Helper("strong_mul"), Helper("mat_strong_scale"), Exact, [g.strong_mul(b), inner(g, a)];
                Mat [S, T] => T, Helper("strong_mul"), Helper("strong_scale"), Exact, [inner(g, b), g.strong_mul(a)];
                Mat [Col, T] => Row, Helper("strong_mul"), Helper("row_strong_mul"), Exact,
                    [g.strong_mul(b.transpose()), outer(g, a).transpose()];
                Quat [T, S] => T, Helper("strong_mul"), Helper("quat_strong_scale"), Exact, [g.strong_mul(b), g.strong_dot(a)];
                Quat [S, T] => T, Helper("strong_mul"), Helper("strong_scale"), Exact, [g.strong_dot(b), g.strong_mul(a)];
                Quat [T, T] => T, Helper("strong_mul"), Helper("quat_strong_mul"), Exact,
                    [g.strong_mul(b.conjugate()), g.conjugate().strong_mul(a).conjugate()];
                @each N [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] Mat, [T, Right(N)] => With(N), Helper("strong_mul"), Helper("mat_strong_mul"), Exact,
                    [g.strong_mul(b.transpose()), g.transpose().strong_mul(a).transpose()];
            }
            StrongDiv "strong_div" Method("strong_div") "The quotient with a strong zero: a 0 in the first operand gives 0, whatever the second operand is." {
                AnyFloat [T, T] => T, Helper("strong_div"), Helper("strong_div"), Exact, [g.strong_div(b), -(g.strong_div(b).strong_mul(r))];
                FloatVec [T, T] => T, Helper("strong_div"), Helper("vec_strong_div"), Exact,
                    [g.strong_div(b), -(g.strong_div(b).strong_mul(r))];
                FloatVec [T, S] => T, Helper("strong_div"), Helper("vec_strong_over"), Exact,
                    [g.strong_div(b), -(g.strong_dot(r).strong_div(b))];
                Quat [T, S] => T, Helper("strong_div"), Helper("quat_strong_over"), Exact,
                    [g.strong_div(b), -(g.strong_dot(r).strong_div(b))];
            }
            StrongDot "strong_dot" Method("strong_dot") "The dot product with a strong zero in the first operand." {
                FloatVec [T, T] => S, Helper("strong_dot"), Helper("strong_dot"), Exact, [g.strong_mul(b), g.strong_mul(a)];
                Quat [T, T] => S, Helper("strong_dot"), Helper("quat_strong_dot"), Exact, [g.strong_mul(b), g.strong_mul(a)];
            }
            StrongCross "strong_cross" Method("strong_cross") "The cross product with a strong zero in the first operand." {
                FloatVec3 [T, T] => T, Helper("strong_cross"), Helper("strong_cross"), Exact,
                    [-g.strong_cross(b), g.strong_cross(a)];
            }
            Rem "rem" Infix("%") "The remainder, with the sign of the dividend." {
                Float [T, T] => T, Math("fmod"), Infix("%"), Exact, [g, -g.strong_mul((a / b).trunc())];
                AnyInt [T, T] => T, Infix("%"), Infix("%"), Exact;
            }
            Neg "neg" Prefix("-") "The negated value." {
                Signed [T] => T, Prefix("-"), Prefix("-"), Exact;
                AnyFloat [T] => T, Prefix("-"), Helper("neg"), Exact, [-g];
                SignedVec [T] => T, Prefix("-"), Prefix("-"), Exact, [-g];
                Mat [T] => T, Prefix("-"), Prefix("-"), Exact, [-g];
                Quat [T] => T, Prefix("-"), Prefix("-"), Exact, [-g];
            }

            // Comparison. With NaN all but `!=` are false.
            Eq "eq" Infix("==") "Whether the operands are equal." {
                Num [T, T] => BOOL, Infix("=="), Infix("=="), Exact;
                Bool [T, T] => BOOL, Infix("=="), Infix("=="), Exact;
            }
            Ne "ne" Infix("!=") "Whether the operands differ." {
                Num [T, T] => BOOL, Infix("!="), Infix("!="), Exact;
                Bool [T, T] => BOOL, Infix("!="), Infix("!="), Exact;
            }
            Lt "lt" Infix("<") "Whether the first operand is less than the second." {
                Num [T, T] => BOOL, Infix("<"), Infix("<"), Exact;
            }
            Le "le" Infix("<=") "Whether the first operand is less than or equal to the second." {
                Num [T, T] => BOOL, Infix("<="), Infix("<="), Exact;
            }
            Gt "gt" Infix(">") "Whether the first operand is greater than the second." {
                Num [T, T] => BOOL, Infix(">"), Infix(">"), Exact;
            }
            Ge "ge" Infix(">=") "Whether the first operand is greater than or equal to the second." {
                Num [T, T] => BOOL, Infix(">="), Infix(">="), Exact;
            }

            // Logic and bits.
            And "and" Infix("&&") "The logical and; the second operand is evaluated only if the first one is true." {
                Bool [T, T] => T, Infix("&&"), Infix("and"), Exact;
            }
            Or "or" Infix("||") "The logical or; the second operand is evaluated only if the first one is false." {
                Bool [T, T] => T, Infix("||"), Infix("or"), Exact;
            }
            Not "not" Prefix("!") "The logical negation of a `bool`; the bitwise negation of an integer." {
                Bool [T] => T, Prefix("!"), Prefix("not "), Exact;
                Int [T] => T, Prefix("~"), Prefix("~"), Exact;
            }
            BitAnd "bit_and" Infix("&") "The bitwise and; both operands are evaluated, also of type `bool`." {
                AnyInt [T, T] => T, Infix("&"), Infix("&"), Exact;
                Bool [T, T] => T, Infix("&&"), Infix("and"), Exact;
            }
            BitOr "bit_or" Infix("|") "The bitwise or; both operands are evaluated, also of type `bool`." {
                AnyInt [T, T] => T, Infix("|"), Infix("|"), Exact;
                Bool [T, T] => T, Infix("||"), Infix("or"), Exact;
            }
            BitXor "bit_xor" Infix("^") "The bitwise exclusive or." {
                AnyInt [T, T] => T, Infix("^"), Infix("^"), Exact;
                Bool [T, T] => T, Infix("!="), Infix("!="), Exact;
            }
            Shl "shl" Infix("<<") "The bits shifted left; the distance is less than the width." {
                Signed [T, T] => T, Helper("shl"), Infix("<<"), Exact;
                Uint [T, T] => T, Infix("<<"), Infix("<<"), Exact;
            }
            Shr "shr" Infix(">>") "The bits shifted right, with copies of the sign bit shifted in; the distance is less than the width." {
                Int [T, T] => T, Infix(">>"), Infix(">>"), Exact;
            }

            // Integers.
            WrappingAdd "wrapping_add" Method("wrapping_add") "The sum, wrapped around at the limits of the type." {
        Signed [T, T] => T, Helper("wrapping_add"), Helper("wrapping_add"), Exact;
                Uint [T, T] => T, Infix("+"), Infix("+"), Exact;
            }
            WrappingSub "wrapping_sub" Method("wrapping_sub") "The difference, wrapped around at the limits of the type." {
                Signed [T, T] => T, Helper("wrapping_sub"), Helper("wrapping_sub"), Exact;
                Uint [T, T] => T, Infix("-"), Infix("-"), Exact;
            }
            WrappingMul "wrapping_mul" Method("wrapping_mul") "The product, wrapped around at the limits of the type." {
                Signed [T, T] => T, Helper("wrapping_mul"), Helper("wrapping_mul"), Exact;
                Uint [T, T] => T, Infix("*"), Infix("*"), Exact;
            }
            SaturatingSub "saturating_sub" Method("saturating_sub") "The difference, limited to the range of the type." {
                Int [T, T] => T, Helper("saturating_sub"), Helper("saturating_sub"), Exact;
                Index [T, T] => T, Helper("saturating_sub"), Helper("index_saturating_sub"), Exact;
            }
            AbsDiff "abs_diff" Method("abs_diff") "The absolute difference of two unsigned integers." {
                Unsigned [T, T] => T, Helper("abs_diff"), Helper("abs_diff"), Exact;
            }
            Pow "pow" Method("pow") "The integer raised to a power." {
                AnyInt [T, U32] => T, Helper("pow"), Helper("ipow"), Exact;
            }
            CountOnes "count_ones" Method("count_ones") "The number of bits that are set." {
                Int [T] => U32, Helper("count_ones"), Helper("count_ones"), Exact;
            }
            LeadingZeros "leading_zeros" Method("leading_zeros") "The number of leading zero bits." {
                Int [T] => U32, Helper("leading_zeros"), Helper("leading_zeros"), Exact;
            }
            TrailingZeros "trailing_zeros" Method("trailing_zeros") "The number of trailing zero bits." {
                Int [T] => U32, Helper("trailing_zeros"), Helper("trailing_zeros"), Exact;
            }
            RotateLeft "rotate_left" Method("rotate_left") "The bits rotated left." {
                Int [T, U32] => T, Helper("rotate_left"), Helper("rotate_left"), Exact;
            }
            RotateRight "rotate_right" Method("rotate_right") "The bits rotated right." {
                Int [T, U32] => T, Helper("rotate_right"), Helper("rotate_right"), Exact;
            }

            // Checks, which only the interpreter, the CPU version and bounds-checked text make.
            Below "index_below" Method("index_below") "The index itself, which must be below the bound. Otherwise it is out of bounds, which is an error of the program." {
                Index [T, T] => T, First, First, Exact;
            }

            // Random numbers. The state of a generator is a `u32`, and each draw hashes it. An operation is the value that
            // the next draw gives; `rng = randu(rng)` is another statement. See `front/resolve/random.rs`.
            RandInit "rand_init" Function("rand_init") "The state of a random generator: a hash of a seed and of an offset, such as the index of the thread." {
                State [I32, I32] => T, Helper("rand_init"), Call("wp.rand_init"), Exact;
            }
            RandSeed "rand_seed" Function("rand_seed") "The state of a random generator: a hash of a seed." {
                State [I32] => T, Helper("rand_seed"), Call("wp.rand_init"), Exact;
            }
            Randu "randu" Draw("randu") "A random integer. It is also the next state." {
                State [T] => T, Helper("randu"), Call("wp.randu"), Exact;
            }
            RanduRange "randu_range" Draw("randu_range") "A random integer from the lower bound to below the upper one; the bounds differ." {
                State [T, T, T] => T, Helper("randu_range"), Call("wp.randu"), Exact;
            }
            Randi "randi" Draw("randi") "A random integer." {
                State [T] => I32, Helper("randi"), Call("wp.randi"), Exact;
            }
            RandiRange "randi_range" Draw("randi_range") "A random integer from the lower bound to below the upper one; the bounds differ." {
                State [T, I32, I32] => I32, Helper("randi_range"), Call("wp.randi"), Exact;
            }
            Randf "randf" Draw("randf") "A random number from 0 to below 1, a multiple of 2⁻²⁴." {
                State [T] => F32, Helper("randf"), Call("wp.randf"), Exact;
            }
            RandfRange "randf_range" Draw("randf_range") "The linear interpolation between two bounds by the number of `randf`." {
                State [T, F32, F32] => F32, Helper("randf_range"), Call("wp.randf"), Exact,
                    [none(), g.strong_mul(1.0 - uniform(a)), g.strong_mul(uniform(a))];
            }
            Randn "randn" Draw("randn") "A normally distributed random number: the mean is 0 and the variance 1. It takes two draws." {
                State [T] => F32, Helper("randn"), Call("wp.randn"), Ulp(8);
            }

            // Order and sign.
            Min "min" Method("min") "The smaller operand; if one is NaN, the other one." {
                Float [T, T] => T, Math("fmin"), Call("wp.min"), EitherZero, [when(a.equals(r), g), unless(a.equals(r), g)];
                AnyInt [T, T] => T, Helper("min"), Call("wp.min"), Exact;
                FloatVec [T, T] => T, Helper("min"), Helper("vec_min"), Exact, [where_equal(a, r, g), unless_equal(a, r, g)];
                IntVec [T, T] => T, Helper("min"), Call("wp.min"), Exact;
            }
            Max "max" Method("max") "The larger operand; if one is NaN, the other one." {
                Float [T, T] => T, Math("fmax"), Call("wp.max"), EitherZero, [when(a.equals(r), g), unless(a.equals(r), g)];
                AnyInt [T, T] => T, Helper("max"), Call("wp.max"), Exact;
                FloatVec [T, T] => T, Helper("max"), Helper("vec_max"), Exact, [where_equal(a, r, g), unless_equal(a, r, g)];
                IntVec [T, T] => T, Helper("max"), Call("wp.max"), Exact;
            }
            Clamp "clamp" Method("clamp") "The value limited to the bounds; NaN stays NaN. The lower bound is not above the upper one." {
                Float [T, T, T] => T, Helper("clamp"), Helper("clamp"), Exact,
                    [unless(a.lt(b).or(a.gt(c)), g), when(a.lt(b), g), when(a.gt(c), g)];
                AnyInt [T, T, T] => T, Helper("clamp"), Call("wp.clamp"), Exact;
            }
            Abs "abs" Method("abs") "The absolute value; by component for vectors." {
                Float [T] => T, Math("fabs"), Call("wp.abs"), Exact, [g.strong_mul(sign(a))];
                Signed [T] => T, Helper("abs"), Call("wp.abs"), Exact;
                SignedVec [T] => T, Helper("abs"), Call("wp.abs"), Exact, [g.strong_mul(signs(a))];
            }
            Signum "signum" Method("signum") "The sign: for floats 1 or -1 by the sign bit, and NaN for NaN; for integers -1, 0 or 1." {
                Float [T] => T, Helper("signum"), Helper("signum"), Exact, [];
                Signed [T] => T, Helper("signum"), Helper("isignum"), Exact;
            }
            Copysign "copysign" Method("copysign") "The magnitude of the first operand with the sign of the second." {
                Float [T, T] => T, Math("copysign"), Call("wp.copysign"), Exact, [g.strong_mul(sign(a) * b.signum())];
            }
            RemEuclid "rem_euclid" Method("rem_euclid") "The Euclidean remainder, which is never negative." {
                Float [T, T] => T, Helper("rem_euclid"), Helper("rem_euclid"), Exact, [g, -g.strong_mul(div_euclid(a, b))];
                AnyInt [T, T] => T, Helper("rem_euclid"), Helper("rem_euclid"), Exact;
            }
            IsNan "is_nan" Method("is_nan") "Whether the value is NaN." {
                AnyFloat [T] => BOOL, Helper("is_nan"), Call("wp.isnan"), Exact;
            }
            IsFinite "is_finite" Method("is_finite") "Whether the value is neither infinite nor NaN." {
                AnyFloat [T] => BOOL, Helper("is_finite"), Call("wp.isfinite"), Exact;
            }

            // Rounding.
            Floor "floor" Method("floor") "The largest integer not above the value." {
                Float [T] => T, Math("floor"), Call("wp.floor"), Exact, [];
            }
            Ceil "ceil" Method("ceil") "The smallest integer not below the value." {
                Float [T] => T, Math("ceil"), Call("wp.ceil"), Exact, [];
            }
            Round "round" Method("round") "The nearest integer; halves are rounded away from zero." {
                Float [T] => T, Math("round"), Call("wp.round"), Exact, [];
            }
            Trunc "trunc" Method("trunc") "The integer part." {
                Float [T] => T, Math("trunc"), Call("wp.trunc"), Exact, [];
            }
            Fract "fract" Method("fract") "The fractional part, with the sign of the value." {
                Float [T] => T, Helper("fract"), Call("wp.frac"), Exact, [g];
            }

            // Powers, exponentials, logarithms.
            Sqrt "sqrt" Method("sqrt") "The square root; NaN below zero." {
                Float [T] => T, Math("sqrt"), Call("wp.sqrt"), Exact, [(0.5 * g).strong_div(r)];
            }
            Cbrt "cbrt" Method("cbrt") "The cube root." {
                Float [T] => T, Math("cbrt"), Call("wp.cbrt"), LIBM, [g.strong_div(3.0 * r * r)];
            }
            Recip "recip" Method("recip") "The reciprocal." {
                Float [T] => T, Helper("recip"), Helper("recip"), Exact, [-(g.strong_mul(r).strong_mul(r))];
            }
            MulAdd "mul_add" Method("mul_add") "The fused multiply-add: the first operand times the second plus the third, rounded once." {
                Float [T, T, T] => T, Math("fma"), Helper("mul_add"), Exact, [g.strong_mul(b), g.strong_mul(a), g];
            }
            Powi "powi" Method("powi") "The value raised to an integer power." {
                Float [T, I32] => T, Helper("powi"), Helper("powi"), LIBM, [g.strong_mul(powi_slope(a, b))];
            }
            Powf "powf" Method("powf") "The value raised to a power." {
                Float [T, T] => T, Math("pow"), Call("wp.pow"), LIBM,
                    [unless(b.equals(0.0), g.strong_mul(b).strong_mul(a.powf(b - 1.0))), when(a.gt(0.0), g.strong_mul(r).strong_mul(a.ln()))];
            }
            Hypot "hypot" Method("hypot") "The length of the hypotenuse of a right triangle with these legs." {
                Float [T, T] => T, Math("hypot"), Helper("hypot"), LIBM,
                    [unless(r.equals(0.0), g.strong_mul(a / r)), unless(r.equals(0.0), g.strong_mul(b / r))];
            }
            Exp "exp" Method("exp") "e raised to the value." {
                Float [T] => T, Math("exp"), Call("wp.exp"), LIBM, [g.strong_mul(r)];
            }
            Exp2 "exp2" Method("exp2") "Two raised to the value." {
                Float [T] => T, Math("exp2"), Helper("exp2"), LIBM, [g.strong_mul(r) * ln_of(2.0, a)];
            }
            ExpM1 "exp_m1" Method("exp_m1") "e raised to the value, minus one." {
                Float [T] => T, Math("expm1"), Helper("exp_m1"), LIBM, [g.strong_mul(a.exp())];
            }
            Ln "ln" Method("ln") "The natural logarithm." {
                Float [T] => T, Math("log"), Call("wp.log"), LIBM, [g.strong_div(a)];
            }
            Ln1p "ln_1p" Method("ln_1p") "The natural logarithm of one plus the value." {
                Float [T] => T, Math("log1p"), Helper("ln_1p"), LIBM, [g.strong_div(1.0 + a)];
            }
            Log2 "log2" Method("log2") "The logarithm to base two." {
                Float [T] => T, Math("log2"), Call("wp.log2"), LIBM, [g.strong_div(a * ln_of(2.0, a))];
            }
            Log10 "log10" Method("log10") "The logarithm to base ten." {
                Float [T] => T, Math("log10"), Call("wp.log10"), LIBM, [g.strong_div(a * ln_of(10.0, a))];
            }

            // Angles, in radians.
            Sin "sin" Method("sin") "The sine." {
                Float [T] => T, Math("sin"), Call("wp.sin"), LIBM_WITHIN_ONE, [g.strong_mul(a.cos())];
            }
            Cos "cos" Method("cos") "The cosine." {
                Float [T] => T, Math("cos"), Call("wp.cos"), LIBM_WITHIN_ONE, [-g.strong_mul(a.sin())];
            }
            Tan "tan" Method("tan") "The tangent." {
                Float [T] => T, Math("tan"), Call("wp.tan"), LIBM, [g.strong_mul(1.0 + r * r)];
            }
            Asin "asin" Method("asin") "The arc sine; NaN outside -1 to 1." {
                Float [T] => T, Math("asin"), Helper("asin"), LIBM, [g.strong_div((1.0 - a * a).sqrt())];
            }
            Acos "acos" Method("acos") "The arc cosine; NaN outside -1 to 1." {
                Float [T] => T, Math("acos"), Helper("acos"), LIBM, [-g.strong_div((1.0 - a * a).sqrt())];
            }
            Atan "atan" Method("atan") "The arc tangent." {
                Float [T] => T, Math("atan"), Call("wp.atan"), LIBM, [g.strong_div(1.0 + a * a)];
            }
            Atan2 "atan2" Method("atan2") "The angle of the point (second operand, first operand)." {
                Float [T, T] => T, Math("atan2"), Call("wp.atan2"), LIBM, [g.strong_mul(atan2_slope(b, a, b)), -g.strong_mul(atan2_slope(a, a, b))];
            }
            Sinh "sinh" Method("sinh") "The hyperbolic sine." {
                Float [T] => T, Math("sinh"), Call("wp.sinh"), LIBM, [g.strong_mul(a.cosh())];
            }
            Cosh "cosh" Method("cosh") "The hyperbolic cosine." {
                Float [T] => T, Math("cosh"), Call("wp.cosh"), LIBM, [g.strong_mul(a.sinh())];
            }
            Tanh "tanh" Method("tanh") "The hyperbolic tangent." {
                Float [T] => T, Math("tanh"), Call("wp.tanh"), LIBM_WITHIN_ONE, [g.strong_mul(1.0 - r * r)];
            }
            ToRadians "to_radians" Method("to_radians") "The value converted from degrees to radians." {
                Float [T] => T, Helper("to_radians"), Helper("to_radians"), Exact, [g.to_radians()];
            }
            ToDegrees "to_degrees" Method("to_degrees") "The value converted from radians to degrees." {
                Float [T] => T, Helper("to_degrees"), Helper("to_degrees"), Exact, [g.to_degrees()];
            }

            // Making vectors, matrices and quaternions.
            VecNew "vec" Assoc("new") "The vector of these components." {
                @each N [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] VecOf(N), [S; N as usize] => T, Construct, Construct, Exact, [g.part(k); N as usize];
            }
            Splat "splat" Assoc("splat") "The vector with the same value in each component." {
                Vec [S] => T, Helper("splat"), Construct, Exact, [g.element_sum()];
            }
            MatFromCols "mat" Assoc("from_cols") "The matrix of these columns." {
                @each N [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] Columns(N), [Col; N as usize] => T, Construct, Call("wp.matrix_from_cols"), Exact,
                    [g.part(k); N as usize];
            }
            FromDiagonal "from_diagonal" Assoc("from_diagonal") "The matrix with this diagonal and zeros elsewhere." {
                @each N [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] Square(N), [Col] => T, Helper("from_diagonal"), Call("wp.diag"), Exact, [diagonal(g)];
            }
            Outer "outer" Method("outer") "The outer product: the matrix whose column `j` is the first vector times the component `j` of the second." {
                Mat [Col, Row] => T, Helper("outer"), Call("wp.outer"), Exact, [transform(g, b), transform(&g.transpose(), a)];
            }
            Skew "skew" Method("skew") "The skew-symmetric matrix whose product with a vector is the cross product with that vector." {
                Mat3 [Col] => T, Helper("skew"), Call("wp.skew"), Exact, [axial(g)];
            }
            QuatNew "quat" Assoc("from_xyzw") "The quaternion of these components." {
                Quat [S, S, S, S] => T, Construct, Construct, Exact, [g.x(), g.y(), g.z(), g.w()];
            }
            Extend "extend" Method("extend") "The vector with one more component." {
                Vec2 [T, S] => Longer, Helper("extend"), Helper("extend2"), Exact, [g.truncate(), g.z()];
                Vec3 [T, S] => Longer, Helper("extend"), Helper("extend3"), Exact, [g.truncate(), g.w()];
            }
            Truncate "truncate" Method("truncate") "The vector without its last component." {
                Vec3 [T] => Shorter, Helper("truncate"), Helper("truncate3"), Exact, [g.extend(0.0)];
                Vec4 [T] => Shorter, Helper("truncate"), Helper("truncate4"), Exact, [g.extend(0.0)];
            }

            // Vectors.
            Dot "dot" Method("dot") "The dot product." {
                Vec [T, T] => S, Helper("dot"), Call("wp.dot"), Exact, [g.strong_mul(b), g.strong_mul(a)];
                Quat [T, T] => S, Helper("dot"), Call("wp.dot"), Exact, [g.strong_mul(b), g.strong_mul(a)];
            }
            Cross "cross" Method("cross") "The cross product." {
                FloatVec3 [T, T] => T, Helper("cross"), Call("wp.cross"), Exact, [-g.strong_cross(b), g.strong_cross(a)];
            }
            PerpDot "perp_dot" Method("perp_dot") "The z component of the cross product of two plane vectors." {
                FloatVec2 [T, T] => S, Helper("perp_dot"), Helper("perp_dot"), Exact, [g.strong_mul(turned(b)), -g.strong_mul(turned(a))];
            }
            Length "length" Method("length") "The Euclidean length." {
                FloatVec [T] => S, Helper("length"), Call("wp.length"), Exact, [unless(r.equals(0.0), g.strong_div(r)).strong_mul(a)];
                Quat [T] => S, Helper("length"), Call("wp.length"), Exact, [unless(r.equals(0.0), g.strong_div(r)).strong_mul(a)];
            }
            LengthSquared "length_squared" Method("length_squared") "The square of the Euclidean length." {
                FloatVec [T] => S, Helper("length_squared"), Call("wp.length_sq"), Exact, [(2.0 * g).strong_mul(a)];
                Quat [T] => S, Helper("length_squared"), Call("wp.length_sq"), Exact, [(2.0 * g).strong_mul(a)];
            }
            Distance "distance" Method("distance") "The Euclidean distance between two points." {
                FloatVec [T, T] => S, Helper("distance"), Helper("distance"), Exact,
                    [unless(r.equals(0.0), g.strong_div(r)).strong_mul(a - b), unless(r.equals(0.0), g.strong_div(r)).strong_mul(b - a)];
            }
            DistanceSquared "distance_squared" Method("distance_squared") "The square of the Euclidean distance between two points." {
                FloatVec [T, T] => S, Helper("distance_squared"), Helper("distance_squared"), Exact,
                    [(2.0 * g).strong_mul(a - b), (2.0 * g).strong_mul(b - a)];
            }
            Normalize "normalize" Method("normalize") "The value divided by its length; the length is not zero." {
                FloatVec [T] => T, Helper("normalize"), Helper("normalize"), Exact, [normalized(a, r, g)];
                Quat [T] => T, Helper("normalize"), Helper("normalize"), Exact, [normalized(a, r, g)];
            }
            NormalizeOrZero "normalize_or_zero" Method("normalize_or_zero") "The vector divided by its length; zero if the length is zero or NaN." {
                FloatVec [T] => T, Helper("normalize_or_zero"), Call("wp.normalize"), Exact,
                    [when(r.length_squared().gt(0.0), normalized(a, r, g))];
            }
            Lerp "lerp" Method("lerp") "The linear interpolation `self * (1 - s) + rhs * s`." {
                FloatVec [T, T, S] => T, Helper("lerp"), Helper("lerp"), Exact, [g.strong_mul(1.0 - c), g.strong_mul(c), g.strong_dot(b - a)];
            }
            Reflect "reflect" Method("reflect") "The vector reflected at the plane with a unit normal." {
                FloatVec2 [T, T] => T, Helper("reflect"), Helper("reflect"), Exact,
                    [mirrored(b, g), -((g.strong_dot(b).strong_mul(a) + g.strong_mul(a.dot(b))) * 2.0)];
                FloatVec3 [T, T] => T, Helper("reflect"), Helper("reflect"), Exact,
                    [mirrored(b, g), -((g.strong_dot(b).strong_mul(a) + g.strong_mul(a.dot(b))) * 2.0)];
            }
            MinElement "min_element" Method("min_element") "The smallest component." {
                FloatVec [T] => S, Helper("min_element"), Helper("min_element"), Exact, [at_first(a, r, g)];
                IntVec [T] => S, Helper("min_element"), Call("wp.min"), Exact;
            }
            MaxElement "max_element" Method("max_element") "The largest component." {
                FloatVec [T] => S, Helper("max_element"), Helper("max_element"), Exact, [at_first(a, r, g)];
                IntVec [T] => S, Helper("max_element"), Call("wp.max"), Exact;
            }
            ElementSum "element_sum" Method("element_sum") "The sum of the components." {
                Vec [T] => S, Helper("element_sum"), Helper("element_sum"), Exact, [g.splat(a.ty)];
            }
            ElementProduct "element_product" Method("element_product") "The product of the components." {
                Vec [T] => S, Helper("element_product"), Helper("element_product"), Exact, [g.strong_mul(products_of_others(a))];
            }

            // Matrices and quaternions.
            Row "row" Method("row") "A row of the matrix; its index is a literal." {
                Mat [T, Is(Type::INDEX)] => Row, Helper("row"), Helper("row"), Exact, [at_row(a, b, g)];
            }
            Transpose "transpose" Method("transpose") "The matrix with rows and columns exchanged." {
                Mat [T] => Transposed, Helper("transpose"), Call("wp.transpose"), Exact, [g.transpose()];
            }
            Trace "trace" Method("trace") "The sum of the diagonal." {
                @each N [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] Square(N), [T] => S, Helper("trace"), Call("wp.trace"), Exact, [on_diagonal(a, g)];
            }
            Determinant "determinant" Method("determinant") "The determinant." {
                Mat2 [T] => S, Helper("determinant"), Call("wp.determinant"), Exact, [g.strong_mul(cofactors(a))];
                Mat3 [T] => S, Helper("determinant"), Helper("determinant3"), Exact, [g.strong_mul(cofactors(a))];
                Mat4 [T] => S, Helper("determinant"), Helper("determinant4"), Exact, [g.strong_mul(cofactors(a))];
            }
            Inverse "inverse" Method("inverse") "The inverse. Of a quaternion it is the conjugate; the length of the quaternion is 1." {
                Mat2 [T] => T, Helper("inverse"), Helper("inverse2"), Exact, [-(g.transpose().strong_mul(r).transpose().strong_mul(r.transpose()))];
                Mat3 [T] => T, Helper("inverse"), Helper("inverse3"), Exact, [-(g.transpose().strong_mul(r).transpose().strong_mul(r.transpose()))];
                Mat4 [T] => T, Helper("inverse"), Helper("inverse4"), Exact, [-(g.transpose().strong_mul(r).transpose().strong_mul(r.transpose()))];
                Quat [T] => T, Helper("inverse"), Call("wp.quat_inverse"), Exact, [g.conjugate()];
            }
            Conjugate "conjugate" Method("conjugate") "The quaternion with x, y and z negated." {
                Quat [T] => T, Helper("conjugate"), Call("wp.quat_inverse"), Exact, [g.conjugate()];
            }
        }
    };
}
