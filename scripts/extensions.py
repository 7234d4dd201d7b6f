"""Compiles the C of this project, two cffi extensions: the libretro shim and the search kernel.

``python -m scripts.extensions`` puts each next to its sources; a wheel gets them from
``scripts/hatch_build.py``."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cffi import FFI

# The oldest Python whose limited C API the extensions are compiled against: one wheel then serves
# this Python and all later ones.
OLDEST_PYTHON: Final = (3, 11)
_TREE: Final = Path(__file__).resolve().parents[1]
_IS_WINDOWS: Final = sys.platform == "win32"
_SUFFIX: Final = ".pyd" if _IS_WINDOWS else ".abi3.so"


@dataclass(frozen=True, slots=True)
class Extension:
    """One extension module: ``module`` is its name, ``declarations`` the header that cffi reads.

    Files lie in the folder of the module's package. The other fields are those of ``set_source``.
    """

    module: str
    declarations: str
    header: str
    sources: tuple[str, ...]
    language: str = "c"
    libraries: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def target(self) -> Path:
        """The path of the compiled module."""
        *folders, name = self.module.split(".")
        return _TREE.joinpath(*folders, name + _SUFFIX)


EXTENSIONS: Final = (
    Extension(
        "libretro_host._shim",
        "shim_api.h",
        "shim.h",
        (
            *("shim.c", "shim_callbacks.c", "shim_options.c", "shim_memory.c", "shim_state.c"),
            "shim_gl.c",
            "shim_disc.c",
            "shim_loader.c",
            "shim_view.c",
            "shim_reduce.c",
            "shim_guard.cpp",
            "shim_crew.cpp",
        ),
        language="c++",  # links the C++ library, which catches the exceptions of cores
        libraries=("dl",) if sys.platform.startswith("linux") else (),
    ),
    Extension(
        "integrator.domain.sweep._kernel",
        "kernel.h",
        "kernel.h",
        ("kernel.c",),
        # GCC would merge two passes of the loops over digits, and then use no vectors.
        options=() if _IS_WINDOWS else ("-fno-loop-unroll-and-jam",),
    ),
)


def install_all() -> list[Path]:
    """Compile all extensions next to their sources, and return the paths of the shared objects.

    Raises ``cffi.VerificationError`` when there is no working C and C++ compiler."""
    return [_install(extension) for extension in EXTENSIONS]


def _install(extension: Extension) -> Path:
    target = extension.target
    with tempfile.TemporaryDirectory() as folder:
        # Replace, never overwrite: a running process may have the old one mapped.
        staged = target.with_name(f"{target.name}.{os.getpid()}.new")
        shutil.copy2(interface(extension, folder).compile(tmpdir=folder), staged)
        staged.replace(target)
    for other in target.parent.glob(f"{target.name.partition('.')[0]}.*{target.suffix}"):
        if other != target:  # of one Python version alone, which Python would import before ours
            other.unlink()
    return target


def interface(extension: Extension, folder: str) -> FFI:
    """The declarations of an extension, and how cffi compiles it in a folder."""
    here = extension.target.parent
    ffi = FFI()
    ffi.cdef((here / extension.declarations).read_text(encoding="utf-8"))
    major, minor = OLDEST_PYTHON
    # One list for C and C++ alike, so no -std: the compilers' default is new enough.
    # Without the folders' names, builds of one commit are the same byte by byte.
    unnamed = [f"-ffile-prefix-map={place}=." for place in (folder, _TREE)]
    optimised = ["/std:c11", "/EHs", "/O2"] if _IS_WINDOWS else ["-O3", *unnamed]
    ffi.set_source(
        extension.module,
        f'#include "{extension.header}"',
        sources=[str(here / name) for name in extension.sources],
        include_dirs=[str(here)],
        define_macros=[("Py_LIMITED_API", f"0x{major:02X}{minor:02X}0000")],
        libraries=list(extension.libraries),
        extra_compile_args=[*optimised, *extension.options],
        language=extension.language,
    )
    return ffi


if __name__ == "__main__":
    for path in install_all():
        sys.stdout.write(f"{path}\n")
