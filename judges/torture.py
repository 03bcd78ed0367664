#!/usr/bin/env python3
"""Computes the gradients of the torture suite with other systems and compares them with Weft's.

`scripts/torture.sh` calls this script. Every kernel of every system runs in a process of its own, on the CPU, with the settings
that the system's manual recommends. A crash or a time-out counts as a refusal. The first part uses ordinary numbers in f64: a
gradient is right if it agrees with central differences of the system's own forward result, and with Weft's gradient if both
compute the same function. The second part has infinity or NaN: the forward result must be Weft's, and a gradient is right if
it agrees with central differences of it.
"""

import argparse
import datetime
import importlib
import json
import multiprocessing
import pathlib
import re
import signal
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# The systems: name, module in `peers`, package, and argument of the module.
PEERS = {
    "Warp": ("in_warp", "warp-lang", None),
    "Quadrants": ("in_taichi", "quadrants", "quadrants"),
    "Taichi": ("in_taichi", "taichi", "taichi"),
    "Dr.Jit": ("in_drjit", "drjit", None),
    "JAX": ("in_jax", "jax", None),
    "PyTorch": ("in_torch", "torch", None),
}
# The largest relative error of a gradient that counts as right.
TOLERANCE = 1e-4
# The same for results. Beyond this, a kernel computes another function than Weft's.
SAME = 1e-9
STEP = 1e-4
SECONDS = 300
# Arrays that are changed in place. Their gradient is with respect to the contents before the launch.
IN_PLACE = {"square_in_place": "b", "in_place_in_a_loop": "b", "masked_update": "b", "stencil_in_place": "a"}
# The scalars of types without f64.
SCALARS = {"bool": np.bool_, "i32": np.int32, "u32": np.uint32, **dict.fromkeys(("f32", "Vec2", "Vec3", "Quat"), np.float32)}


# ---- One kernel, in a process of its own -------------------------------------------------------------------------


def load(peer):
    """The module of a system, with all kernels."""
    sys.path.insert(0, str(HERE / "peers"))
    name, _, told = PEERS[peer]
    module = importlib.import_module(name)
    if told:
        return module.build(importlib.import_module(told))
    importlib.import_module(f"hostile_{name}")
    return module


def values_of(case):
    """The inputs. JSON has infinity and NaN as words."""
    values = {}
    for param in case["params"]:
        kind = SCALARS.get(param["type"], np.float64)
        numbers = [float(number) for number in param["data"]] if kind in (np.float32, np.float64) else param["data"]
        values[param["name"]] = np.array(numbers, dtype=kind)
    return values


def judged(case):
    """The inputs whose gradients are compared."""
    floats = [p for p in case["params"] if p["type"] not in ("bool", "i32", "u32")]
    return [p["name"] for p in floats if not p["mutable"] or IN_PLACE.get(case["kernel"]) == p["name"]]


def weights_of(case):
    """The weights of the outputs: those of Weft, or fixed ones if Weft refuses the kernel."""
    found = {}
    for param in case["params"]:
        # An array that one launch passes to the next is no output.
        if param["mutable"] and (param["weights"] or "launches" not in case):
            some = np.cos(1.0 + np.arange(len(param["data"])))
            found[param["name"]] = np.array(param["weights"]) if param["weights"] else some
    return found


def differences(launch, values, weights, names):
    """The gradient by central differences of fourth order, with the system's own forward result."""

    def loss(name, place, step):
        moved = {key: value.copy() for key, value in values.items()}
        moved[name][place] += step
        results = launch.launch(moved)
        return sum(float(np.dot(results[key], weight)) for key, weight in weights.items())

    def slope(name, place, step):
        return (loss(name, place, step) - loss(name, place, -step)) / (2.0 * step)

    def by(name, place):
        return (4.0 * slope(name, place, STEP) - slope(name, place, 2.0 * STEP)) / 3.0

    return {name: [by(name, place) for place in range(len(values[name]))] for name in names}


def answer(module, case):
    """The answer of the system for one case."""
    if case["kernel"] in module.NOT_EXPRESSIBLE:
        return {"inexpressible": module.NOT_EXPRESSIBLE[case["kernel"]]}
    values, weights, names = values_of(case), weights_of(case), judged(case)
    try:
        launch = module.Launch(case)
        gradient = launch.gradient(values, weights)
    except Exception as error:  # a system may refuse with any exception
        return {"refused": str(error) or type(error).__name__}
    results = launch.launch(values)
    return {
        "results": {name: results[name].tolist() for name in weights},
        "gradient": {name: np.asarray(gradient[name]).reshape(-1).tolist() for name in names},
        "differences": None if "launches" in case else differences(launch, values, weights, names),
        "same": case["kernel"] not in module.OTHER_FORWARD,
        "note": module.NOTES.get(case["kernel"]),
    }


def apart(module, case):
    """The answer from a forked process, so that the system is imported only once."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=lambda: sender.send(answer(module, case)))
    process.start()
    sender.close()
    found = None
    if receiver.poll(SECONDS):
        try:
            found = receiver.recv()
        except EOFError:  # it crashed
            pass
    else:
        process.kill()
        found = {"refused": f"no answer within {SECONDS} seconds"}
    process.join()
    if found is None and process.exitcode >= 0:
        raise SystemExit(f"{case['name']} cannot be judged")
    return found or {"refused": f"the process ends with {signal.Signals(-process.exitcode).name}"}


def serve(peer, cases):
    """Prints a line for each case."""
    module = load(peer)
    for case in cases:
        print(json.dumps(apart(module, case)), flush=True)


# ---- All of them -------------------------------------------------------------------------------------------------


def ask(python, peer, cases):
    """The cell of each case in the column of a system."""
    command = [python, __file__, "--peer", peer]
    cells = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write(json.dumps(cases))
        process.stdin.close()
        # Systems may print other lines between the answers.
        for line in filter(lambda line: line.startswith("{"), process.stdout):
            case = cases[len(cells)]
            word, note = verdict(case, json.loads(line))
            print(f"{case['name']}: {peer} {word}{f': {note}' if note else ''}", file=sys.stderr, flush=True)
            cells.append((word, note))
    if len(cells) != len(cases):
        raise SystemExit(f"{peer} ends after {len(cells)} of {len(cases)} cases")
    return cells


def distance(found, expected):
    """The largest relative error of any element."""
    names = list(expected)
    a = np.concatenate([np.asarray(found[name], dtype=float) for name in names])
    b = np.concatenate([np.asarray(expected[name], dtype=float) for name in names])
    if not np.all(np.isfinite(a)):
        return float("inf")
    size = np.maximum(np.abs(a), np.abs(b)) + 1e-3 * np.max(np.abs(b), initial=0.0) + 1e-9
    return float(np.max(np.abs(a - b) / size, initial=0.0))


def verdict(case, answer):
    """One cell of a table: a word, and a note or None."""
    if "inexpressible" in answer:
        return "not expressible", answer["inexpressible"]
    if "refused" in answer:
        return "refused", short(answer["refused"])
    return beside_infinity(case, answer) if "launches" in case else by_differences(case, answer)


def beside_infinity(case, answer):
    """The cell of a case with infinity or NaN. The gradient must be the derivative, or its value by convention."""
    params = {param["name"]: param for param in case["params"]}
    for name, results in answer["results"].items():
        if not same_results(params[name], results):
            return "other result", f"{case['about']}: the result is {', '.join(spelled(value) for value in results)}"
    errors, by_convention = [0.0], []
    for name, found in answer["gradient"].items():
        param = params[name]
        for place, value in enumerate(found):
            if place in (param["conventions"] or []):
                by_convention.append(value)
            else:
                errors.append(error_of(value, param["gradient"][place], param["allowed"][place]))
    worst = max(errors, key=lambda error: (np.isnan(error), error))
    if worst != 0.0:
        return word_of(worst), answer["note"]
    return ", ".join(spelled(value) for value in by_convention) or "right", answer["note"]


def same_results(param, results):
    """Whether an output equals Weft's, except where its weight is 0."""
    counts = np.array(param["weights"]) != 0.0
    expected = np.array([float(value) for value in param["result"]])
    if len(results) != len(expected):
        return False
    return np.allclose(np.array(results)[counts], expected[counts], rtol=1e-5, equal_nan=True)


def error_of(found, expected, allowed):
    """The relative error of an element. It may be infinite or NaN, and is 0 if the element is right."""
    if not np.isfinite(found):
        return abs(found)
    error = abs(found - expected)
    return 0.0 if error <= max(allowed, TOLERANCE * abs(expected)) else error / max(abs(found), abs(expected))


def word_of(error):
    """The cell for an error. NaN or infinity in the gradient gives a cell of that name."""
    if np.isnan(error):
        return "**NaN**"
    return "**infinite**" if np.isinf(error) else f"**wrong** ({error:.0e})"


def spelled(value):
    if np.isnan(value):
        return "NaN"
    return ("∞" if value > 0 else "-∞") if np.isinf(value) else f"{value + 0.0:.4g}"


def by_differences(case, answer):
    """The cell of a case of ordinary numbers. The gradient must agree with differences of the system's own forward result."""
    weft = {p["name"]: p["gradient"] for p in case["params"] if p["name"] in answer["gradient"]}
    ours = {p["name"]: p["result"] for p in case["params"] if p["name"] in answer["results"]}
    comparable = answer["same"] and not case["refused"]
    if comparable and distance(answer["results"], ours) > SAME:
        raise SystemExit(f"{case['name']}: this kernel computes something else than Weft's")
    if comparable and distance(answer["differences"], weft) > TOLERANCE:
        raise SystemExit(f"{case['name']}: differences of this forward do not agree with Weft's gradient")
    error = distance(answer["gradient"], answer["differences"])
    if error <= TOLERANCE:
        return "right", answer["note"]
    return f"**wrong** ({'not finite' if error == float('inf') else f'{error:.0e}'})", answer["note"]


def short(reason):
    """The most informative line of a message."""
    lines = [line.strip() for line in reason.splitlines() if line.strip(" ^~|")]
    telling = [line for line in lines if re.search(r"annot|not |must|unresolved|expected|forbid|nsupported|only", line)]
    line = re.sub(r"^\[([\w.]+):\S+\] ?", r"\1: ", (telling or lines or ["no reason"])[-1])
    line = re.sub(r"\. If you.*|[|]|(?<=Stmt) \d+", "", line)
    return line if len(line) <= 160 else line[:157] + "..."


class Notes:
    """The numbered notes below a table."""

    def __init__(self):
        self.notes = []

    def mark(self, note):
        if not note:
            return ""
        if note not in self.notes:
            self.notes.append(note)
        return f" [{self.notes.index(note) + 1}]"


def own(case):
    """Weft's cell, and a note. The test that wrote Weft's gradient has compared it with differences."""
    if case["refused"]:
        return "refused", case["refused"]
    if "launches" not in case:
        return "right", None

    def floats(part):
        return {param["name"]: [float(value) for value in param[part]] for param in case["params"] if param[part]}

    return beside_infinity(case, {"gradient": floats("found"), "results": floats("result"), "note": case["limit"]})


def table(title, cases, pythons):
    """A table as Markdown, with the notes below it."""
    present = [peer for peer in PEERS if pythons.get(peer)]
    versions = {peer: version(pythons[peer], PEERS[peer][1]) for peer in present}
    cells = {"Weft": [own(case) for case in cases]}
    for peer in present:
        cells[peer] = ask(pythons[peer], peer, cases)
    notes = Notes()
    rows = [
        f"| {case['about']} | " + " | ".join(word + notes.mark(note) for word, note in row) + " |"
        for case, row in zip(cases, zip(*cells.values()))
    ]
    head = ["Weft"] + [f"{peer} {versions[peer]}" for peer in present]
    lines = [
        f"| {title} | " + " | ".join(head) + " |",
        "|---|" + "---|" * len(head),
        *rows,
        f"| **of {len(cases)}** | " + " | ".join(counted(column) for column in cells.values()) + " |",
        "",
        *[f"{number}. {note}" for number, note in enumerate(notes.notes, 1)],
    ]
    return "\n".join(lines)


def counted(column):
    """The number of occurrences of each word in a column."""
    counts = {}
    for word, _ in column:
        kind = re.sub(r"[*]|\(.*", "", word).strip()
        counts[kind] = counts.get(kind, 0) + 1
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))


def version(python, package):
    code = f"import importlib.metadata as m; print(m.version('{package}'))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def write(document, part, text):
    """Writes a table between its markers in the document."""
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    page = document.read_text(encoding="utf-8")
    before, rest = page.split(begin)
    after = rest.split(end)[1]
    document.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def parts(cases):
    """The cases of each table, by the name of its marker in the document, with the heading of the first column."""
    has_conventions = lambda case: any(param.get("conventions") for param in case["params"])
    hostile = [case for case in cases if "launches" in case]
    return {
        "torture": ("kernel", [case for case in cases if "launches" not in case]),
        "infinity": ("where the derivative exists", [case for case in hostile if not has_conventions(case)]),
        "conventions": ("a computed zero at an infinite derivative", [case for case in hostile if has_conventions(case)]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figures", type=pathlib.Path, help="what Weft computes, as its test writes it")
    parser.add_argument("--python", action="append", default=[], metavar="PEER=PATH", help="the Python that has a system")
    parser.add_argument("--only", help="the name of one kernel")
    parser.add_argument("--document", type=pathlib.Path, help="the page whose tables are written anew")
    parser.add_argument("--peer", choices=PEERS, help="judge the cases on standard input by this system alone")
    arguments = parser.parse_args()
    if arguments.peer:
        serve(arguments.peer, json.load(sys.stdin))
        return
    cases = json.loads(arguments.figures.read_text(encoding="utf-8"))
    cases = [case for case in cases if arguments.only in (None, case["name"])]
    pythons = dict(pair.split("=", 1) for pair in arguments.python)
    for part, (title, of_part) in parts(cases).items():
        if of_part:
            text = f"Run on {datetime.date.today().isoformat()}.\n\n{table(title, of_part, pythons)}"
            print(text)
            if arguments.document:
                write(arguments.document, part, text)


if __name__ == "__main__":
    main()
