"""The named RAM searches of a session: refined as the game runs, and kept on disk."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator import paths
from integrator.domain.errors import SearchError
from integrator.domain.files.atomic import write_with_folder
from integrator.domain.files.reading import TEXT_BYTES, decoding, read_text
from integrator.domain.integration.naming import FILE_CURE, is_file_name, refuse_links
from integrator.domain.query.facts import Fact, parse_facts
from integrator.domain.search.operators import frame_of
from integrator.domain.search.results import BY_ADDRESS, Candidate, CandidateList, RowOrder
from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.domain.sweep.readings import BIT_FIELDS, FLOATS, BitField, FloatType, SearchType
from integrator.domain.values.memory import DataType
from integrator.session.frame.pipeline import LiveMemory
from integrator.session.setup.roots import is_shared


def query_types(listed: Sequence[str], ram_bytes: int) -> tuple[DataType, ...]:
    """Return the types that queries and searches try: the system's, then other likely ones.

    For up to 1 MiB of RAM, the others are types that the 1,068 data.json files shipped with
    stable-retro 1.0.1 use though their systems do not list them: scores of three packed bytes, and
    one digit per byte, in any number and either order. No larger console's integration uses these,
    and a search there scans more. For more RAM, the others are little-endian versions of the listed
    big-endian types, as N64 cores keep words in the PC's byte order without saying so."""
    also = ["|n1", ">u3", "<u3", ">d2", "<d2", ">d3", "<d3", ">d5", "<d5"]
    also += [f"{endian}n{width}" for width in range(2, 9) for endian in "><"]
    if ram_bytes > 1 << 20:
        also = [spec.replace(">", "<", 1) if spec[:2] in (">u", ">i") else spec for spec in listed]
    types = (DataType.parse(spec) for spec in (*listed, *also))
    return tuple({str(each): each for each in types}.values())


def as_facts(facts: str | Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts as a tuple; parse them if they are lines of text. Raises SearchError."""
    return parse_facts(facts) if isinstance(facts, str) else tuple(facts)


When = Literal["frame", "idle", "press"]
"""``frame`` compares each frame with the one before; ``idle`` does so only while no button is held;
``press`` compares memory after a button was released with memory from before it was pressed."""

SETTLE_FRAMES: Final = 8  # for so long after its release, a button may still have an effect


@dataclass(slots=True)
class FrameRule:
    """A comparison that refines a search during play, by the window if ``in_background``."""

    op: str
    value: object
    first_step: int
    when: When = "frame"
    in_background: bool = False
    _pressed: bool = False
    _since_press: int = 0
    _rest: NDArray[np.uint8] | None = field(default=None, repr=False)

    def follow(self, search: Search, ram: NDArray[np.uint8], *, pressed: bool) -> bool:
        """Apply the rule after a frame; return True if it refined. Raises SearchError."""
        was, self._pressed = self._pressed, pressed
        compares = self.when != "idle" or not (pressed or was)
        if self.when == "press":
            self._since_press += bool(self._since_press and not pressed)
            compares = self._since_press > SETTLE_FRAMES
            compares |= bool(self._since_press and pressed and not was)
        if compares:
            search.take(search.plan(self.op, self.value))
            self._since_press = 0
        if self.when == "press" and pressed and not was:
            # The frame of the press may already have changed the number, so start before it.
            search.start_from_now(self._rest)
            self._since_press = 1
        elif self.when == "press" and not pressed:
            self._rest = ram.copy()
        elif self.when == "idle" and was and not pressed:
            # Start at the first frame without buttons, so that their effect is not compared.
            search.start_from_now()
        return compares


T = TypeVar("T")

FOLDER: Final = "searches"
TypeKind = Literal["numbers", "bits", "floats"]
"""Kinds of types to search: data types of the system, bit fields of a byte, four-byte floats."""
NUMBERS: Final[tuple[TypeKind, ...]] = ("numbers",)


class Searches:
    """Searches by name over a running game's RAM, used by one thread at a time."""

    def __init__(
        self,
        memory: LiveMemory,
        types: Sequence[DataType],
        recorded: Callable[[int], NDArray[np.uint8]],
    ) -> None:
        self._memory, self._types, self._recorded = memory, tuple(types), recorded
        self._open: dict[str, Search] = {}
        self._rules: dict[str, FrameRule] = {}
        self._in_use = threading.RLock()
        self._seen: NDArray[np.uint8] | None = None
        self._seen_past: Mapping[int, NDArray[np.uint8]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._open)

    def get(self, name: str) -> Search:
        """Return the search of that name; its first use starts it with the present RAM."""
        return self._open[name] if name in self._open else self.restart(name, scales=True)

    def restart(self, name: str, *, scales: bool, kinds: Sequence[TypeKind] = NUMBERS) -> Search:
        """Start the search of that name again, for some kinds of types; ``scales``: scaled too."""
        self.forget(name)
        offered: Mapping[TypeKind, Sequence[SearchType]]
        offered = {"numbers": self._types, "bits": BIT_FIELDS, "floats": FLOATS}
        search = self._open[name] = Search(
            self._memory.space,
            [each for kind in kinds for each in offered[kind]],
            self._now,
            name=name,
            scales=scales,
            activity=self._memory.count_changes(),
            past=self._past,
        )
        return search

    def forget(self, name: str) -> None:
        """Drop a search and its rule, so that the next search of that name is a new one."""
        self._open.pop(name, None)
        self._rules.pop(name, None)

    def each_frame(
        self,
        name: str,
        op: str,
        value: object = None,
        *,
        when: When = "frame",
        in_background: bool = False,
    ) -> int:
        """Refine a search after each frame; return its number of candidates. Raises SearchError."""
        search = self.get(name)
        search.plan(op, value)
        steps = len(search.history)
        search.start_from_now()
        self._rules[name] = FrameRule(op, value, steps, when, in_background)
        return search.count

    def stop_each_frame(self, name: str) -> int:
        """Stop refining; return how many steps the rule added, so that a caller can undo them."""
        rule = self._rules.pop(name, None)
        return 0 if rule is None else len(self.get(name).history) - rule.first_step

    @property
    def has_rules(self) -> bool:
        return any(not rule.in_background for rule in self._rules.values())

    def after_frame(self, *, pressed: bool = False) -> None:
        """Apply the session's rules after a frame; ``pressed`` is true if a button was held."""
        if self.has_rules:
            with self._in_use:
                for name, rule in self._rules.items():
                    if not rule.in_background:
                        rule.follow(self.get(name), self._memory.ram, pressed=pressed)

    def follow(self, name: str, *, pressed: bool) -> bool:
        """Apply the rule of one search, if it has one; return True if it refined the search."""
        rule = self._rules.get(name)
        return rule is not None and rule.follow(self.get(name), self._now(), pressed=pressed)

    def on_copy(self, work: Callable[["Searches"], T], frames: Sequence[int]) -> Callable[[], T]:
        """Return a call of ``work`` for another thread, on copies of RAM and of recorded frames.

        A negative frame counts back from the present one."""
        ram = self._memory.ram.copy()
        past = {frame: self._recorded(frame) for frame in frames}

        def on_these() -> T:
            with self._in_use:
                self._seen, self._seen_past = ram, past
                try:
                    return work(self)
                finally:
                    self._seen, self._seen_past = None, {}

        return on_these

    def save(self, name: str, directory: Path) -> Path:
        """Write the search into the first of its folders. Raises SearchError, SaveError."""
        if name not in self._open:
            listed = ", ".join(self._open) or "none"
            raise SearchError(f"there is no search {name!r} to save; there is: {listed}")
        path = _path(search_folders(directory)[0], name)
        if directory in path.parents:
            refuse_links(directory, [f"{FOLDER}/{path.name}"])
        write_with_folder(path, self._open[name].to_json().encode())
        return path

    def take_up(self, name: str, directory: Path) -> Search:
        """Return a search that is open, saved or new. Raises as :meth:`load` does."""
        if name not in self._open and name in saved_searches(directory):
            self.load(name, directory)
        return self.get(name)

    def load(self, name: str, directory: Path) -> Search:
        """Open a saved search in place of any open one of that name. Raises SearchError."""
        found = [_path(folder, name) for folder in search_folders(directory)]
        path = next((path for path in found if path.is_file()), found[0])
        saved = ", ".join(saved_searches(directory)) or "none"
        # The file holds several copies of RAM, and runs of addresses.
        limit_bytes = max(TEXT_BYTES, 32 * self._memory.space.size_bytes)
        with decoding(SearchError, path, f"saved are: {saved}"):
            search = Search.from_json(
                read_text(path, limit_bytes),
                self._memory.space,
                self._now,
                activity=self._memory.count_changes(),
                past=self._past,
            )
        self._open[name] = search
        self._rules.pop(name, None)
        return search

    def _now(self) -> NDArray[np.uint8]:
        return self._memory.ram if self._seen is None else self._seen

    def _past(self, frame: int) -> NDArray[np.uint8]:
        seen = self._seen_past.get(frame)
        return self._recorded(frame) if seen is None else seen


def kinds_of(search: Search) -> tuple[TypeKind, ...]:
    kinds: dict[type, TypeKind] = {DataType: "numbers", BitField: "bits", FloatType: "floats"}
    tried = set(map(type, search.types))
    return tuple(name for kind, name in kinds.items() if kind in tried)


def search_folders(directory: Path) -> tuple[Path, Path]:
    """Return the folders of an integration's searches; new files go into the first."""
    kept, own = directory / FOLDER, paths.user_data_dir() / FOLDER / directory.name
    writable = directory.is_dir() and os.access(directory, os.W_OK) and not is_shared(directory)
    return (kept, own) if writable else (own, kept)


def saved_searches(directory: Path) -> tuple[str, ...]:
    files = [path for folder in search_folders(directory) for path in folder.glob("*.json")]
    return tuple(sorted({path.stem for path in files}))


def _path(folder: Path, name: str) -> Path:
    if not name or not is_file_name(f"{name}.json"):
        raise SearchError(f"{name!r} cannot be the name of a saved search; {FILE_CURE}")
    return folder / f"{name}.json"


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """An immutable copy of a search for the panel, made on the runner's thread."""

    count: int
    steps: tuple[SearchStep, ...]
    types: int
    ram_bytes: int
    candidates: Sequence[Candidate]

    def addresses(self) -> NDArray[np.int64]:
        rows = self.candidates
        return rows.addresses() if isinstance(rows, CandidateList) else np.empty(0, np.int64)


SearchCommand = Callable[[Search], object]


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison as a command; ``frames`` are the recorded frames that it reads, -1 the last."""

    op: str
    value: object
    against: str | None

    def __call__(self, search: Search) -> object:
        return search.take(search.plan(self.op, self.value, against=self.against))

    @property
    def frames(self) -> tuple[int, ...]:
        against = self.against or ""
        recorded = against == "last-frame" or against.startswith("frame ")
        return (frame_of(against),) if recorded else ()


def warm(search: Search, order: RowOrder = BY_ADDRESS) -> SearchStatus:
    """Return the status of a search, with its first rows computed so that showing it is quick."""
    candidates = search.candidates().sorted(order)
    list(candidates[:64])
    size, kinds = search.space.size_bytes, len(search.types)
    return SearchStatus(search.count, search.history, kinds, size, candidates)


def at_present(search: Search, memory: LiveMemory, rows: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates with their present numbers; call it between two frames."""
    counts, ages = search.changes_of(rows)
    values = [row.number_in(memory.read(row.address, row.type)) for row in rows]
    facts = zip(rows, values, counts.tolist(), ages.tolist(), strict=True)
    return [replace(row, value=now, changes=count, age=age) for row, now, count, age in facts]
