"""The strip of steps in the screen's header: what the integration still lacks, and ways there."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from integrator.domain.audit.play import Trap
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.library.checks.checking import Verification
from integrator.session.library.checks.steps import STEPS, StepStatus, StepWords, judge_steps
from integrator.session.library.fingerprint import fingerprint
from integrator.session.setup.plan import SessionPlan
from integrator.ui.desk import Desk
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.widgets.parts import hbox
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Theme

_PLACES = {
    "play": ("play", "variables"),
    "state": ("play", "states"),
    "variables": ("find", "suggestions"),
    "reward": ("score", "reward"),
    "done": ("score", "done"),
    "audit": ("agents", "audit"),
}
"""Workspace and panel of a step; the last one is a command."""

_NAMED = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_BARE = Qt.ToolButtonStyle.ToolButtonIconOnly


class StepsBar(QWidget):
    """A button a step, hidden once all are done. ``wanted`` gives the key of a clicked one. Names
    that have no room are left out: first those of done steps, then those of later ones."""

    wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.shown: Mapping[str, StepStatus] = {}
        self._widths: dict[tuple[str, Qt.ToolButtonStyle], int] = {}
        names = (
            self.tr("Play"),
            self.tr("Start state"),
            self.tr("Variables"),
            self.tr("Reward"),
            self.tr("Done"),
            self.tr("Audit"),
            self.tr("Verified"),
        )
        self.buttons: dict[str, QToolButton] = {}
        row = hbox(on=self, margins=0, gap=0)
        for key, name in zip(STEPS, names, strict=True):
            self.buttons[key] = button = QToolButton()
            button.setText(name)
            button.setProperty("role", "step")
            button.setIconSize(QSize(12, 12))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(partial(self.wanted.emit, key))
            row.addWidget(button)
        row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        theme.changed.connect(lambda: self.show_steps(self.shown))
        self.hide()

    def show_steps(self, status: Mapping[str, StepStatus]) -> None:
        self.shown = status
        self._widths.clear()
        icons = self._theme.icons
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
        """Name as many steps as have room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
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


class StepsController(QObject):
    """Follows documents and timeline, and remembers results by the fingerprint of the files."""

    def __init__(self, desk: Desk, docks: Docks) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._docks = docks
        self.bar = StepsBar(desk.theme)
        self._frames = 0
        self._results: dict[str, StepStatus] = {}
        self._mark = ""
        desk.screen.header.add_after_title(self.bar)
        self.bar.wanted.connect(self.go)
        desk.actions.on("suggest", lambda: self.go("variables"))
        bridge, controller = desk.bridge, desk.controller
        bridge.opened.connect(self._opened)
        bridge.closed.connect(lambda: self.bar.show_steps({}))
        desk.parts[TravelController].moved.connect(lambda facts: self._played(facts.length))
        controller.follow(self._edited, "variables", "scenario", "scripts", "states")

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
        documents, settings = self._desk.controller.documents, self._desk.settings
        game = self._desk.controller.game
        if documents is None or game is None or documents.modified:
            return

        def keep(mark: str) -> None:
            kept = settings.table(self._key(game))
            kept[key] = [mark, result.done, result.evidence, *result.values]
            settings.set_table(self._key(game), kept)

        self._with_mark(keep)

    @staticmethod
    def _key(game: GameSnapshot) -> str:
        return f"steps/{game.directory.name}"

    def _with_mark(self, then: Callable[[str], object]) -> None:
        """Call ``then`` with the fingerprint of the files on disk."""
        bridge = self._desk.bridge

        def hash_files(plan: SessionPlan) -> None:
            bridge.beside(lambda: fingerprint(plan), then, lambda _: None)

        bridge.ask(lambda session: session.game.plan, hash_files)

    def _opened(self, game: GameSnapshot) -> None:
        kept = self._desk.settings.table(self._key(game))
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
            self.bar.show_steps(judge_steps(documents, self._frames, self._results))

    def go(self, key: str) -> None:
        if key not in _PLACES:
            self._desk.actions["verify"].trigger()
            return
        workspace, panel = _PLACES[key]
        self._desk.use_workspace(workspace)
        self._docks.all[panel].come_forward()
        if key == "play":
            self._desk.screen.game_screen.setFocus(Qt.FocusReason.OtherFocusReason)
