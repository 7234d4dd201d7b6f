"""A report for a bug tracker: versions, game, settings and the last log lines, without folders."""

import contextlib
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import PySide6
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from integrator.domain.errors import DomainError
from integrator.domain.files.reading import rom_sha1
from integrator.log_files import LogFacts
from integrator.session.session import Session
from integrator.version import __version__

LOG_LINES = 40

_PATH = re.compile(r"(?:[A-Za-z]:)?(?:[/\\][^/\\\s:;,\"'()<>]+){2,}[/\\]?")


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Facts of the open game in a report; ``sha1`` is of its ROM."""

    name: str
    system: str
    core: str
    sha1: str
    players: int
    frames: int
    scenario: str
    variables: int
    scripts: int
    modified: bool
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, session: Session) -> "GameFacts":
        """Read them on the thread that owns the session; hashes the ROM."""
        integration, rom = session.integration, session.integration.rom
        sha1 = "unknown"
        with contextlib.suppress(DomainError):
            sha1 = next(iter(integration.rom_sha), sha1)
            sha1 = rom_sha1(rom) if rom is not None else sha1
        return cls(
            name=integration.name,
            system=session.system.name,
            core=f"{session.game.core.library_name} {session.game.core.library_version}",
            sha1=sha1,
            players=session.game.players,
            frames=session.timeline.length,
            scenario=session.game.scenario_name,
            variables=len(integration.variables),
            scripts=len(integration.scripts),
            modified=integration.modified,
        )


def bug_report(
    game: GameFacts | None,
    settings: Mapping[str, str],
    log: Sequence[str],
    files: LogFacts,
    home: str = "",
) -> str:
    """The report's text. Paths lose their folders, ``home`` and all, but for the log folder's."""
    lines = [
        f"integrator {__version__}",
        f"Python {platform.python_version()}, Qt {qVersion()}, PySide {PySide6.__version__}",
        f"{platform.platform()}, window system {QGuiApplication.platformName()}",
        *_screens(),
    ]
    if game is None:
        lines.append("game: none")
    else:
        lines += [
            f"game: {game.name} ({game.system}), SHA-1 {game.sha1}",
            f"core: {game.core}",
            f"players: {game.players}, frames on the timeline: {game.frames}",
            f"scenario {game.scenario}, {game.variables} variables, {game.scripts} scripts, "
            + ("edits not saved" if game.modified else "all saved"),
        ]
    lines.append("settings: " + ", ".join(f"{key} {text}" for key, text in settings.items()))
    lines.append("log:")
    lines += [f"  {line}" for line in log[-LOG_LINES:]] or ["  empty"]
    if files.trace:
        lines += ["newest crash:", *(f"  {line}" for line in files.trace)]
    private = [without_folders(line, home) for line in lines]
    named = [f"log files in {_tilde(files.folder, home)}:", *(f"  {line}" for line in files.lines)]
    return "\n".join([*private, *named])


def without_folders(text: str, home: str = "") -> str:
    """``text`` with every absolute path cut to its last part."""
    if home:
        text = text.replace(home, "/~/~")

    def last(found: re.Match[str]) -> str:
        parts = [part for part in re.split(r"[/\\]", found[0]) if part and part != "~"]
        return "…/" + parts[-1] if parts else "~"

    return _PATH.sub(last, text)


def _tilde(folder: Path, home: str) -> str:
    """A folder below the home folder, without the home's name, which is private."""
    if home and folder.is_relative_to(home):
        return f"~/{folder.relative_to(home).as_posix()}"
    return without_folders(str(folder))


def _screens() -> list[str]:
    return [
        f"screen {screen.size().width()} x {screen.size().height()}, "
        f"{screen.refreshRate():.0f} Hz, scale {screen.devicePixelRatio():g}"
        for screen in QGuiApplication.screens()
    ]
