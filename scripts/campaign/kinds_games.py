"""Damaged games: ROMs, zips of them, consoles' descriptors, and the choices kept for each game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from integrator import paths
from integrator.domain.errors import DomainError, IntegratorError
from integrator.domain.files.reading import rom_sha1
from integrator.domain.integration.directory import create_integration
from integrator.domain.roms import KnownGame
from integrator.session.library.rom_import import RomImport, rom_index
from integrator.session.setup.content import prepare_content
from integrator.session.setup.plan import MemoryStore, OptionStore
from integrator.session.setup.roots import systems
from libretro_host.systems.descriptor import load_descriptors
from scripts.campaign import seeds
from scripts.campaign.archives import Member, build_zip, mutated_zip
from scripts.campaign.mutate import encoded, mutated_bytes, mutated_json, mutated_text
from scripts.campaign.workshop import GAME, Workshop

_CONFIG = "home/config/retro-integrator"


def rom_files(rng: Random, shop: Workshop) -> dict[str, bytes]:
    """A ROM under its own or another console's suffix."""
    name, data = rng.choice(shop.roms)
    if rng.random() < 0.2:
        name = f"game{Path(rng.choice(shop.roms)[0]).suffix}"
    if name.endswith(".cue"):
        pieces = ("\0", "../" * 30, "x" * 5000, '"', "FILE ", "\n", "/dev/zero", "\xff")
        return {f"roms/{name}": encoded(mutated_text(rng, (data.decode("latin-1"),), pieces))}
    return {f"roms/{name}": mutated_bytes(rng, data)}


def zip_files(rng: Random, shop: Workshop) -> dict[str, bytes]:
    """A zip of ROMs and other files, some of them zips."""
    members = []
    for _ in range(rng.randint(1, 3)):
        name, data = rng.choice(shop.roms)
        members.append(Member(name.encode(), data[: rng.choice((100, 40_000))]))
    if rng.random() < 0.2:
        inner = build_zip(members)
        for _ in range(rng.randint(0, 5)):
            inner = build_zip([Member(b"inner.zip", inner)])
        members.append(Member(b"more.zip", inner))
    if rng.random() < 0.3:
        members = members[:1]
    return {"roms/game.zip": mutated_zip(rng, members)}


def read_rom(case: Path, shop: Workshop) -> Iterator[str]:
    """Hash, recognize, unpack, import and make an integration of a ROM."""
    cache = shop.home / "cache" / "content"
    games = [KnownGame(case / "games" / GAME, (seeds.sha_text().strip(),))]
    index = rom_index(games, shop.descriptors)
    for path in sorted((case / "roms").iterdir()):
        for result in RomImport(index, shop.descriptors, case / "games").take(path):
            yield result.reason
        try:
            rom_sha1(path)
            create_integration(path, case / "games", None, "Nes", "nes")
        except DomainError as error:
            yield str(error)
        for system in (None, shop.descriptors["FBNeo"]):
            try:
                yield from prepare_content(path, shop.descriptors, cache, system).doubts
            except IntegratorError as error:
                yield str(error)


def system_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A descriptor of a console of the user's own."""
    return {f"{_CONFIG}/systems/Own.json": mutated_json(rng, [seeds.system()])}


def read_systems(_: Path, __: Workshop) -> Iterator[str]:
    """Read the user's consoles."""
    schema = paths.shipped("resources") / "schemas" / "system.schema.json"
    yield from load_descriptors(paths.user_systems_dir(), schema=schema)


def choice_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """Read the choices kept for single games."""
    return {
        f"{_CONFIG}/core-options.json": mutated_json(rng, seeds.GAME_FILES[:1]),
        f"{_CONFIG}/memory.json": mutated_json(rng, seeds.GAME_FILES[1:]),
    }


def read_choices(case: Path, _: Workshop) -> Iterator[str]:
    """Read the choices for a game."""
    folder = case / _CONFIG
    for read in (
        lambda: OptionStore(folder / "core-options.json").options("Fuzz-Toy", "toycore"),
        lambda: MemoryStore(folder / "memory.json").ranges("Fuzz-Toy"),
    ):
        try:
            read()
        except DomainError as error:
            yield str(error)


def settings_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """The window's settings."""
    pieces = ("\0", "@Variant(", "@ByteArray(", "\\x", "[", "]", "=", '"', "\n", "\\", "é", ",")
    data = encoded(mutated_text(rng, seeds.SETTINGS, pieces))
    return {f"{_CONFIG}/window.ini": mutated_bytes(rng, data) if rng.random() < 0.3 else data}


def read_settings(case: Path, _shop: Workshop) -> Iterator[str]:
    """Read the window's settings as its start does."""
    from integrator.ui.play.pads.pad_controller import load_bindings  # noqa: PLC0415 - Qt, for this kind only
    from integrator.ui.settings import UiSettings  # noqa: PLC0415 - see above

    settings = UiSettings(case / _CONFIG / "window.ini")
    _ = settings.theme, settings.recent, settings.geometry(), settings.layout("play")
    _ = settings.shows_buttons, settings.text("list/v"), settings.folder("movies", case)
    yield f"{len(settings.workspace)} letters"
    load_bindings(settings, systems()["Nes"])
