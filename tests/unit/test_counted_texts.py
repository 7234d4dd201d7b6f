"""A word next to a count agrees with it: see integrator.ui.widgets.texts.counted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

WINDOW = Path(__file__).resolve().parents[2] / "integrator" / "ui"

COUNTED = (
    "actions|addresses|branches|bytes|cheats|conditions|cores|differences|episodes|errors|facts|"
    "files|frames|games|letters|lines|matches|movies|notes|pixels|places|players|plays|rows|"
    "states|steps|systems|terms|times|variables|warnings"
)
_MANY = re.compile(rf"\{{\w*\}} (?:more |random )?(?:{COUNTED})\b")

NEVER_ONE = {
    "{0} addresses × {1} types → <b style='color:{2}'>{3}</b>": "a console's memory",
    "{0} bytes of memory, {1} of them changed by themselves.": "a console's memory",
    "memory is the same for {0} frames": "a fixed number",
    "Taking {0} random steps in stable-retro…": "a fixed number",
    "{type}: {width} bytes, {kind}; {order}. Holds {minimum} to {maximum}.": "two or more",
    "{0} of {1} files · {2} imported · {3} already there · {4} missed · {5} no games · "
    "{6} games are known": "a list of numbers while they grow",
    "This picture and those {0}, {1} and {2} frames before, oldest first; frames that were not "
    "shown repeat their neighbor": "fixed numbers",
    "{0} systems, {1} of them cannot be played yet.": "the consoles of the package",
    "{0},{1}, {2} x {3} pixels": "a box, of two numbers",
    "{0} conditions fit the checked ends; check a third to choose": "several, or nothing is said",
}


def uncounted(source: str) -> Iterator[str]:
    """Texts for users in which a word is of many, whatever the count."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="tr" | "translate") | ast.Name(id="translate"), args=given
            ):
                for each in given:
                    match each:
                        case ast.Constant(value=str(text)) if _MANY.search(text):
                            yield text


def test_words_agree_with_their_counts() -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted(WINDOW.rglob("*.py"))]
    found = {text for source in sources for text in uncounted(source)}
    assert found == set(NEVER_ONE)
