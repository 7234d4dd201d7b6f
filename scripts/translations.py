"""``python -m scripts.translations`` brings the window's translations up to date with its texts.

Each ``.ts`` file of ``resources/translations`` gets the texts that are new, loses those that are
gone, and is compiled to the ``.qm`` file that the window loads. New texts are listed: translate
them in the ``.ts`` file, by hand or with Qt Linguist, and run this again."""

import json
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from integrator import paths
from integrator.ui.actions.shortcuts import MENUS, PANEL_KEYS
from integrator.ui.guide.help_controller import PANEL_TEXTS
from integrator.ui.guide.tour_controller import TOUR_TEXTS
from integrator.ui.terms import TERMS
from integrator.ui.window_context import HINTS

TRANSLATIONS: Final = paths.shipped("resources") / "translations"
_SOURCES: Final = Path(paths.__file__).parent


def run_tool(name: str, *arguments: str) -> None:
    """Run one of PySide's tools. Raises CalledProcessError."""
    tool = Path(sysconfig.get_path("scripts")) / name
    subprocess.run([str(tool), *arguments], check=True, capture_output=True, text=True)


def table_texts() -> Iterator[str]:
    """The texts of the window's data files, in which lupdate does not look."""
    for title, entries in MENUS.values():
        yield title
        for entry in entries:
            yield from (entry.text, entry.tip)
    yield from (text for text, _ in PANEL_KEYS.values())
    yield from PANEL_TEXTS.values()
    for name_and_text in (*TOUR_TEXTS.values(), *TERMS.values(), *HINTS.values()):
        yield from name_and_text


def extract(ts: Path) -> None:
    """Bring a ``.ts`` file up to date with the texts of the program; a new file has them all."""
    sources = [str(path) for path in sorted(_SOURCES.rglob("*.py"))]
    with tempfile.TemporaryDirectory() as folder:
        marked = Path(folder) / "tables.py"
        texts = dict.fromkeys(filter(None, table_texts()))
        lines = (f"tr({json.dumps(text, ensure_ascii=False)})" for text in texts)
        marked.write_text("\n".join(lines), encoding="utf-8")
        named = [*sources, str(marked)]
        run_tool("pyside6-lupdate", *named, "-no-obsolete", "-locations", "none", "-ts", str(ts))


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
