//! The macro that turns the entries of the table into [`TABLE`](super::TABLE).

/// Declares [`TABLE`](super::TABLE). The identifiers in brackets are the names of the operands, the result and its
/// adjoint in derivative rules. They come from the table, so that hygiene lets the rules refer to them.
macro_rules! table {
    ([$a:ident $b:ident $c:ident $r:ident $g:ident $k:ident]
        $($variant:ident $name:literal $rust:ident($spelling:literal) $doc:literal {
            $($class:ident [$($arg:expr),*] => $ret:expr, $c_spelling:expr, $py_spelling:expr, $accuracy:expr
                $(, [$($rule:expr),*])?;)*
            $(@each $n:ident [$($size:literal)*] $each_class:expr, $each_args:tt => $each_ret:expr, $each_c:expr,
                $each_py:expr, $each_accuracy:expr, $each_rules:tt;)*
        })*
    ) => {
        /// Every operation, in the order of [`Op`].
        pub static TABLE: [OpDef; [$(Op::$variant),*].len()] = [
            $(OpDef {
                op: Op::$variant,
                name: $name,
                rust: Syntax::$rust($spelling),
                doc: $doc,
                overloads: &[
                    $(Overload {
                        class: $class,
                        size: None,
                        args: &[$($arg),*],
                        ret: $ret,
                        c: $c_spelling,
                        py: $py_spelling,
                        accuracy: $accuracy,
                        gradient: &[$($(rule!([$a $b $c $r $g $k] $rule)),*)?],
                    },)*
                    $($({
                        const $n: u8 = $size;
                        Overload {
                            class: $each_class,
                            size: Some($n),
                            args: &$each_args,
                            ret: $each_ret,
                            c: $each_c,
                            py: $each_py,
                            accuracy: $each_accuracy,
                            gradient: rules!([$a $b $c $r $g $k] $each_rules),
                        }
                    },)*)*
                ],
            },)*
        ];
    };
}

/// A derivative rule.
macro_rules! rule {
    ([$a:ident $b:ident $c:ident $r:ident $g:ident $k:ident] $rule:expr) => {
        Rule {
            formula: stringify!($rule),
            build: |Symbols { a: $a, b: $b, c: $c, r: $r, g: $g, k: $k }| {
                // No rule uses them all.
                let _ = ($a, $b, $c, $r, $g, $k);
                $rule.into_expr()
            },
        }
    };
}

/// A list of derivative rules, or one rule for each of several operands.
macro_rules! rules {
    ($symbols:tt [$rule:expr; $count:expr]) => {
        &[const { rule!($symbols $rule) }; $count]
    };
    ($symbols:tt [$($rule:expr),*]) => {
        &[$(rule!($symbols $rule)),*]
    };
}

pub(super) use {rule, rules, table};
