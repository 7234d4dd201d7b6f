"""The bar of steps in the screen's header, and the verification, which is the last step."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from integrator.domain.audit.play import Trap
from integrator.domain.words import tr
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.library.checks import checking
from integrator.session.library.checks.checking import STEPS, StepStatus, Verification
from integrator.session.setup.plan import fingerprint
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background
from integrator.ui.library.dialogs import WorkingDialog
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.window_context import Part, WindowContext


class VerifyDialog(WorkingDialog):
    """The dialog of a verification, during which the game can be played."""

    def __init__(self, works: Background, name: str, parent: QWidget, *, unsaved: bool) -> None:
        super().__init__(works, parent, self.tr("Verify {0}").format(name))
        self.state = ui.role_label(self.tr("Checking files, states and scripts…"), "subheading")
        left_out = self.tr("Unsaved edits are left out: save them first to verify them.")
        self.unsaved = ui.role_label(left_out, "warn")
        self.bar = ui.thin_bar(maximum=0, accessibleName=self.tr("Steps compared"))
        self.report = ui.text_view(self.tr("Report"))
        text, copy = self.report.toPlainText, QGuiApplication.clipboard().setText
        self.copy = ui.push_button(self.tr("Copy report"), lambda: copy(text()), enabled=False)
        self.stop = ui.push_button(self.tr("Stop"), works.stop_all)
        buttons = ui.hbox(self.copy, None, self.stop, ui.push_button(self.tr("Close"), self.close))
        ui.vbox(self.state, self.unsaved, self.bar, (self.report, 1), buttons, on=self)
        self.unsaved.setVisible(unsaved)
        self.resize(640, 340)
        works.progressed.connect(self.show_progress)

    def show_progress(self, done: int, total: int) -> None:
        self.bar.setRange(0, total if done else 0)
        self.bar.setValue(done)
        text = self.tr("Taking {0} random steps in stable-retro…").format(ui.grouped(total))
        if done:
            text = self.tr("Comparing step {0} of {1}…").format(ui.grouped(done), ui.grouped(total))
        self.state.setText(text)

    def show_result(self, result: Verification) -> None:
        text = self.tr("Verified") if result.passed else self.tr("Not verified")
        self.show_end(text, "good" if result.passed else "bad")
        self.report.setPlainText(result.text)
        self.copy.setEnabled(True)

    def show_end(self, text: str, role: str) -> None:
        ui.say(self.state, text, role)
        self.bar.hide()
        self.stop.hide()


class Verifier(Part):
    """Runs one verification at a time, in a dialog. ``verified`` gives each complete result."""

    verified = Signal(object)

    def _set_up(self) -> None:
        self.dialog: VerifyDialog | None = None
        self.background = Background(self._bridge, "verify", self)
        self._actions.on(verify=self.verify)

    def verify(self) -> None:
        game, documents = self._controller.game, self._controller.documents
        if game is None or documents is None:
            return
        if not game.is_integration:
            text = self.tr("Only an integration can be verified: make one of this ROM first.")
            self._inform(text, (self.tr("Make integration…"), self._actions["save"].trigger))
            return
        self._closed()
        works, unsaved = self.background, documents.modified
        self.dialog = dialog = VerifyDialog(works, game.name, self._window, unsaved=unsaved)
        dialog.finished.connect(lambda: setattr(self, "dialog", None))
        dialog.show()

        def show(result: Verification) -> None:
            if game is self._controller.game and result.agreement is not None:
                self.verified.emit(result)
            dialog.show_result(result)

        works.start(
            lambda job: checking.verify(game.directory, job.progress, job.stopped),
            show,
            lambda error: dialog.show_end(str(error), "bad"),
        )

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.close()


_PLACES = {  # workspace and panel of each step but the last one, a command
    "play": ("play", "variables"),
    "state": ("play", "states"),
    "variables": ("find", "suggestions"),
    "reward": ("score", "reward"),
    "done": ("score", "done"),
    "audit": ("agents", "audit"),
}

_AUDITED = tr("traps: {0}, plays: {1}")
_NAMED = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_BARE = Qt.ToolButtonStyle.ToolButtonIconOnly


class StepsBar(ui.FitsSize, QWidget):
    """A button for each step, hidden once all steps are done. If space is short, the names of done
    steps are hidden first, then those of later steps. The bar follows documents and timeline, and
    stores results with the fingerprint of the files."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._frames = 0
        self._results: dict[str, StepStatus] = {}
        self.shown: Mapping[str, StepStatus] = {}
        self._widths = dict.fromkeys(STEPS, (0, 0))  # of buttons without and with their names
        self.buttons: dict[str, QToolButton] = {}
        names = (
            *(self.tr("Play"), self.tr("Start state"), self.tr("Variables"), self.tr("Reward")),
            *(self.tr("Done"), self.tr("Audit"), self.tr("Verified")),
        )
        for key, name in zip(STEPS, names, strict=True):
            traits = {"iconSize": QSize(12, 12), "focusPolicy": Qt.FocusPolicy.TabFocus}
            self.buttons[key] = button = ui.configured(QToolButton(), "step", text=name, **traits)
            button.clicked.connect(partial(self._go, key))
        ui.hbox(*self.buttons.values(), None, on=self, margins=0, gap=0)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.hide()
        context.screen.header.add_after_title(self)
        ui.Theme.now.changed.connect(lambda: self.show_steps(self.shown))
        context.actions.on(suggest=lambda: self._go("variables"))
        context.bridge.opened.connect(self._opened)
        context.bridge.closed.connect(lambda: self.show_steps({}))
        context.parts[Verifier].verified.connect(self.note_verification)
        context.controller.timeline_moved.connect(lambda facts: self._played(facts.length))
        context.controller.follow(self._edited, "variables", "scenario", "scripts", "states")

    def show_steps(self, status: Mapping[str, StepStatus]) -> None:
        self.shown = status
        for key, step in status.items():
            button = self.buttons[key]
            look = "check good" if step.done else "circle faint"
            button.setIcon(ui.icon("warning warn" if step.failed else look))
            evidence = ui.words(step.evidence).format(*step.values)
            button.setToolTip(f"<b>{button.text()}</b><br>{evidence}")
            button.setAccessibleName(f"{button.text()}: {evidence}")
            self._widths[key] = _width(button, _BARE), _width(button, _NAMED)
        self.setVisible(not all(step.done for step in status.values()))
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(sum(named for _, named in self._widths.values()), 22)

    def minimumSizeHint(self) -> QSize:
        return QSize(sum(bare for bare, _ in self._widths.values()), 22)

    def _fit(self) -> None:
        room = self.width() - self.minimumSizeHint().width()
        lacking = [key for key, step in self.shown.items() if not step.done]
        for key in dict.fromkeys((*lacking, *reversed(STEPS))):
            bare, named = self._widths[key]
            room -= named - bare
            self.buttons[key].setToolButtonStyle(_NAMED if room >= 0 else _BARE)
            self.buttons[key].setFixedWidth(named if room >= 0 else bare)

    def note_audit(self, traps: Sequence[Trap], plays: int) -> None:
        serious = sum(trap.is_serious for trap in traps)
        values = str(serious), str(plays)
        self._note("audit", StepStatus(serious == 0, _AUDITED, serious > 0, values))

    def note_verification(self, result: Verification) -> None:
        first = result.text.splitlines()[0]
        self._note("verify", StepStatus(result.passed, "{0}", not result.passed, (first,)))

    def _note(self, key: str, result: StepStatus) -> None:
        self._results[key] = result
        self._show()
        game, documents = self._context.controller.game, self._context.controller.documents
        if game is None or documents is None or documents.modified:
            return
        place, settings = _key(game), self._context.settings

        def keep(mark: str) -> None:
            kept = [mark, result.done, result.evidence, *result.values]
            settings.set_table(place, {**settings.table(place), key: kept})

        self._with_mark(keep)

    def _with_mark(self, then: Callable[[str], object]) -> None:
        """Call ``then`` with the fingerprint of the files on disk."""
        ask, work = self._context.bridge.ask, self._context.bridge.in_background
        ask(
            lambda session: session.game.plan,
            lambda plan: work(lambda: fingerprint(plan), then, lambda _: None),
        )

    def _opened(self, game: GameSnapshot) -> None:
        kept = self._context.settings.table(_key(game))
        self._results.clear()
        self._played(0)

        def take(mark: str) -> None:
            for key, (known, done, evidence, *values) in kept.items():
                if known == mark:
                    result = StepStatus(done, evidence, not done, tuple(values))
                    self._results.setdefault(key, result)
            self._show()

        if kept:
            self._with_mark(take)

    def _edited(self, _: Documents) -> None:
        self._results.clear()
        self._show()

    def _played(self, frames: int) -> None:
        if not frames or frames // 60 != self._frames // 60:
            self._frames = frames
            self._show()

    def _show(self) -> None:
        if (documents := self._context.controller.documents) is not None:
            self.show_steps(checking.judge_steps(documents, self._frames, self._results))

    def _go(self, key: str) -> None:
        if key == "verify":
            self._context.actions["verify"].trigger()
            return
        workspace, panel = _PLACES[key]
        self._context.use_workspace(workspace)
        self._context.parts[Docks].all[panel].come_forward()
        if key == "play":
            self._context.screen.game_screen.setFocus(Qt.FocusReason.OtherFocusReason)


def _width(button: QToolButton, style: Qt.ToolButtonStyle) -> int:
    button.setToolButtonStyle(style)
    return button.sizeHint().width()


def _key(game: GameSnapshot) -> str:
    return f"steps/{game.directory.name}"
