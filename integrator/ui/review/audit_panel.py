"""The Audit panel: traps sorted by harm. Hidden cores play movies and probes to find them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QModelIndex, Qt

from integrator.domain.audit.play import Trap
from integrator.session.audit import AuditJob, AuditResult, gathered, probe_jobs, run_jobs
from integrator.session.hidden.movies import MovieScore
from integrator.session.setup.plan import SessionPlan
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import GameFolder, Job, PanelTask
from integrator.ui.review.movies.movies_compared import MovieCurves
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.window_context import PanelView


class AuditModel(ui.RowsModel[Trap]):
    """One row for each trap, in the order of the audit: the most harmful trap is first."""

    def table(self) -> Sequence[ui.Column[Trap]]:
        frames = self.tr("{0} to {1}")
        return (
            ui.Column(
                self.tr("trap"),
                lambda trap: trap.kind.replace("-", " "),
                color=lambda trap: "bad" if trap.is_serious else "secondary",
            ),
            ui.Column(self.tr("share"), lambda trap: f"{trap.weight:.0%}" if trap.weight else ""),
            ui.Column(self.tr("term"), lambda trap: trap.term),
            ui.Column(self.tr("plays"), lambda trap: str(trap.plays)),
            ui.Column(self.tr("frames"), lambda trap: frames.format(*map(ui.grouped, trap.frames))),
            ui.Column(self.tr("seen in"), lambda trap: Path(trap.source).name),
        )

    def color(self, trap: Trap) -> str:
        return "text" if trap.is_serious else "secondary"

    def tip(self, trap: Trap) -> str:
        return f"{trap.evidence}\n{trap.source}"


class AuditView(PanelView):
    """Audits selected movies, or all, and probes, which are recorded in a temporary folder."""

    def _set_up(self) -> None:
        self.model = AuditModel(self)
        self.curves = MovieCurves()
        self.progress = ui.ProofBar()
        tip = self.tr("Look for reward farming and other traps, in hidden cores next to your game")
        self.start = ui.push_button(self.tr("Audit"), self.audit, tip, icon="reward")
        tip = self.tr(
            "Play the game without a player, too: nothing pressed, each button held, random"
        )
        self.probes = ui.check_box(self.tr("with probes"), tip=tip, on=True)
        tip = self.tr(
            "Search for short loops of buttons that farm the reward, for some ten seconds"
        )
        self.attack = ui.check_box(self.tr("with an attack"), tip=tip)
        self.summary = ui.role_label("", "secondary", minimumWidth=40)
        self.details = ui.role_label("", "secondary", wraps=True)
        self.details.setTextInteractionFlags(ui.SELECTABLE)
        tip = self.tr("Play the movie of the trap, and stop at the first frame of the trap")
        self.open = ui.push_button("", lambda: self._open(current()), tip, icon="movie")
        self.table = ui.DataTable(self.tr("Traps that the audit found"), self.model)
        current = self.table.currentIndex
        self.table.set_widths((150, 108, 80, 52, 110, 120), stretch=5)
        self.table.activated.connect(self._open)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_chosen())
        chosen = (self.probes, self.attack, self.start)
        row = ui.hbox((self.summary, 1), *chosen, margins=(10, 6, 10, 4), gap=8)
        below = ui.hbox((self.details, 1), margins=(10, 4, 10, 6))
        below.addWidget(self.open, 0, Qt.AlignmentFlag.AlignBottom)
        parts = (below, self.curves, self.progress)
        self._fill(self.table, "reward", "audit", above=[row], below=parts)
        self._show_chosen()
        self.background = PanelTask(self._bridge, self._controller, "audit", [self.progress], self)
        self.background.works.connect(lambda works: self.start.setEnabled(not works))
        self.background.failed.connect(self._show_failed)
        self._folder = GameFolder(self._bridge, self)

    def show_audit(
        self, traps: Sequence[Trap] = (), scores: Sequence[MovieScore] = (), text: str = ""
    ) -> None:
        self.model.show(tuple(traps))
        self.curves.show_scores(scores)
        self.summary.setText(text)
        self._say_hint("audit-clear" if text else "audit")
        self.pages.show_content(bool(traps))
        if traps:
            self.table.selectRow(0)
        self._show_chosen()

    def chosen(self) -> Trap | None:
        rows = self.table.selectionModel().selectedRows()
        return self.model.at(rows[0].row()) if rows else None

    def _show_chosen(self) -> None:
        trap = self.chosen()
        for widget in (self.open, self.details):
            widget.setVisible(trap is not None)
        self.curves.choose([Path(trap.source)] if trap else [])
        if trap is not None:
            cure = self.tr("Cure: {0}").format(trap.cure)
            self.details.setText(f"{trap.evidence}\n{cure}")
            self.open.setText(self.tr("Open at frame {0}").format(ui.grouped(trap.frames[0])))
            self.open.setEnabled(Path(trap.source).is_file())

    def _open(self, index: QModelIndex) -> None:
        if index.isValid() and self.open.isEnabled():
            trap = self.model.at(index.row())
            self._parts[MoviesView].jump(Path(trap.source), trap.frames[0])

    _closed = show_audit

    def audit(self) -> None:
        movies = self._parts[MoviesView].meant()
        probes, attacks = self.probes.isChecked(), self.attack.isChecked()
        if not (movies or probes or attacks):
            self._inform(self.tr("There is nothing to audit: list movies, or choose probes"))
            return
        background, folder = self.background, self._folder.renew()

        def start(plan: SessionPlan) -> None:
            game = plan.integration.directory
            jobs = [AuditJob(game, plan.players, movie=movie) for movie in movies]
            jobs += probe_jobs(plan, folder) if probes else []
            plays = len(jobs) + attacks

            def work(job: Job) -> list[AuditResult]:
                stopped, progress = job.stopped, job.progress
                results = run_jobs(jobs, plan, stopped, lambda done, _: progress(done, plays))
                if not attacks or job.stopped():
                    return results
                # The module imports Gymnasium, which would delay the start of the window.
                from integrator.unattended.attack import attack_alone  # noqa: PLC0415 - see above

                return results + attack_alone(plan, folder, job.stopped)

            background.go_on(work, self._show)
            if background.busy:
                self.show_audit()
                self._say_hint("audit-runs")
                text = self.tr("Auditing {0} play[|s] in hidden cores", None, plays)
                self.progress.begin(ui.counted(text, plays).format(ui.grouped(plays)))

        background.begin(self.tr("The audit runs"))
        self._bridge.ask(lambda session: session.game.plan, start, background.fail)

    def _show(self, results: Sequence[AuditResult]) -> None:
        traps = gathered(results)
        scores = [
            MovieScore(Path(each.source), each.play.rewards[:, np.newaxis])
            for each in results
            if each.play is not None and each.play.frames
        ]
        serious = sum(trap.is_serious for trap in traps)
        text = self.tr("traps: {0}, remarks: {1}, plays: {2}")
        self.show_audit(traps, scores, text.format(serious, len(traps) - serious, len(results)))
        self._parts[MoviesView].take_traps(traps)
        self._requests.note_audit.emit(traps, len(results))
        for each in [each for each in results if each.error][:1]:
            self._warn(f"{each.source}: {each.error}")

    def _show_failed(self) -> None:
        if not self.summary.text():
            self.show_audit()
