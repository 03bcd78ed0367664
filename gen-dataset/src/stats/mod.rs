//! What a dataset is made of: as figures, as plots, as a page.

pub(crate) mod highlight;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod survey;
