"""The one editor of a session: makes and undoes edits, and checks JSON while it is typed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from integrator.domain.errors import ScenarioError, ScriptError, one_line
from integrator.domain.files import jsontext
from integrator.domain.files.document import DocumentContent, place_of_difference, value_at
from integrator.domain.files.undo import Content, FileChange
from integrator.domain.integration.expectations import EXPECTATIONS_FILE
from integrator.domain.integration.files import Integration
from integrator.domain.integration.json_files import CHEATS_FILE
from integrator.domain.integration.naming import DATA_FILE, METADATA_FILE
from integrator.domain.integration.script_files import SCRIPT_SUFFIX
from integrator.domain.integration.states import STATE_SUFFIX
from integrator.domain.lint.lint import SchemaSet
from integrator.domain.scenario.sandbox import syntax_error
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.session.setup.game import POWER_ON, Game

Subject = Literal["variables", "scenario", "scripts", "states", "cheats", "expectations", "disk"]
"""Parts of an integration that a view can show. ``disk``: the saved parts, and their folder."""

SUBJECTS: Final = frozenset[Subject](get_args(Subject))

_SUBJECT_OF: Final[dict[str, Subject]] = {  # by file or suffix; other files are scenarios
    DATA_FILE: "variables",
    METADATA_FILE: "states",
    CHEATS_FILE: "cheats",
    EXPECTATIONS_FILE: "expectations",
    SCRIPT_SUFFIX: "scripts",
    STATE_SUFFIX: "states",
}


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """The smallest part of a file with all its changes, at a JSON path; None stands for missing."""

    file: str
    path: jsontext.JsonPath
    old: "jsontext.JsonValue | bytes"
    new: "jsontext.JsonValue | bytes"

    @classmethod
    def of(cls, change: FileChange) -> "ChangedPlace":
        old, new = _value(change.old), _value(change.new)
        if isinstance(old, bytes) or isinstance(new, bytes):
            return cls(change.file, (), old, new)
        path = place_of_difference(old, new)
        return cls(change.file, path, value_at(old, *path), value_at(new, *path))

    @property
    def subject(self) -> Subject:
        return _SUBJECT_OF.get(self.file, _SUBJECT_OF.get(Path(self.file).suffix, "scenario"))


@dataclass(frozen=True, slots=True)
class Change:
    """One step of the editor: changed parts of files, and ``more``, subjects without a file."""

    places: tuple[ChangedPlace, ...] = ()
    more: frozenset[Subject] = frozenset()

    @property
    def subjects(self) -> frozenset[Subject]:
        return self.more.union(place.subject for place in self.places)


EVERYTHING: Final = Change(more=SUBJECTS)  # the change from one integration to another


def _value(content: Content | None) -> "jsontext.JsonValue | bytes":
    if isinstance(content, DocumentContent):
        return content.value
    return content if isinstance(content, str | bytes) else None


Edit: TypeAlias = Callable[[Game], object]
"""A command that changes the files of the open game, or which of them are used."""

Listener: TypeAlias = Callable[[Change], object]

_SAVED = Change(more=frozenset(["disk"]))


class Editor:
    """Makes edits completely or not at all; methods call the listeners, and return the change."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._listeners: tuple[Listener, ...] = ()

    @property
    def integration(self) -> Integration:
        return self._game.integration

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` with every change from now on, on the thread that owns the session."""
        self._listeners = (*self._listeners, listener)

    def do(self, edit: Edit, *, merge: bool = False, use: bool = True) -> Change:
        """Make an edit as a step; ``merge`` adds to the last one, ``use`` lets the game follow."""
        integration, used = self._game.integration, self._used()
        with integration.history.step(merge=merge) as touched:
            edit(self._game)
            if use:
                self._follow(touched)
        files = [FileChange(file, old, integration.content(file)) for file, old in touched.items()]
        return self._made(files, used)

    def undo(self) -> Change:
        return self._move(back=True)

    def redo(self) -> Change:
        return self._move(back=False)

    def _move(self, *, back: bool) -> Change:
        used = self._used()
        with self._game.integration.history.stepping(back=back) as step:
            self._follow(change.file for change in step)
        return self._made(step, used)

    def save(self, *, follow_links: bool = False) -> Change:
        self._game.integration.save(follow_links=follow_links)
        return self._tell(_SAVED)

    def move_to(self, directory: Path, *, follow_links: bool = False) -> Change:
        """Write all files into another directory, where the integration then belongs."""
        self._game.integration.save(directory, follow_links=follow_links)
        self._game.note_opened()
        return self._tell(EVERYTHING)

    def keep_as(self, root: Path, name: str | None = None) -> Integration:
        """Make an integration directory of a bare ROM; see :meth:`Game.keep_as`."""
        made = self._game.keep_as(root, name)
        self._tell(EVERYTHING)
        return made

    def reload(self, path: Path) -> Change:
        integration, used = self._game.integration, self._used()
        before = integration.content(path.name)
        with integration.reloading(path):
            self._follow([path.name])
        after = integration.content(path.name)
        return self._made([FileChange(path.name, before, after)], used, "disk")

    def adopt_new(self) -> tuple[str, ...]:
        names = self._game.integration.adopt_new()
        if names:
            self._tell(EVERYTHING)
        return names

    def keep_mine(self, path: Path) -> Change:
        """Let the next save replace a file that another program changed."""
        self._game.integration.keep_mine(path)
        return self._tell(_SAVED)

    def _used(self) -> dict[Subject, str | None]:
        return {"scenario": self._game.plan.scenario, "states": self._game.plan.state}

    def _made(
        self, files: Iterable[FileChange], used: Mapping[Subject, str | None], *more: Subject
    ) -> Change:
        """Report a step's changes; ``used`` is the scenario and start state in use before it."""
        now = self._used()
        chosen = (subject for subject in now if now[subject] != used[subject])
        places = (ChangedPlace.of(file) for file in files if file.old != file.new)
        return self._tell(Change(tuple(places), frozenset({*chosen, *more})))

    def _tell(self, change: Change) -> Change:
        for listener in self._listeners:
            listener(change)
        return change

    def _follow(self, files: Iterable[str]) -> None:
        """Let the game use changed files, unless a script has a syntax error."""
        game, changed = self._game, set(files)
        not_scored = (METADATA_FILE, CHEATS_FILE, EXPECTATIONS_FILE)
        if not can_begin_at(game.integration, game.plan.state):
            game.use_state(None)
        if game.scenario_name not in game.integration.scenarios:
            game.use_scenario(None)
        elif not all(f.endswith(STATE_SUFFIX) or f in not_scored for f in changed):
            try:
                game.apply_documents()
            except ScriptError:
                scripts = game.integration.scripts
                if not any(syntax_error(text, name) for name, text in scripts.items()):
                    raise
        elif CHEATS_FILE in changed:
            game.cheats.refresh()


def can_begin_at(integration: Integration, state: str | None) -> bool:
    """Return True if episodes can begin at ``state``; None stands for the default start."""
    if state is None or state == POWER_ON or state.endswith(STATE_SUFFIX):
        return True
    return integration.state_files.exists(state)


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A problem at ``line`` (from 1); a ``fatal`` one keeps the text from being used."""

    line: int
    path: str
    message: str
    fatal: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", one_line(self.message))

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def check_text(
    schemas: SchemaSet, file: str, text: str, variables: frozenset[str]
) -> tuple[TextProblem, ...]:
    """Return the problems of a file's text by line; a scenario may read ``variables``."""
    try:
        parsed = jsontext.JsonText(text)
    except jsontext.JsonSyntaxError as error:
        message = f"{error.message}, at column {error.column}"
        return (TextProblem(error.line, "", message, fatal=True),)
    seen: dict[tuple[int, str], TextProblem] = {}
    for problem in _problems(schemas, file, parsed, variables):
        seen.setdefault((problem.line, problem.path), problem)
    return tuple(sorted(seen.values(), key=lambda problem: problem.line))


def _problems(
    schemas: SchemaSet, file: str, text: jsontext.JsonText, variables: frozenset[str]
) -> Iterator[TextProblem]:
    if not isinstance(text.value, dict):
        yield TextProblem(1, "", "the file must hold an object in braces", fatal=True)
        return
    for path, line in text.duplicates():
        message = "this key stands here again; stable-retro uses the first"
        yield TextProblem(line, jsontext.show_path(path), message)
    kinds = {DATA_FILE: "data", METADATA_FILE: "metadata", EXPECTATIONS_FILE: "expectations"}
    kind = kinds.get(file, "scenario")
    if kind == "scenario":
        yield from _scenario_problems(text, variables)
    for keys, message, _ in schemas.problems(kind, text.value):
        yield TextProblem(text.line_of(keys), jsontext.show_path(keys), message)


def _scenario_problems(text: jsontext.JsonText, variables: frozenset[str]) -> Iterator[TextProblem]:

    def at(path: str, message: str, *, fatal: bool = False) -> TextProblem:
        return TextProblem(text.line_of(jsontext.keys_of(path)), path, message, fatal)

    try:
        spec = ScenarioSpec.parse(text.value)
    except ScenarioError as error:
        path, _, message = str(error).partition(": ")
        yield at(path, message, fatal=True)
        return
    for problem in spec.problems:
        yield at(problem.path, problem.message)
    terms = [(term.path, term.name) for reward in spec.rewards for term in reward.terms]
    tests = [(test.path, test.name) for node in spec.done.walk() for test in node.tests]
    for path, name in () if spec.scripts else (*terms, *tests):  # scripts may make variables
        if name not in variables:
            yield at(path, f"there is no variable {name!r} in data.json")
