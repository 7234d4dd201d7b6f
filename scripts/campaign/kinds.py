"""Every kind of file that the program reads: how one is damaged, and what reads it.

One row a kind, in :data:`KINDS`. ``files`` draws the files of an input; ``read`` hands them to
the public readers, and gives back the texts that these would show.
"""

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

    ``peak_mb`` is how much memory its readers may need beside what they keep.
    """

    name: str
    share: int
    files: Callable[[Random, Workshop], Files]
    read: Callable[[Path, Workshop], Iterable[str]]
    peak_mb: int = 200


KINDS: Final = (
    Kind("data.json", 90, documents.data_files, documents.read_integration),
    Kind("scenario.json", 120, documents.scenario_files, documents.read_integration),
    Kind("metadata.json", 60, documents.metadata_files, documents.read_integration),
    Kind("cheats.json", 40, documents.cheats_files, documents.read_integration),
    Kind("rom.sha", 30, documents.sha_files, documents.read_shas),
    Kind("Lua script", 40, documents.script_files, documents.read_scripts),
    Kind("state", 80, play.state_files, play.read_states, peak_mb=700),
    Kind("bk2 movie", 120, play.bk2_files, play.read_movies),
    Kind("fm2 movie", 60, play.fm2_files, play.read_movies),
    Kind("saved search", 60, play.search_files, play.read_search),
    Kind("watch list", 40, play.watch_files, play.read_watches),
    Kind("journal", 60, play.journal_files, play.read_journals),
    Kind("journal, replayed", 5, play.toy_journal_files, play.replay_journal),
    Kind("draft", 50, play.draft_files, play.read_drafts),
    Kind("ROM", 40, games.rom_files, games.read_rom),
    Kind("zip of ROMs", 60, games.zip_files, games.read_rom, peak_mb=700),
    Kind("system descriptor", 25, games.system_files, games.read_systems),
    Kind("choices for single games", 20, games.choice_files, games.read_choices),
    Kind("settings of the window", 10, games.settings_files, games.read_settings),
)
