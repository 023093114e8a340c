"""How Persian is written, and how its formulas are kept together."""

from __future__ import annotations

import pytest

from kb.content.context import faults


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("يادگيری", "ي"),
        ("شبكه", "ك"),
        ("می شود", "می شود"),
        ("نمی توان", "نمی توان"),
        ("میشود", "میشود"),
        ("شبکه ها", "شبکه ها"),
        ("داده های زیاد", "داده های"),
        ("بزرگ ترین", "بزرگ ترین"),
        ("یکی, دو", "ی,"),
        ("چرا?", "ا?"),
        ("خوب ، بد", "ب ،"),
        ("خوب،بد", "،ب"),
        ('"خوب"', '"خ'),
        ("خوب  بد", "ب  ب"),
        ("آن‌چه", "آن‌چه"),
        ("۸ کارت ٣", "٣"),
        ("پای\u200c تون", "\u200c"),
        ("درست می‌باشد", "می‌باشد"),
    ],
)
def test_a_fault_of_writing_is_found(written: str, found: str) -> None:
    assert any(found in fault.found for fault in faults(written))


@pytest.mark.parametrize(
    "text",
    [
        "شبکه‌های عصبی می‌توانند یاد بگیرند؛ این‌ها نمونه‌اند: یکی، دو.",
        "میدان، میان، میزان و میل واژه‌اند، نه فعل.",
        "کد ```a ,b``` و `می شود` پارسی نیست.",
        "«تنها» و «بها» به «ها» تمام می‌شوند، و تر یعنی خیس.",
        "در پایتون (Python) آنچه اینجا هست x, y است.",
        "۳ عدد: 1,600 و O(T·W).",
    ],
)
def test_what_is_written_well_is_left_alone(text: str) -> None:
    assert list(faults(text)) == []
