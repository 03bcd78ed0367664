//! The judges that a dataset is put before.

use crate::check::Outcome;
use crate::cli::JudgeChoice;
use crate::error::Error;
use crate::judges::{Case, Judge, Kind, Launch, open};
use crate::record::Record;
use crate::source::read_kernel;

/// The judges, in the order of the table.
pub(super) struct Panel(Vec<Seat>);

/// A judge, or its name and why it is not there.
struct Seat {
    name: String,
    judge: Option<Box<dyn Judge>>,
}

impl Panel {
    /// The judges that `choices` name; without choices, those that are installed, and an empty seat for each other.
    ///
    /// # Errors
    /// A judge that is named is not installed, or `none` is not alone.
    pub(super) fn new(choices: &[JudgeChoice]) -> Result<Panel, Error> {
        if choices.contains(&JudgeChoice::None) && choices.len() > 1 {
            return Err(Error::Config("`--judges none` names no other judge".to_owned()));
        }
        let named = |kind: Kind| choices.iter().any(|choice| choice.names(kind));
        let kinds = Kind::ALL.into_iter().filter(|kind| choices.is_empty() || named(*kind));
        let seat = |kind: Kind| match open(kind) {
            Ok(judge) => Ok(Seat { name: kind.name(), judge: Some(judge) }),
            Err(_) if choices.is_empty() => Ok(Seat { name: format!("{} (not installed)", kind.name()), judge: None }),
            Err(why) => Err(Error::Config(format!("judge `{}`: {why}", kind.name()))),
        };
        kinds.map(seat).collect::<Result<_, _>>().map(Panel)
    }

    /// What the rows of the table are called.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|seat| seat.name.clone())
    }

    /// The outcomes for each record: one of each judge. A `None` is skipped.
    ///
    /// # Errors
    /// A judge does not work.
    pub(super) fn judge(&mut self, records: &[Option<&Record>]) -> Result<Vec<Vec<Outcome>>, Error> {
        let mut outcomes = vec![Vec::new(); records.len()];
        if self.0.is_empty() {
            return Ok(outcomes);
        }
        let cases: Vec<Case> =
            records.iter().flatten().map(|record| case(record)).collect::<Result<_, _>>().map_err(Error::Internal)?;
        for seat in &mut self.0 {
            let judged = match &mut seat.judge {
                Some(judge) => judge.judge(&cases).map_err(|why| Error::Internal(format!("{}: {why}", seat.name)))?,
                None => vec![Outcome::Skipped; cases.len()],
            };
            let mut judged = judged.into_iter();
            for (record, outcomes) in records.iter().zip(&mut outcomes) {
                outcomes.push(record.and_then(|_| judged.next()).unwrap_or(Outcome::Skipped));
            }
        }
        Ok(outcomes)
    }
}

/// A record as judges take it.
fn case(record: &Record) -> Result<Case, String> {
    let kernel = read_kernel(&record.ir)?;
    let before = record.example.inputs(&kernel)?;
    let after = record.example.outputs(&kernel, &before)?;
    Ok(Case {
        name: record.metadata.kernel_name.clone(),
        kernel,
        cpp: record.cpu_forward.clone(),
        cuda: record.cuda_forward.clone(),
        python: Some(record.python_source.clone()),
        launches: vec![Launch { dim: record.example.dim.clone(), before, after }],
    })
}
