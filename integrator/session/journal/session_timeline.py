"""The timeline that a session writes: with a journal on disk, where one was asked for."""

from __future__ import annotations

from collections.abc import Callable

from integrator.domain.integration.layout import is_integration
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.result import Event, JournalFound, JournalLost, TimelineShort
from integrator.session.journal.journal import JournaledTimeline
from integrator.session.journal.journal_file import JournalFile
from integrator.session.setup.plan import SessionPlan
from libretro_host.frame import CoreInfo


def new_timeline(
    plan: SessionPlan, core: CoreInfo, ram_bytes: int, tell: Callable[[Event], None]
) -> Timeline:
    """An empty timeline; a journal that can not be written is told of, and done without."""
    players = plan.players

    path = plan.journal

    def short_of_space(text: str) -> None:
        tell(TimelineShort(text))

    if path is None:
        return Timeline(ram_bytes, players, players=players, tell=short_of_space)

    def failed(error: OSError) -> None:
        text = f"{path}: can not be written ({error.strerror})"
        tell(JournalLost(f"{text}; after a crash play could not be taken up again from here on"))

    def again(frame: int) -> None:
        tell(JournalFound(f"{path}: is written again, from frame {frame} on"))

    header = {
        **_opened(plan),
        "core": f"{core.library_name} {core.library_version}",
        "players": players,
        "fps": core.av.fps,
    }
    return JournaledTimeline(
        ram_bytes,
        players,
        players=players,
        open_journal=lambda: JournalFile(path, header),
        on_failure=failed,
        on_again=again,
        tell=short_of_space,
    )


def note_opened(timeline: Timeline, plan: SessionPlan) -> None:
    """Tell the journal, if there is one, where the game's files are now and how it is open."""
    if isinstance(timeline, JournaledTimeline):
        timeline.note_opened(_opened(plan))


def _opened(plan: SessionPlan) -> dict[str, str | None]:
    """The part of a journal's header that may change while a game is open."""
    directory = plan.integration.directory.absolute()
    return {
        "game": str(directory if is_integration(directory) else plan.request.content),
        "directory": str(directory),
        "state": plan.state,
        "scenario": plan.scenario,
    }
