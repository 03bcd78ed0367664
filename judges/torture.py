#!/usr/bin/env python3
"""Computes the gradients of the torture suite with other systems and compares them with Weft's.

`scripts/torture.sh` calls it. Every kernel of every system runs in a process of its own, on the CPU, in f64 and with the
settings that the system's manual recommends; a crash or a time-out counts as a refusal. A gradient is right if it agrees
with central differences of the same system's own forward, and with Weft's gradient where both compute the same.
"""

import argparse
import datetime
import importlib
import json
import pathlib
import re
import signal
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# The systems: how they are called, their module in `peers`, their package, and what the module is told.
PEERS = {
    "Warp": ("in_warp", "warp-lang", None),
    "Quadrants": ("in_taichi", "quadrants", "quadrants"),
    "Taichi": ("in_taichi", "taichi", "taichi"),
    "Dr.Jit": ("in_drjit", "drjit", None),
}
# How far a gradient may be off, as a part of its size, to be called right.
TOLERANCE = 1e-4
# The same for results: beyond that, a kernel does not compute what Weft's does.
SAME = 1e-9
STEP = 1e-4
SECONDS = 300
# Arrays that are changed in place: their gradient is by what they held before.
IN_PLACE = {"square_in_place": "b", "in_place_in_a_loop": "b", "stencil_in_place": "a"}
BEGIN, END = "<!-- torture: begin -->", "<!-- torture: end -->"


# ---- One kernel, in a process of its own -------------------------------------------------------------------------


def load(peer):
    """The module of a system."""
    sys.path.insert(0, str(HERE / "peers"))
    name, _, told = PEERS[peer]
    module = importlib.import_module(name)
    return module.build(importlib.import_module(told)) if told else module


def values_of(case):
    kinds = {"i32": np.int32, "u32": np.uint32}
    return {p["name"]: np.array(p["data"], dtype=kinds.get(p["type"], np.float64)) for p in case["params"]}


def judged(case):
    """The inputs whose gradients count."""
    floats = [p for p in case["params"] if p["type"] not in ("i32", "u32")]
    return [p["name"] for p in floats if not p["mutable"] or IN_PLACE.get(case["kernel"]) == p["name"]]


def weights_of(case):
    """The weights of the outputs; those that Weft took, or fixed ones where Weft refuses."""
    found = {}
    for param in case["params"]:
        if param["mutable"]:
            some = np.cos(1.0 + np.arange(len(param["data"])))
            found[param["name"]] = np.array(param["weights"]) if param["weights"] else some
    return found


def differences(launch, values, weights, names):
    """The gradient by central differences of fourth order of the system's own forward."""

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


def child(peer, case):
    """Prints, as the last line, what the system says about one case."""
    module = load(peer)
    if case["kernel"] in module.NOT_EXPRESSIBLE:
        return {"inexpressible": module.NOT_EXPRESSIBLE[case["kernel"]]}
    values, weights, names = values_of(case), weights_of(case), judged(case)
    try:
        launch = module.Launch(case)
        gradient = launch.gradient(values, weights)
    except Exception as error:  # whatever a system refuses with
        return {"refused": str(error) or type(error).__name__}
    results = launch.launch(values)
    return {
        "results": {name: results[name].tolist() for name in weights},
        "gradient": {name: np.asarray(gradient[name]).reshape(-1).tolist() for name in names},
        "differences": differences(launch, values, weights, names),
        "same": case["kernel"] not in module.OTHER_FORWARD,
        "note": module.NOTES.get(case["kernel"]),
    }


# ---- All of them -------------------------------------------------------------------------------------------------


def ask(python, peer, case):
    """What the system says, from a process of its own."""
    command = [python, __file__, "--peer", peer]
    try:
        done = subprocess.run(
            command, input=json.dumps(case), capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return {"refused": f"no answer within {SECONDS} seconds"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode == 0 and lines:
        return json.loads(lines[-1])
    if done.returncode < 0:
        return {"refused": f"the process ends with {signal.Signals(-done.returncode).name}"}
    raise SystemExit(f"{case['name']} cannot be judged by {peer}:\n{done.stderr[-4000:]}")


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
    """One cell of the table: a word, and a note if there is one."""
    if "inexpressible" in answer:
        return "not expressible", answer["inexpressible"]
    if "refused" in answer:
        return "refused", short(answer["refused"])
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
    """The line of a message that says what is wrong."""
    lines = [line.strip() for line in reason.splitlines() if line.strip(" ^~|")]
    telling = [line for line in lines if re.search(r"annot|not |must|unresolved|expected|forbid|nsupported|only", line)]
    line = re.sub(r"^\[([\w.]+):\S+\] ?", r"\1: ", (telling or lines or ["no reason"])[-1])
    line = re.sub(r"\. If you.*|[|]|(?<=Stmt) \d+", "", line)
    return line if len(line) <= 160 else line[:157] + "..."


def table(cases, pythons):
    """The table as Markdown, with the notes below it."""
    present = [peer for peer in PEERS if pythons.get(peer)]
    versions = {peer: version(pythons[peer], PEERS[peer][1]) for peer in present}
    notes, rows, counts = [], [], {peer: {} for peer in ["Weft", *present]}

    def mark(note):
        if not note:
            return ""
        if note not in notes:
            notes.append(note)
        return f" [{notes.index(note) + 1}]"

    def count(peer, word):
        kind = re.sub(r"[*]|\(.*", "", word).strip()
        counts[peer][kind] = counts[peer].get(kind, 0) + 1

    for case in cases:
        # What Weft gives has been held against dual numbers and differences before it was written.
        own = "refused" if case["refused"] else "right"
        count("Weft", own)
        cells = [own + mark(case["refused"])]
        for peer in present:
            word, note = verdict(case, ask(pythons[peer], peer, case))
            print(f"{case['name']}: {peer} {word}{f': {note}' if note else ''}", file=sys.stderr, flush=True)
            count(peer, word)
            cells.append(word + mark(note))
        rows.append(f"| {case['about']} | " + " | ".join(cells) + " |")
    head = ["Weft"] + [f"{peer} {versions[peer]}" for peer in present]
    sums = [", ".join(f"{count} {kind}" for kind, count in sorted(found.items())) for found in counts.values()]
    lines = [
        f"Run on {datetime.date.today().isoformat()}.",
        "",
        "| kernel | " + " | ".join(head) + " |",
        "|---|" + "---|" * len(head),
        *rows,
        f"| **of {len(cases)}** | " + " | ".join(sums) + " |",
        "",
        *[f"{number}. {note}" for number, note in enumerate(notes, 1)],
    ]
    return "\n".join(lines)


def version(python, package):
    code = f"import importlib.metadata as m; print(m.version('{package}'))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def write(document, text):
    """Puts the table between the markers of the document."""
    page = document.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    document.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figures", type=pathlib.Path, help="what Weft computes, as its test writes it")
    parser.add_argument("--python", action="append", default=[], metavar="PEER=PATH", help="the Python that has a system")
    parser.add_argument("--only", help="the name of one kernel")
    parser.add_argument("--document", type=pathlib.Path, help="the page whose table is written anew")
    parser.add_argument("--peer", choices=PEERS, help="judge the case on standard input by this system alone")
    arguments = parser.parse_args()
    if arguments.peer:
        print(json.dumps(child(arguments.peer, json.load(sys.stdin))))
        return
    cases = json.loads(arguments.figures.read_text(encoding="utf-8"))
    cases = [case for case in cases if arguments.only in (None, case["name"])]
    text = table(cases, dict(pair.split("=", 1) for pair in arguments.python))
    print(text)
    if arguments.document:
        write(arguments.document, text)


if __name__ == "__main__":
    main()
