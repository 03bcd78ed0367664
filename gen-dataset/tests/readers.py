"""Reads datasets with common packages, and asserts that all of them see the same rows.

Usage: readers.py FOLDER SCHEMAS
FOLDER has a dataset with all configs and splits in each format, under the name of the format, and in `programs/` one whose rows
of `rl` have programs. SCHEMAS has the JSON Schemas.
The calls are those that docs/datasets.md tells people to make.
"""

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.mkdtemp()

import datasets
import duckdb
import jsonschema
import pandas
import polars
import pyarrow.json
import pyarrow.parquet
import yaml
import zstandard

folder, schemas = Path(sys.argv[1]), Path(sys.argv[2])
datasets.disable_progress_bars()


# ---- The readers: the rows of a file -------------------------------------------------------------------------------


def with_pyarrow(file):
    if file.suffix == ".parquet":
        return pyarrow.parquet.read_table(file).to_pylist()
    # pyarrow infers types from the first block, so one block holds everything.
    whole = pyarrow.json.ReadOptions(block_size=2**31 - 1)
    with pyarrow.input_stream(file, compression="detect") as lines:
        return pyarrow.json.read_json(lines, read_options=whole).to_pylist()


def with_polars(file):
    if file.suffix == ".parquet":
        return polars.read_parquet(file).to_dicts()
    return polars.read_ndjson(file, infer_schema_length=None).to_dicts()


def with_duckdb(file):
    call = f"read_parquet('{file}')" if file.suffix == ".parquet" else f"read_json('{file}', sample_size=-1)"
    rows = duckdb.sql(f"select * from {call}")
    return [dict(zip(rows.columns, row)) for row in rows.fetchall()]


def with_pandas(file):
    if file.suffix == ".parquet":
        rows = pandas.read_parquet(file)
    else:
        rows = pandas.read_json(file, lines=True, precise_float=True)
    return [plain(row) for row in rows.to_dict("records")]


def plain(value):
    """Converts a value from pandas back to the JSON value."""
    if isinstance(value, dict):
        return {name: plain(field) for name, field in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [plain(item) for item in value]
    return None if value != value else value


READERS = {"pyarrow": with_pyarrow, "polars": with_polars, "DuckDB": with_duckdb, "pandas": with_pandas}


def stored(file):
    """The rows of a file of lines, by Python's own JSON parser."""
    text = zstandard.open(file, "rt", encoding="utf-8") if file.suffix == ".zst" else open(file, encoding="utf-8")
    with text as lines:
        return [json.loads(line) for line in lines]


PROGRAM = {"test", "build_command", "host_build_command", "test_command", "launches"}

# ---- Every reader, every config, every format ----------------------------------------------------------------------

mistakes = []


def same(what, read, expected):
    """Records a mistake if `read` does not return the rows `expected`."""
    try:
        found = read()
    except BaseException as error:  # polars panics
        mistakes.append(f"{what}: {''.join(traceback.format_exception_only(error)).strip()[:300]}")
        return
    if len(found) != len(expected):
        mistakes.append(f"{what}: {len(found)} rows, not {len(expected)}")
    for number, (one, other) in enumerate(zip(found, expected)):
        wrong = [name for name in {**one, **other} if one.get(name) != other.get(name)]
        if wrong:
            name = wrong[0]
            mistakes.append(f"{what}: row {number}: `{name}` is {one.get(name)!r:.200}, not {other.get(name)!r:.200}")
            return


def late_types(rows):
    """`rows` after a head of the rows with the most nulls. It is so long that a reader that only infers types from the head fails."""

    def missing(value):
        if isinstance(value, dict):
            return sum(missing(field) for field in value.values())
        return value is None

    most = max(missing(row) for row in rows)
    poor = [row for row in rows if missing(row) == most]
    head = []
    # polars infers types from 100 rows, pyarrow from a megabyte.
    while len(head) < 100 or sum(len(row["example"]) for row in head) < 1 << 20:
        head += poor
    return head + rows


def described(base):
    """What the card says of each config: its splits with their sizes, and its columns."""
    front = yaml.safe_load((base / "parquet/README.md").read_text().split("---\n")[1])
    return {info["config_name"]: info for info in front["dataset_info"]}


infos = described(folder)
programs = folder / "programs"
tables = [(folder, name, info) for name, info in infos.items()] + [(programs, "rl", described(programs)["rl"])]
for base, name, info in tables:
    counts = {split["name"]: split["num_examples"] for split in info["splits"]}
    schema = jsonschema.Draft202012Validator(json.loads((schemas / f"{name}.json").read_text()))
    inside = [
        (column, jsonschema.Draft202012Validator(content["contentSchema"]))
        for column, content in schema.schema["properties"].items()
        if "contentSchema" in content
    ]
    assert [column for column, _ in inside] == (["example"] if name == "default" else [])
    for split in counts:
        table = f"data/{name}/{split}-00000-of-00001"
        rows = stored(base / f"jsonl/{table}.jsonl")
        assert len(rows) == counts[split]
        if name == "rl":
            assert all(PROGRAM.isdisjoint(row) if base == folder else PROGRAM <= set(row) for row in rows)
        for row in rows:
            schema.validate(row)
            for column, content in inside:
                content.validate(json.loads(row[column]))
        for form in ("jsonl", "jsonl.zst", "parquet"):
            file = base / form / f"{table}.{form}"
            for reader, read in READERS.items():
                same(f"{reader}: {name}/{split}.{form}", lambda: read(file), rows)
            load = lambda streaming: datasets.load_dataset(
                str(base / form), name, split=split, streaming=streaming, cache_dir=tempfile.mkdtemp()
            )
            same(f"datasets: {name}/{split}.{form}", lambda: list(load(False)), rows)
            same(f"datasets, streaming: {name}/{split}.{form}", lambda: list(load(True)), rows)
        if name == "default":
            late = folder / "late.jsonl"
            late_rows = late_types(rows)
            late.write_text("".join(json.dumps(row) + "\n" for row in late_rows))
            for reader, read in READERS.items():
                same(f"{reader}: {name}/{split}, values after 100 rows and a megabyte", lambda: read(late), late_rows)
            features = datasets.load_dataset(str(folder / "jsonl"), name, split=split).features
            load_late = lambda: datasets.load_dataset("json", data_files=str(late), split="train", features=features)
            same(f"datasets: {name}/{split}, values after 100 rows and a megabyte", lambda: list(load_late()), late_rows)
assert not mistakes, "\n" + "\n".join(mistakes)

# ---- Further checks ------------------------------------------------------------------------------------------------

root = folder / "parquet"
for path in root.glob("data/*/*.parquet"):
    file = pyarrow.parquet.ParquetFile(path)
    for group in range(file.metadata.num_row_groups):
        row_group = file.metadata.row_group(group)
        assert row_group.total_byte_size <= 100 << 20
        for column in range(row_group.num_columns):
            chunk = row_group.column(column)
            assert chunk.compression == "ZSTD", chunk
            assert chunk.has_offset_index and chunk.has_column_index, chunk

# A filter on a nested column works.
families = duckdb.sql(
    f"select metadata.category, count(*) from read_parquet('{root}/data/default/*.parquet') group by 1"
).fetchall()
assert sum(count for _, count in families) == sum(split["num_examples"] for split in infos["default"]["splits"])

# The columns are those that TRL expects.
chat = datasets.load_dataset(str(root), "chat", split="train")
assert [message["role"] for message in chat[0]["messages"]] == ["user", "assistant"]
sft = datasets.load_dataset(str(root), "sft", split="train")
tasks = ["python_to_{}", "{}_to_python", "python_to_{}_backward", "{}_backward_to_python"]
assert {task.format(target) for task in tasks for target in ["cuda", "wgsl"]} == set(sft["task"])
rl = datasets.load_dataset(str(root), "rl", split="train")
assert {"prompt", "id", "task", "ir", "seed"} <= set(rl.column_names)
assert [message["role"] for message in rl[0]["prompt"]] == ["user"]
contrast = datasets.load_dataset(str(root), "contrast", split="train")
assert {"prompt", "chosen", "rejected", "mistake"} <= set(contrast.column_names)
assert all(row["chosen"] != row["rejected"] for row in contrast)
print("readers agree")
