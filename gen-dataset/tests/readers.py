"""Reads a dataset with the packages that people read datasets with, and asserts that all see the same.

Usage: readers.py PARQUET SCHEMAS LINES...
PARQUET is a dataset with all configs and splits, SCHEMAS the folder of the JSON Schemas, LINES the same dataset as JSONL.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.mkdtemp()

import datasets
import duckdb
import jsonschema
import polars
import pyarrow.parquet
import yaml

root, schemas = Path(sys.argv[1]), Path(sys.argv[2])
front = yaml.safe_load((root / "README.md").read_text().split("---\n")[1])
infos = {info["config_name"]: info for info in front["dataset_info"]}
datasets.disable_progress_bars()

for config in front["configs"]:
    name = config["config_name"]
    counts = {split["name"]: split["num_examples"] for split in infos[name]["splits"]}
    loaded = datasets.load_dataset(str(root), name)
    assert {split: rows.num_rows for split, rows in loaded.items()} == counts, (name, loaded)
    schema = jsonschema.Draft202012Validator(json.loads((schemas / f"{name}.json").read_text()))
    for files in config["data_files"]:
        split, paths = files["split"], sorted(root.glob(files["path"]))
        assert paths, files
        pattern = str(root / files["path"])
        arrow = [row for path in paths for row in pyarrow.parquet.read_table(path).to_pylist()]
        assert polars.read_parquet(pattern).to_dicts() == arrow, (name, split)
        columns = list(arrow[0])
        duck = duckdb.sql(f"select * from read_parquet('{pattern}')").fetchall()
        assert [dict(zip(columns, row)) for row in duck] == arrow, (name, split)
        assert list(loaded[split]) == arrow, (name, split)
        streamed = datasets.load_dataset(str(root), name, split=split, streaming=True)
        assert list(streamed) == arrow, (name, split)
        for path in paths:
            file = pyarrow.parquet.ParquetFile(path)
            for group in range(file.metadata.num_row_groups):
                row_group = file.metadata.row_group(group)
                assert row_group.total_byte_size <= 100 << 20
                for column in range(row_group.num_columns):
                    chunk = row_group.column(column)
                    assert chunk.compression == "ZSTD", chunk
                    assert chunk.has_offset_index and chunk.has_column_index, chunk
        for row in arrow:
            # What is JSON by its nature is text in Parquet.
            if name == "default":
                row = row | {"example": json.loads(row["example"])}
            schema.validate(row)

# A nested column can be filtered on.
families = duckdb.sql(
    f"select metadata.category, count(*) from read_parquet('{root}/data/default/*.parquet') group by 1"
).fetchall()
assert sum(count for _, count in families) == sum(split["num_examples"] for split in infos["default"]["splits"])

# The columns are those that TRL reads.
chat = datasets.load_dataset(str(root), "chat", split="train")
assert [message["role"] for message in chat[0]["messages"]] == ["user", "assistant"]
sft = datasets.load_dataset(str(root), "sft", split="train")
assert {"python_to_cuda", "cuda_to_python", "python_to_cuda_backward", "cuda_backward_to_python"} == set(sft["task"])
contrast = datasets.load_dataset(str(root), "contrast", split="train")
assert {"prompt", "chosen", "rejected", "mistake"} <= set(contrast.column_names)
assert all(row["chosen"] != row["rejected"] for row in contrast)
# Lines hold the same. Where there is a JSON column, `datasets` rounds every float in lines to ten decimals, so what has
# floats is left out here.
for lines in sys.argv[3:]:
    for config in front["configs"]:
        loaded = datasets.load_dataset(lines, config["config_name"])
        for split, rows in datasets.load_dataset(str(root), config["config_name"]).items():
            for one, other in zip(rows, loaded[split], strict=True):
                for floats in ("example", "verification"):
                    one.pop(floats, None), other.pop(floats, None)
                assert one == other, (lines, one, other)
print("readers agree")
