"""The kinds of games of several files that the cores here make, and the places of files in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from integrator.session.library.consoles.core_rows import cores_here
from libretro_host.subsystems import Subsystem, SubsystemFile
from libretro_host.systems.identity import CoreIdentity


@dataclass(frozen=True, slots=True)
class SubsystemChoice:
    """A subsystem of the core that runs a console; ``system`` is its name, ``title`` for people."""

    system: str
    title: str
    core: str
    subsystem: Subsystem

    def places_of(self, files: Sequence[Path]) -> tuple[Path | None, ...] | None:
        """Files, in any order, in the subsystem's order by their suffixes.

        None stands for a file that is left out; the result is None when some file has no place, or
        a place that needs one has none.
        """
        return _placed(self.subsystem.files, tuple(files))


def subsystem_choices() -> list[SubsystemChoice]:
    """All subsystems of the cores here; those that take several files come first."""
    listing, identities = cores_here()
    found = [
        SubsystemChoice(entry.system.name, entry.system.title, entry.choice.core, each)
        for entry in listing
        if entry.choice is not None
        and isinstance(identity := identities[entry.choice.path], CoreIdentity)
        for each in identity.subsystems
    ]
    return sorted(found, key=lambda choice: len(choice.subsystem.files) < 2)


def _placed(
    places: tuple[SubsystemFile, ...], files: tuple[Path, ...]
) -> tuple[Path | None, ...] | None:
    if not places:
        return None if files else ()
    first, *others = places
    for at, file in enumerate(files):
        if file.suffix.lower()[1:] in first.extensions:
            rest = _placed(tuple(others), files[:at] + files[at + 1 :])
            if rest is not None:
                return (file, *rest)
    rest = None if first.required else _placed(tuple(others), files)
    return None if rest is None else (None, *rest)
