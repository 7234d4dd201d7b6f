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
from integrator.session.frame.pipeline import LiveMemory
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.suggestions.pointing import PointedMatch
from integrator.session.timeline.travel import Travel
from libretro_host.host import Frame

_FUNCTIONS: Final = tuple(name for name in integrator.__all__ if name[0].islower())
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
    """Public methods and properties that the class, or a base of this project, defines."""
    ours = ("integrator.", "libretro_host.")
    bases = [base for base in reversed(kind.__mro__) if base.__module__.startswith(ours)]
    members = {name: member for base in bases for name, member in vars(base).items()}
    for name, member in members.items():
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            yield name, member


def _entry(name: str, member: object, level: int) -> Iterator[str]:
    yield from ("", f"{'#' * level} {name}", "", _text(member))
    if isinstance(member, property):
        yield from ("", "| | type |", "|---|---|")
        yield f"| property | {_kind(inspect.signature(member.fget or str).return_annotation)} |"
    elif callable(member):
        yield from _table(inspect.signature(member))


def _table(signature: inspect.Signature) -> Iterator[str]:
    """Parameters with types and defaults, and what comes back."""
    yield from ("", "| parameter | type | default |", "|---|---|---|")
    named = False
    for each in signature.parameters.values():
        if each.name == "self":
            continue
        if each.kind is each.KEYWORD_ONLY and not named:
            named = True
            yield "| *by name alone:* | | |"
        star = "*" * (each.kind is each.VAR_POSITIONAL or 2 * (each.kind is each.VAR_KEYWORD))
        default = "" if each.default is each.empty else f"`{each.default!r}`".replace("|", r"\|")
        yield f"| `{star}{each.name}` | {_kind(each.annotation)} | {default} |"
    yield f"| **returns** | {_kind(signature.return_annotation)} | |"


def _kind(annotation: object) -> str:
    """A type as code; a type that has its own heading on the page is a link there."""
    if annotation is inspect.Signature.empty:
        return ""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"(?:\w+\.)+(\w+)", r"\1", text.replace("'", "")).replace("|", r"\|")
    here = [kind.__name__ for _, kind in _CLASSES if re.search(rf"\b{kind.__name__}\b", text)]
    links = "".join(f" ([{name}](#{name.lower()}))" for name in here)
    return f"`{text}`{links}"


def _text(thing: object) -> str:
    text = _ROLE.sub(r"`\1`", inspect.getdoc(thing) or "").replace("``", "`")
    return re.sub(r"<(?=\w)", "&lt;", text)
