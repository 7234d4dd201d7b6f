"""The reference of the Python API, made from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Final

import integrator
from integrator.domain.integration.files import Integration
from integrator.domain.scenario.scoring import Outcome
from integrator.domain.search.search import Search
from integrator.domain.suggest.suggestion import Suggestion
from integrator.env.game_env import GameEnv
from integrator.env.vector import VectorGames
from integrator.session.cheats import CheatDeck
from integrator.session.frame.live_memory import LiveMemory
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.suggestions.pointing import PointedMatch
from integrator.session.timeline.travel import Travel
from libretro_host.host import Frame

_FUNCTIONS: Final = ("open_session", "load_integration", "make_env", "make_vec", "contest_env")
_CLASSES: Final[tuple[tuple[str, type], ...]] = (
    ("open_session()", Session),
    ("session.reset(), session.advance()", FrameResult),
    ("result.outcome", Outcome),
    ("result.frame", Frame),
    ("session.memory", LiveMemory),
    ("session.timeline", Travel),
    ("session.search()", Search),
    ("session.suggest()", Suggestion),
    ("session.point()", PointedMatch),
    ("session.cheats", CheatDeck),
    ("session.integration, load_integration()", Integration),
    ("make_env()", GameEnv),
    ("make_vec()", VectorGames),
)
"""Each class that a user of the API meets, behind the expression that gives an object of it."""

_HEAD: Final = """# Python API

`import integrator` gives these functions. [Training](../training.md) and
[Headless use](../how-to/3-headless.md) have examples to copy.

## Functions"""

_ROLE = re.compile(r":\w+:`~?([^`]+)`")


def api_page() -> str:
    """The public functions, and the classes of the objects that they give."""
    lines = [_HEAD]
    for name in _FUNCTIONS:
        lines += _entry(f"integrator.{name}", getattr(integrator, name), level=3)
    for source, kind in _CLASSES:
        lines += ["", f"## {kind.__name__}", "", f"From `{source}`.", "", _text(kind)]
        for name, member in _members(kind):
            lines += _entry(name, member, level=3)
    return "\n".join(lines) + "\n"


def _members(kind: type) -> Iterator[tuple[str, object]]:
    """Public methods and properties that the class itself defines and describes."""
    for name, member in vars(kind).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            yield name, member


def _entry(name: str, member: object, level: int) -> Iterator[str]:
    shown = name if isinstance(member, property) else f"{name}{_signature(member)}"
    yield from ("", f"{'#' * level} {name}", "", "```python", shown, "```", "", _text(member))


def _signature(member: object) -> str:
    if not callable(member):
        return ""
    signature = inspect.signature(member)
    given = [each for each in signature.parameters.values() if each.name != "self"]
    text = str(signature.replace(parameters=given)).replace("'", "")
    return re.sub(r"(?:\w+\.)+(\w+)", r"\1", text)


def _text(thing: object) -> str:
    text = _ROLE.sub(r"`\1`", inspect.getdoc(thing) or "").replace("``", "`")
    return re.sub(r"<(?=\w)", "&lt;", text)
