"""Builds the cffi extension around the C shim.

``python -m libretro_host.shim_build`` puts it beside this file; a wheel gets it from
``scripts/hatch_build.py``, which calls :func:`compile_shim`.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from cffi import FFI

# The oldest Python whose limited C API the shim is compiled against: one wheel then serves this
# Python and all later ones.
OLDEST_PYTHON = (3, 11)
SHIM_NAME = "_shim.pyd" if sys.platform == "win32" else "_shim.abi3.so"
SOURCES = (
    *("shim.c", "shim_callbacks.c", "shim_options.c", "shim_memory.c", "shim_state.c"),
    "shim_guard.cpp",
)


def compile_shim(tmpdir: Path) -> Path:
    """Compile ``libretro_host._shim`` in ``tmpdir`` and return the path of the shared object.

    Raises ``cffi.VerificationError`` when there is no working C and C++ compiler.
    """
    here = Path(__file__).resolve().parent
    ffi = FFI()
    ffi.cdef((here / "shim_api.h").read_text(encoding="utf-8"))
    windows = sys.platform == "win32"
    major, minor = OLDEST_PYTHON
    ffi.set_source(
        "libretro_host._shim",
        '#include "shim.h"',
        sources=[str(here / name) for name in SOURCES],
        include_dirs=[str(here)],
        define_macros=[("Py_LIMITED_API", f"0x{major:02X}{minor:02X}0000")],
        libraries=["dl"] if sys.platform.startswith("linux") else [],
        # One list for C and C++ alike, so no -std: the compilers' default is new enough.
        extra_compile_args=["/std:c11", "/EHs", "/O2"] if windows else ["-O3"],
        language="c++",  # links the C++ library, which catches the exceptions of cores
    )
    return Path(ffi.compile(tmpdir=str(tmpdir)))


def install_beside_package() -> Path:
    """Compile the shim, and place it beside this file as :data:`SHIM_NAME`."""
    target = Path(__file__).resolve().with_name(SHIM_NAME)
    with tempfile.TemporaryDirectory() as folder:
        # Replace, never overwrite: a running process may have the old one mapped.
        staged = target.with_name(f"{target.name}.{os.getpid()}.new")
        shutil.copy2(compile_shim(Path(folder)), staged)
        staged.replace(target)
    for shim in target.parent.glob(f"_shim.*{target.suffix}"):
        if shim != target:  # of one Python version alone, which Python would import before ours
            shim.unlink()
    return target


if __name__ == "__main__":
    sys.stdout.write(f"{install_beside_package()}\n")
