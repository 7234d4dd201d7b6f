"""Texts that users type into cells and fields."""

import pytest

from integrator.ui.widgets.fields import FieldError, parse_name


def test_a_word_of_lua_is_no_name_of_a_variable() -> None:
    with pytest.raises(FieldError, match=r"no script could say data\.end"):
        parse_name(" end ", ())
    assert parse_name(" ended ", ()) == "ended"
