"""Builds wheels of other systems on Linux: ``python -m scripts.cross FOLDER [PLATFORM...]``.

The compiler is zig's (``pip install ziglang``), which has the C and C++ libraries of each system.
Python's headers are those of this Python with a ``pyconfig.h`` of the other system, since the
limited API has the same declarations everywhere. The import library of ``python3.dll`` names the
functions that the headers declare; only those that an extension uses are imported."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Final

from scripts.extensions import EXTENSIONS, Extension, interface

ROOT: Final = Path(__file__).resolve().parents[1]
PLATFORMS: Final = {
    "win-amd64": "x86_64-windows-gnu",
    "macosx-11.0-arm64": "aarch64-macos.11.0",
    "macosx-11.0-x86_64": "x86_64-macos.11.0",
}
"""The compiler's targets by the names that Python gives these systems."""

WARNINGS: Final = ("-Wall", "-Wextra", "-Werror")
_OPTIONS: Final = ("-O2", "-fPIC", "-fvisibility=hidden", "-DNDEBUG", f"-ffile-prefix-map={ROOT}=.")
_CONFIGURATION: Final = """\
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define HAVE_LONG_LONG 1
#define HAVE_STDARG_PROTOTYPES 1
#define Py_ENABLE_SHARED 1
#ifdef _WIN32
#define MS_WIN32
#define MS_WIN64
#define MS_WINDOWS
#define HAVE_DECLSPEC_DLL
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#define SIZEOF_TIME_T 8
#else
#define SIZEOF_LONG 8
#define SIZEOF_WCHAR_T 4
#define SIZEOF_TIME_T 8
#define HAVE_SSIZE_T 1
#define HAVE_UNISTD_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_STAT_H 1
#endif
"""


def zig(tool: str, *options: str | Path, folder: Path = ROOT) -> None:
    """Run a tool of the compiler. Raises subprocess.CalledProcessError, with what it printed."""
    # The compiler compiles the libraries of each system once, which takes minutes.
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(ROOT / "build" / "cross")}
    command = [sys.executable, "-m", "ziglang", tool, *map(str, options)]
    subprocess.run(
        command, env=environment, cwd=folder, check=True, stderr=subprocess.PIPE, text=True
    )


def compiled(target: str, sources: list[Path], *options: str | Path, folder: Path) -> None:
    """Compile C and C++ for another system, into a folder. Raises as :func:`zig`."""
    named = [
        part
        for source in sources
        for part in ("-x", "c++" if source.suffix == ".cpp" else "c", source)
    ]
    zig("c++", "-target", target, *_OPTIONS, *named, "-x", "none", *options, folder=folder)


def build_wheel(platform: str, folder: Path) -> Path:
    """Build the wheel of a system into a folder, and return its path."""
    with tempfile.TemporaryDirectory() as place:
        parts, made = Path(place), Path(place, "extensions")
        _prepare_python(parts)
        for extension in EXTENSIONS:
            _build_extension(extension, platform, parts, made)
        environment = {
            **os.environ,
            "_PYTHON_HOST_PLATFORM": platform,
            "INTEGRATOR_EXTENSIONS": str(made),
        }
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place]
        subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        [wheel] = parts.glob("*.whl")
        folder.mkdir(parents=True, exist_ok=True)
        return Path(shutil.move(wheel, folder / wheel.name))


def _prepare_python(place: Path) -> None:
    """Headers for other systems, and an import library of ``python3.dll``."""
    shutil.copytree(sysconfig.get_path("include"), place / "include")
    (place / "include" / "pyconfig.h").write_text(_CONFIGURATION)
    headers = "".join(path.read_text() for path in (place / "include").glob("*.h"))
    functions = re.findall(r"PyAPI_FUNC\([^)]*\)\s*(\w+)", headers)
    variables = re.findall(r"PyAPI_DATA\([^)]*\)\s*(\w+)", headers)
    lines = sorted({*functions, *(f"{name} DATA" for name in variables)})
    exports = place / "python3.def"
    exports.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *lines, ""]))
    zig("dlltool", "-m", "i386:x86-64", "-d", exports, "-l", place / "python3.lib")


def _build_extension(extension: Extension, platform: str, parts: Path, made: Path) -> None:
    """Compile what cffi writes for an extension, with its sources, for one system."""
    here, is_windows = extension.target.parent, platform.startswith("win")
    wrapper = parts / f"{extension.module}.c"
    with contextlib.redirect_stdout(None):
        interface(extension, str(parts)).emit_c_code(str(wrapper))
    sources = [wrapper, *(here / name for name in extension.sources)]
    places = [f"-I{here}", f"-I{parts / 'include'}"]
    *folders, name = extension.module.split(".")
    target = made.joinpath(*folders, f"{name}{'.pyd' if is_windows else '.abi3.so'}")
    target.parent.mkdir(parents=True, exist_ok=True)
    linked: list[str | Path] = ["-Wl,-undefined,dynamic_lookup", f"-Wl,-install_name,{target.name}"]
    if is_windows:
        linked = [parts / "python3.lib"]
    options = (*places, "-w", "-s", "-shared", *linked, "-o", target)
    compiled(PLATFORMS[platform], sources, *options, folder=parts)
    for import_library in target.parent.glob("*.lib"):
        import_library.unlink()


if __name__ == "__main__":
    chosen = sys.argv[2:] or PLATFORMS
    for each in chosen:
        sys.stdout.write(f"{build_wheel(each, Path(sys.argv[1]))}\n")
