"""Edits, undo, redo, save and discard of all files in any order, against a model of plain values.

The model is a mapping from file name to content alone: of the integration, of its folder, and of
the content that is lost on the way."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import undoing
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)
from nightly import more_by_night

from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.states import pack_state, unpack_state

Contents = dict[str, object]

STATES = st.sampled_from(["A", "B", "C", "_hidden"])
SCRIPTS = st.sampled_from(["one.lua", "two.lua"])
SCENARIOS = st.sampled_from(["scenario", "hard", "easy"])
DOCUMENTS = st.sampled_from(["data.json", "metadata.json", "cheats.json", "expectations.json"])
NUMBERS = st.integers(0, 3)
STARTS: Contents = {
    "data.json": {"info": {}},
    "metadata.json": {"default_state": "A"},
    "scenario.json": {"done": {}},
    "cheats.json": {"cheats": []},
    "expectations.json": {"expectations": []},
    "A.state": b"state 0",
    "one.lua": "-- 0",
}


def on_disk(folder: Path) -> Contents:
    found: Contents = {}
    for path in folder.iterdir():
        if path.suffix == ".state":
            found[path.name] = unpack_state(path.read_bytes(), path)
        elif path.suffix == ".json":
            found[path.name] = json.loads(path.read_text())
        else:
            found[path.name] = path.read_text()
    return found


class Editing(RuleBasedStateMachine):
    """One integration and its model."""

    @initialize()
    def make(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="integrator-undo-"))
        self.folder = self.root / "Game-Nes-v0"
        self.folder.mkdir()
        for name, content in STARTS.items():
            if isinstance(content, bytes):
                (self.folder / name).write_bytes(pack_state(content))
            else:
                text = content if isinstance(content, str) else json.dumps(content)
                (self.folder / name).write_text(text)
        self.now: Contents = dict(STARTS)
        self.saved: Contents = dict(STARTS)
        self.discard()

    def teardown(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def edited(self, **changes: object) -> None:
        """The model of an edit: files by name, whose dot is an underscore twice."""
        before = dict(self.now)
        for name, content in changes.items():
            file = name.replace("__", ".")
            if content is None:
                self.now.pop(file, None)
            else:
                self.now[file] = content
        if self.now != before:
            self.back.append(before)
            self.forth.clear()

    # -- edits --------------------------------------------------------------------------------

    @rule(file=DOCUMENTS, number=NUMBERS)
    def edit_document(self, file: str, number: int) -> None:
        document = self.game.document_at(Path(file))
        assert document is not None
        with document.edit() as value:
            value["number"] = number
            said = dict(value)
        self.edited(**{file.replace(".", "__"): said})

    @rule(name=SCENARIOS, number=NUMBERS)
    def edit_scenario(self, name: str, number: int) -> None:
        document = self.game.scenarios.get(name)
        if document is None:
            self.game.add_scenario(name, {"done": {}, "number": number})
        else:
            document.value = {"done": {}, "number": number}
        self.edited(**{f"{name}__json": {"done": {}, "number": number}})

    @rule(name=SCRIPTS, number=NUMBERS)
    def edit_script(self, name: str, number: int) -> None:
        self.game.scripts[name] = f"-- {number}"
        self.edited(**{name.replace(".", "__"): f"-- {number}"})

    @rule(name=SCRIPTS)
    def remove_script(self, name: str) -> None:
        if name in self.now:
            del self.game.scripts[name]
            self.edited(**{name.replace(".", "__"): None})

    @rule(name=STATES, number=NUMBERS)
    def write_state(self, name: str, number: int) -> None:
        self.game.write_state(name, f"state {number}".encode())
        self.edited(**{f"{name}__state": f"state {number}".encode()})

    @rule(old=STATES, new=STATES)
    def rename_state(self, old: str, new: str) -> None:
        if f"{old}.state" in self.now and f"{new}.state" not in self.now:
            self.game.rename_state(old, new)
            metadata = self.metadata_without(old, new)
            moved = self.now[f"{old}.state"]
            files = {f"{old}__state": None, f"{new}__state": moved, "metadata__json": metadata}
            self.edited(**files)

    @rule(name=STATES)
    def remove_state(self, name: str) -> None:
        if f"{name}.state" in self.now:
            self.game.remove_state(name)
            metadata = self.metadata_without(name, None)
            self.edited(**{f"{name}__state": None, "metadata__json": metadata})

    def metadata(self) -> dict[str, object]:
        value = self.now["metadata.json"]
        assert isinstance(value, dict)
        return dict(value)

    def metadata_without(self, old: str, new: str | None) -> dict[str, object]:
        metadata = self.metadata()
        if metadata.get("default_state") == old:
            del metadata["default_state"]
            if new is not None:
                metadata["default_state"] = new
        return metadata

    @rule(name=STATES)
    def choose_default(self, name: str) -> None:
        if f"{name}.state" in self.now:
            self.game.metadata.set_default_state(name)
            self.edited(metadata__json={**self.metadata(), "default_state": name})

    @rule(number=NUMBERS, name=SCRIPTS)
    def edit_several(self, number: int, name: str) -> None:
        with self.game.history.step():
            self.game.scripts[name] = f"-- {number}"
            self.game.write_state("C", f"state {number}".encode())
        files = {name.replace(".", "__"): f"-- {number}", "C__state": f"state {number}".encode()}
        self.edited(**files)

    @rule(number=NUMBERS)
    def fail_in_the_middle(self, number: int) -> None:
        try:
            with self.game.history.step():
                self.game.scripts["two.lua"] = f"-- {number}"
                self.game.write_state("C", b"lost")
                self.game.remove_state("not there")
        except Exception:  # noqa: BLE001 - the kind of error is not tested
            pass

    # -- the history, and files -----------------------------------------------------------------

    @rule()
    def undo(self) -> None:
        assert bool(undoing.undo(self.game.history)) == bool(self.back)
        if self.back:
            self.forth.append(self.now)
            self.now = self.back.pop()

    @rule()
    def redo(self) -> None:
        assert bool(undoing.redo(self.game.history)) == bool(self.forth)
        if self.forth:
            self.back.append(self.now)
            self.now = self.forth.pop()

    @rule()
    def save(self) -> None:
        self.game.save()
        self.saved = dict(self.now)

    @rule()
    def discard(self) -> None:
        self.game = load_integration(self.folder)
        self.now = dict(self.saved)
        self.back: list[Contents] = []
        self.forth: list[Contents] = []

    @rule()
    def save_elsewhere(self) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=self.root)) / "Copy-Nes-v0"
        self.game.save(self.folder)
        self.saved = dict(self.now)

    # -- invariants ------------------------------------------------------------------------------

    @invariant()
    def says_what_the_model_says(self) -> None:
        says: Contents = {d.path.name: d.value for d in self.game.documents}
        says |= {f"{name}.state": self.game.read_state(name) for name in self.game.states}
        says |= dict(self.game.scripts)
        if "_hidden.state" in self.now:
            says["_hidden.state"] = self.game.read_state("_hidden")
        assert says == self.now
        assert len(self.game.history.done) == len(self.back)
        assert len(self.game.history.undone) == len(self.forth)

    @invariant()
    def only_saving_writes(self) -> None:
        assert on_disk(self.folder) == self.saved
        assert self.game.modified == (self.now != self.saved)


TestEditing = Editing.TestCase
TestEditing.settings = settings(max_examples=more_by_night(15, 40), stateful_step_count=30)
