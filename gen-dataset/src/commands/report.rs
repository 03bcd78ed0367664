//! `report`: writes a dataset as one HTML page.

use super::stats::{plots, survey};
use super::term;
use crate::cli::ReportArgs;
use crate::error::Error;
use crate::files::{read_json, write_whole};
use crate::model::CardSettings;
use crate::out::{Manifest, RUN, STATS, Stats};
use crate::stats::report::{Sampler, page};
use std::fs;
use std::path::PathBuf;

/// Writes the page of the dataset that `args` names.
pub(crate) fn report(args: &ReportArgs) -> Result<(), Error> {
    let mut sampler = Sampler::new(args.samples, args.seed);
    let survey = survey(&args.dir, None, &mut |record| sampler.look(record))?;
    let path = args.dir.join(STATS);
    let missing = || Error::Invalid(format!("`{}` is missing", path.display()));
    let stats: Stats = read_json(&path)?.ok_or_else(missing)?;
    let read = |path: &PathBuf| fs::read_to_string(path).map_err(Error::io("read", path));
    let judged = args.judged.as_ref().map(read).transpose()?;
    let name = args.dir.canonicalize().unwrap_or_else(|_| args.dir.clone());
    let run: Option<Manifest> = read_json(&args.dir.join(RUN))?;
    let title = run.map_or_else(CardSettings::default, |run| run.settings.card).title;
    let title = format!("{title}: {}", name.file_name().unwrap_or_default().to_string_lossy());
    let samples = sampler.samples();
    let html = page(&title, (&stats, &survey), &plots(&survey), &samples, judged.as_deref());
    write_whole(&args.output, html.as_bytes())?;
    term::print(&format!(
        "{} samples, {}, in {}\n",
        samples.len(),
        term::size(html.len() as u64),
        args.output.display()
    ))
}
