//! The agreement of two executions of one launch.

use serde::{Deserialize, Serialize};

/// The agreement of two executions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agreement {
    /// Whether all outputs have the same bits.
    pub(crate) bit_equal: bool,
    /// The largest absolute difference of two floats.
    pub(crate) worst_absolute: f64,
    /// The largest difference of two floats, relative to the larger one.
    pub(crate) worst_relative: f64,
    /// The largest difference of two floats, in units in the last place.
    pub(crate) worst_ulp: u64,
    /// The largest tolerance, in units in the last place. Tolerances are measured for each number of each launch.
    pub(crate) allowed_ulp: u64,
}

impl Agreement {
    /// All outputs have the same bits.
    pub(crate) const SAME: Agreement =
        Agreement { bit_equal: true, worst_absolute: 0.0, worst_relative: 0.0, worst_ulp: 0, allowed_ulp: 0 };

    /// The worst of two agreements.
    pub(crate) fn and(self, other: Agreement) -> Agreement {
        Agreement {
            bit_equal: self.bit_equal && other.bit_equal,
            worst_absolute: self.worst_absolute.max(other.worst_absolute),
            worst_relative: self.worst_relative.max(other.worst_relative),
            worst_ulp: self.worst_ulp.max(other.worst_ulp),
            allowed_ulp: self.allowed_ulp.max(other.allowed_ulp),
        }
    }
}
