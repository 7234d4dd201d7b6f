"""Damaged files about play: states, movies, searches, watches, journals and drafts."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from integrator.domain.errors import DomainError, IntegratorError
from integrator.domain.integration.directory import load_integration
from integrator.domain.movies.reading import read_movie
from integrator.domain.search.search import Search
from integrator.session.journal.drafts import pending_drafts, restore_draft
from integrator.session.journal.journal_file import read_records, recoverable
from integrator.session.library.watch_list import read_watch_file
from integrator.session.opening import movie_consoles
from integrator.session.recovery import recover_from
from integrator.session.searches import Searches
from integrator.session.setup.game import read_start_state
from scripts.campaign import seeds
from scripts.campaign.archives import Member, mutated_gzip, mutated_zip
from scripts.campaign.mutate import (
    LINE_PIECES,
    encoded,
    mutated_bytes,
    mutated_json,
    mutated_text,
    mutated_value,
)
from scripts.campaign.workshop import GAME, Workshop

_PLACE = f"games/{GAME}"
_JOURNALS = "home/cache/retro-integrator/journals"
_DRAFTS = "home/cache/retro-integrator/drafts"
_MAGIC = b"retro-integrator journal 1\n"


def state_files(rng: Random, shop: Workshop) -> dict[str, bytes]:
    """A start state."""
    raw = rng.choice((b"", b"state", bytes(3000), shop.toy_state))
    return {
        f"{_PLACE}/data.json": b"{}",
        f"{_PLACE}/Level1.state": mutated_gzip(rng, raw, shop.bomb),
    }


def read_states(_: Path, shop: Workshop) -> Iterator[str]:
    """Read a state in all ways, and its stamp."""
    integration = load_integration(shop.game)
    yield from integration.states
    for read in (
        lambda: integration.state_files.facts("Level1")[0],
        lambda: read_start_state(integration, "Level1", "core 1"),
        lambda: read_start_state(integration, str(shop.game / "Level1.state"), ""),
    ):
        try:
            read()
        except DomainError as error:
            yield str(error)
    integration.read_state("Level1")


def bk2_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A zipped movie."""
    log = rng.choice(seeds.RETRO_LOG)
    header = rng.choice(seeds.HEADERS)
    if rng.random() < 0.5:
        log = mutated_text(rng, seeds.RETRO_LOG, LINE_PIECES)
    if rng.random() < 0.2:
        header = mutated_text(rng, seeds.HEADERS, LINE_PIECES)
    extra: Any = {"format": 1, "reset_row": True, "core": {"name": "toycore", "version": "1"}}
    hashes = struct.pack("<IQIQ", 0, 5, 1, 7)
    members = [
        Member(b"Header.txt", encoded(header)),
        Member(b"Input Log.txt", encoded(log)),
        Member(b"Core.bin", rng.choice((b"", b"state" * 20))),
        Member(b"Integrator.json", mutated_json(rng, [extra]) if rng.random() < 0.3 else b"{}"),
        Member(b"Integrator.hashes", mutated_bytes(rng, hashes) if rng.random() < 0.3 else hashes),
    ]
    change = rng.random() < 0.6
    data = mutated_zip(rng, members) if change else mutated_zip(rng, [*members, members[0]])
    return {"movies/movie.bk2": data}


def fm2_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A text movie."""
    data = encoded(mutated_text(rng, seeds.FM2, LINE_PIECES))
    return {"movies/movie.fm2": mutated_bytes(rng, data) if rng.random() < 0.2 else data}


def read_movies(case: Path, shop: Workshop) -> Iterator[str]:
    """Read a movie, and the texts in it that lists show."""
    systems = movie_consoles(shop.descriptors)
    for path in sorted((case / "movies").iterdir()):
        movie = read_movie(path, systems)
        yield from movie.warnings
        _ = movie.frames, movie.players, movie.state


def search_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A saved search."""
    search = seeds.search()
    if rng.random() < 0.15:
        key = rng.choice(("first", "previous", "snapshot", "changes"))
        bombs = seeds.search_bombs() if rng.random() < 0.02 else ["", "=", "AAAA", "é"]
        search["memory"][key] = rng.choice(bombs)
        data = json.dumps(search).encode()
    else:
        data = mutated_json(rng, [search])
    return {f"{_PLACE}/data.json": b"{}", f"{_PLACE}/searches/s.json": data}


class _Memory:
    """Live memory without a game."""

    def __init__(self, shop: Workshop) -> None:
        self.space = shop.space
        self.ram = np.arange(256, dtype=np.uint8)

    def count_changes(self) -> None:
        """Do nothing: there is no game whose changes could be counted."""


def read_search(_case: Path, shop: Workshop) -> Iterator[str]:
    """Take up a saved search, look at it, and go on with it."""
    memory: Any = _Memory(shop)
    recorded: Any = None
    search: Search = Searches(memory, [], recorded).load("s", shop.game)
    yield f"{search.count} candidates"
    _ = search.name, search.candidates()[:20], search.history
    search.refine("greater-than", 3)
    search.undo()
    search.to_json()


def watch_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A watch list."""
    return {f"{_PLACE}/notes/watches.json": mutated_json(rng, seeds.WATCHES)}


def read_watches(_: Path, shop: Workshop) -> Iterator[str]:
    """Read a watch list."""
    yield from (watch.type.spec for watch in read_watch_file(shop.game))


def journal_files(rng: Random, shop: Workshop) -> dict[str, bytes]:
    """A journal whose records have valid checksums, whatever they say."""
    return {f"{_JOURNALS}/g-1-1.journal": _journal(rng, shop, shop.game)}


def toy_journal_files(rng: Random, shop: Workshop) -> dict[str, bytes]:
    """A journal of play on the test core."""
    return {f"{_JOURNALS}/g-1-1.journal": _journal(rng, shop, shop.toy_game)}


def _journal(rng: Random, shop: Workshop, game: Path) -> bytes:
    header = json.dumps(seeds.journal_header(game)).encode()
    records = seeds.journal_records(shop.toy_state)
    if rng.random() < 0.3:
        header = mutated_json(rng, [seeds.journal_header(game)]).replace(b"\n", b" ")
    for _ in range(rng.randint(0, 3)):
        records = records or seeds.journal_records(shop.toy_state)
        at = rng.randrange(len(records) + 1)
        kind, values, data = rng.choice(records)
        match rng.randrange(5):
            case 0:
                records.insert(at, (kind, mutated_value(rng, values), data))
            case 1:
                records[at : at + 1] = [(kind, values, mutated_bytes(rng, data))]
            case 2:
                state = zlib.compress(mutated_bytes(rng, shop.toy_state), 1)
                records.insert(at, (1, values, state))
            case 3:
                records.insert(at, (rng.choice((0, 1, 2, 3, 4, 5, 255)), values, data))
            case _:
                records[at:] = []
    body = b"".join(_record(rng, *record) for record in records)
    data = _MAGIC + header + b"\n" + body
    return mutated_bytes(rng, data) if rng.random() < 0.2 else data


def _record(rng: Random, kind: int, values: Any, data: bytes) -> bytes:
    text = encoded(json.dumps(values))
    length = len(text)
    if rng.random() < 0.03:
        text = mutated_json(rng, [values])
        length = rng.choice((len(text), 0, 1, len(text) + 1, 0xFFFFFFFF))
    payload = struct.pack("<I", length) + text + data
    if rng.random() < 0.01:
        payload = rng.randbytes(rng.choice((0, 1, 3, 4, 5)))
    return struct.pack("<BII", kind, len(payload), zlib.crc32(payload)) + payload


def read_journals(case: Path, _shop: Workshop) -> Iterator[str]:
    """Look for play to recover, as each start does, and read all of it."""
    paths = sorted((case / _JOURNALS).glob("*.journal"))
    for found in recoverable():
        yield f"{found.seconds:.0f} s, {found.frames} frames"
    for path in paths:
        if path.is_file():
            for record in read_records(path):
                _ = record.kind, record.values, record.data


def replay_journal(case: Path, shop: Workshop) -> Iterator[str]:
    """Go on from a journal on the test core."""
    _ = shop.toy_state  # describes the console
    for path in sorted((case / _JOURNALS).glob("*.journal")):
        try:
            with recover_from(path, isolated=False) as session:
                session.advance()
                yield from (event.text for event in session.take_events())
        except IntegratorError as error:
            yield str(error)


def draft_files(rng: Random, shop: Workshop) -> dict[str, bytes]:
    """A draft of unsaved edits, in the place and with the name that its directory asks for."""
    draft = seeds.draft(shop.game)
    if rng.random() < 0.4:
        name = rng.choice(list(draft["files"]))
        text = mutated_json(rng, [*seeds.DATA, *seeds.SCENARIO]).decode("utf-8", "replace")
        draft["files"][name]["text"] = text
    if rng.random() < 0.2:
        names = ("a\0b.json", "", "..", "x" * 300 + ".json", "a/b.lua", ".lua", "\ud800.lua", "CON")
        draft["files"][rng.choice(names)] = {"text": rng.choice(("a\0b", "\ud800", "")), "base": 0}
    if rng.random() < 0.2:
        draft["directory"] = rng.choice(("a\0b", "", "/", "x" * 5000, "\ud800", str(shop.home)))
    data = mutated_json(rng, [draft]) if rng.random() < 0.5 else json.dumps(draft).encode()
    return {f"{_PLACE}/data.json": b"{}", f"{_DRAFTS}/{_draft_name(shop)}.json": data}


def _draft_name(shop: Workshop) -> str:
    import hashlib  # noqa: PLC0415 - the name is the program's own and needed here only

    return f"{hashlib.sha256(str(shop.game).encode()).hexdigest()[:32]}.0123456789ab"


def read_drafts(_: Path, shop: Workshop) -> Iterator[str]:
    """Look for drafts as a start does, and restore them."""
    drafts = pending_drafts()
    integration = load_integration(shop.game)
    for draft in (*drafts, *pending_drafts(shop.game)):
        yield f"{len(draft.conflicts)} conflicts, {draft.written_s:.0f} s"
        restore_draft(draft, integration)
    for document in integration.documents:
        document.encoded()
    integration.save()
