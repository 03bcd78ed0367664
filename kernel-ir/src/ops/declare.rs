//! The macro that turns the entries of the table into [`TABLE`](super::TABLE).

/// Declares [`TABLE`](super::TABLE). The identifiers in brackets are the names of the operands, the result and its
/// adjoint in derivative rules. They come from the table, so that hygiene lets the rules refer to them.
macro_rules! table {
    ([$a:ident $b:ident $c:ident $r:ident $g:ident]
        $($variant:ident $name:literal $rust:ident($spelling:literal) $doc:literal {
            $($class:ident [$($arg:expr),*] => $ret:expr, $c_spelling:expr, $py_spelling:expr, $accuracy:expr
                $(, [$($rule:expr),*])?;)*
        })*
    ) => {
        /// Every operation, in the order of [`Op`].
        pub static TABLE: [OpDef; [$(Op::$variant),*].len()] = [
            $(OpDef {
                op: Op::$variant,
                name: $name,
                rust: Syntax::$rust($spelling),
                doc: $doc,
                overloads: &[$(Overload {
                    class: $class,
                    args: &[$($arg),*],
                    ret: $ret,
                    c: $c_spelling,
                    py: $py_spelling,
                    accuracy: $accuracy,
                    gradient: &[$($(Rule {
                        formula: stringify!($rule),
                        build: |Symbols { a: $a, b: $b, c: $c, r: $r, g: $g }| {
                            // No rule uses them all.
                            let _ = ($a, $b, $c, $r, $g);
                            $rule.into_expr()
                        },
                    }),*)?],
                }),*],
            },)*
        ];
    };
}

pub(super) use table;
