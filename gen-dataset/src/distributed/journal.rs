//! The journal of a partition: a write-ahead state, so that a killed run loses at most its last group.
//!
//! Records and rejects are JSON lines in groups. Each group is a zstd frame of its own, and concatenated frames are a
//! valid zstd file. After a group is synced, the state file is replaced; it holds the lengths of both files and the
//! position to continue from. A resumed run truncates both files to these lengths. Groups follow from the plan alone,
//! so the files do not show where a run was interrupted.

use super::store::Store;
use crate::error::Error;
use crate::files::{Lock, LockMode, line, pretty, read_json};
use crate::model::{Record, Reject};
use crate::out::{ZSTD_LEVEL, parse_line, read_lines};
use crate::pipeline::Position;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The journal of a partition. The lock keeps other processes out.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    partition: u32,
    records: File,
    rejects: File,
    state: JournalState,
    /// Held while the journal is open.
    _lock: Lock,
}

/// The committed state of a partition: all of it is on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JournalState {
    /// The hash of the plan.
    plan: String,
    /// The position to continue from.
    pub(crate) position: Position,
    /// The number of records.
    pub(crate) rows: usize,
    /// The number of rejects.
    pub(crate) rejected: usize,
    records_bytes: u64,
    rejects_bytes: u64,
}

/// The file of the records of a partition, relative to the run.
pub(crate) fn records_name(partition: u32) -> String {
    format!("parts/{partition:05}.jsonl.zst")
}

/// The file of the rejects of a partition.
pub(crate) fn rejects_name(partition: u32) -> String {
    format!("parts/{partition:05}.rejects.jsonl.zst")
}

/// The state file of an unfinished partition.
pub(crate) fn state_name(partition: u32) -> String {
    format!("parts/{partition:05}.state.json")
}

/// Whether a process has begun to write `partition` in `folder`. The journal may still be empty.
pub(crate) fn is_begun(folder: &Path, partition: u32) -> bool {
    temporary(folder, &records_name(partition)).exists()
}

/// Locks `partition` in `folder`.
///
/// # Errors
/// `Error::Retry` if another process holds the partition.
pub(crate) fn lock(folder: &Path, partition: u32) -> Result<Lock, Error> {
    let parts = folder.join("parts");
    fs::create_dir_all(&parts).map_err(Error::io("create", &parts))?;
    Lock::take(&lock_path(folder, partition), LockMode::Exclusive, &format!("partition {partition}"))
}

fn lock_path(folder: &Path, partition: u32) -> PathBuf {
    folder.join(format!("parts/{partition:05}.lock"))
}

/// Removes what a process that was killed after it had completed `partition` left in `folder`: the state file and the
/// lock file. A process that still holds the partition removes them itself.
pub(crate) fn clear(folder: &Path, partition: u32) -> Result<(), Error> {
    if !lock_path(folder, partition).exists() && !folder.join(state_name(partition)).exists() {
        return Ok(());
    }
    match lock(folder, partition) {
        Ok(_lock) => remove_state(folder, partition),
        Err(Error::Retry(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

fn remove_state(folder: &Path, partition: u32) -> Result<(), Error> {
    let path = folder.join(state_name(partition));
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io("remove", &path)(error)),
        _ => Ok(()),
    }
}

impl Journal {
    /// Opens the journal of `partition` in `folder`, under `lock`. It continues what an earlier run of the same `plan`
    /// has left.
    pub(crate) fn open(folder: &Path, lock: Lock, partition: u32, plan: &str) -> Result<Journal, Error> {
        // A state that cannot be read is treated as no state: the partition starts again.
        let state = read_json::<JournalState>(&folder.join(state_name(partition))).ok().flatten();
        let records = open(folder, &records_name(partition))?;
        let rejects = open(folder, &rejects_name(partition))?;
        let mut journal = Journal {
            folder: folder.to_owned(),
            partition,
            records,
            rejects,
            state: JournalState::default(),
            _lock: lock,
        };
        // A state of another plan, or one that is ahead of its files, cannot be continued.
        let holds = |state: &JournalState| {
            let len = |file: &File| file.metadata().map_or(0, |file| file.len());
            let long_enough =
                len(&journal.records) >= state.records_bytes && len(&journal.rejects) >= state.rejects_bytes;
            state.plan == plan && long_enough
        };
        journal.state =
            state.filter(holds).unwrap_or_else(|| JournalState { plan: plan.to_owned(), ..JournalState::default() });
        journal.cut()?;
        Ok(journal)
    }

    /// The committed state.
    pub(crate) fn state(&self) -> &JournalState {
        &self.state
    }

    /// The committed records, in order.
    pub(crate) fn records(&self) -> Result<impl Iterator<Item = Result<Record, Error>> + use<>, Error> {
        let (lines, path) = self.lines(&records_name(self.partition), self.state.records_bytes)?;
        Ok(lines.map(move |line| line.and_then(|(number, line)| record(&line, &path, number))))
    }

    /// The committed rejects, in order.
    pub(crate) fn rejects(&self) -> Result<impl Iterator<Item = Result<Reject, Error>> + use<>, Error> {
        let (lines, path) = self.lines(&rejects_name(self.partition), self.state.rejects_bytes)?;
        Ok(lines.map(move |line| line.and_then(|(number, line)| reject(&line, &path, number))))
    }

    /// The lines in the first `bytes` of the file `name`, and the path of the file.
    fn lines(&self, name: &str, bytes: u64) -> Result<(NumberedLines<'static>, PathBuf), Error> {
        let path = temporary(&self.folder, name);
        let file = File::open(&path).map_err(Error::io("read", &path))?;
        Ok((read_records(file.take(bytes), &path)?, path))
    }

    /// Appends and commits a group. `position` is where the generator continues after it.
    pub(crate) fn append(&mut self, records: &[Record], rejects: &[Reject], position: Position) -> Result<(), Error> {
        let (records_file, rejects_file) = (records_name(self.partition), rejects_name(self.partition));
        self.state.records_bytes += append(&mut self.records, &temporary(&self.folder, &records_file), records)?;
        self.state.rejects_bytes += append(&mut self.rejects, &temporary(&self.folder, &rejects_file), rejects)?;
        self.state.rows += records.len();
        self.state.rejected += rejects.len();
        self.state.position = position;
        Store::folder(&self.folder).write(&state_name(self.partition), &pretty(&self.state)?)
    }

    /// The final name and the current path of both files: records, then rejects.
    pub(crate) fn files(&self) -> [(String, PathBuf); 2] {
        [records_name(self.partition), rejects_name(self.partition)].map(|name| {
            let path = temporary(&self.folder, &name);
            (name, path)
        })
    }

    /// Removes the state file, which only an unfinished partition needs.
    pub(crate) fn close(self) -> Result<(), Error> {
        remove_state(&self.folder, self.partition)
    }

    /// Truncates both files to the committed lengths.
    fn cut(&mut self) -> Result<(), Error> {
        let [(_, records), (_, rejects)] = self.files();
        let cut =
            |file: &mut File, bytes: u64| file.set_len(bytes).and_then(|()| file.seek(SeekFrom::End(0)).map(drop));
        cut(&mut self.records, self.state.records_bytes).map_err(Error::io("write", &records))?;
        cut(&mut self.rejects, self.state.rejects_bytes).map_err(Error::io("write", &rejects))
    }
}

fn temporary(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.tmp"))
}

fn open(folder: &Path, name: &str) -> Result<File, Error> {
    let path = temporary(folder, name);
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    file.map_err(Error::io("create", &path))
}

/// Appends a frame with one line for each row, and syncs it. Returns its size in bytes.
fn append(file: &mut File, path: &Path, rows: &[impl Serialize]) -> Result<u64, Error> {
    if rows.is_empty() {
        return Ok(0);
    }
    let mut lines = Vec::new();
    for row in rows {
        lines.extend(line(row)?);
    }
    let frame = zstd::Encoder::new(Vec::new(), ZSTD_LEVEL).and_then(|mut encoder| {
        encoder.include_checksum(true)?;
        encoder.write_all(&lines)?;
        encoder.finish()
    });
    let frame = frame.map_err(|error| Error::Internal(error.to_string()))?;
    file.write_all(&frame).and_then(|()| file.sync_data()).map_err(Error::io("write", path))?;
    Ok(frame.len() as u64)
}

/// Lines with their numbers, from 1 on.
pub(crate) type NumberedLines<'a> = Box<dyn Iterator<Item = Result<(usize, Vec<u8>), Error>> + 'a>;

/// The lines of a file of zstd frames, with their numbers. `path` is the name of the file in messages.
pub(crate) fn read_records<'a>(file: impl Read + 'a, path: &Path) -> Result<NumberedLines<'a>, Error> {
    let mut file = BufReader::new(file);
    let is_empty = io::BufRead::fill_buf(&mut file).map_err(Error::io("read", path))?.is_empty();
    // The decoder rejects a file without any frame.
    let lines: Box<dyn Read + 'a> = match is_empty {
        true => Box::new(io::empty()),
        false => Box::new(zstd::Decoder::with_buffer(file).map_err(Error::io("read", path))?),
    };
    let lines = read_lines(BufReader::new(lines), path.to_owned());
    Ok(Box::new((1..).zip(lines).map(|(number, line)| Ok((number, line?)))))
}

/// Parses the record in a line.
pub(crate) fn record(line: &[u8], path: &Path, number: usize) -> Result<Record, Error> {
    parse_line(line).map_err(|why| Error::Invalid(format!("`{}:{number}` is damaged: {why}", path.display())))
}

/// Parses the reject in a line.
pub(crate) fn reject(line: &[u8], path: &Path, number: usize) -> Result<Reject, Error> {
    serde_json::from_slice(line)
        .map_err(|error| Error::Invalid(format!("`{}:{number}` is damaged: {error}", path.display())))
}
