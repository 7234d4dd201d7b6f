"""Marks the words of a table for those who translate the window."""


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802, ARG001 - lupdate looks for it
    """Mark a text as one of ``context``, and return it unchanged."""
    return text


def tr(text: str) -> str:
    """Mark a text of one of the window's tables, and return it unchanged."""
    return text


class MarkedTexts:
    """Marks words of a table as ``Name.tr(text)``; the name of the subclass is their context."""

    @staticmethod
    def tr(text: str) -> str:
        return text


class HelpTexts(MarkedTexts):
    """Words of the help on ops, data types and searches."""
