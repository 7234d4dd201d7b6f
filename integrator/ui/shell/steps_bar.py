"""The strip of steps in the screen's header: what the integration still lacks, and ways there."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from integrator.domain.audit.play import Trap
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.library.checks.checking import Verification
from integrator.session.library.checks.steps import STEPS, StepStatus, StepWords, judge_steps
from integrator.session.setup.plan import SessionPlan, fingerprint
from integrator.ui.desk import Desk
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.files.verifier import Verifier
from integrator.ui.widgets.parts import hbox
from integrator.ui.widgets.texts import translate

_PLACES = {
    "play": ("play", "variables"),
    "state": ("play", "states"),
    "variables": ("find", "suggestions"),
    "reward": ("score", "reward"),
    "done": ("score", "done"),
    "audit": ("agents", "audit"),
}
"""Workspace and panel of each step but the last one, which is a command."""

_NAMED = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_BARE = Qt.ToolButtonStyle.ToolButtonIconOnly


class StepsBar(QWidget):
    """A button a step, hidden once all are done. Names that have no room are left out: first those
    of done steps, then those of later ones.

    It follows documents and timeline, and remembers results by the fingerprint of the files.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._frames = 0
        self._results: dict[str, StepStatus] = {}
        self.shown: Mapping[str, StepStatus] = {}
        self._widths: dict[tuple[str, Qt.ToolButtonStyle], int] = {}
        self.buttons: dict[str, QToolButton] = {}
        self._build_ui()
        desk.screen.header.add_after_title(self)
        desk.theme.changed.connect(lambda: self.show_steps(self.shown))
        desk.actions.on("suggest", lambda: self._go("variables"))
        desk.bridge.opened.connect(self._opened)
        desk.bridge.closed.connect(lambda: self.show_steps({}))
        desk.parts[Verifier].verified.connect(self.note_verification)
        desk.parts[TravelController].moved.connect(lambda facts: self._played(facts.length))
        desk.controller.follow(self._edited, "variables", "scenario", "scripts", "states")

    def _build_ui(self) -> None:
        names = (
            *(self.tr("Play"), self.tr("Start state"), self.tr("Variables"), self.tr("Reward")),
            *(self.tr("Done"), self.tr("Audit"), self.tr("Verified")),
        )
        for key, name in zip(STEPS, names, strict=True):
            self.buttons[key] = button = QToolButton()
            button.setText(name)
            button.setProperty("role", "step")
            button.setIconSize(QSize(12, 12))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(partial(self._go, key))
        hbox(*self.buttons.values(), None, on=self, margins=0, gap=0)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.hide()

    def show_steps(self, status: Mapping[str, StepStatus]) -> None:
        self.shown = status
        self._widths.clear()
        icons = self._desk.theme.icons
        for key, step in status.items():
            button = self.buttons[key]
            look = ("check", "good") if step.done else ("circle", "faint")
            button.setIcon(icons.icon(*(("warning", "warn") if step.failed else look)))
            evidence = translate("StepWords", step.evidence).format(*step.values)
            button.setToolTip(f"<b>{button.text()}</b><br>{evidence}")
            button.setAccessibleName(f"{button.text()}: {evidence}")
        self.setVisible(not all(step.done for step in status.values()))
        self._fit()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(sum(self._width(each, _NAMED) for each in self.buttons.values()), 22)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(sum(self._width(each, _BARE) for each in self.buttons.values()), 22)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Name as many steps as have room."""
        room = self.width() - self.minimumSizeHint().width()
        lacking = [key for key, step in self.shown.items() if not step.done]
        for key in [*lacking, *(key for key in reversed(STEPS) if key not in lacking)]:
            button = self.buttons[key]
            room -= self._width(button, _NAMED) - self._width(button, _BARE)
            style = _NAMED if room >= 0 else _BARE
            button.setToolButtonStyle(style)
            button.setFixedWidth(self._width(button, style))

    def _width(self, button: QToolButton, style: Qt.ToolButtonStyle) -> int:
        key = button.text(), style
        if key not in self._widths:
            before = button.toolButtonStyle()
            button.setToolButtonStyle(style)
            self._widths[key] = button.sizeHint().width()
            button.setToolButtonStyle(before)
        return self._widths[key]

    def note_audit(self, traps: Sequence[Trap], plays: int) -> None:
        serious = sum(trap.is_serious for trap in traps)
        text, values = StepWords.tr("traps: {0}, plays: {1}"), (str(serious), str(plays))
        self._note("audit", StepStatus(serious == 0, text, serious > 0, values))

    def note_verification(self, result: Verification) -> None:
        first = result.text.splitlines()[0]
        self._note("verify", StepStatus(result.passed, "{0}", not result.passed, (first,)))

    def _note(self, key: str, result: StepStatus) -> None:
        self._results[key] = result
        self._show()
        game, documents = self._desk.controller.game, self._desk.controller.documents
        if game is None or documents is None or documents.modified:
            return
        place, settings = _key(game), self._desk.settings

        def keep(mark: str) -> None:
            kept = [mark, result.done, result.evidence, *result.values]
            settings.set_table(place, {**settings.table(place), key: kept})

        self._with_mark(keep)

    def _with_mark(self, then: Callable[[str], object]) -> None:
        """Call ``then`` with the fingerprint of the files on disk."""
        bridge = self._desk.bridge

        def hash_files(plan: SessionPlan) -> None:
            bridge.beside(lambda: fingerprint(plan), then, lambda _: None)

        bridge.ask(lambda session: session.game.plan, hash_files)

    def _opened(self, game: GameSnapshot) -> None:
        kept = self._desk.settings.table(_key(game))
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
        documents = self._desk.controller.documents
        if documents is not None:
            self.show_steps(judge_steps(documents, self._frames, self._results))

    def _go(self, key: str) -> None:
        if key == "verify":
            self._desk.actions["verify"].trigger()
            return
        workspace, panel = _PLACES[key]
        self._desk.use_workspace(workspace)
        self._desk.parts[Docks].all[panel].come_forward()
        if key == "play":
            self._desk.screen.game_screen.setFocus(Qt.FocusReason.OtherFocusReason)


def _key(game: GameSnapshot) -> str:
    return f"steps/{game.directory.name}"
