"""Saves a packaged game: never in its place, but as a copy of the user's own."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from integrator.domain.errors import SaveError
from integrator.domain.files.reading import not_plain
from integrator.domain.integration.links import ignore_links_out
from integrator.session.edits.editor import Editor
from integrator.session.searches.searches import FOLDER, search_folders

_VERSION = re.compile(r"-v(\d+)$")


def own_directory(root: Path, name: str) -> Path:
    """A free directory below ``root`` for a copy of ``name``: its version goes up until it is free.

    ``Game-Nes-v0`` becomes ``Game-Nes-v1``; the version is the one part of a name that training
    tools let differ.
    """
    found = _VERSION.search(name)
    stem, number = (name[: found.start()], int(found[1])) if found else (name, 0)
    directory = root / name
    while directory.exists():
        number += 1
        directory = root / f"{stem}-v{number}"
    return directory


def save_own_copy(editor: Editor, directory: Path, *, follow_links: bool = False) -> None:
    """Write the open integration with its unsaved edits into ``directory``, where it then belongs.

    Searches that were saved for it come along. Raises SaveError, DocumentError, and LinkError for
    links out of the integration unless ``follow_links``.
    """
    kept, _ = search_folders(editor.integration.directory)
    editor.move_to(directory, follow_links=follow_links)
    if kept.is_dir() and directory / FOLDER != kept:
        try:
            outside = ignore_links_out(kept)

            def left_out(folder: str, names: list[str]) -> set[str]:
                links = set() if follow_links else outside(folder, names)
                return not_plain(folder, names) | links

            shutil.copytree(kept, directory / FOLDER, ignore=left_out, dirs_exist_ok=True)
        except OSError as error:
            raise SaveError(f"{directory / FOLDER}: searches can not be copied: {error}") from error
