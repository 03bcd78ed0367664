//! The manifest `run.json`: the versions and settings of a run.

use crate::error::Error;
use crate::files::pretty;
use crate::model::{GENERATOR_VERSION, SCHEMA_VERSION, Settings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The contents of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    schema_version: u32,
    generator_version: String,
    /// The number of partitions. `None` for a run without partitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) partitions: Option<u32>,
    /// The settings of the dataset.
    pub(crate) settings: Settings,
}

impl Manifest {
    /// The manifest of a run of this program.
    pub(crate) fn new(settings: Settings, partitions: Option<u32>) -> Manifest {
        Manifest {
            schema_version: SCHEMA_VERSION,
            generator_version: GENERATOR_VERSION.to_owned(),
            partitions,
            settings,
        }
    }

    /// The hash that identifies the run.
    pub(crate) fn hash(&self) -> Result<String, Error> {
        Ok(blake3::hash(&pretty(self)?).to_hex().to_string())
    }

    /// Checks that this program can continue the run.
    ///
    /// # Errors
    /// Another version of the program began the run.
    pub(crate) fn check_version(&self) -> Result<(), Error> {
        if self.schema_version == SCHEMA_VERSION && self.generator_version == GENERATOR_VERSION {
            return Ok(());
        }
        Err(Error::Config(format!(
            "the run was planned by version {} (schema {}); this is version {GENERATOR_VERSION} (schema {SCHEMA_VERSION}); use \
             the version of the plan, or make a new plan",
            self.generator_version, self.schema_version
        )))
    }

    /// Checks that this program computes the numbers of the records, so that it can prove them again.
    ///
    /// # Errors
    /// The records have another schema version.
    pub(crate) fn check_schema(&self) -> Result<(), Error> {
        if self.schema_version == SCHEMA_VERSION {
            return Ok(());
        }
        Err(Error::Config(format!(
            "version {} wrote this dataset (schema {}), whose mathematical functions give other bits; this is version \
             {GENERATOR_VERSION} (schema {SCHEMA_VERSION}), which can read it but cannot prove it again; use \
             the version that wrote it",
            self.generator_version, self.schema_version
        )))
    }

    /// The first field in which two runs differ: its name, its value here and its value there.
    pub(crate) fn difference(&self, other: &Manifest) -> Option<(String, String, String)> {
        let flat = |run: &Manifest| -> Map<String, Value> {
            let Ok(Value::Object(mut run)) = serde_json::to_value(run) else { return Map::new() };
            let settings = run.shift_remove("settings");
            run.extend(settings.as_ref().and_then(Value::as_object).cloned().unwrap_or_default());
            run
        };
        let (here, there) = (flat(self), flat(other));
        let shown = |run: &Map<String, Value>, name: &str| run.get(name).map_or("nothing".to_owned(), Value::to_string);
        let name = here.keys().chain(there.keys()).find(|name| here.get(*name) != there.get(*name))?;
        Some((name.clone(), shown(&here, name), shown(&there, name)))
    }
}
