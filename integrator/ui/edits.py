"""Edits of a session's documents: run on the runner's thread, taken back when refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from integrator.domain.document import JsonDocument
from integrator.domain.errors import DocumentError, IntegratorError, ScriptError
from integrator.domain.script_sandbox import syntax_error
from integrator.domain.states import unpack_state
from integrator.domain.variables import VariableSpec
from integrator.session.session import Session
from integrator.ui.snapshot import Documents

JsonPath = Sequence[str | int]
Edit = Callable[[Session], Documents]


def put_variable(old_name: str | None, spec: VariableSpec) -> Edit:
    """Add a variable, or change and rename the one called ``old_name``."""

    def edit(session: Session) -> Documents:
        variables = session.integration.variables

        def change() -> None:
            if old_name is not None and old_name != spec.name:
                variables.rename(old_name, spec.name)
            variables.set(spec.name, spec)

        return _apply(session, variables, change)

    return edit


def remove_variable(name: str) -> Edit:
    """Take a variable out of data.json."""

    def edit(session: Session) -> Documents:
        variables = session.integration.variables
        return _apply(session, variables, lambda: variables.remove(name))

    return edit


def take_text(file: str, text: str, *, merge: bool) -> Edit:
    """Let the document in ``file`` (its name) say what ``text`` says.

    ``merge`` makes it a part of the step before, as while a number is being typed.
    """

    def edit(session: Session) -> Documents:
        found = [each for each in session.integration.documents if each.path.name == file]
        if not found:
            raise IntegratorError(f"{session.integration.directory}: there is no document {file}")
        return _apply(session, found[0], lambda: found[0].take_text(text), merge=merge)

    return edit


def set_in_scenario(path: JsonPath, value: object) -> Edit:
    """Set the value at a JSON path of the scenario in use; None removes it. Parents are made."""
    return change_scenario(lambda root: set_at(root, path, value))


def change_scenario(change: Callable[[dict[str, Any]], object]) -> Edit:
    """Change the scenario in use by a function of its JSON value, as one step."""

    def edit(session: Session) -> Documents:
        document = session.integration.scenarios.get(session.scenario_name)
        if document is None:
            raise IntegratorError(
                f"{session.integration.directory}: there is no scenario to edit; "
                "save the integration to make one"
            )

        return _apply(session, document, lambda: change(document.value))

    return edit


def set_at(root: Any, path: JsonPath, value: object) -> None:
    """Set the value at ``path`` within nested objects and arrays; None removes it.

    An object that a removal leaves empty stays: its place may matter to the user. Arrays grow by
    empty objects up to an index that is named. Naming a player of ``rewards`` in a scenario that
    only has ``reward`` makes that the first player's.
    """
    last = path[-1]
    if path[0] == "rewards" and "rewards" not in root and value is not None:
        _list_players(root)
    place = root
    for key, following in pairwise(path):
        if isinstance(place, dict):
            place = place.setdefault(key, [] if isinstance(following, int) else {})
        else:
            place.extend({} for _ in range(int(key) + 1 - len(place)))
            place = place[key]
    if value is not None:
        place[last] = value
    elif isinstance(place, dict):
        place.pop(last, None)


def _list_players(root: dict[str, Any]) -> None:
    """Turn ``reward`` into ``rewards`` with one player, where it stands."""
    items = list(root.items())
    root.clear()
    for key, item in items:
        if key == "reward":
            root["rewards"] = [item]
        else:
            root[key] = item
    root.setdefault("rewards", [])


def write_state(session: Session, name: str) -> Path:
    """Write this moment as a start state of the integration, stamped with the core that made it."""
    core = session.core
    stamp = f"{core.library_name} {core.library_version}"
    return session.integration.write_state(name, session.save_state(), stamp)


def load_state_file(session: Session, path: Path) -> None:
    """Go on from a ``.state`` file. Raises DocumentError, StateError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{path}: not readable ({error.strerror}); check the path") from error
    session.load_state(unpack_state(data, path), str(path))


def _apply(
    session: Session, document: JsonDocument, change: Callable[[], object], *, merge: bool = False
) -> Documents:
    """Change and let the session read its documents again, as one step; all or nothing.

    Only a script that is being written does not stand in the way: the edit is kept, and used as
    soon as the script can be loaded.
    """
    with document.edit(merge=merge):
        change()
        try:
            session.apply_documents()
        except ScriptError:
            scripts = session.integration.scripts
            if not any(syntax_error(text, name) for name, text in scripts.items()):
                raise
    return Documents.of(session)
