"""The license texts of the bundle: of each Python distribution, of Python, of system libraries."""

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = "retro-integrator"
_TEXT = re.compile(r"(?i)(licen[cs]e|copying|notice|authors|copyright|l?gpl)[^/]*$")
# Debian has these texts; builds on other systems bring a copy of the folder.
_COMMON = Path(os.environ.get("COMMON_LICENSES", "/usr/share/common-licenses")).absolute()
# Wheels that name a license and bring no text of it.
_NAMED = {
    "pyside6-essentials": ("LGPL-3", "GPL-3"),
    "shiboken6": ("LGPL-3", "GPL-3"),
}


def of_distributions(extras: Iterable[str] = ("cores", "video")) -> dict[str, Path]:
    """Texts of the project and all that it needs, by their path in the bundle.

    Raises LookupError for a distribution without a text."""
    found: dict[str, Path] = {}
    for name, each in sorted(_needed(PROJECT, frozenset(extras), {}).items()):
        texts = {
            f"{name}/{file}": Path(str(each.locate_file(file)))
            for file in each.files or ()
            if _TEXT.search(str(file)) and file.suffix not in (".py", ".pyc")
        }
        for common in _NAMED.get(name, ()):
            texts[f"{name}/{common}"] = _COMMON / common
        missing = [str(path) for path in texts.values() if not path.is_file()]
        if missing or not texts:
            raise LookupError(f"{name} {each.version}: no license text {missing or 'in its wheel'}")
        found |= texts
    return found


def of_system_libraries(libraries: Iterable[str]) -> dict[str, Path]:
    """Debian's copyright files of libraries from packages of the system, and of Python itself.

    On Windows and macOS, the libraries of a python.org installation, whose own text names them.
    Raises LookupError when that text is missing."""
    if sys.platform in ("win32", "darwin"):
        places = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix))
        for text in (place / "LICENSE.txt" for place in places):
            if text.is_file():
                return {"system/python": text}
        raise LookupError(f"no LICENSE.txt of Python in {' or '.join(map(str, places))}")
    real = {str(Path(each).resolve()) for each in (*libraries, sys.executable)}
    # Packages from before the merge of /usr list their files without it.
    owned = [name for each in sorted(real) for name in (each, each.removeprefix("/usr"))]
    told = subprocess.run(["dpkg", "-S", *owned], capture_output=True, text=True, check=False)
    packages = {line.partition(":")[0] for line in told.stdout.splitlines()}
    texts = {name: Path("/usr/share/doc") / name / "copyright" for name in packages}
    return {f"system/{name}": path for name, path in texts.items() if path.is_file()}


def _needed(
    name: str, extras: frozenset[str], seen: dict[str, Distribution]
) -> dict[str, Distribution]:
    key = canonicalize_name(name)
    if key in seen:
        return seen
    seen[key] = distribution(name)
    for line in seen[key].requires or ():
        need = Requirement(line)
        chosen = [{"extra": extra} for extra in ("", *extras)]
        if need.marker is None or any(need.marker.evaluate(each) for each in chosen):
            _needed(need.name, frozenset(need.extras), seen)
    return seen
