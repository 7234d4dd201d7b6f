"""Dialogs of the Memory panel: compared moments, pointers, memory that counts, and causes."""

import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QListWidget, QRadioButton

from integrator.domain.errors import SessionError
from integrator.domain.integration.json_files import Watch
from integrator.domain.query.causes import Causes, CausesRun, NumberChange
from integrator.domain.query.pointers import PointerChain
from integrator.domain.timeline.line import PlayedFrame
from integrator.domain.values.memory import DataType
from integrator.session.edits.commands import write_accessor
from integrator.session.hidden.cause_trials import CauseTrial, CauseTrials
from integrator.session.library.watch_list import NOW, MemoryDifference, compare_memory
from integrator.session.session import Session
from integrator.session.setup import plan as plans
from integrator.session.suggestions.picture_places import PlacesRun
from integrator.session.timeline_facts import TimelineFacts
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background
from integrator.ui.memory.watches import WatchesView, unsigned_type
from integrator.ui.window_context import WindowContext, WindowPart


class ToolDialog(WindowPart, QDialog):
    """A dialog that stays open while the game runs, until the user closes it or the game."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._use_context(context)
        self.attend()

    def _closed(self) -> None:
        self.hide()

    def _show_up(self) -> None:
        self.show()
        self.raise_()


class DifferenceModel(ui.RowsModel[int]):
    """Rows of a MemoryDifference: the address, and the byte at each of the two moments."""

    difference: MemoryDifference
    names = ("", "")

    def table(self) -> Sequence[ui.Column[int]]:
        def address(row: int) -> str:
            return ui.address_text(int(self.difference.addresses[row]))

        def before(row: int) -> str:
            return "{0:02X}  {0}".format(self.difference.before[row])

        def after(row: int) -> str:
            return "{0:02X}  {0}".format(self.difference.after[row])

        columns = zip((self.tr("address"), *self.names), (address, before, after), strict=True)
        return [ui.Column(title, text, font=self._mono) for title, text in columns]


class CompareDialog(ToolDialog):
    """Lists the bytes that differ between two moments. ``go_to`` shows an address in Memory."""

    go_to: Callable[[int], object]

    def _set_up(self) -> None:
        self.setWindowTitle(self.tr("Compare memory"))
        tip = self.tr("now, the number of a frame, or the name of a start state")
        one, other = QComboBox(editable=True), QComboBox(editable=True)
        self.one = ui.named(one, self.tr("First moment"), toolTip=tip)
        self.other = ui.named(other, self.tr("Second moment"), toolTip=tip)
        self.compare = ui.push_button(self.tr("Compare"), self._compare, default=True)
        self.model = DifferenceModel(self)
        self.table = ui.DataTable(self.tr("Bytes that differ"), self.model)
        self.table.activated.connect(
            lambda index: self.go_to(int(self.model.difference.addresses[index.row()]))
        )
        text = self.tr("Choose two moments: “now”, the number of a frame, or a start state.")
        self.facts = ui.role_label(text, "faint", wraps=True)
        row = ui.hbox((self.one, 1), (self.other, 1), self.compare)
        ui.vbox(row, (self.table, 1), self.facts, on=self)
        self.resize(420, 460)

    def open_moments(self) -> None:
        last, documents = self._controller.last, self._controller.documents
        if last is None or documents is None:
            return
        now, states = self.tr("now"), documents.states
        for field, shown in ((self.one, next(iter(states), "1")), (self.other, now)):
            typed = field.currentText()
            field.clear()
            field.addItems([now, str(last.number), *states])
            field.setCurrentText(typed or shown)
        self._show_up()

    def _compare(self) -> None:
        names = self.one.currentText(), self.other.currentText()
        typed = (name.strip() for name in names)
        one, other = (NOW if text == self.tr("now") else text for text in typed)

        def show(difference: MemoryDifference) -> None:
            self.model.difference, self.model.names = difference, names
            count = len(difference.addresses)
            self.model.forget_columns()
            self.model.show(range(count))
            text = self.tr("{0} byte[|s] differ[s|]; Enter on a row shows the place", None, count)
            self.facts.setText(ui.count_text(text, count))

        self._bridge.ask(lambda session: compare_memory(session, one, other), show, self._warn)


class PointersDialog(ToolDialog):
    """Chains of pointers to a number that moves; ``seen`` are its addresses by frame."""

    def _set_up(self) -> None:
        self.setWindowTitle(self.tr("Pointers to a number that moves"))
        self.seen: dict[int, int] = {}
        self.facts = ui.role_label("", "secondary", wraps=True)
        self.list = ui.named(QListWidget(), self.tr("Chains of pointers"))
        specs = ("|u1", ">u2", "<u2", ">u4", "<u4", "|i1", ">i2", "<i2", ">i4", "<i4")
        types = [(spec, spec) for spec in specs]
        self.type = ui.combo_box(self.tr("Type of the number"), entries=types)
        self.name = ui.line_edit(self.tr("Name of the functions"), self.tr("name, such as health"))
        tip = self.tr("Add Lua functions that follow the chain to the number")
        self.write = ui.push_button(self.tr("Write script"), self._write, tip, default=True)
        tip = self.tr("Watch the number where it is now, with the chain as a note")
        self.watch = ui.push_button(self.tr("Watch"), self._watch, tip)
        tip = self.tr("Forget the addresses, and begin with the next one")
        self.forget = ui.push_button(self.tr("Another number"), self._closed, tip)
        row = ui.hbox(self.forget, self.type, self.watch, (self.name, 1), self.write)
        ui.vbox(self.facts, (self.list, 1), row, on=self)
        self.resize(620, 420)

    def _closed(self) -> None:
        super()._closed()
        self.seen = {}

    def look_for(self, address: int) -> None:
        def look(session: Session) -> tuple[dict[int, int], list[PointerChain]]:
            travel = session.timeline
            seen = {**self.seen, travel.position: address}
            return seen, travel.pointers(seen)

        self._bridge.ask(look, lambda answer: self._show(*answer), self._warn)

    def _show(self, seen: Mapping[int, int], chains: Sequence[PointerChain]) -> None:
        self.seen = dict(seen)
        self._chains = chains[:200]  # A longer list is of no use.
        self.list.clear()
        self.list.addItems([str(each) for each in self._chains])
        self.list.setCurrentRow(0)
        place = self.tr("{0} (frame {1})")
        places = ", ".join(place.format(ui.address_text(at), frame) for frame, at in seen.items())
        text = self.tr("{0} chain[|s] lead[s|] to the number at {1}.", None, len(chains))
        text = ui.count_text(text, len(chains), places)
        more = self.tr(
            "Let the number move: enter another level, or load a state. Find it again, and choose "
            "“Find what points here” there: fewer chains are left."
        )
        self.facts.setText(f"{text} {more}")
        for button in (self.write, self.watch):
            button.setEnabled(bool(chains))
        self._show_up()

    def _choice(self) -> tuple[PointerChain, DataType]:
        return self._chains[self.list.currentRow()], DataType.parse(self.type.currentText())

    def _write(self) -> None:
        with ui.errors_to(self._warn):
            name = ui.parse_name(self.name.text(), ())
            self._controller.edit(write_accessor(name, *self._choice()), then=self.hide)

    def _watch(self) -> None:
        chain, kind = self._choice()

        def show(address: int | None) -> None:
            if address is None:
                self._warn(self.tr("{0} leads nowhere at this frame").format(chain))
            else:
                self._parts[WatchesView].watch(Watch(address, kind, note=str(chain)))

        ask = self._bridge.ask
        ask(lambda now: chain.address(now.memory.space, now.memory.ram), show, self._warn)


class MemoryChoiceDialog(ToolDialog):
    """Changes the memory that counts, in the user's settings; then the game is opened again."""

    def _set_up(self) -> None:
        self.setWindowTitle(self.tr("Memory that counts"))
        text = self.tr(
            "Memory outside of the ranges is not logged, searched or shown, which saves time and "
            "space on consoles with megabytes. Variables are always included. The game is opened "
            "again, and its timeline begins again."
        )
        self.all = QRadioButton()
        self.some = QRadioButton(self.tr("Only these &ranges, one a line:"))
        name = self.tr("Ranges of addresses")
        self.ranges = ui.text_view(name, readOnly=False, tabChangesFocus=True)
        self.problem = ui.role_label("", "bad", wraps=True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        accepts = QDialogButtonBox.ButtonRole.AcceptRole
        self.open_again = buttons.addButton(self.tr("Open again"), accepts)
        buttons.accepted.connect(self._keep)
        buttons.rejected.connect(self.reject)
        about = ui.role_label(text, "secondary", wraps=True)
        ui.vbox(about, self.all, self.some, self.ranges, self.problem, buttons, on=self)
        self.some.toggled.connect(self._check)
        self.ranges.textChanged.connect(self._check)
        self.resize(460, 340)

    def choose(self) -> None:
        if (game := self._controller.game) is None:
            return
        with ui.errors_to(self._report):
            kept = plans.MemoryStore(plans.memory_path()).ranges(game.name)
            self._limited = bool(kept)
            self._regions = [(region.address, region.size) for region in game.space.regions]
            whole = ui.size_text(game.info.whole_ram_bytes)
            self.all.setText(self.tr("&All memory ({0})").format(whole))
            self.ranges.setPlainText("\n".join(map(plans.range_text, kept or self._regions)))
            (self.some if kept else self.all).setChecked(True)
            self._check()
            self.open()

    def _wanted(self) -> tuple[tuple[int, int], ...]:
        """Return the typed ranges, or () for all memory. Raises SessionError for a malformed range,
        and if no range contains memory of the game."""
        if self.all.isChecked():
            return ()
        lines = [line for line in self.ranges.toPlainText().splitlines() if line.strip()]
        wanted = tuple(map(plans.parse_range, lines))
        pairs = itertools.product(wanted, self._regions)
        meet = any(
            start < first + size and first < start + length
            for (start, length), (first, size) in pairs
        )
        # If memory is limited already, the rest is unknown here, so any range is allowed.
        if not wanted or not (self._limited or meet):
            regions = ", ".join(map(plans.range_text, self._regions))
            raise SessionError(self.tr("The game has only these ranges: {0}").format(regions))
        return wanted

    def _check(self) -> None:
        self.ranges.setEnabled(self.some.isChecked())
        self.problem.clear()
        with ui.errors_to(self.problem.setText):
            self._wanted()
        self.open_again.setEnabled(not self.problem.text())

    def _keep(self) -> None:
        game, wanted = self._controller.game, self._wanted()
        self.accept()
        if game is not None:
            with ui.errors_to(self._report):
                plans.MemoryStore(plans.memory_path()).keep(game.name, wanted)
                self._context.open_path(game.path)


class ChangesModel(ui.RowsModel[NumberChange]):
    """One row for each change, the newest first."""

    def table(self) -> Sequence[ui.Column[NumberChange]]:
        mono = self._mono
        return (
            ui.Column(self.tr("frame"), lambda row: str(row.frame), font=mono),
            ui.Column(self.tr("from"), lambda row: str(row.before), font=mono),
            ui.Column(self.tr("to"), lambda row: str(row.after), font=mono),
            ui.Column(self.tr("held"), lambda row: " ".join(row.held), font=mono),
        )


class CausesDialog(ToolDialog):
    """Shows all changes of one number, and describes what goes with them. Causes are found on a
    copy of the recording while the game runs, places of the picture in a hidden core. The screen
    outlines them until the dialog and its work end."""

    _causes: Causes | None = None
    _place: tuple[int, int] | None = None  # the address and size of the number
    _newest: PlayedFrame | None = None  # the last frame that was looked at

    def _set_up(self) -> None:
        self.setWindowTitle(self.tr("What changed this?"))
        self._background = Background(self._bridge, "causes", self)
        self.facts = ui.role_label("", "secondary", wraps=True)
        self.model = ChangesModel(self)
        self.table = ui.DataTable(self.tr("Changes"), self.model)
        self.table.set_widths((72, 84, 84, 160), stretch=3, whole=(0,))
        seek, at = self._timeline.setValue, self.model.at
        self.table.activated.connect(lambda index: seek(at(index.row()).frame))
        hint = self.tr("Enter or a double click goes to the frame")
        self.trials = ui.role_label("", "secondary", wraps=True)
        tip = self.tr("Repeat the newest changes in a hidden core, without each button and byte")
        self.try_causes = ui.push_button(self.tr("Try causes"), self._try_causes, tip)
        below = ui.hbox(ui.role_label(hint, "faint"), None, self.try_causes)
        ui.vbox(self.facts, self.trials, (self.table, 1), below, on=self)
        self.resize(460, 460)
        self.finished.connect(self._end_work)

    def _end_work(self) -> None:
        if self._place is not None:
            self._controller.timeline_moved.disconnect(self._follow)
        self._causes = self._place = self._newest = None
        self._background.drop_all()
        self._screen.game_screen.mark_places(())

    def _closed(self) -> None:
        super()._closed()
        self._end_work()

    def look_for(self, address: int, size: int) -> None:
        self._end_work()
        self._place = place = address, size
        self._controller.timeline_moved.connect(self._follow)
        text = self.tr("Looking for the changes of {0}")
        self.facts.setText(text.format(ui.address_text(address)))
        self.model.show(())
        self.trials.clear()
        self.try_causes.setEnabled(False)
        specs = self._controller.variables.values()
        known = (spec.type for spec in specs if spec.address == address)
        kind = next(known, unsigned_type(size))
        start, show, warn = self._background.start, self._show, self._warn

        def begin(seen: tuple[CausesRun, PlayedFrame]) -> None:
            if self._place == place:
                run, self._newest = seen
                start(lambda _: run.run(address, kind), show, warn)

        self._bridge.ask(lambda now: (now.causes_run(), now.timeline.log.newest), begin, warn)

    def _follow(self, facts: TimelineFacts) -> None:
        """Look again if the changes were sought on a line that was left."""
        if self._place and self._newest and not facts.runs.has(self._newest):
            self.look_for(*self._place)

    def _show(self, causes: Causes) -> None:
        self._causes = causes
        self.model.show(causes.changes[::-1])
        self._describe(causes)
        self.try_causes.setEnabled(bool(causes.changes))
        self._show_up()

        def look(session: Session) -> tuple[PlacesRun, plans.SessionPlan]:
            return PlacesRun.take(session.timeline, causes), session.game.plan.hidden()

        def run(answer: tuple[PlacesRun, plans.SessionPlan]) -> None:
            places, plan = answer
            if self._causes is causes:
                work = self._background.start
                work(lambda job: places.run_hidden(plan, job.stopped), self._describe, self._warn)

        if causes.changes:
            self._bridge.ask(look, run, self._warn)

    def _describe(self, causes: Causes) -> None:
        count, (step, times) = len(causes.changes), causes.usual_step
        text = self.tr("{0} {1} changed on {2} recorded frame[|s]", None, count)
        place = ui.address_text(causes.address)
        text = ui.counted(text, count).format(place, causes.type.spec, ui.grouped(count))
        if times > 1:
            moves = self.tr("; by {0} on {1} of them") if step else ""
            text += moves.format(f"{step:+}", ui.grouped(times))
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
                numbers = map(ui.grouped, (times, len(held)))
                said.append(words.format(", ".join(names), *numbers))
        sentences = [text, *(said or [self.tr("No button goes with it")])]
        if causes.companions:
            reaches = self.tr("{0}, which becomes {1}")
            others = []
            for each in causes.companions:
                text = "{0}" if each.reaches is None else reaches
                others.append(text.format(ui.address_text(each.address), each.reaches))
            sentences.append(self.tr("On the same frames change {0}").format(", ".join(others)))
        if causes.pictured is not None:
            box = self.tr("{0},{1}, {2} x {3} pixels")
            places = "; ".join(box.format(*place) for place in causes.places)
            seen = causes.pictured
            words = self.tr("The picture changes with it at {1} ({0} change[|s] seen)", None, seen)
            none = self.tr("No place of the picture goes with it ({0} change[|s] seen)", None, seen)
            sentences.append(ui.count_text(words if places else none, seen, places))
        self.facts.setText(". ".join(sentences) + ".")
        self._screen.game_screen.mark_places(causes.places)

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
        causes = [each for each in trials if each.needed == each.tried]
        buttons = ", ".join(each.button for each in causes if each.button)
        needed = (each.address for each in causes if each.address is not None)
        places = ", ".join(map(ui.address_text, needed))
        tried = min((each.tried for each in causes), default=0)
        needs = self.tr("Without {0} held before, it does not change ({1} tried)")
        needs = needs.format(buttons, tried)
        said = [needs if buttons else self.tr("No button is needed for it")]
        if places:
            words = self.tr("With another value in {0} just before, it does not change ({1} tried)")
            said.append(words.format(places, tried))
        self.trials.setText(self.tr("Tried: {0}.").format(". ".join(said)))
