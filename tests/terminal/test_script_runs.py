"""A terminal that turns each run of Arabic script gets the runs the other way round."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from kb.terminal.bidi.shaping import runs_turned
from kb.terminal.layout import lay_out

SHAPED = re.compile(r"[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefc]+")
TEXTS = st.lists(
    st.sampled_from(["متن", "RNN", "100×5", "(AB)C = 12", "۴۰٬۳۲۰", "۱۲٪", "می‌شود", "و", "a", "."]),
    max_size=8,
).map(" ".join)


def drawn(sent: str) -> str:
    """Return what kitty draws: each run of the script from the right."""
    return SHAPED.sub(lambda found: found[0][::-1], sent)


@given(TEXTS)
def test_what_is_drawn_is_the_line_as_it_is_laid_out(text: str) -> None:
    for line in lay_out(text, 40):
        assert drawn(runs_turned(line.text)) == line.text


@given(TEXTS)
def test_styles_stay_at_their_cells(text: str) -> None:
    for line in lay_out(text, 40):
        styled = "".join(f"\x1b[{30 + place % 8}m{char}" for place, char in enumerate(line.text))
        turned = runs_turned(styled)
        assert re.findall(r"\x1b\[[0-9]+m", turned) == re.findall(r"\x1b\[[0-9]+m", styled)
        assert re.sub(r"\x1b\[[0-9]+m", "", turned) == runs_turned(line.text)


def test_marks_go_with_the_run_whole_and_a_run_ends_at_what_moves_the_cursor() -> None:
    assert runs_turned("ﺑ\u064eﺎ") == "ﺎﺑ"
    assert runs_turned("ﺑﺎ\x1b[3;4Hﺑﺎ") == "ﺎﺑ\x1b[3;4Hﺎﺑ"
    assert runs_turned("plain \x1b[1mtext") == "plain \x1b[1mtext"
