"""Replays the examples of a dataset in JSONL with its C++ texts: python replay.py FILE.jsonl [g++]

Every record is compiled and launched, the kernel and then its adjoint, and every number is compared with the recorded one,
within its tolerance. `replay.md` says what the fields mean. Needs a C++ compiler, and nothing but the standard library.
"""

import ctypes, json, pathlib, re, struct, subprocess, sys, tempfile

SCALARS = {"bool": ctypes.c_bool, "f32": ctypes.c_float, "f64": ctypes.c_double, "i8": ctypes.c_int8, "u8": ctypes.c_uint8,
           "i16": ctypes.c_int16, "u16": ctypes.c_uint16, "i32": ctypes.c_int32, "u32": ctypes.c_uint32, "i64": ctypes.c_int64,
           "u64": ctypes.c_uint64, "usize": ctypes.c_uint32}
# Floats of 16 bits are integers in memory, with conversions from a number and back.
HALVES = {"f16": (lambda x: struct.unpack("<H", struct.pack("<e", x))[0], lambda n: struct.unpack("<e", struct.pack("<H", n))[0]),
          "bf16": (lambda x: upper_half(struct.unpack("<I", struct.pack("<f", x))[0]),
                   lambda n: struct.unpack("<f", struct.pack("<I", n << 16))[0])}
COMPONENTS = {"": ctypes.c_float, "d": ctypes.c_double, "i": ctypes.c_int32, "ui": ctypes.c_uint32, "l": ctypes.c_int64,
              "ul": ctypes.c_uint64}


def upper_half(n):
    """The upper 16 bits of 32, rounded to the nearest, and to the even one of two."""
    return n + 0x7fff + (n >> 16 & 1) >> 16


def layout(dtype):
    """The type of a component, and the sizes: of a matrix rows and columns, else the number of components and 1."""
    if dtype in HALVES:
        return ctypes.c_uint16, (1, 1)
    if dtype in SCALARS:
        return SCALARS[dtype], (1, 1)
    kind, size, suffix = re.fullmatch(r"(vec|mat|quat)([0-9x]*)(d|ui|i|ul|l|)", dtype).groups()
    sizes = (size.split("x") if "x" in size else size) if kind == "mat" else (size or 4, 1)
    return COMPONENTS[suffix], tuple(map(int, sizes))


def transposed(numbers, rows, columns):
    """Matrices of `rows` by `columns` as matrices of `columns` by `rows`: row-major in JSON, column-major in memory."""
    at = [i * columns + j for j in range(columns) for i in range(rows)]
    return [numbers[k + place] for k in range(0, len(numbers), rows * columns) for place in at]


def fields_of(columns):
    """The type of a struct whose columns have these names and types, such as `rest.at`."""
    groups = {}
    for name, ctype in columns:
        head, _, rest = name.partition(".")
        groups.setdefault(head, []).append((rest, ctype))
    fields = [(head, part[0][1] if part[0][0] == "" else fields_of(part)) for head, part in groups.items()]
    return type("Struct", (ctypes.Structure,), {"_fields_": fields})


class Struct:
    """A struct, or an array of structs, in memory. `columns` are its values in memory, by the names of the fields."""

    def __init__(self, columns):
        self.columns = columns
        self.is_array = next(iter(columns.values())).is_array
        self.row = fields_of([(name, column.single) for name, column in columns.items()])
        count = min(len(column.cells) // (column.rows * column.columns) for column in columns.values())
        self.rows = (self.row * count)()
        self.copy(from_columns=True)

    def copy(self, from_columns):
        for name, column in self.columns.items():
            place, offset, size = self.row, 0, ctypes.sizeof(column.single)
            for field in name.split("."):
                offset += getattr(place, field).offset
                place = dict(place._fields_)[field]
            for k in range(len(self.rows)):
                in_row = ctypes.addressof(self.rows) + k * ctypes.sizeof(self.row) + offset
                in_column = ctypes.addressof(column.cells) + k * size
                ctypes.memmove(*((in_row, in_column) if from_columns else (in_column, in_row)), size)

    def passed(self):
        if next(iter(self.columns.values())).is_absent:
            return None
        return ctypes.cast(self.rows, ctypes.c_void_p) if self.is_array else self.rows[0]


class Memory:
    """An argument in memory. `data` is a number or a list of numbers, as in JSON."""

    def __init__(self, arg, data, is_array):
        ctype, (self.rows, self.columns) = layout(arg["dtype"])
        count = self.rows * self.columns
        # An absent array is a null pointer.
        self.is_absent = arg.get("data", 0) is None
        data = [] if data is None else data
        numbers = transposed(data if isinstance(data, list) else [data], self.rows, self.columns)
        self.encode, self.decode = HALVES.get(arg["dtype"], (lambda x: x, lambda n: n))
        numbers = [self.encode(x) for x in numbers]
        self.cells = (ctype * len(numbers))(*numbers)
        self.single = ctype if count == 1 else type("Value", (ctypes.Structure,), {"_fields_": [("v", ctype * count)]})
        self.is_array = is_array

    def passed(self):
        if self.is_absent:
            return None
        if self.is_array:
            return ctypes.cast(self.cells, ctypes.c_void_p)
        return self.single.from_buffer(self.cells)

    def numbers(self):
        return transposed([self.decode(n) for n in self.cells], self.columns, self.rows)

    def stored(self, number):
        """The number as the type has it."""
        return self.decode(self.cells._type_(self.encode(number)).value)


def call(library, name, words, memory, example):
    """Calls the function `name` with the arguments that `words` list."""
    shapes = {arg["name"].partition(".")[0]: arg["shape"] for arg in example["args"]}
    fields = {}
    for arg in example["args"]:
        head, _, field = arg["name"].partition(".")
        fields.setdefault(head, []).append(field)
    structs = []

    def argument(word):
        if part := re.fullmatch(r"dim\[(\d)\]", word):
            return ctypes.c_uint32(example["dim"][int(part[1])])
        if part := re.fullmatch(r"(\w+)[.\w]*\.shape\[(\d)\]", word):
            # The adjoint of a value is an array of one element.
            return ctypes.c_uint32((shapes[part[1]] or [1])[int(part[2])])
        head, dot, which = word.partition(".")
        if fields.get(head, [""]) == [""]:
            return memory[word].passed()
        # The values of `bodies.after` are `bodies.x.after` and so on.
        structs.append(Struct({field: memory[f"{head}.{field}{dot}{which}"] for field in fields[head]}))
        return structs[-1].passed()

    getattr(library, name)(*map(argument, words))
    for struct in structs:
        struct.copy(from_columns=False)


def compare(what, found, expected, allowed, stored):
    """Fails if a number is further from the recorded one than its tolerance. Without a tolerance, they must be equal."""
    # Nothing is expected of an absent array.
    expected = [] if expected is None else expected if isinstance(expected, list) else [expected]
    allowed = allowed if isinstance(allowed, list) else [allowed or 0] * len(expected)
    # The decimal digits of an `f32` are those of the shortest number that reads back as that `f32`.
    for place, (a, b, tolerance) in enumerate(zip(found, map(stored, expected), allowed)):
        if not (a == b or abs(a - b) <= tolerance):
            raise SystemExit(f"{what}[{place}] is {a!r}, not {b!r} within {tolerance!r}")


def backward(library, name, record, example, forward):
    """Launches the adjoint of a launch that has left its arguments in `forward`, and compares the gradients."""
    args = {arg["name"]: arg for arg in example["args"]}
    memory = {arg["name"]: Memory(arg, arg["data"], arg["kind"] == "array") for arg in example["args"]}
    memory |= {f"{name}.after": forward[name] for name in args}
    for name_of, arg in args.items():
        zeros = [0] * len(forward[name_of].cells)
        memory[f"{name_of}.adjoint"] = Memory(arg, example["adj_outputs"].get(name_of, zeros), True)
    words = record["metadata"]["arguments"]["backward"]
    counted = [word.removesuffix(".winners") for word in words if word.endswith(".winners")]
    # The old value has won where the launch left the element as it was.
    old = {of: [int(a == b) for a, b in zip(memory[of].cells, forward[of].cells)] for of in counted}
    for of in counted:
        memory[f"{of}.winners"] = Memory({"dtype": "u32"}, old[of], True)
    for phase in ([True] if counted else []) + [False]:
        memory["counting"] = Memory({"dtype": "bool"}, phase, False)
        call(library, name, words, memory, example)
    for of in example["gradients"]:
        found = memory[f"{of}.adjoint"].numbers()
        if of in counted:
            winners = memory[f"{of}.winners"].numbers()
            found = [g / n if was else 0 for g, n, was in zip(found, winners, old[of])]
        compare(f"gradient {of}", found, example["gradients"][of], example["gradient_tolerances"].get(of), forward[of].stored)


def replay(record, folder, compiler):
    metadata, example = record["metadata"], json.loads(record["example"])
    texts = {"forward": record["cpu_forward"], "backward": record["cpu_backward"]}
    libraries = {}
    for name, text in texts.items():
        if text:
            (folder / f"{name}.cpp").write_text(text)
            output = folder / f"{record['id']}_{name}.so"
            flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
            subprocess.run([compiler, *flags, folder / f"{name}.cpp", "-o", output], check=True)
            libraries[name] = ctypes.CDLL(output)
    memory = {arg["name"]: Memory(arg, arg["data"], arg["kind"] == "array") for arg in example["args"]}
    entry = re.findall(r'extern "C" void (\w+)\(', texts["forward"])[-1]
    call(libraries["forward"], entry, metadata["arguments"]["forward"], memory, example)
    for name, expected in example["outputs"].items():
        compare(f"output {name}", memory[name].numbers(), expected, example["tolerances"].get(name), memory[name].stored)
    if texts["backward"]:
        entry = re.findall(r'extern "C" void (\w+)\(', texts["backward"])[-1]
        backward(libraries["backward"], entry, record, example, memory)


if __name__ == "__main__":
    lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            record = json.loads(line)
            print(record["metadata"]["kernel_name"], end=": ", flush=True)
            replay(record, pathlib.Path(folder), *sys.argv[2:] or ["g++"])
            print("as recorded")
    print(f"{len(lines)} records come out as recorded")
