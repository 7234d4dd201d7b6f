"""The window's benchmark measures a window that plays with every panel open."""

from integrator.commands.shared.options import airstriker
from scripts.bench_window import measure


def test_native_speed_is_measured_beside_the_machine() -> None:
    report = measure("native", airstriker(), 1.0)
    assert report["painted"] > 0
    assert 0.0 < report["ui_thread_busy"] < 1.0
    assert report["docks_in_sight"] >= 6
    assert 0.0 <= report["late_share"] <= 1.0
    assert 0.0 <= report["quiet_late_share"] <= 1.0
    assert 0.0 <= report["quiet_share"] <= 1.0
    # Frames late while the machine was quiet are a part of all late ones; both numbers are rounded.
    assert report["quiet_late_share"] * report["quiet_share"] <= report["late_share"] + 0.001
