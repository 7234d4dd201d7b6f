"""Labels and buttons that the style sheet knows by their roles."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget


def role_label(
    text: str = "", role: str = "", parent: QWidget | None = None, *, wraps: bool = False
) -> QLabel:
    """A label in one of the style sheet's text roles; ``wraps`` breaks long texts into lines."""
    label = QLabel(text, parent)
    label.setWordWrap(wraps)
    if role:
        label.setProperty("role", role)
    return label


def set_role(widget: QWidget, role: str) -> None:
    """Change a widget's role; the style sheet is applied again only when it differs."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
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
