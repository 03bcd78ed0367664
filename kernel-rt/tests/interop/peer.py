"""NumPy, and PyTorch where it is installed, on the other side of files and of DLPack.

peer.py LIBRARY FOLDER: LIBRARY is library.rs, compiled; FOLDER has the `.npy` files of all samples, and gets others.
"""

import ctypes
import sys
from pathlib import Path

import numpy as np

try:
    import torch
except ImportError:
    torch = None

ROWS, COLUMNS = 2, 3
VECTORS = [("Vec2", (2,)), ("Vec3", (3,)), ("Vec4", (4,))]
OTHERS = [("Mat2", (2, 2)), ("Mat3", (3, 3)), ("Mat4", (4, 4)), ("Quat", (4,))]


def family(scalar, dtype, prefix, kinds):
    return [(scalar, dtype, ())] + [(prefix + name, dtype, axes) for name, axes in kinds]


# In the order of samples.rs: the name, the type of the scalars, the axes of an element.
TYPES = [
    *family("f32", "float32", "", VECTORS + OTHERS),
    *family("f64", "float64", "D", VECTORS + OTHERS),
    *family("f16", "float16", "", []),
    *family("i8", "int8", "", []),
    *family("u8", "uint8", "", []),
    *family("i16", "int16", "", []),
    *family("u16", "uint16", "", []),
    *family("i32", "int32", "I", VECTORS),
    *family("u32", "uint32", "U", VECTORS),
    *family("i64", "int64", "", []),
    *family("u64", "uint64", "", []),
    *family("bool", "bool", "", []),
]


def sample(dtype, axes):
    """The numbers of samples.rs: they count up in the order of memory, where matrices lie column by column."""
    shape = (ROWS, COLUMNS, *axes)
    numbers = np.arange(np.prod(shape)).reshape(shape)
    numbers = (numbers % 2 if dtype == "bool" else numbers).astype(dtype)
    if numbers.dtype.kind == "f":
        numbers += 0.5
    return numbers.swapaxes(-1, -2) if len(axes) == 2 else numbers


def check_files(folder):
    for name, dtype, axes in TYPES:
        expected = sample(dtype, axes)
        found = np.load(folder / f"{name}.npy")
        assert found.dtype == dtype and found.shape == expected.shape, (name, found.dtype, found.shape)
        assert (found == expected).all(), name
        with np.load(folder / "rust.npz") as archive:
            assert (archive[name] == expected).all(), name
        np.save(folder / f"{name}.c.npy", np.ascontiguousarray(expected))
        np.save(folder / f"{name}.fortran.npy", np.asfortranarray(expected))
        np.save(folder / f"{name}.big.npy", expected.astype(expected.dtype.newbyteorder(">")))
    arrays = {name: sample(dtype, axes) for name, dtype, axes in TYPES}
    np.savez(folder / "stored.npz", **arrays)
    np.savez_compressed(folder / "compressed.npz", **arrays)
    np.save(folder / "text.npy", np.array(["a", "b"]))
    np.save(folder / "structured.npy", np.zeros(2, dtype=[("x", "f4"), ("y", "i4")]))
    np.save(folder / "objects.npy", np.array([{}, []], dtype=object))


VERSIONED, UNVERSIONED = b"dltensor_versioned", b"dltensor"
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
# A capsule keeps a pointer to its name.
USED = b"used_dltensor"


class Exported:
    """A tensor of the library, for `from_dlpack`."""

    def __init__(self, pointer, name=VERSIONED):
        self.capsule = new_capsule(pointer, name, None)

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


def taken(array, **version):
    """The pointer of an array's capsule, which the library then owns."""
    capsule = array.__dlpack__(**version)
    pointer = pointer_of(capsule, VERSIONED if version else UNVERSIONED)
    rename(capsule, USED)
    return pointer


def load(path):
    # `PyDLL` keeps the lock of the interpreter, because deleters of NumPy run inside these calls.
    library = ctypes.PyDLL(path)
    library.export.restype, library.export.argtypes = ctypes.c_void_p, [ctypes.c_size_t, ctypes.c_bool]
    library.export_unversioned.restype, library.export_unversioned.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    library.check.argtypes = library.check_unversioned.argtypes = [ctypes.c_size_t, ctypes.c_void_p]
    library.hold_doubled.restype, library.hold_doubled.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    library.held.restype, library.held.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    library.release.argtypes = [ctypes.c_void_p]
    library.rows.restype = ctypes.c_size_t
    assert library.rows() == ROWS
    return library


WITHOUT_A_COPY, COPIED = 1, 2
VERSION = {"max_version": (1, 0)}


def check_out(library):
    for number, (name, dtype, axes) in enumerate(TYPES):
        expected = sample(dtype, axes)
        for is_read_only in (True, False):
            found = np.from_dlpack(Exported(library.export(number, is_read_only)))
            assert found.dtype == dtype and found.strides == expected.strides, (name, found.dtype, found.strides)
            assert (found == expected).all(), name
            assert found.flags.writeable != is_read_only, name
        found = np.from_dlpack(Exported(library.export_unversioned(number), UNVERSIONED))
        assert (found == expected).all(), name


def check_in(library):
    for number, (name, dtype, axes) in enumerate(TYPES):
        expected = sample(dtype, axes)
        as_here = WITHOUT_A_COPY
        row_by_row = COPIED if len(axes) == 2 else WITHOUT_A_COPY
        strided = np.zeros((2 * ROWS, *expected.shape[1:]), dtype)[::2]
        strided[:] = expected
        backwards = np.ascontiguousarray(expected[::-1])[::-1]
        part = np.zeros((ROWS + 1, *expected.shape[1:]), dtype)[1:]
        part[:] = expected
        for array, outcome in [
            (expected, as_here),
            (np.ascontiguousarray(expected), row_by_row),
            (np.asfortranarray(expected), COPIED),
            (strided, COPIED),
            (backwards, COPIED),
            (part, row_by_row),
        ]:
            assert library.check(number, taken(array, **VERSION)) == outcome, name
            assert library.check_unversioned(number, taken(array)) == outcome, name


def check_sharing(library):
    array = np.array([1, 2, 3], "float32")
    references = sys.getrefcount(array)
    handle = library.hold_doubled(taken(array, **VERSION))
    assert array.tolist() == [2, 4, 6], "the launch has written to the memory of NumPy"
    assert sys.getrefcount(array) == references + 1, "the library owns a reference"
    view = np.from_dlpack(Exported(library.held(handle)))
    assert view.ctypes.data == array.ctypes.data, "nothing is copied there and back"
    library.release(handle)
    assert sys.getrefcount(array) == references + 1, "the view owns it now"
    del view
    assert sys.getrefcount(array) == references

    array.flags.writeable = False
    handle = library.hold_doubled(taken(array, **VERSION))
    view = np.from_dlpack(Exported(library.held(handle)))
    assert array.tolist() == [2, 4, 6] and view.tolist() == [4, 8, 12], "the launch has written to a copy"
    assert sys.getrefcount(array) == references, "the original is released"
    library.release(handle)
    assert view.tolist() == [4, 8, 12], "the view keeps the memory alive"


def check_torch(library):
    for number, (name, dtype, axes) in enumerate(TYPES):
        expected = sample(dtype, axes)
        found = torch.from_dlpack(Exported(library.export(number, False)))
        assert (found.numpy() == expected).all(), name
        tensor = torch.from_numpy(expected.copy(order="K"))
        assert library.check(number, taken(tensor, **VERSION)) == WITHOUT_A_COPY, name
        assert library.check_unversioned(number, taken(tensor)) == WITHOUT_A_COPY, name
    tensor = torch.tensor([1.0, 2.0, 3.0])
    handle = library.hold_doubled(taken(tensor, **VERSION))
    assert tensor.tolist() == [2, 4, 6], "the launch has written to the memory of PyTorch"
    library.release(handle)


if __name__ == "__main__":
    peer, files = load(sys.argv[1]), Path(sys.argv[2])
    check_files(files)
    check_out(peer)
    check_in(peer)
    check_sharing(peer)
    if torch:
        check_torch(peer)
    print("NumPy", np.__version__, "PyTorch", torch.__version__ if torch else "is not installed")
