//! `schema`: prints the JSON Schema of a config.

use super::term;
use crate::cli::SchemaArgs;
use crate::error::Error;
use crate::files::pretty;
use crate::out::json_schema;

/// Prints the schema that `args` asks for.
pub(crate) fn schema(args: &SchemaArgs) -> Result<(), Error> {
    let schema = pretty(&json_schema(args.config.name(), args.config.columns()))?;
    term::print(&String::from_utf8_lossy(&schema))
}
