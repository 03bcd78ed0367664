#!/usr/bin/env python3
"""Runs the Python kernels of a dataset with NVIDIA Warp and compares the results with the recorded ones.

The text in `python_source` of each record is imported as a module. Its kernel is launched on Warp's CPU device with the
arguments and the launch size in `example`. Afterwards every output must hold the recorded values, and every array that the
kernel may only read must be unchanged. Integers must be equal. Floats must agree within `example.tolerances`; without a
tolerance their bits must match. NaN only agrees with a recorded NaN.

With `--gradients`, Warp's tape also computes gradients, with `--gradients=checked` in a build with Warp's own checks. Their
differences from `example.gradients` are reported with each result. A difference is no failure, because Warp's gradients
are wrong for many kernels.

The text of a record runs with the rights of the user. So `gen-dataset` must first confirm that it would write the same texts
for these records. `--trust` skips this step.

Many records share one build of Warp and one process. If a build fails, crashes or takes too long, its batch is split in
halves, until the faulty text is alone.
"""

import argparse
import concurrent.futures
import importlib.metadata
import json
import math
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

EXAMPLE = """\
example:
  pip install warp-lang numpy
  python judges/warp_judge.py dataset --json result.json

exit status: 0 every record agrees, 1 a record does not, 2 it could not be judged: no dataset, no Warp, wrong arguments
"""

# The fields that the judge needs.
NEEDED = ("id", "python_source", "example", "metadata")
# The number of guard scalars before and after each array, and their value. They reveal writes out of bounds.
MARGIN, MARK = 32, 7
# The number of differences that are reported for one array.
SHOWN = 3
# The scalar types of records in Warp. Other types have the same name in Warp.
SCALARS = {
    "bool": "bool",
    "i8": "int8",
    "u8": "uint8",
    "i16": "int16",
    "u16": "uint16",
    "i32": "int32",
    "u32": "uint32",
    "i64": "int64",
    "u64": "uint64",
    "usize": "int32",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
}


class Unusable(Exception):
    """The dataset cannot be judged. The message says why."""


# ---- Reading a dataset -------------------------------------------------------------------------------------------


def read_records(folder):
    """Every record below `folder`, in either format, with its place for messages."""
    files = sorted((folder / "data" / "default").glob("*.jsonl"))
    sheets = sorted((folder / "samples").glob("*/*/metadata.json"))
    if not files and not sheets:
        raise Unusable(f"`{folder}` holds neither data/default/*.jsonl nor samples/*/*/metadata.json: only a dataset of "
                       "`--format jsonl` or `files` can be read")
    try:
        found = [entry for file in files for entry in read_lines(file)] or [read_sample(sheet) for sheet in sheets]
    except OSError as error:
        raise Unusable(f"`{error.filename}` cannot be read: {error.strerror}") from error
    for place, record in found:
        missing = [key for key in NEEDED if key not in record]
        if missing:
            raise Unusable(f"`{place}` is not a record: it has no `{missing[0]}`")
    return found


def read_lines(file):
    with open(file, encoding="utf-8") as lines:
        return [(f"{file}:{number}", read_row(line, f"{file}:{number}")) for number, line in enumerate(lines, 1)]


def read_row(line, place):
    record = parse(line, place)
    # A JSON string. Before schema version 5 it was an object.
    if isinstance(record.get("example"), str):
        record["example"] = parse(record["example"], place)
    return record


def read_sample(sheet):
    record = parse(sheet.read_text(encoding="utf-8"), sheet)
    example = sheet.with_name("example.json")
    record["example"] = parse(example.read_text(encoding="utf-8"), example)
    record["python_source"] = sheet.with_name("kernel.py").read_text(encoding="utf-8")
    return sheet.parent, record


def parse(text, place):
    """Parses the JSON object at `place`."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Unusable(f"`{place}` is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Unusable(f"`{place}` is not a record: it is no object")
    return value


# ---- Verifying the texts of a dataset ----------------------------------------------------------------------------


def verify(dataset, places):
    """Lets `gen-dataset`, which runs no text, confirm that it would write the same texts for the records at `places`."""
    tool = find_tool()
    if tool is None:
        raise Unusable("the Python of a dataset runs as you do, and there is no `gen-dataset` in PATH or target/ to verify it: "
                       "build it, or say `--trust` if you trust whoever made the dataset")
    with tempfile.TemporaryDirectory(prefix="warp-judge-") as folder:
        evidence = pathlib.Path(folder) / "evidence.jsonl"
        command = [tool, "validate", "--judges", "none", "--evidence", str(evidence), "--", str(dataset)]
        asked = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if asked.returncode:
            # The first line of the report names a failed record.
            said = (asked.stdout if asked.returncode == 1 else "").splitlines()[:1] or asked.stderr.splitlines()[-1:]
            raise Unusable(f"`gen-dataset validate` refuses `{dataset}`, so its Python is not run: {''.join(said).removeprefix('error: ')}")
        with open(evidence, encoding="utf-8") as lines:
            found = [json.loads(line) for line in lines]
    verified = {one["location"] for one in found if one["texts"] == "passed"}
    unverified = [place for place in places if str(place) not in verified]
    if unverified:
        raise Unusable(f"`{unverified[0]}` has a text that this `gen-dataset` does not make, and Python runs as you do: say "
                       "`--trust` if you trust whoever made the dataset")


def find_tool():
    """The path of `gen-dataset`: on PATH, or in the checkout of this file."""
    checkout = pathlib.Path(__file__).resolve().parent.parent
    built = [shutil.which(str(checkout / "target" / profile / "gen-dataset")) for profile in ("release", "debug")]
    return next(filter(None, [shutil.which("gen-dataset"), *built]), None)


# ---- Judging in a process of its own -----------------------------------------------------------------------------


def work(records, folder, log, gradients, answer):
    """Judges `records` in one build and sends the results. Runs in a process of its own, and sends nothing if the build fails."""
    # Warp and its compiler print to the standard streams.
    with open(log, "w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    import warp as wp

    wp.config.kernel_cache_dir = str(folder / "cache")
    wp.config.enable_backward = bool(gradients)
    if gradients == "checked":
        wp.config.mode = "debug"
    wp.init()
    name = f"records_{records[0]['id']}_{len(records)}"
    failures = {}
    kernels = {}
    for record in records:
        # Records that differ only in their examples share a kernel.
        text = record["python_source"]
        if text not in kernels:
            try:
                kernels[text] = load(wp, record, folder / "sources", name)
            except Exception as error:  # the text may raise any exception
                kernels[text] = f"it cannot be imported: {error!r}"
    keys = [kernel.key for kernel in kernels.values() if isinstance(kernel, wp.Kernel)]
    if len(set(keys)) < len(keys):
        raise RuntimeError("kernels of one name share no build")
    wp.load_module(name, device="cpu")
    worst = {}
    for record in records:
        kernel = kernels[record["python_source"]]
        if not isinstance(kernel, wp.Kernel):
            failures[record["id"]] = [{"message": kernel}]
            continue
        try:
            worst[record["id"]], failures[record["id"]] = launch(wp, kernel, record)
        except Exception as error:  # whatever Warp raises
            failures[record["id"]] = [{"message": f"the launch failed: {error!r}"}]
    results = [result(record, failures[record["id"]], worst.get(record["id"], 0)) for record in records]
    for record, one in zip(records, results):
        if gradients and one["passed"] and record["example"].get("gradients"):
            one["gradients"] = gradients_of(wp, kernels[record["python_source"]], record["example"])
    answer.send(results)


def load(wp, record, sources, name):
    """Imports the kernel of `record`. Warp builds all kernels of Python modules with the same `name` at once."""
    # Warp reads the source of a kernel from a file.
    file = sources / f"{record['id']}.py"
    file.write_text(record["python_source"], encoding="utf-8")
    module = {"__name__": name, "__file__": str(file)}
    exec(compile(record["python_source"], str(file), "exec"), module)
    kernels = [value for value in module.values() if isinstance(value, wp.Kernel)]
    if len(kernels) != 1:
        raise ValueError(f"the module defines {len(kernels)} kernels, not 1")
    return kernels[0]


def start(wp, kernel, example, values):
    """Launches `kernel`. The size of a launch of tiles is that of the blocks; on the CPU a block has one thread."""
    if re.search(r"\bwp\.tile_", kernel.adj.source):
        wp.launch_tiled(kernel, dim=example["dim"], inputs=list(values.values()), block_dim=1, device="cpu")
    else:
        wp.launch(kernel, dim=example["dim"], inputs=list(values.values()), device="cpu")


def launch(wp, kernel, record):
    """Launches `kernel` with the example of `record`. Returns the largest distance of two floats, and the failures."""
    import numpy as np

    example = record["example"]
    bases = {}
    values = arguments_of(wp, kernel, example, bases)
    start(wp, kernel, example, values)
    worst, failures = 0, []
    for arg in example["args"]:
        # An absent array is `None` for Warp.
        if arg["kind"] == "scalar" or arg["data"] is None:
            continue
        name = arg["name"]
        expected = example["outputs"][name] if arg["mutable"] else arg["data"]
        if arg["dtype"] == "bf16":
            expected = widened(numbers(expected, "bf16", None)).tolist()
        allowed = example["tolerances"].get(name) or [0] * len(expected)
        found = column(wp, values, name).reshape(-1)
        found = widened(found) if arg["dtype"] == "bf16" else found.view(stored(found.dtype))
        distance, wrong = compare(expected, found, allowed)
        worst = max(worst, distance)
        failures += [{"output": name, **one} for one in wrong]
    for name, (base, margin) in bases.items():
        around = base.numpy()
        if not (np.all(around[:margin] == MARK) and np.all(around[len(around) - margin :] == MARK)):
            failures.append({"output": name, "message": "written beyond its ends"})
    return worst, failures


def gradients_of(wp, kernel, example):
    """Compares Warp's gradients with the recorded ones. Returns the worst element of each array, or why there are none.

    Left out are by-value parameters, for which Warp has no gradient, and arrays whose contents before the launch play no
    part.
    """
    import numpy as np

    # The memory of the arrays, which must outlive the launch.
    bases = {}
    values = arguments_of(wp, kernel, example, bases)
    types = {arg["name"]: arg["dtype"] for arg in example["args"]}
    is_array = {arg["name"]: arg["kind"] == "array" and arg["data"] is not None for arg in example["args"]}
    for name in example["gradients"]:
        if is_array[name]:
            values[parameter(name)].requires_grad = True
    found = {}
    try:
        tape = wp.Tape()
        with tape:
            start(wp, kernel, example, values)
        seeds = {name: weights for name, weights in example["adj_outputs"].items() if weights is not None}
        adjoints = {name: rows_of(wp, values[name].grad) for name in map(parameter, seeds)}
        for name, weights in seeds.items():
            adjoint = fields(adjoints[parameter(name)], name)
            adjoint[...] = numbers(weights, types[name], adjoint.dtype).reshape(adjoint.shape)
        for name, adjoint in adjoints.items():
            grad = plain_bits(wp, values[name].grad)
            grad.assign(adjoint.view(grad.numpy().dtype).reshape(grad.numpy().shape))
        tape.backward()
        for arg in example["args"]:
            name = arg["name"]
            if not is_array[name] or name not in example["gradients"] or not any(map(bool, example["gradients"][name])):
                continue
            expected = np.array(example["gradients"][name], dtype=np.float64)
            warp = fields(rows_of(wp, values[parameter(name)].grad), name).reshape(-1)
            warp = (widened(warp) if arg["dtype"] == "bf16" else warp).astype(np.float64)
            # Relative to the largest element, because the rounding error of small elements depends on it.
            distance = np.abs(warp - expected) / np.abs(expected).max()
            place = int(np.argmax(np.where(np.isnan(distance), np.inf, distance)))
            worst = float(distance[place])
            found[name] = {
                "error": worst if math.isfinite(worst) else None,
                "position": place,
                "expected": float(expected[place]),
                "found": float(warp[place]) if math.isfinite(warp[place]) else None,
            }
    except Exception as error:  # whatever Warp raises
        return {"message": repr(error)}
    return {"arrays": found}


def parameter(name):
    """The parameter of a column: `bodies` of `bodies.v`. A parameter without structs is its own column."""
    return name.partition(".")[0]


def fields(values, name):
    """The numbers of the column `name` in an array of NumPy."""
    for field in name.split(".")[1:]:
        values = values[field]
    return values


def column(wp, values, name):
    """The numbers of the column `name` after a launch with the arguments `values`."""
    return fields(rows_of(wp, values[parameter(name)]), name)


def rows_of(wp, array):
    """The elements of an array, with named fields if they are structs."""
    import numpy as np

    values = plain_bits(wp, array).numpy()
    rows = memory_of(wp, array.dtype)
    return values if rows is None else np.ascontiguousarray(values).view(rows).reshape(array.shape)


def plain_bits(wp, array):
    """The array; one of bfloat16, which NumPy does not have, as an array of its bits."""
    return array.view(wp.uint16) if array.dtype is wp.bfloat16 else array


def numbers(data, dtype, scalar):
    """The numbers of a record, of the type `dtype`, in memory that consists of `scalar`. Those of bfloat16 are the upper
    halves of float32, rounded to the nearest."""
    import numpy as np

    if dtype == "bf16":
        bits = np.array(data, dtype=np.float32).view(np.uint32).astype(np.uint64)
        return (bits + 0x7FFF + (bits >> 16 & 1) >> 16).astype(np.uint16)
    return np.array(data, dtype=scalar)


def widened(bits):
    """The numbers with these bits of bfloat16, as float32."""
    import numpy as np

    return (bits.view(np.uint16).astype(np.uint32) << 16).view(np.float32)


def memory_of(wp, ty):
    """The type of NumPy, with named fields, of a struct in memory; None for other types. Warp's own structs name no fields."""
    import numpy as np

    if ty is wp.transform:
        return np.dtype([("p", np.float32, 3), ("q", np.float32, 4)])
    if not hasattr(ty, "vars"):
        return None
    memory = ty.numpy_dtype()
    memory["formats"] = [
        memory_of(wp, ty.vars[name].type) or given for name, given in zip(memory["names"], memory["formats"])
    ]
    return np.dtype(memory)


def arguments_of(wp, kernel, example, bases):
    """The launch arguments by parameter. The arrays are slices of larger ones with guard values, which are added to `bases`
    with the number of guard values at each end."""
    columns = {}
    for arg in example["args"]:
        columns.setdefault(parameter(arg["name"]), []).append(arg)
    types = {arg.label: arg.type for arg in kernel.adj.args}
    values = {}
    for (name, args), ty in zip(columns.items(), types.values()):
        if args[0]["data"] is None:
            values[name] = None
        elif "." in args[0]["name"]:
            values[name] = structs(wp, ty, name, args, bases)
        else:
            values[name] = argument(wp, args[0], bases)
    return values


def argument(wp, arg, bases):
    """The launch argument for `arg`, which has no structs."""
    import numpy as np

    dtype = warp_type(wp, arg["dtype"])
    aggregate = arg["dtype"] not in SCALARS
    if arg["kind"] == "scalar":
        return dtype(*arg["data"]) if aggregate else dtype(arg["data"])
    scalar = stored(wp.dtype_to_numpy(dtype._wp_scalar_type_ if aggregate else dtype))
    data = numbers(arg["data"], arg["dtype"], scalar)
    return guarded(wp, arg["name"], data, MARGIN, dtype, arg["shape"], bases)


def structs(wp, ty, name, args, bases):
    """The launch argument for a parameter of type `ty`, a struct or an array of structs, with these columns."""
    import numpy as np

    struct = ty if args[0]["kind"] == "scalar" else ty.dtype
    rows = np.zeros(tuple(args[0]["shape"]), dtype=memory_of(wp, struct))
    for arg in args:
        values = fields(rows, arg["name"])
        values[...] = numbers(arg["data"], arg["dtype"], None).reshape(values.shape)
    if args[0]["kind"] == "scalar":
        return struct_from(wp, struct, rows)
    # Bytes, because a struct has several types of numbers.
    data = np.frombuffer(rows.tobytes(), dtype=np.uint8)
    return guarded(wp, name, data, MARGIN * rows.dtype.itemsize, struct, args[0]["shape"], bases)


def struct_from(wp, struct, row):
    """An instance of `struct` with the values of `row`, a record of NumPy."""
    if not hasattr(struct, "vars"):
        return struct(*[number for name in row.dtype.names for number in row[name].tolist()])
    instance = struct()
    for name, variable in struct.vars.items():
        value = row[name]
        if memory_of(wp, variable.type) is not None:
            setattr(instance, name, struct_from(wp, variable.type, value))
        elif value.ndim:
            setattr(instance, name, variable.type(*value.reshape(-1).tolist()))
        else:
            setattr(instance, name, value.item())
    return instance


def guarded(wp, name, data, size, dtype, shape, bases):
    """An array of Warp with these numbers, between `size` guard values at each end."""
    import numpy as np

    margin = np.full(size, MARK, dtype=data.dtype)
    base = wp.array(np.concatenate([margin, data, margin]), device="cpu", copy=True)
    bases[name] = base, size
    return wp.array(ptr=base.ptr + margin.nbytes, dtype=dtype, shape=tuple(shape), device="cpu")


def stored(scalar):
    """The type of the guarded memory for `scalar`. A bool is a byte, so that guard values and bytes that are no bool show."""
    import numpy as np

    return np.dtype(np.uint8) if scalar == np.bool_ else np.dtype(scalar)


def warp_type(wp, name):
    """Warp's type of this name. Vectors and matrices of other sizes than Warp's own are made."""
    known = getattr(wp, SCALARS.get(name, name), None)
    if known is not None:
        return known
    kind, sizes, suffix = re.fullmatch(r"(vec|mat)([0-9x]+)([a-z]*)", name).groups()
    scalar = {"": wp.float32, "d": wp.float64, "i": wp.int32, "ui": wp.uint32, "l": wp.int64, "ul": wp.uint64}[suffix]
    if kind == "vec":
        return wp.types.vector(length=int(sizes), dtype=scalar)
    rows, columns = sizes.split("x") if "x" in sizes else sizes
    return wp.types.matrix(shape=(int(rows), int(columns)), dtype=scalar)


def compare(expected, found, allowed):
    """The largest distance of two floats in units in the last place, and the first positions outside their tolerance.
    Without a tolerance, a position differs if any bit does."""
    import numpy as np

    if len(expected) != len(found):
        return 0, [{"message": f"{len(found)} numbers instead of {len(expected)}"}]
    if found.dtype.kind != "f":
        wrong = [k for k, (a, b) in enumerate(zip(expected, found.tolist())) if a != b]
        return 0, differences(expected, found, wrong)
    recorded = np.array([math.nan if value is None else value for value in expected], dtype=found.dtype)
    integer = f"u{found.dtype.itemsize}"
    same = (recorded.view(integer) == found.view(integer)) | (np.isnan(recorded) & np.isnan(found))
    # 64 bits suffice: either both numbers have 32 bits, or the tolerance is far above their last bits. NaN is never close.
    with np.errstate(invalid="ignore"):
        apart = np.abs(recorded.astype(np.float64) - found.astype(np.float64))
    limits = np.array(allowed, dtype=np.float64)
    wrong = ~same & ~((limits > 0) & (apart <= limits))
    comparable = ulps(recorded, found)[~np.isnan(recorded) & ~np.isnan(found)]
    return int(comparable.max(initial=0)), differences(expected, found, np.flatnonzero(wrong).tolist())


def ulps(a, b):
    """The number of floats between the elements of `a` and `b`. Both zeros count as one float."""
    import numpy as np

    def places(values):
        bits = values.view(f"u{values.dtype.itemsize}").astype(np.uint64)
        sign = np.uint64(1 << (8 * values.dtype.itemsize - 1))
        # Unsigned, with zero in the middle, so that every distance fits.
        return np.where(bits & sign, sign - (bits & (sign - np.uint64(1))), bits | sign)

    first, second = places(a), places(b)
    return np.where(first > second, first - second, second - first)


def differences(expected, found, places):
    told = [{"position": k, "expected": expected[k], "found": plain(found[k])} for k in places[:SHOWN]]
    if len(places) > SHOWN:
        told.append({"message": f"{len(places) - SHOWN} more of {len(expected)} numbers differ"})
    return told


def plain(value):
    """A NumPy number as a JSON number, with as many digits as its type needs."""
    value = float(str(value)) if value.dtype.kind == "f" else value.item()
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


def result(record, failures, worst):
    metadata = record["metadata"]
    return {
        "id": record["id"],
        "kernel": metadata["kernel_name"],
        "category": metadata["category"],
        "passed": not failures,
        "worst_ulp": worst,
        "failures": failures,
    }


# ---- Sharing the work out ----------------------------------------------------------------------------------------


def judge(records, folder, seconds, gradients):
    """The results of `records`, from one process or, if it fails, from one process for each half."""
    context = multiprocessing.get_context("spawn")
    log = folder / f"log-{records[0]['id']}-{len(records)}.txt"
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(records, folder, log, gradients, sender), daemon=True)
    process.start()
    sender.close()
    late = not receiver.poll(seconds)
    if late:
        process.kill()
    try:
        results = receiver.recv()
    except EOFError:
        results = None
    process.join()
    if results is not None:
        return results
    texts = [record["python_source"] for record in records]
    cuts = [place for place in range(1, len(records)) if texts[place] != texts[place - 1]]
    if cuts:
        half = min(cuts, key=lambda place: abs(2 * place - len(records)))
        return judge(records[:half], folder, seconds, gradients) + judge(records[half:], folder, seconds, gradients)
    if gradients and not late and process.exitcode < 0:
        # Without its tape Warp runs the kernel: the judge of the text itself has seen that.
        told = {"message": f"Warp ends the process with signal {-process.exitcode}"}
        return [{**result(record, [], 0), "gradients": told} for record in records]
    reason = f"it takes more than {seconds} s" if late else last_line(log, process.exitcode)
    return [result(record, [{"message": reason}], 0) for record in records]


def last_line(log, status):
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
    lines = [line.strip() for line in lines if line.strip()]
    if status < 0 or not lines:
        return f"the process that ran it ended with status {status}"
    return lines[-1]


def judge_all(records, options, folder):
    """The results of all records, in order."""
    batches = [records[k : k + options.batch] for k in range(0, len(records), options.batch)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        judged = pool.map(lambda batch: judge(batch, folder, options.timeout, options.gradients), batches)
        return [one for batch in judged for one in batch]


# ---- Telling what came of it -------------------------------------------------------------------------------------


def failure_line(one, failure):
    line = f"{one['id']} {one['category']}::{one['kernel']}"
    if "output" in failure:
        line += f": `{failure['output']}`"
    if "position" in failure:
        line += f" at {failure['position']}: expected {failure['expected']}, found {failure['found']}"
    return f"{line}: {failure['message']}" if "message" in failure else line


def table(results):
    rows = [("category", "records", "agree", "differ", "worst ulp")]
    for category in [*sorted({one["category"] for one in results}), "all"]:
        those = [one for one in results if category in (one["category"], "all")]
        passed = sum(one["passed"] for one in those)
        worst = max((one["worst_ulp"] for one in those), default=0)
        rows.append((category, len(those), passed, len(those) - passed, worst))
    widths = [max(len(str(row[k])) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(f"{cell!s:{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows)


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def arguments():
    parser = argparse.ArgumentParser(
        description="Runs the Python kernels of a dataset with NVIDIA Warp and compares the results with the recorded ones.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("dataset", type=pathlib.Path, help="the folder that `gen-dataset` wrote")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the results there, as JSON")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="J", help="processes at a time")
    parser.add_argument("--batch", type=positive, default=128, metavar="N", help="records to a build (%(default)s)")
    parser.add_argument("--timeout", type=positive, default=300, metavar="S", help="seconds to a build (%(default)s)")
    parser.add_argument("--trust", action="store_true", help="run the Python unverified, as you: trust whoever made the dataset")
    parser.add_argument(
        "--gradients",
        nargs="?",
        const="plain",
        choices=["plain", "checked"],
        help="also compare the gradients of Warp's tape; `checked` in a build with Warp's own checks",
    )
    parser.add_argument("--cache", type=pathlib.Path, metavar="DIR", help="keep what Warp builds there for the next run")
    return parser.parse_args()


def main():
    options = arguments()
    start = time.monotonic()
    try:
        found = read_records(options.dataset)
        if not options.trust:
            verify(options.dataset, [place for place, _ in found])
        for package in ("warp-lang", "numpy"):
            importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as error:
        print(f"error: {error.name} is not installed: pip install warp-lang numpy", file=sys.stderr)
        return 2
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="warp-judge-") as temporary:
        folder = (options.cache or pathlib.Path(temporary)).resolve()
        (folder / "sources").mkdir(parents=True, exist_ok=True)
        results = judge_all([record for _, record in found], options, folder)
    failed = [one for one in results if not one["passed"]]
    for one in failed:
        for failure in one["failures"]:
            print(failure_line(one, failure))
    print(table(results))
    warp = importlib.metadata.version("warp-lang")
    print(f"{len(results) - len(failed)} of {len(results)} records agree with Warp {warp}, {time.monotonic() - start:.1f} s")
    if options.json:
        report = {"warp": warp, "records": len(results), "failed": len(failed), "results": results}
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
