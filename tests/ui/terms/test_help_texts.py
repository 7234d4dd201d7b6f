"""Tooltips explain types, ops and measurements."""

from integrator.domain.scenario.tree import OPS, Measurement
from integrator.domain.values.memory import DataType
from integrator.ui.terms import (
    measurement_tip,
    op_tip,
    type_tip,
)


def test_tips_teach() -> None:
    assert "BCD" in type_tip(DataType.parse(">d3"))
    assert "0 to 999,999" in type_tip(DataType.parse(">d3"))
    assert all(op_tip(name) for name in OPS)
    assert all(measurement_tip(each.value) for each in Measurement)
    assert op_tip("nonsense") == ""
