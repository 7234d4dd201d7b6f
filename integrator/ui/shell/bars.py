"""The bars of the window: menus and workspaces at the top, readouts of the game at the bottom."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QMenuBar, QWidget

from integrator.session.edits.snapshot import Documents, state_label
from integrator.session.frame.result import FrameResult, RecordedScored, RecordedScoring
from integrator.session.timeline_facts import TimelineFacts
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import MENUS, shown_keys, with_keys
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.sight import LiveReader
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import workspaces
from integrator.ui.window_context import WindowContext


class WindowMenus(QMenuBar):
    """The menu bar: all actions, themes and panels. It also creates the workspaces' shortcuts."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self.menus: dict[str, QMenu] = {}
        for key, (title, specs) in MENUS.items():
            menu = self.menus[key] = self.addMenu(ui.words(title))
            for spec in specs:
                if spec.line:
                    menu.addSeparator()
                menu.addAction(context.actions[spec.key])
        themes = self.menus["view"].addMenu(self.tr("&Theme"))
        only_one = QActionGroup(themes)
        for choice, title in ui.theme_titles().items():
            action = themes.addAction(title)
            action.setCheckable(True)
            action.setChecked(choice is ui.Theme.now.choice)
            action.triggered.connect(lambda _=False, c=choice: context.choose_theme(c))
            show = action.setChecked
            ui.Theme.now.changed.connect(lambda s=show, c=choice: s(c is ui.Theme.now.choice))
            only_one.addAction(action)
        self.panels = self.menus["view"].addMenu(self.tr("&Panels"))
        docks = context.parts[Docks].all.values()
        self.panels.addActions([dock.toggleViewAction() for dock in docks])
        group = self.tr("Workspaces")
        for number, (key, text, _) in enumerate(workspaces(), start=1):
            action = QAction(self.tr("{0} workspace").format(text), context.window)
            context.actions.shortcuts.add(f"workspace-{key}", group, action, f"Ctrl+{number}")
            action.triggered.connect(lambda _=False, k=key: context.use_workspace(k))
            context.window.addAction(action)


class TopBar(ui.FitsSize, QFrame):
    """The bar at the top: menus, workspaces, command search, Verify and Save."""

    def __init__(self, context: WindowContext, menu_bar: QMenuBar) -> None:
        super().__init__(context.window)
        ui.styled(self, "TopBar", fixedHeight=44)
        self._shortcuts = context.actions.shortcuts
        self.segments = ui.Segments(workspaces(), self.tr("{0} workspace"))
        self.segments.chosen.connect(context.use_workspace)
        context.parts[Docks].changed.connect(self.segments.select)
        self._name = ui.styled(QLabel("Integrator"), "AppName")
        self.verify_button = ui.action_button(context.actions["verify"], text=self.tr("Verify"))
        save = context.actions["save"]
        self.save_button = ui.action_button(save, role="primary", icon="save on_accent")
        save.changed.connect(lambda: self.save_button.setText(save.text().replace("&", "")))
        search = context.actions["palette"].trigger
        self.search_button = ui.push_button("", search, icon="search faint")
        ui.styled(self.search_button, "CommandSearch", focusPolicy=Qt.FocusPolicy.TabFocus)
        self.search_button.setAccessibleName(self.tr("Search actions"))
        buttons = (self.search_button, self.verify_button, self.save_button)
        menus = () if menu_bar.isNativeMenuBar() else (menu_bar,)
        parts = (self._name, *menus, 6, self.segments, None, *buttons)
        self._row = row = ui.hbox(*parts, on=self, margins=(12, 0, 12, 0), gap=10)
        for part in (menu_bar, self.segments):
            row.setAlignment(part, Qt.AlignmentFlag.AlignVCenter)
        self._shortcuts.changed.connect(self._show_keys)
        self._show_keys()

    def _fit(self) -> None:
        # Only the search text and the name get shorter; menus and workspaces keep their words.
        for text, is_named in self._texts:
            self.search_button.setText(text)
            self._name.setVisible(is_named)
            if self._row.sizeHint().width() <= self.width():
                break

    def _show_keys(self) -> None:
        for key, _, tip in workspaces():
            action = self._shortcuts[f"workspace-{key}"].action
            self.segments.button(key).setToolTip(with_keys(tip, action))
        palette = self._shortcuts["palette"]
        keys = shown_keys(palette.keys)
        short = self.tr("Search…   {0}").format(keys).rstrip()
        long = self.tr("Search actions, variables…   {0}").format(keys).rstrip()
        self._texts = (long, True), (short, True), (short, False), ("", False)
        self._fit()
        tip = self.tr("Every action, variable and recent game by name")
        self.search_button.setToolTip(with_keys(tip, palette.action))


class ScoringBar(QFrame):
    """Progress of scoring recorded frames again; hidden while their scores are up to date. It
    replaces ``other`` while it is shown, because a small window has no space for both."""

    def __init__(self, controller: GameController, other: QWidget) -> None:
        super().__init__()
        self._other = other
        self.text = QLabel()
        name = self.tr("Recorded frames scored")
        self.bar = ui.thin_bar(4, fixedWidth=90, maximum=1000, accessibleName=name)
        tip = self.tr("Recorded frames keep the scores that they had")
        self.stop = ui.push_button(self.tr("Stop"), controller.stop_scoring, tip, "flat")
        self.again = ui.push_button(self.tr("Score again"), controller.score_again, role="flat")
        row = ui.hbox(self.text, self.bar, self.stop, self.again, on=self, margins=0, gap=8)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetMinimumSize)
        controller.scoring.connect(self._show_progress)
        controller.scored.connect(self._show_end)

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self._other.setVisible(not visible)

    def _show_progress(self, event: RecordedScoring) -> None:
        self.bar.setValue(round(event.share * 1000))
        tip = self.tr("Recorded frames to score: {0}").format(ui.grouped(event.frames))
        self._say(self.tr("scoring again"), tip, running=True)

    def _show_end(self, event: RecordedScored) -> None:
        if event.result is not None:
            self.hide()
        else:
            self._say(self.tr("recorded frames have old scores"), event.text, running=False)

    def _say(self, text: str, tip: str, *, running: bool) -> None:
        ui.say(self.text, text, "secondary" if running else "warn")
        self.setToolTip(tip)
        for part in (self.bar, self.stop):
            part.setVisible(running)
        self.again.setVisible(not running)
        self.show()


class StatusBar(QFrame):
    """Shows the state of the game in the status bar, in the window's title and on the transport
    buttons. It displays the newest frame's outcome, and computes nothing."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        ui.styled(self, "StatusBar", fixedHeight=28)
        self.mode, self.reward, self.cumulative = ui.LiveLabel(), ui.LiveLabel(), ui.LiveLabel()
        self.done, self.frame = ui.LiveLabel(), ui.LiveLabel()
        self.message, self.core = ui.LiveLabel(right=True), ui.LiveLabel(right=True)
        self.scoring = ScoringBar(context.controller, self.message)
        ui.set_role(self.mode, "secondary")
        ui.set_role(self.message, "secondary")
        self._numbers = (self.reward, self.cumulative, self.done, self.frame)
        parts = (self.mode, *self._numbers, None, self.scoring, self.message, self.core)
        ui.hbox(*parts, on=self, margins=(14, 0, 14, 0), gap=22)
        ui.Theme.now.changed.connect(self._repaint)
        self.show_nothing()
        bridge, controller, screen = context.bridge, context.controller, context.screen
        bridge.readout_ready.connect(self.show_frame)
        bridge.frame_ready.connect(lambda frame: screen.show_done(done=frame.outcome.done))
        bridge.open_failed.connect(self._show_state)
        controller.documents_changed.connect(self.show_documents)
        controller.run_state_changed.connect(self.show_run_state)
        controller.movie_changed.connect(self._show_movie)
        controller.timeline_moved.connect(self._show_timeline)
        look, show = (lambda: lambda now: now.game.core_memory_bytes), self._show_core_memory
        memory = LiveReader(bridge, look, show, interval_ms=2000)
        bridge.readout_ready.connect(memory.touch)
        controller.recording_changed.connect(screen.transport.record.setHidden)
        controller.recording_changed.connect(screen.transport.stop.setVisible)

    def show_nothing(self) -> None:
        for widget in (*self._numbers, self.core, self.scoring):
            widget.hide()
        self._shown: FrameResult | None = None
        self._movie = ""
        self.message.clear()
        self.show_mode(self.tr("no game"), "faint")
        self._context.window.setWindowModified(False)
        self._context.window.setWindowTitle(self.tr("Integrator"))

    def show_mode(self, text: str, role: str) -> None:
        """Show the mode, such as ``live`` or ``paused``; ``role`` is the color of its lamp."""
        self._mode = text, role
        color = getattr(ui.Theme.now.colors, role)
        self.mode.setText(f'<span style="color:{color}">●</span>&nbsp; {text}')

    def show_frame(self, result: FrameResult) -> None:
        self._shown = result  # a result whose rewards may include skipped frames
        outcome, newest, colors = result.outcome, result.newest_rewards, ui.Theme.now.colors
        paid = sum(newest)
        rewards = " / ".join(ui.signed(reward) for reward in newest)
        totals = " / ".join(ui.plain_number(total) for total in outcome.total_rewards)
        done = self.tr("yes") if outcome.done else self.tr("no")
        color = colors.good if paid > 0 else colors.bad if paid < 0 else colors.text
        for label, name, value, ink in (
            (self.reward, self.tr("reward"), rewards, color),
            (self.cumulative, self.tr("cumulative"), totals, colors.text),
            (self.done, self.tr("done"), done, colors.bad if outcome.done else colors.text),
        ):
            label.setText(f'{name} <b style="color:{ink}">{value}</b>')
        text = self.tr("frame <b>{0}</b> · timestep <b>{1}</b>")
        self.frame.setText(text.format(result.number, outcome.frame // 4))
        for label in self._numbers:
            label.show()

    def _repaint(self) -> None:
        self.show_mode(*self._mode)
        if self._shown is not None:
            self.show_frame(self._shown)

    def show_documents(self, documents: Documents) -> None:
        game, window = self._context.controller.game, self._context.window
        if game is not None:
            state = state_label(documents.default_state)
            self._context.screen.subtitle.setText(f"{state} · {game.core}")
            window.setWindowTitle(self.tr("{0}[*] — Integrator").format(game.name))
            window.setWindowModified(documents.modified)

    def show_run_state(self, paused: bool, speed: float) -> None:
        transport = self._context.screen.transport
        transport.show_running(running=not paused)
        transport.show_speed(speed)
        self._show_state()

    def _show_state(self) -> None:
        if self._context.controller.game is None:
            self.show_nothing()
        elif self._movie:
            self.show_mode(self.tr("playing {0}").format(self._movie), "link")
        elif self._context.controller.paused:
            self.show_mode(self.tr("paused"), "faint")
        else:
            self.show_mode(self.tr("live"), "good")

    def _show_movie(self, name: str) -> None:
        self._movie = name
        self._show_state()

    def _show_timeline(self, facts: TimelineFacts) -> None:
        if (game := self._context.controller.game) is None:
            return
        held, size = ui.clock_text(facts.length, game.fps), f"{facts.memory_bytes / 1e6:.1f}"
        text = self.tr("timeline {0} · {1} MB").format(held, size)
        if facts.disk_bytes:
            text += self.tr(" and {0} MB on disk").format(f"{facts.disk_bytes / 1e6:.0f}")
        if not game.info.sees_all_memory:
            sizes = map(ui.size_text, (game.info.ram_bytes, game.info.whole_ram_bytes))
            text += self.tr(" · {0} of {1} of memory").format(*sizes)
        self.message.setText(text)

    def _show_core_memory(self, size: int | None) -> None:
        self.core.setText(self.tr("core process {0} MB").format((size or 0) >> 20))
        self.core.setVisible(bool(size))
