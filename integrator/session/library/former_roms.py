"""Keeps a ROM aside when another takes its place: an integration has one ``rom.<extension>``."""

from __future__ import annotations

import itertools
from pathlib import Path

from integrator.domain.errors import SaveError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.integration.naming import find_roms


def replace_rom(target: Path, data: bytes) -> str:
    """Write the ROM ``target``, which is the directory's only one then.

    Other ROMs, and one of that name, become ``former-rom.<extension>``, because they may be the
    only copies of their games. A link of that name stays, and its file is written. Gives words
    about ROMs that were renamed. Raises SaveError; then the directory is as it was.
    """
    old = [rom for rom in find_roms(target.parent) if rom != target or not rom.is_symlink()]
    renamed: list[tuple[Path, Path]] = []
    try:
        for rom in old:
            former = _free_name(rom)
            rom.rename(former)
            renamed.append((rom, former))
        write_atomically(target, data)
    except BaseException as error:
        for rom, former in renamed:
            former.rename(rom)
        if isinstance(error, OSError):
            raise SaveError(
                f"{target.parent}: its ROM could not be renamed ({error.strerror}); give yourself "
                "the right to write to this folder"
            ) from error
        raise
    return "; ".join(f"another {rom.name} is {former.name} now" for rom, former in renamed)


def _free_name(rom: Path) -> Path:
    names = (f"former-rom{'' if n == 1 else f'-{n}'}{rom.suffix}" for n in itertools.count(1))
    return next(path for name in names if not (path := rom.with_name(name)).exists())
