"""Numbers, sizes and times as the window writes them."""

from fractions import Fraction


def signed(value: float) -> str:
    """A reward as text: ``+20``, ``-0.01``, ``0``; trailing zeros dropped."""
    text = f"{value:+.4f}".rstrip("0").rstrip(".")
    return "0" if float(text or 0) == 0 else text


def plain_number(value: float) -> str:
    """A sum as text: ``80``, ``146.4``."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def size_text(size: int) -> str:
    """A number of bytes as text: ``128 B``, ``64 KiB``, ``1.25 MiB``."""
    if size < 1024:
        return f"{size} B"
    return f"{size / 1024:.4g} KiB" if size < 1 << 20 else f"{size / (1 << 20):.3g} MiB"


def clock_text(frames: int, fps: float) -> str:
    """Playing time of ``frames`` as ``mm:ss.t``."""
    seconds = frames / fps if fps else 0.0
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes):02d}:{int(rest):02d}.{int(rest * 10) % 10}"


def bits_text(mask: int) -> str:
    """Neighbouring bits by their numbers, the lowest being 0."""
    low, high = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
    return f"bit {low}" if low == high else f"bits {low}-{high}"


def exact_number(value: Fraction) -> str:
    """A shown number: ``1200``, ``12.5``, ``0.333333``."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
