"""Warp's own code generator over files of kernels: how long it takes to make CUDA of them, forward and backward.

    python warp_codegen.py FILE...

Each file is imported as a module, so that Warp reads the source of its kernels. Prints `Warp VERSION`, then
`took SECONDS KERNELS` over all files: from the import to the text.
"""

import importlib.util
import sys
import time

import warp as wp
from warp._src.context import ModuleBuilder

wp.config.quiet = True


def generate(number, path):
    """Imports the file; the number of its kernels, and the CUDA text of them all."""
    spec = importlib.util.spec_from_file_location(f"kernels_{number}", path)
    file = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = file
    spec.loader.exec_module(file)
    module = wp.get_module(spec.name)
    options = module.resolve_options(wp.config, block_dim=256) | {"output_arch": 90}
    builder = ModuleBuilder(module, options, target="cuda")
    return len(builder.kernels), builder.codegen("cuda")


def main(paths):
    print(f"Warp {wp.config.version}")
    wp.init()
    start, kernels = time.perf_counter(), 0
    for number, path in enumerate(paths):
        of_file, text = generate(number, path)
        if text.count("_cuda_kernel_backward(") < of_file:
            sys.exit(f"{path}: Warp made no adjoints")
        kernels += of_file
    print(f"took {time.perf_counter() - start} {kernels}")


main(sys.argv[1:])
