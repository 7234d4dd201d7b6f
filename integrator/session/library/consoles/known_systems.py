"""The consoles that a window knows: they stay up to date when the user adds one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from integrator.session.opening import movie_consoles, systems
from libretro_host.systems.descriptor import SystemDescriptor

Value = TypeVar("Value")


class Renewed(Mapping[str, Value]):
    """A mapping whose whole content is replaced at once, so that other threads may read it."""

    def __init__(self, content: Mapping[str, Value]) -> None:
        self._content = content

    def renew(self, content: Mapping[str, Value]) -> None:
        """Be ``content`` from now on."""
        self._content = content

    def __getitem__(self, name: str) -> Value:
        return self._content[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)


class KnownSystems(Renewed[SystemDescriptor]):
    """All consoles by name; ``consoles`` are the facts of them that movies need."""

    def __init__(self) -> None:
        super().__init__(systems())
        self.consoles = Renewed(movie_consoles(self))

    def look_again(self) -> None:
        """Read all descriptors again."""
        self.renew(systems())
        self.consoles.renew(movie_consoles(self))
