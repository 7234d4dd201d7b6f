"""All that a session keeps on disk against the program's sudden death."""

from __future__ import annotations

from collections.abc import Callable

from integrator.domain.integration.layout import is_integration
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.result import Event, JournalFound, JournalLost
from integrator.session.journal.journal import Journal
from integrator.session.journal.journal_file import JournalFile
from integrator.session.setup.plan import SessionPlan
from libretro_host.frame import CoreInfo


class Persistence:
    """Keeps play in the plan's journal, where it names one; else nothing is written."""

    def __init__(
        self,
        plan: SessionPlan,
        core: CoreInfo,
        timeline: Timeline,
        tell: Callable[[Event], object],
    ) -> None:
        self._journal: Journal | None = None
        path = plan.journal
        if path is None:
            return
        header = {
            **_opened(plan),
            "core": f"{core.library_name} {core.library_version}",
            "players": plan.players,
            "fps": core.av.fps,
        }

        def failed(error: OSError) -> None:
            text = f"{path}: can not be written ({error.strerror})"
            tell(
                JournalLost(f"{text}; after a crash play could not be taken up again from here on")
            )

        def again(frame: int) -> None:
            tell(JournalFound(f"{path}: is written again, from frame {frame} on"))

        self._journal = Journal(
            timeline, lambda: JournalFile(path, header), on_failure=failed, on_again=again
        )

    def note_opened(self, plan: SessionPlan) -> None:
        """Write down where the game's files are now, and how the game is open."""
        if self._journal is not None:
            self._journal.note_opened(_opened(plan))

    def close(self, *, keep: bool) -> None:
        """End the journal; it is deleted unless it is to ``keep``, to be taken up later."""
        if self._journal is not None:
            self._journal.close(keep=keep)


def _opened(plan: SessionPlan) -> dict[str, str | None]:
    """The part of a journal's header that may change while a game is open."""
    directory = plan.integration.directory.absolute()
    return {
        "game": str(directory if is_integration(directory) else plan.request.content),
        "directory": str(directory),
        "state": plan.state,
        "scenario": plan.scenario,
    }
