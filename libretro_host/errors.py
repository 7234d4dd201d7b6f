"""The errors that the host raises. Each message names the core or file, and a fix."""

LONGEST_MESSAGE = 600  # characters; messages quote names out of files, which may be megabytes long


def one_line(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """Return ``text`` on one line, control characters escaped; cut the middle of a long text."""
    if len(text) > longest:
        text = f"{text[: longest * 2 // 3]} [...] {text[-(longest // 3) :]}"
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


class IntegratorError(Exception):
    """Base of all errors that host and application raise on purpose; the message is one line."""

    def __init__(self, message: str = "") -> None:
        super().__init__(self._bounded(message))

    def _bounded(self, message: str) -> str:
        return one_line(message)


class HostError(IntegratorError):
    """Base of all errors of :mod:`libretro_host`."""


class CoreNotFoundError(HostError):
    """There is no core for the system, or no file at the given path."""


class CoreLoadError(HostError):
    """The file is there but is not a loadable libretro core."""


class ContentError(HostError):
    """The core refused the content, or the content cannot be read."""


class UnsupportedCoreError(HostError):
    """The core needs something this host does not have, such as Vulkan or an OpenGL driver."""


class StateError(HostError):
    """A state could not be saved, or was refused by the core."""


class CoreThrewError(HostError):
    """A C++ exception left the core in an unknown condition: restore a state, or load again."""


class CoreAnnouncementError(HostError):
    """The core announced or handed over an impossible value, such as a picture of no known size."""


class MemoryAccessError(HostError):
    """An address lies outside the core's writable memory regions."""


class HostClosedError(HostError):
    """The host was used before ``load`` or after ``close``."""


class CoreCrashed(HostError):  # noqa: N818 - scripts rely on this name
    """The process that ran the core ended unexpectedly. ``fact`` is the message without ``cure``.
    ``signal_name`` is for instance ``"SIGSEGV"``, or None when the process exited by itself;
    ``log`` holds the core's last log lines, oldest first."""

    def __init__(
        self,
        fact: str,
        *,
        signal_name: str | None,
        log: tuple[str, ...],
        cure: str = "load it again to go on",
    ) -> None:
        super().__init__(f"{fact}; {cure}")
        self.fact, self.signal_name, self.log = fact, signal_name, log


class CoreHung(HostError):  # noqa: N818 - scripts rely on this name
    """The core did not answer before its deadline; ``fact`` is the message without ``cure``."""

    def __init__(
        self,
        fact: str,
        *,
        deadline_ms: int,
        log: tuple[str, ...],
        cure: str = "load it again, or allow more time",
    ) -> None:
        super().__init__(f"{fact}; {cure}")
        self.fact, self.deadline_ms, self.log = fact, deadline_ms, log


class DescriptorError(HostError):
    """A system descriptor file is malformed."""


class AmbiguousContentError(DescriptorError):
    """A content file may belong to several systems, and its bytes do not show which."""
