"""Values held in memory while a game runs: cheats, and values frozen for the session only."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from integrator.domain.errors import DomainError, MovieError
from integrator.domain.integration.files import Integration
from integrator.domain.integration.json_files import CheatSpec
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.frame.pipeline import LiveMemory
from integrator.session.movies import MovieDeck


@dataclass(frozen=True, slots=True)
class HeldValue:
    """A value held in memory: the cheat at ``index`` of cheats.json, or a frozen value. A value
    without an index is frozen for this session only. ``address`` and ``type`` are filled in for a
    cheat of a variable, too. ``problem`` is the reason why a cheat cannot be held."""

    cheat: CheatSpec
    address: int | None
    type: str
    held: bool
    index: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class HeldValues:
    """All cheats and frozen values; ``on`` while cheats are held; ``variables`` that are held."""

    rows: tuple[HeldValue, ...]
    on: bool
    variables: frozenset[str]


@dataclass(slots=True, eq=False)
class CheatDeck:
    """Holds values in memory. A cheat is a held value that is stored with the integration. Held
    values are written after every frame, as pokes are. Cheats are held only while they are switched
    ``on``. They are off when a game is opened, so replays, checks and training run without them. No
    movie is recorded while a value is held, since it would not replay. ``integration`` returns the
    open documents, which are replaced when a bare ROM becomes an integration."""

    _memory: LiveMemory
    _movies: MovieDeck
    _integration: Callable[[], Integration]
    on: bool = False
    _applied: dict[tuple[int, DataType], tuple[int, int | None]] = field(default_factory=dict)

    def switch(self, *, on: bool) -> None:
        """Start or stop to hold enabled cheats. Raises MovieError on a start while recording."""
        if on:
            self._movies.refuse("values held")
        self.on = on
        self.refresh()

    def refresh(self) -> None:
        """Hold the values of the present cheats document; called after every edit."""
        wanted: dict[tuple[int, DataType], tuple[int, int | None]] = {}
        for cheat in self._integration().cheats.cheats if self.on else ():
            if cheat is not None and cheat.enabled:
                with suppress(DomainError):
                    place = self._place(cheat)
                    wanted[place.address, place.type] = (cheat.value, place.mask)
        memory = self._memory
        for key in self._applied.keys() - wanted.keys():
            memory.thaw(*key)
        for key, (value, mask) in wanted.items():
            if self._applied.get(key) != (value, mask):
                memory.freeze(*key, value, mask=mask)
        self._applied = wanted

    def freeze(self, address: int, spec: DataType, value: int, *, mask: int | None = None) -> None:
        """Hold a value, or its bits in ``mask``. Raises MovieError while a movie is recorded."""
        self._movies.refuse("values held")
        self._memory.freeze(address, spec, value, mask=mask)

    def thaw(self, address: int, spec: DataType) -> None:
        """Stop holding a value; a cheat at the same place is held again by the next refresh."""
        self._memory.thaw(address, spec)
        self._applied.pop((address, spec), None)

    def hold(
        self, places: Iterable[tuple[int, DataType]], *, on: bool, mask: int | None = None
    ) -> None:
        """Hold places at their present values, or release them. Raises as :meth:`freeze` does."""
        for address, spec in places:
            if on:
                self.freeze(address, spec, self._memory.read(address, spec), mask=mask)
            else:
                self.thaw(address, spec)

    def put(self, index: int | None, cheat: CheatSpec) -> None:
        """Store a cheat in the document, replacing a frozen value at the same place.

        That value stays held, so cheats are switched on. After a DomainError, nothing has changed.
        """
        memory, place = self._memory, self._place(cheat)
        self._integration().cheats.put(index, cheat)
        if index is None and (place.address, place.type) in memory.frozen:
            memory.thaw(place.address, place.type)
            self.on = True
        self.refresh()

    def remove(self, index: int) -> None:
        self._integration().cheats.remove(index)
        self.refresh()

    def held(self) -> HeldValues:
        """Return all cheats in the document's order, then the other frozen values by address."""
        integration, frozen = self._integration(), self._memory.frozen
        rows = []
        for index, cheat in enumerate(integration.cheats.cheats):
            if cheat is None:
                continue
            row = HeldValue(cheat, cheat.address, cheat.type, held=False, index=index)
            try:
                place = self._place(cheat)
                held = (place.address, place.type) in self._applied
                row = replace(row, address=place.address, type=str(place.type), held=held)
            except DomainError as error:
                row = replace(row, problem=str(error))
            rows.append(row)
        places = [(n, (spec.address, spec.type)) for n, spec in integration.variables.items()]
        names = {place: name for name, place in places}
        loose = frozen.keys() - self._applied.keys()
        for address, spec in sorted(loose, key=lambda each: (each[0], str(each[1]))):
            value = frozen[address, spec]
            if name := names.get((address, spec)):
                cheat = CheatSpec(name, value, variable=name)
            else:
                cheat = CheatSpec(f"0x{address:X}", value, address=address, type=str(spec))
            rows.append(HeldValue(cheat, address, str(spec), held=True))
        variables = frozenset(name for name, place in places if place in frozen)
        return HeldValues(tuple(rows), self.on, variables)

    def check_recording(self) -> None:
        """Raise MovieError if a value is held, because a movie would not replay."""
        if held := [row.cheat.name for row in self.held().rows if row.held]:
            names = ", ".join(held[:4]) + (", ..." if len(held) > 4 else "")
            why = "held by a cheat or frozen, so a movie would not replay"
            cure = "switch the cheats off and let frozen values go, then record"
            raise MovieError(f"{names}: {why}; {cure}")

    def end_recording(self) -> None:
        """Complete the movie being recorded if its buttons cannot explain the next frames."""
        recording, memory = self._movies.recording, self._memory
        if recording is None or not (memory.frozen or (memory.written and recording.rows)):
            return
        why = "a value is held from now on" if memory.frozen else "memory was changed"
        self._movies.finish_run(why)

    def _place(self, cheat: CheatSpec) -> VariableSpec:
        """Return the place where a cheat holds its value. Raises DomainError if that fails."""
        place = cheat.place(dict(self._integration().variables))
        self._memory.space.encode_write(place.address, place.type, cheat.value)
        return place
