"""Every kind of file that the program reads, with its damage and its readers.

One row a kind, in :data:`KINDS`. ``files`` draws the files of an input; ``read`` hands them to the
public readers, and returns the texts that these would show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from scripts.campaign import kinds_documents as documents
from scripts.campaign import kinds_games as games
from scripts.campaign import kinds_play as play
from scripts.campaign.workshop import Workshop

Files = Mapping[str, bytes]
"""Bytes by path below the folder of an input."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file; ``share`` is its part of a campaign's inputs, relative to the others'.

    ``peak_mb`` is the memory that its readers may need besides their results."""

    name: str
    share: int
    files: Callable[[Random, Workshop], Files]
    read: Callable[[Path, Workshop], Iterable[str]]
    peak_mb: int = 200


_REGULAR: Final = (
    Kind("data.json", 80, documents.data_files, documents.read_integration),
    Kind("scenario.json", 80, documents.scenario_files, documents.read_integration),
    Kind("metadata.json", 45, documents.metadata_files, documents.read_integration),
    Kind("cheats.json", 30, documents.cheats_files, documents.read_integration),
    Kind("rom.sha", 40, documents.sha_files, documents.read_shas),
    Kind("Lua script", 4, documents.script_files, documents.read_scripts),
    Kind("state", 110, play.state_files, play.read_states, peak_mb=700),
    Kind("bk2 movie", 150, play.bk2_files, play.read_movies),
    Kind("fm2 movie", 90, play.fm2_files, play.read_movies),
    Kind("saved search", 80, play.search_files, play.read_search),
    Kind("watch list", 70, play.watch_files, play.read_watches),
    Kind("journal", 90, play.journal_files, play.read_journals),
    Kind("journal, replayed", 4, play.toy_journal_files, play.replay_journal),
    Kind("draft", 60, play.draft_files, play.read_drafts),
    Kind("ROM", 30, games.rom_files, games.read_rom),
    Kind("zip of ROMs", 50, games.zip_files, games.read_rom, peak_mb=700),
    Kind("system descriptor", 20, games.system_files, games.read_systems),
    Kind("choices for single games", 40, games.choice_files, games.read_choices),
    Kind("settings of the window", 10, games.settings_files, games.read_settings),
)


def _shaped_files(rng: Random, shop: Workshop) -> Files:
    """Files of some kind, one of which is to be replaced by a pipe, device or the like."""
    kind = rng.choice(_REGULAR)
    shop.shaped = kind
    return kind.files(rng, shop)


def _read_shaped(case: Path, shop: Workshop) -> Iterable[str]:
    kind: Kind = shop.shaped
    return kind.read(case, shop)


SHAPED: Final = Kind("no regular file", 2, _shaped_files, _read_shaped, peak_mb=700)
"""A folder, a pipe, a device, a link or a file of 3 GB in the place of a file of any kind."""

KINDS: Final = (*_REGULAR, SHAPED)
