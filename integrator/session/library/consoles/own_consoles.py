"""The user's own consoles: their descriptors' files, and their export to stable-retro."""

import json
import shutil
from collections import UserDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from integrator import paths
from integrator.domain.errors import DocumentError, SessionError
from integrator.domain.files.atomic import saving, write_atomically, write_with_folder, writing
from integrator.domain.files.reading import SMALL_BYTES, decoding, read_text
from integrator.domain.movies.model import MovieConsole
from integrator.session.library.consoles.console_draft import checked_console
from integrator.session.library.consoles.core_rows import core_folders
from integrator.session.opening import core_for, movie_consoles
from integrator.session.setup.roots import core_places, systems
from libretro_host.systems.descriptor import DEFAULT_TYPES, SystemDescriptor
from libretro_host.systems.discovery import core_name, every_core


@dataclass(frozen=True, slots=True)
class TrainingExport:
    """The written files, the lines of Python that use them, and remarks on differences."""

    files: tuple[Path, ...]
    steps: str
    remarks: tuple[str, ...]


def export_for_training(console: SystemDescriptor, core: Path, folder: Path) -> TrainingExport:
    """Write core, JSON and README.txt into ``folder``. Raises SaveError."""
    # stable-retro looks for cores in one folder, which is fixed at its first import.
    steps = (
        "import os\n"
        f'os.environ["RETRO_CORE_PATH"] = {str(folder.absolute())!r}\n'
        "import stable_retro\n"
        'stable_retro.data.Integrations.add_custom_path("/WHOLE/PATH/OF/YOUR/INTEGRATIONS")\n'
        f'env = stable_retro.make("YourGame-{console.name}-v0", '
        'inttype=stable_retro.data.Integrations.ALL, render_mode="rgb_array")\n'
    )
    remarks = tuple(_remarks(console, core_name(core)))
    names = (core.name, f"{console.name}.json", "README.txt")
    library, facts, readme = (folder / name for name in names)
    facts_of = {
        "lib": core_name(core),
        "ext": list(console.extensions),
        "rambase": console.rambase,
        "keybinds": list(console.keys),
        "buttons": list(console.buttons),
        "actions": [[list(combination) for combination in group] for group in console.actions],
        **({"types": list(console.types)} if console.types != DEFAULT_TYPES else {}),
        **({"overlay": list(console.overlay)} if console.overlay else {}),
    }
    head = f"{console.title} for stable-retro. These lines come before any other import of it:\n"
    text = "\n".join([head, steps, *remarks, ""])
    with writing(library):
        folder.mkdir(parents=True, exist_ok=True)
        if not (library.exists() and library.samefile(core)):
            shutil.copyfile(core, library)
    value = json.dumps({console.name: facts_of}, indent=2)
    write_atomically(facts, f"{value}\n".encode())
    write_atomically(readme, text.encode())
    return TrainingExport((library, facts, readme), steps, remarks)


def _remarks(console: SystemDescriptor, core: str) -> Iterator[str]:
    if core in console.opengl:
        yield (
            f"{core} draws with OpenGL, which the library of stable-retro 1.0.1's wheel lacks: it "
            'says "Could not load ROM" of each game. Train with another build of stable-retro, or '
            "with integrator.make_env and make_vec."
        )
    place = "copy core and JSON into the folder cores of the stable_retro package instead"
    yield f"Only cores of this folder run in such a process. To have all in one, {place}."
    files = " ".join(f".{one}" for one in console.extensions)
    yield f"stable-retro chooses the console by file extension: {files} will mean this one."
    for name, options in console.options.items():
        if options:
            values = ", ".join(f"{key} = {value}" for key, value in options.items())
            yield f"stable-retro does not set the options of {name}: {values}."


@dataclass(frozen=True, slots=True)
class OfferedCore:
    """A core that was found; ``consoles`` are the titles of the consoles that it already runs."""

    path: Path
    place: str
    consoles: tuple[str, ...]

    @property
    def name(self) -> str:
        return core_name(self.path)


def offered_cores() -> tuple[OfferedCore, ...]:
    """Return the cores in all folders, those that run no console yet first."""
    known = systems().values()
    offered = []
    for path, place in every_core(core_places()):
        titles = tuple(each.title for each in known if core_name(path) in each.cores)
        offered.append(OfferedCore(path, place.partition(":")[0], titles))
    return tuple(sorted(offered, key=lambda one: bool(one.consoles)))


def core_file(core: str) -> Path:
    """Return the file of a core that is given by path or name. Raises SessionError."""
    if Path(core).is_file():
        return Path(core).absolute()
    for path, _ in every_core(core_places()):
        if core_name(path) == core:
            return path
    places = " ".join(core_folders())
    raise SessionError(f"{core}: there is no such file, and no core of this name in {places}")


def export_here(value: Mapping[str, Any], folder: Path) -> TrainingExport:
    """Write a console's core and JSON for stable-retro. Raises HostError, SaveError."""
    console = checked_console(value)
    return export_for_training(console, core_for(console).path, folder)


def own_consoles() -> tuple[Path, ...]:
    return tuple(sorted(paths.user_systems_dir().glob("*.json")))


def read_console(path: Path) -> dict[str, Any]:
    """Read a descriptor's JSON value. Raises DocumentError."""
    with decoding(DocumentError, path, "correct the file"):
        value = json.loads(read_text(path, SMALL_BYTES))
    if not isinstance(value, dict):
        raise DocumentError(f"{path}: is no JSON object; correct the file")
    return value


def save_console(value: Mapping[str, Any], path: Path) -> None:
    """Check a descriptor, and write it to ``path``. Raises DescriptorError, SaveError."""
    checked_console(value)
    write_with_folder(path, (json.dumps(value, indent=2) + "\n").encode())


def remove_console(path: Path) -> None:
    with saving(f"{path}: cannot be removed", "remove it by hand"):
        path.unlink(missing_ok=True)


class KnownSystems(UserDict[str, SystemDescriptor]):
    """All consoles by name; a change replaces all at once, so that other threads may read them."""

    def __init__(self) -> None:
        super().__init__(systems())

    @property
    def consoles(self) -> Mapping[str, MovieConsole]:
        """The facts about all consoles that reading movies needs."""
        return movie_consoles(self.data)

    def look_again(self) -> None:
        self.data = dict(systems())
