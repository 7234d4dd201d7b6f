"""Lays a console's core and its JSON where stable-retro finds them, with the steps to use them."""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from integrator.domain.errors import SaveError
from integrator.domain.files.atomic import write_atomically
from libretro_host.systems.descriptor import DEFAULT_TYPES, SystemDescriptor
from libretro_host.systems.discovery import core_name


@dataclass(frozen=True, slots=True)
class TrainingExport:
    """The files written, the lines of Python that use them, and remarks on differences."""

    files: tuple[Path, ...]
    steps: str
    remarks: tuple[str, ...]


def export_for_training(console: SystemDescriptor, core: Path, folder: Path) -> TrainingExport:
    """Write core, JSON and README.txt into ``folder``. Raises SaveError."""
    steps = _steps(console, folder)
    remarks = tuple(_remarks(console, core_name(core)))
    library, facts, readme = folder / core.name, folder / f"{console.name}.json", "README.txt"
    value = {console.name: core_facts(console, core_name(core))}
    text = "\n".join([_HEADING.format(console.title), steps, *remarks, ""])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (library.exists() and library.samefile(core)):
            shutil.copyfile(core, library)
    except OSError as error:
        raise SaveError(f"{library}: {error.strerror}; choose another folder") from error
    write_atomically(facts, (json.dumps(value, indent=2) + "\n").encode())
    write_atomically(folder / readme, text.encode())
    return TrainingExport((library, facts, folder / readme), steps, remarks)


def core_facts(console: SystemDescriptor, core: str) -> Mapping[str, Any]:
    """A console's facts as stable-retro's core JSON has them."""
    facts: dict[str, Any] = {
        "lib": core,
        "ext": list(console.extensions),
        "rambase": console.rambase,
        "keybinds": list(console.keys),
        "buttons": list(console.buttons),
        "actions": [[list(combination) for combination in group] for group in console.actions],
    }
    if console.types != DEFAULT_TYPES:
        facts["types"] = list(console.types)
    if console.overlay is not None:
        facts["overlay"] = list(console.overlay)
    return facts


_HEADING = "{0} for stable-retro. These lines come before any other import of it:\n"


def _steps(console: SystemDescriptor, folder: Path) -> str:
    """stable-retro looks for cores in one folder, which its first import settles."""
    return (
        "import os\n"
        f'os.environ["RETRO_CORE_PATH"] = {str(folder.absolute())!r}\n'
        "import stable_retro\n"
        'stable_retro.data.Integrations.add_custom_path("/WHOLE/PATH/OF/YOUR/INTEGRATIONS")\n'
        f'env = stable_retro.make("YourGame-{console.name}-v0", '
        'inttype=stable_retro.data.Integrations.ALL, render_mode="rgb_array")\n'
    )


def _remarks(console: SystemDescriptor, core: str) -> Iterator[str]:
    if core in console.opengl:
        yield (
            f"{core} draws with OpenGL, which the library of stable-retro 1.0.1's wheel lacks: it "
            'says "Could not load ROM" of each game. Train with another build of stable-retro, or '
            "with integrator.make_env and make_vec."
        )
    yield (
        "Only cores of this folder run in such a process. To have all in one, "
        "copy core and JSON into the folder cores of the stable_retro package instead."
    )
    files = " ".join(f".{one}" for one in console.extensions)
    yield f"stable-retro tells consoles by extension: {files} then mean this console."
    for name, options in console.options.items():
        if options:
            told = ", ".join(f"{key} = {value}" for key, value in options.items())
            yield f"stable-retro does not set the options of {name}: {told}."
