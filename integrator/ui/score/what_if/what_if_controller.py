"""Scores the recorded timeline again after each edit, in slices between frames."""

from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult, RecordedScoring
from integrator.session.scoring.rescorer import Rules
from integrator.session.session import Session
from integrator.session.what_if import WhatIfJob, WhatIfResult
from integrator.ui.desk import PanelController
from integrator.ui.score.what_if.what_if_view import SAVED, WhatIfView
from integrator.ui.widgets.docks import is_in_sight
from integrator.ui.widgets.fields import settle_timer
from integrator.ui.widgets.texts import counted

_SETTLE_MS = 40
_QUIET_MS = 600  # pause in play after which new frames are scored too


class WhatIfController(PanelController[WhatIfView]):
    """Works only while the panel can be seen. A newer edit drops the job of an older one."""

    def _set_up(self) -> None:
        self._baseline = SAVED
        self._present: Rules | None = None
        self._previous: Rules | None = None
        # Reading the saved rules takes longer than scoring the frame that a step adds.
        self._saved: Rules | None = None
        self._stale = True
        self._job: WhatIfJob | None = None
        self._settle = settle_timer(self, _SETTLE_MS, self._begin)
        self._quiet = settle_timer(self, _QUIET_MS, self._begin)
        view = self._view
        self._controller.follow(self._note, "variables", "scenario", "scripts", "disk")
        self._controller.scoring.connect(self._show_scoring)
        self._controller.scored.connect(lambda _: self._touch())
        self._sight.follow(self._bridge.readout_ready, self._show_frame)
        view.baseline_changed.connect(self._compare_with)
        view.cancel_requested.connect(self.cancel)
        view.score_requested.connect(self._controller.score_again)
        view.score_requested.connect(self._touch)
        view.seek_requested.connect(self._bridge.seek)
        self._sight.appeared.connect(self._begin)

    def _note(self, documents: Documents) -> None:
        rules = Rules.of(documents.scenario, documents.variables, documents.scripts)
        if rules != self._present:
            self._previous, self._present = self._present, rules
        # Also without a change of rules, because saving moves the rules to compare with.
        self._saved = None
        self._touch()

    def _touch(self) -> None:
        self._stale = True
        self._settle.start()

    def _compare_with(self, key: str) -> None:
        self._baseline = key
        self._touch()

    def _show_frame(self, result: FrameResult) -> None:
        self._view.show_cursor(result.number)
        shown = self._view.result
        if shown is None or result.number > shown.frames:
            self._stale = True
            self._quiet.start()

    def _closed(self) -> None:
        self._settle.stop()
        self._quiet.stop()
        self._job = self._present = self._previous = self._saved = None
        self._stale = True
        self._view.show_result(None)
        self._view.show_player(0)
        self._dock.header.note.clear()

    def cancel(self) -> None:
        self._job = None
        self._controller.stop_scoring()
        self._view.show_cancelled()

    def _show_scoring(self, event: RecordedScoring) -> None:
        """Recorded frames are scored by today's rules before both sides can be compared."""
        self._job = None
        self._view.show_progress(event.share, scripted=event.scripted)

    def _begin(self) -> None:
        if not (self._stale and is_in_sight(self._view) and self._bridge.is_open):
            return
        self._stale = False
        edited = self._previous or self._present
        before = self._saved if self._baseline == SAVED else edited
        job = self._job = WhatIfJob(before)

        def start(session: Session) -> bool:
            if session.recorded.pending:
                return False
            job.start(session)
            return True

        self._bridge.ask(
            start, lambda begun: self._go_on(job) if begun else None, lambda e: self._fail(job, e)
        )

    def _go_on(self, job: WhatIfJob) -> None:
        if job is self._job:
            if self._baseline == SAVED and not self._settle.isActive():
                self._saved = job.before
            self._view.show_progress(job.progress, scripted=job.scripted)
            self._bridge.ask(
                job.step, lambda result: self._take(job, result), lambda e: self._fail(job, e)
            )

    def _take(self, job: WhatIfJob, result: WhatIfResult | None) -> None:
        if job is not self._job:
            return
        if result is None:
            self._go_on(job)
            return
        self._job = None
        game = self._controller.game
        self._view.show_result(result, game.players if game else 1)
        frames, elapsed_ms = result.frames, round(result.elapsed_s * 1000)
        text = counted(self.tr("{0} frame[|s] compared in {1} ms", None, frames), frames)
        self._dock.header.note.setText(text.format(f"{frames:,}", elapsed_ms))

    def _fail(self, job: WhatIfJob, error: Exception) -> None:
        if job is self._job:
            self._job = None
            self._view.show_problem(str(error))
