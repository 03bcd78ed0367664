"""The Python package of Weft. The wheel also installs the program `gen-dataset`."""

from importlib.metadata import version

__version__ = version("gen-dataset")
