"""``python -m scripts.translations`` brings the window's translations up to date with its texts.

Each ``.ts`` file of ``resources/translations`` gets the texts that are new, loses those that are
gone, and is compiled to the ``.qm`` file that the window loads. New texts are listed: translate
them in the ``.ts`` file, by hand or with Qt Linguist, and run this again.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from integrator import paths

TRANSLATIONS: Final = paths.shipped("resources") / "translations"
_SOURCES: Final = Path(paths.__file__).parent


def run_tool(name: str, *arguments: str) -> None:
    """Run one of PySide's tools. Raises CalledProcessError."""
    tool = Path(sysconfig.get_path("scripts")) / name
    subprocess.run([str(tool), *arguments], check=True, capture_output=True, text=True)


def extract(ts: Path) -> None:
    """Bring a ``.ts`` file up to date with the texts of the program; a new file has them all."""
    sources = [str(path) for path in sorted(_SOURCES.rglob("*.py"))]
    run_tool("pyside6-lupdate", *sources, "-no-obsolete", "-locations", "none", "-ts", str(ts))


def compile_to(qm: Path, ts: Path) -> None:
    """Compile a ``.ts`` file."""
    run_tool("pyside6-lrelease", str(ts), "-qm", str(qm))


def unfinished(ts: Path) -> list[str]:
    """The texts of a ``.ts`` file that wait for a translator."""
    return [
        message.findtext("source", "")
        for message in ET.parse(ts).iter("message")
        if (found := message.find("translation")) is not None and found.get("type") == "unfinished"
    ]


def main() -> None:
    """Update and compile every language; status 1 when texts wait for a translator."""
    waiting = []
    for ts in sorted(TRANSLATIONS.glob("*.ts")):
        extract(ts)
        compile_to(ts.with_suffix(".qm"), ts)
        waiting += [f"{ts.name}: {text}" for text in unfinished(ts)]
    print("\n".join(waiting) or "every text is translated")
    sys.exit(bool(waiting))


if __name__ == "__main__":
    main()
