"""An integration directory as one object: its documents, scripts, states and ROM."""

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import starmap
from pathlib import Path
from typing import Final, TypeVar

from integrator.domain.errors import DocumentError
from integrator.domain.files.atomic import locked_folder, saving
from integrator.domain.files.document import DocumentContent, JsonDocument
from integrator.domain.files.jsontext import JsonValue
from integrator.domain.files.undo import Content, UndoHistory
from integrator.domain.findings import Finding
from integrator.domain.integration import json_files, naming
from integrator.domain.integration.expectations import EXPECTATIONS_FILE, ExpectationsDocument
from integrator.domain.integration.script_files import SCRIPT_SUFFIX, ScriptFiles, delete_file
from integrator.domain.integration.states import STATE_SUFFIX, StateFiles

_D = TypeVar("_D", bound=JsonDocument)
ROOM_CURE: Final = "choose a folder that is yours and has room"


class Integration:
    """The loaded files of one integration directory; :meth:`save` writes edits. ``scripts`` maps
    file name to text and may be changed; ``state_files`` has the start states. ``history`` undoes
    the edits of all files in reverse order. ``findings`` come from loading."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.history = UndoHistory(self.content, self.put)
        self.variables = _document(
            json_files.VariablesDocument, directory / naming.DATA_FILE, {"info": {}}
        )
        self.metadata = _document(json_files.MetadataDocument, directory / naming.METADATA_FILE, {})
        scenario = _document(json_files.ScenarioDocument, directory / naming.SCENARIO_FILE, {})
        others, findings = json_files.other_scenarios(directory)
        cheats, expectations = directory / json_files.CHEATS_FILE, directory / EXPECTATIONS_FILE
        self.cheats = _optional(json_files.CheatsDocument, cheats, {"cheats": []}, findings)
        empty: dict[str, JsonValue] = {"expectations": []}
        self.expectations = _optional(ExpectationsDocument, expectations, empty, findings)
        self.scenarios: dict[str, json_files.ScenarioDocument] = {"scenario": scenario, **others}
        # Scenario files that the next save will delete.
        self._removed: dict[str, json_files.ScenarioDocument] = {}
        self.scripts = ScriptFiles(directory, self.history)
        self.state_files = StateFiles(directory, self.history)
        for document in self.documents:
            document.history = self.history
        self.findings: tuple[Finding, ...] = (
            *starmap(naming.link_finding, self.links_out),
            *findings,
            *(finding for document in self.documents for finding in document.findings),
        )

    @property
    def name(self) -> str:
        """Name of the directory, which is the environment's name."""
        return self.directory.name

    @property
    def system(self) -> str:
        """The system in the name: ``Nes`` for ``SuperGame-Nes-v0``; '' if there is none."""
        return naming.system_of(self.name)

    @property
    def scenario(self) -> json_files.ScenarioDocument:
        """scenario.json; if the directory has none, an empty document that is not on disk."""
        return self.scenarios["scenario"]

    @property
    def unscored(self) -> str:
        """A sentence if nothing is scored, because the directory has no scenario.json."""
        is_scored = self.scenario.on_disk or self.scenario.modified
        text = "there is no scenario.json: the reward is always 0 and no episode ends"
        return "" if is_scored or not self.directory.exists() else text

    @property
    def rom(self) -> Path | None:
        """The ROM: the file that metadata names as original_rom_name, else ``rom.<extension>``."""
        original = self.metadata.value.get("original_rom_name")
        if isinstance(original, str) and naming.is_file_name(original):
            path = self.directory / original
            if path.is_file():
                return path
        return naming.find_rom(self.directory)

    @property
    def rom_sha(self) -> tuple[str, ...]:
        """SHA-1 hashes of rom.sha, lower case; empty without the file. Raises DocumentError."""
        path = self.directory / naming.SHA_FILE
        return naming.read_shas(path) if path.exists() else ()

    @property
    def documents(self) -> tuple[JsonDocument, ...]:
        """All JSON documents: variables, metadata, scenarios, cheats, expectations."""
        further = (self.cheats, self.expectations)
        return (self.variables, self.metadata, *self.scenarios.values(), *further)

    @property
    def modified(self) -> bool:
        return bool(self.modified_files)

    def content(self, file: str) -> Content | None:
        """Return the current content of a document, script or state; None if there is none."""
        if file.endswith(STATE_SUFFIX):
            return self.state_files.content(file)
        if file.endswith(SCRIPT_SUFFIX):
            return self.scripts.get(file)
        document = self.document_at(Path(file))
        return None if document is None else document.content

    def put(self, file: str, content: Content | None) -> None:
        """Replace a file's content, for instance by an earlier one, without an undo step."""
        if file.endswith(STATE_SUFFIX):
            self.state_files.put(file, content if isinstance(content, bytes) else None)
        elif file.endswith(SCRIPT_SUFFIX):
            self.scripts.put(file, content if isinstance(content, str) else None)
        elif isinstance(content, DocumentContent):
            document = self.document_at(Path(file))
            if document is None:  # ``not document`` would be true for data.json without variables
                path = self.directory / file
                document = self._removed.pop(path.stem, None)
                if document is None or not path.exists():  # a save may have deleted the file
                    document = json_files.ScenarioDocument.create(path, content.value)
                document.history = self.history
                self.scenarios[path.stem] = document
            document.restore(content)
        else:
            gone = self.scenarios.pop(Path(file).stem, None)
            if gone is not None and gone.on_disk:
                self._removed[gone.name] = gone

    @property
    def modified_files(self) -> tuple[str, ...]:
        """Names of the files that :meth:`save` would write or delete."""
        documents = (document.path.name for document in self.documents if document.modified)
        removed = (document.path.name for document in self._removed.values())
        return (*documents, *removed, *self.scripts.changed, *self.state_files.changed)

    def base(self, file: str) -> str | None:
        """Return the SHA-256 of the file on which an edit is based; None for a new file."""
        if file.endswith(STATE_SUFFIX):
            return self.state_files.changed.get(file)
        if file.endswith(SCRIPT_SUFFIX):
            return self.scripts.changed.get(file)
        document = self.document_at(Path(file))
        if document is None:
            document = self._removed.get(Path(file).stem)
        return None if document is None else document.base

    def take_over(self, draft: "Integration") -> None:
        """Take over the unsaved files of ``draft``, and continue its undo history."""
        for file in draft.modified_files:
            self.put(file, draft.content(file))
        self.history.take_over(draft.history)

    @property
    def states(self) -> list[str]:
        """Names of the current start states, sorted, without hidden ones."""
        return self.state_files.names()

    def read_state(self, name: str) -> bytes:
        """Return a state's raw bytes. Raises DocumentError if it is missing or damaged."""
        return self.state_files.read(name)

    def write_state(self, name: str, raw: bytes, stamp: str = "") -> Path:
        """Add a start state with the core's ``stamp``; return its file. Raises DocumentError."""
        self.state_files.write(name, raw, stamp)
        return self.state_files.path(name)

    def rename_state(self, old: str, new: str) -> None:
        """Rename a state, also as a default state in metadata. Raises DocumentError."""
        with self.history.step():
            self.metadata.replace_state(old, self.state_files.rename(old, new))

    def remove_state(self, name: str) -> tuple[int, ...]:
        """Remove a state; return the player counts whose default it was. Raises DocumentError."""
        with self.history.step():
            self.state_files.remove(name)
            return self.metadata.replace_state(name, None)

    def add_scenario(
        self, name: str, value: "dict[str, JsonValue] | None" = None
    ) -> json_files.ScenarioDocument:
        """Add a scenario file, which :meth:`save` writes. Raises DocumentError."""
        if not name or not naming.is_file_name(f"{name}.json"):
            raise DocumentError(f"{name!r} cannot be the name of a scenario; {naming.FILE_CURE}")
        path = self.directory / f"{name}.json"
        taken = {*self.scenarios, *(document.path.stem for document in self.documents)}
        if name in taken or (path.exists() and name not in self._removed):
            raise DocumentError(f"{path} exists already; choose another name")
        fresh = json_files.ScenarioDocument.create(path, value or json_files.scenario_skeleton())
        with self.history.step():
            self.history.touch(path.name)
            self.put(path.name, fresh.content)
        return self.scenarios[name]

    @property
    def links_out(self) -> tuple[tuple[Path, Path], ...]:
        """Files that are links out of the directory, except the ROM, which is never written."""
        states = (f"{name}{STATE_SUFFIX}" for name in self.state_files.names(hidden=True))
        documents = (document.path.name for document in self.documents)
        return naming.links_out(self.directory, (*documents, *self.scripts.files, *states))

    def save(
        self,
        directory: Path | str | None = None,
        *,
        force: bool = False,
        follow_links: bool = False,
    ) -> None:
        """Write the modified files, or all files into another ``directory`` (made if missing).

        Saving elsewhere also copies the other files (ROM, hashes, states, notes), and the object
        then refers to that directory. Before anything is written, raises ChangedOnDiskError if
        another program changed a file (unless ``force``), LinkError if a file to write or copy is a
        link that leads out (unless ``follow_links``), and DocumentError if a value is not JSON.
        Raises SaveError if writing fails."""
        target = self.directory if directory is None else Path(directory)
        # One lock for check and write, or else two programs could both check first and then write.
        with locked_folder(target):
            self._check(target, force=force)
            self._save(target, force=force, follow_links=follow_links)

    def _save(self, target: Path, *, force: bool, follow_links: bool) -> None:
        if not follow_links:
            self._refuse_links(target)
        if target != self.directory:
            self._copy_to(target)
        # Metadata names states, so it is written after new states and before removed ones go.
        self.state_files.write_edited(target)
        for document in self.documents:
            if target != self.directory and (document.on_disk or document.modified):
                document.save(target / document.path.name, force=True)
            elif document.modified or not (document.path.exists() or document.path.is_symlink()):
                document.save(force=force)  # also a file that another program has deleted
            else:
                document.path = target / document.path.name
        self.scripts.save(target)
        for document in self._removed.values():
            if target == self.directory:
                delete_file(document.path)
        self._removed.clear()
        if target != self.directory:
            self.directory = target
            self.state_files.move_to(target)
        self.state_files.delete_removed()

    def changed_on_disk(self) -> tuple[Path, ...]:
        """Return all files that another program has changed since they were loaded."""
        documents = (document.path for document in self.documents if document.changed_on_disk())
        return (*documents, *self.scripts.changed_on_disk(), *self.state_files.changed_on_disk())

    def deleted_on_disk(self) -> tuple[Path, ...]:
        """Return the documents and scripts that another program has deleted, or the directory."""
        documents = [document.path for document in self.documents if document.on_disk]
        gone = tuple(path for path in (*documents, *self.scripts.on_disk) if not path.exists())
        return (self.directory,) if gone and not self.directory.is_dir() else gone

    def adopt_new(self) -> tuple[str, ...]:
        """Load other programs' new scripts and scenarios; return names. Raises DocumentError."""
        others, _ = json_files.other_scenarios(self.directory)
        known = {*self.scenarios, *self._removed}
        new = {name: document for name, document in others.items() if name not in known}
        for document in new.values():
            document.history = self.history
        self.scenarios.update(new)
        return (*(document.path.name for document in new.values()), *self.scripts.adopt_new())

    def reloading(self, path: Path) -> AbstractContextManager[None]:
        """Reload a file from disk, as one undoable edit; an exception in the block undoes it.

        Raises DocumentError, and then changes nothing."""
        if path.suffix == STATE_SUFFIX:
            return self.state_files.reloading(path.name)
        document = self.document_at(path)
        return self.scripts.reloading(path.name) if document is None else document.reloading()

    def keep_mine(self, path: Path) -> None:
        """Let :meth:`save` replace the file that is now on disk. Raises DocumentError."""
        document = self.document_at(path)
        if path.suffix == STATE_SUFFIX:
            self.state_files.keep_mine(path.name)
        elif document is not None:
            document.keep_mine()
        else:
            self.scripts.keep_mine(path.name)

    def document_at(self, path: Path) -> JsonDocument | None:
        """Return the document with this file name; None for a script or another file."""
        return next((d for d in self.documents if d.path.name == path.name), None)

    def _check(self, target: Path, *, force: bool) -> None:
        """Raise all errors that can be known before writing, so all files are saved or none."""
        for document in self.documents:
            if document.modified:
                document.encoded()
                if target == self.directory and not force:
                    document.check_not_changed()
        if target == self.directory and not force:
            self.scripts.check()
            self.state_files.check()
            for document in self._removed.values():
                document.check_not_changed()

    def _refuse_links(self, target: Path) -> None:
        if target == self.directory:
            written = [file for file in self.modified_files if self.content(file) is not None]
            naming.refuse_links(target, written)
            return
        copied = (path.name for path in self._others())
        naming.refuse_links(self.directory, (*(path.name for path, _ in self.links_out), *copied))
        if target.is_dir():
            naming.refuse_links(target, (path.name for path in target.iterdir()))

    def _others(self) -> Iterator[Path]:
        skipped = {document.path.name for document in (*self.documents, *self._removed.values())}
        skipped |= {*self.scripts.files, *self.state_files.changed}
        rom = self.rom
        for path in sorted(self.directory.iterdir()) if self.directory.is_dir() else ():
            other = not path.name.startswith(".") and path.name not in skipped and path != rom
            if other and path.is_file():
                yield path

    def _copy_to(self, target: Path) -> None:
        """Copy the files that are neither documents nor scripts, but overwrite no file."""
        rom = self.rom
        with saving(f"{target} could not be filled", ROOM_CURE):
            target.mkdir(parents=True, exist_ok=True)
            for path in (*self._others(), *([rom] if rom is not None else [])):
                copy = target / path.name
                if not copy.exists():
                    shutil.copy2(path, copy)


def _document(kind: type[_D], path: Path, default: dict[str, JsonValue]) -> _D:
    return kind.load(path) if path.exists() else kind.absent(path, default)


def _optional(
    kind: type[_D], path: Path, default: dict[str, JsonValue], findings: list[Finding]
) -> _D:
    """Load a document that training does not read, so a damaged one is only a finding."""
    try:
        return _document(kind, path, default)
    except DocumentError as error:
        findings.append(json_files.damaged_finding(path, error))
        return kind.absent(path, default)
