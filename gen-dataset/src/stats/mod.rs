//! Statistics of a dataset, as figures, plots and an HTML page.

pub(crate) mod highlight;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod survey;
