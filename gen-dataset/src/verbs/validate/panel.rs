//! The judges that a dataset is put before.

use crate::check::{BackwardProof, Outcome, Proof, proof};
use crate::cli::JudgeChoice;
use crate::error::Error;
use crate::judges::{Case, Judge, Kind, open};
use crate::record::Record;

/// The judges, in the order of the table.
pub(super) struct Panel {
    seats: Vec<Seat>,
    /// How many adjoints were compiled and not run.
    hanging: usize,
}

/// A judge, or its name and why it is not there.
struct Seat {
    kind: Kind,
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
            Ok(judge) => Ok(Seat { kind, name: kind.name(), judge: Some(judge) }),
            Err(_) if choices.is_empty() => {
                Ok(Seat { kind, name: format!("{} (not installed)", kind.name()), judge: None })
            }
            Err(why) => Err(Error::Config(format!("judge `{}`: {why}", kind.name()))),
        };
        Ok(Panel { seats: kinds.map(seat).collect::<Result<_, _>>()?, hanging: 0 })
    }

    /// What the rows of the table are called.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.seats.iter().map(|seat| seat.name.clone())
    }

    /// Which judges they are.
    pub(super) fn kinds(&self) -> impl Iterator<Item = String> {
        self.seats.iter().map(|seat| seat.kind.name())
    }

    /// The versions of those that are there.
    pub(super) fn versions(&self) -> impl Iterator<Item = String> {
        self.seats.iter().filter_map(|seat| Some(seat.judge.as_ref()?.version()))
    }

    /// What the judges were not asked, or could not say: a sentence each.
    pub(super) fn left_out(&self) -> Vec<String> {
        let undecided = |seat: &Seat| {
            let count = seat.judge.as_ref().map_or(0, |judge| judge.undecided());
            (count > 0)
                .then(|| format!("{}: {count} launches ended, and are too ill-conditioned to compare", seat.name))
        };
        let hanging =
            || format!("{} adjoints are too ill-conditioned by themselves: compiled, and not run", self.hanging);
        self.seats.iter().filter_map(undecided).chain((self.hanging > 0).then(hanging)).collect()
    }

    /// The outcomes for each record: one of each judge. A `None` is skipped.
    ///
    /// # Errors
    /// A judge does not work.
    pub(super) fn judge(&mut self, records: &[Option<&Record>]) -> Result<Vec<Vec<Outcome>>, Error> {
        let mut outcomes = vec![Vec::new(); records.len()];
        if self.seats.is_empty() {
            return Ok(outcomes);
        }
        // The kernel of a record, and its adjoint: both with the place of the record.
        let mut cases = Vec::new();
        for (place, record) in records.iter().enumerate() {
            if let Some(record) = record {
                cases.extend(self::cases(record).map_err(Error::Internal)?.into_iter().map(|case| (place, case)));
            }
        }
        let (places, cases): (Vec<usize>, Vec<Case>) = cases.into_iter().unzip();
        self.hanging += cases.iter().filter(|case| case.launches.is_empty()).count();
        for seat in &mut self.seats {
            let judged = match &mut seat.judge {
                Some(judge) => judge.judge(&cases).map_err(|why| Error::Internal(format!("{}: {why}", seat.name)))?,
                None => vec![Outcome::Skipped; cases.len()],
            };
            let mut both = vec![Outcome::Skipped; records.len()];
            for (place, outcome) in places.iter().zip(judged) {
                let so_far = std::mem::replace(&mut both[*place], Outcome::Skipped);
                both[*place] = so_far.and(outcome);
            }
            for (outcomes, outcome) in outcomes.iter_mut().zip(both) {
                outcomes.push(outcome);
            }
        }
        Ok(outcomes)
    }
}

/// A record as judges take it: the kernel, and its adjoint if it has one.
fn cases(record: &Record) -> Result<Vec<Case>, String> {
    let Proof { kernel, launch, backward } = proof(record)?;
    let name = &record.metadata.kernel_name;
    let backward = backward.map(|BackwardProof { adjoint, launch, .. }| Case {
        name: format!("{name} (backward)"),
        // An adjoint that takes results of the kernel may hang on the last digits of those of another machine: of an
        // `atomic_min` it asks which thread had the very value. Such an adjoint is compiled and not run.
        launches: launch.tolerances(&adjoint.kernel).map(|_| launch).into_iter().collect(),
        kernel: adjoint.kernel,
        cpp: record.cpu_backward.clone(),
        cuda: record.cuda_backward.clone(),
        python: None,
    });
    let forward = Case {
        name: name.clone(),
        kernel,
        cpp: record.cpu_forward.clone(),
        cuda: record.cuda_forward.clone(),
        python: Some(record.python_source.clone()),
        launches: vec![launch],
    };
    Ok(std::iter::once(forward).chain(backward).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Dataset;

    #[test]
    fn an_adjoint_that_hangs_on_digits_of_the_result_is_not_run() {
        let dataset = Dataset::new(&[]);
        dataset.generate(&["--source", "synth", "--count", "15", "--seed", "21"]).unwrap();
        let mut hanging = 0;
        for record in dataset.records() {
            let hangs = proof(&record)
                .unwrap()
                .backward
                .map(|backward| backward.launch.tolerances(&backward.adjoint.kernel).is_err());
            let launches: Vec<usize> = cases(&record).unwrap().iter().map(|case| case.launches.len()).collect();
            match hangs {
                None => assert_eq!(launches, [1]),
                Some(hangs) => assert_eq!(launches, [1, usize::from(!hangs)]),
            }
            hanging += usize::from(hangs == Some(true));
        }
        assert_eq!(hanging, 1, "`pool_first_hit` takes the smallest of sines by `atomic_min`");
    }
}
