//! The table of operations against the prelude.

use super::prelude;
use crate::ops::{Spelling, TABLE};

#[test]
fn every_helper_of_the_table_is_defined_for_its_operands() {
    for def in &TABLE {
        for (row, t) in def.rows() {
            if let Spelling::Helper(name) = row.py {
                let mut helpers = prelude::Helpers::default();
                helpers.add(name, row.args[0].apply(t));
                assert!(helpers.sources().next().is_some(), "{}: no `{name}` for {t}", def.name);
            }
        }
    }
}

#[test]
fn the_table_names_no_c_spelling_for_python() {
    for row in TABLE.iter().flat_map(|def| def.overloads) {
        assert!(!matches!(row.py, Spelling::Math(_)), "{:?}", row.py);
    }
}
