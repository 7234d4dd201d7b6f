"""Labels and buttons that the style sheet knows by their roles."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from integrator.ui.widgets.theme import mono_font


def role_label(
    text: str = "", role: str = "", parent: QWidget | None = None, *, wraps: bool = False
) -> QLabel:
    """A label in one of the style sheet's text roles; ``wraps`` breaks long texts into lines."""
    label = QLabel(text, parent, wordWrap=wraps)
    if role:
        label.setProperty("role", role)
    return label


def set_role(widget: QWidget, role: str) -> None:
    """Change a widget's role, which the style sheet knows."""
    set_trait(widget, "role", role)


def set_trait(widget: QWidget, name: str, value: object) -> None:
    """Change a property; the style sheet is applied again only when it differs."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def tool_button(action: QAction, *, role: str = "", size: int = 18) -> QToolButton:
    """A button for an action, named for screen readers, with the shortcut in its tooltip."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(size, size))
    button.setAccessibleName(plain_text(action))
    if role:
        button.setProperty("role", role)
    return button


def push_button(
    text: str,
    clicked: Callable[[], object],
    tip: str = "",
    role: str = "",
    icon: QIcon | None = None,
) -> QPushButton:
    """A push button; one without a text is named by its tip."""
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setProperty("role", role or None)
    if icon is not None:
        button.setIcon(icon)
    if not text:
        button.setAccessibleName(tip)
    button.clicked.connect(lambda _=False: clicked())
    return button


def line_edit(
    name: str,
    hint: str,
    entered: Callable[[], object] | None = None,
    tip: str = "",
    width: int = 0,
) -> QLineEdit:
    """A field with a name for screen readers and a hint; ``entered`` is called at Enter.

    A field with a ``width`` in pixels is for a number or an address.
    """
    field = QLineEdit(placeholderText=hint)
    field.setAccessibleName(name)
    field.setToolTip(tip)
    if width:
        field.setFont(mono_font())
        field.setFixedWidth(width)
    if entered is not None:
        field.returnPressed.connect(lambda: entered())
    return field


def plain_text(action: QAction) -> str:
    """An action's text without mnemonic and ellipsis."""
    return action.text().replace("&", "").rstrip("…")


def action_button(action: QAction, *, role: str = "", icon: QIcon | None = None) -> QPushButton:
    """A push button that triggers an action and is enabled with it."""
    button = QPushButton(action.text().replace("&", ""))
    button.setIcon(icon or action.icon())
    button.setToolTip(action.toolTip())
    button.setAccessibleName(plain_text(action))
    button.setEnabled(action.isEnabled())
    if role:
        button.setProperty("role", role)
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    return button
