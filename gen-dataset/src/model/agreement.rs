//! How well two executions agree.

use serde::{Deserialize, Serialize};

/// How well two executions agree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agreement {
    /// Whether all outputs have the same bits.
    pub(crate) bit_equal: bool,
    /// The largest distance of two floats.
    pub(crate) worst_absolute: f64,
    /// The largest distance of two floats, as a part of the larger one.
    pub(crate) worst_relative: f64,
    /// The largest distance of two floats, in units in the last place.
    pub(crate) worst_ulp: u64,
    /// The largest distance that the accuracy of the operations allows; how far each number may be off is measured.
    pub(crate) allowed_ulp: u64,
}

impl Agreement {
    /// The same bits everywhere.
    pub(crate) const SAME: Agreement =
        Agreement { bit_equal: true, worst_absolute: 0.0, worst_relative: 0.0, worst_ulp: 0, allowed_ulp: 0 };

    /// How well two pairs of executions agree.
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
