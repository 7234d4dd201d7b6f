"""The dialog of *What changed this?*: the changes of a number, and what changes with them."""

from collections.abc import Sequence

import numpy as np

from integrator.domain.query.causes import Causes, NumberChange
from integrator.session.hidden.cause_trials import CauseTrial, CauseTrials
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.session.suggestions.picture_places import PlacesRun
from integrator.ui.bridge.background import Background
from integrator.ui.memory.memory_tools import ToolDialog
from integrator.ui.memory.watches import unsigned_type
from integrator.ui.widgets import parts as ui
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.texts import count_text, counted, grouped


class ChangesModel(RowsModel[NumberChange]):
    """One row for each change, the newest first."""

    def table(self) -> Sequence[Column[NumberChange]]:
        mono = self._mono
        return (
            Column(self.tr("frame"), lambda row: str(row.frame), font=mono),
            Column(self.tr("from"), lambda row: str(row.before), font=mono),
            Column(self.tr("to"), lambda row: str(row.after), font=mono),
            Column(self.tr("held"), lambda row: " ".join(row.held), font=mono),
        )


class CausesDialog(ToolDialog):
    """Shows all changes of one number, and describes what goes with them. Causes are found on a
    copy of the recording while the game runs, places of the picture in a hidden core. The places
    are outlined on the screen until the dialog is closed, which also ends the work."""

    _causes: Causes | None = None

    def _set_up(self) -> None:
        self.setWindowTitle(self.tr("What changed this?"))
        self._background = Background(self._bridge, "causes", self)
        self.facts = ui.role_label("", "secondary", wraps=True)
        self.model = ChangesModel(self._context.theme, self)
        self.table = DataTable(self.tr("Changes"), self.model)
        self.table.set_widths((72, 84, 84, 160), stretch=3, whole=(0,))
        self.table.activated.connect(
            lambda index: self._timeline.setValue(self.model.at(index.row()).frame)
        )
        hint = self.tr("Enter or a double click goes to the frame")
        self.trials = ui.role_label("", "secondary", wraps=True)
        tip = self.tr("Repeat the newest changes in a hidden core, without each button and byte")
        self.try_causes = ui.push_button(self.tr("Try causes"), self._try_causes, tip)
        below = ui.hbox(ui.role_label(hint, "faint"), None, self.try_causes)
        ui.vbox(self.facts, self.trials, (self.table, 1), below, on=self)
        self.resize(460, 460)
        self.finished.connect(self._end_work)

    def _end_work(self) -> None:
        self._causes = None
        self._background.drop_all()
        self._context.screen.game_screen.mark_places(())

    def _closed(self) -> None:
        super()._closed()
        self._end_work()

    def look_for(self, address: int, size: int) -> None:
        self._end_work()
        specs = self._controller.variables.values()
        known = (spec.type for spec in specs if spec.address == address)
        kind = next(known, unsigned_type(size))
        start, show, warn = self._background.start, self._show, self._warn
        self._bridge.ask(
            Session.causes_run,
            lambda run: start(lambda _: run.run(address, kind), show, warn),
            warn,
        )

    def _show(self, causes: Causes) -> None:
        self._causes = causes
        self.model.show(causes.changes[::-1])
        self._describe(causes)
        self.trials.clear()
        self.try_causes.setEnabled(bool(causes.changes))
        self._show_up()

        def look(session: Session) -> tuple[PlacesRun, SessionPlan]:
            return PlacesRun.take(session.timeline, causes), session.game.plan.hidden()

        def run(answer: tuple[PlacesRun, SessionPlan]) -> None:
            places, plan = answer
            if self._causes is causes:
                work = self._background.start
                work(lambda job: places.run_hidden(plan, job.stopped), self._describe, self._warn)

        if causes.changes:
            self._bridge.ask(look, run, self._warn)

    def _describe(self, causes: Causes) -> None:
        count, (step, times) = len(causes.changes), causes.usual_step
        text = self.tr("{0} {1} changed on {2} recorded frame[|s]", None, count)
        place = address_text(causes.address)
        text = counted(text, count).format(place, causes.type.spec, grouped(count))
        if times > 1:
            moves = self.tr("; by {0} on {1} of them") if step else ""
            text += moves.format(f"{step:+}", grouped(times))
        of_buttons = (
            (causes.buttons, (-1, 1), self.tr("{0} is held on {1} of {2} changes")),
            (causes.rises_with, (1,), self.tr("{0} is held on {1} of {2} rises")),
            (causes.falls_with, (-1,), self.tr("{0} is held on {1} of {2} falls")),
        )
        said = []
        for names, signs, words in of_buttons:
            held = [each.held for each in causes.changes if np.sign(each.step) in signs]
            if names:
                times = sum(set(names).issubset(each) for each in held)
                said.append(words.format(", ".join(names), grouped(times), grouped(len(held))))
        sentences = [text, *(said or [self.tr("No button goes with it")])]
        if causes.companions:
            reaches = self.tr("{0}, which becomes {1}")
            others = []
            for each in causes.companions:
                text = "{0}" if each.reaches is None else reaches
                others.append(text.format(address_text(each.address), each.reaches))
            sentences.append(self.tr("On the same frames change {0}").format(", ".join(others)))
        if causes.pictured is not None:
            box = self.tr("{0},{1}, {2} x {3} pixels")
            places = "; ".join(box.format(*place) for place in causes.places)
            seen = causes.pictured
            words = self.tr("The picture changes with it at {1} ({0} change[|s] seen)", None, seen)
            none = self.tr("No place of the picture goes with it ({0} change[|s] seen)", None, seen)
            sentences.append(count_text(words if places else none, seen, places))
        self.facts.setText(". ".join(sentences) + ".")
        self._context.screen.game_screen.mark_places(causes.places)

    def _try_causes(self) -> None:
        if (causes := self._causes) is None:
            return
        self.try_causes.setEnabled(False)
        start, show, warn = self._background.start, self._show_trials, self._warn
        self._bridge.ask(
            lambda session: CauseTrials.take(session, causes),
            lambda trials: start(lambda job: trials.run(job.stopped), show, warn),
            warn,
        )

    def _show_trials(self, trials: Sequence[CauseTrial] | None) -> None:
        self.try_causes.setEnabled(True)
        if trials is None:
            self.trials.setText(self.tr("These changes do not repeat in a hidden core."))
            return
        causes = [each for each in trials if each.is_cause]
        buttons = ", ".join(each.button for each in causes if each.button)
        places = ", ".join(address_text(one.address) for one in causes if one.address is not None)
        tried = min((each.tried for each in causes), default=0)
        needs = self.tr("Without {0} held before, it does not change ({1} tried)")
        needs = needs.format(buttons, tried)
        said = [needs if buttons else self.tr("No button is needed for it")]
        if places:
            words = self.tr("With another value in {0} just before, it does not change ({1} tried)")
            said.append(words.format(places, tried))
        self.trials.setText(self.tr("Tried: {0}.").format(". ".join(said)))
