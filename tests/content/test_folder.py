"""A teacher's own folder: the same form, the same checks, imported or only examined."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from pathlib import Path

import pytest

from kb import Library
from kb.content.bundled import bundled_folder
from kb.content.context import Mistakes
from kb.content.folder import read_content
from kb.errors import BadData, NotFound, UsageError
from kb.formats import form
from kb.formats.book import Shelf
from kb.model.entry import Entry
from kb.model.entry_json import ENTRY as ENTRY_JSON
from kb.model.entry_json import entry_of, fields_of
from kb.service.diagnose import check_folder
from tests.databases import new_library

COLLECTION = 'order = 1\ntitle.en = "Optimization"\ntitle.fa = "بهینه‌سازی"\n'
ENTRY = """\
id = "momentum"
kind = "question"
level = "M"
topic = "optimization"
tags = ["optimizers"]
snippets = ["heavy_ball"]

[question.en]
text = "What does momentum change?"

[question.fa]
text = "تکانه چه چیزی را عوض می‌کند؟"

[[answer]]
role = "source"
lang = "en"
origin = { file = "handout.txt", start = 0, end = 31 }

[[answer]]
role = "reference"
lang = "fa"
text = "گام v = 0.9·v - g است و از نوسان می‌کاهد."

[[annotation]]
id = "momentum-doubles"
role = "source"
lang = "en"
file = "handout.txt"
start = 0
end = 31
quote = "Momentum doubles the step size."
verdict = "wrong"
severity = "medium"
note.en = "With a constant gradient the step grows to 1/(1 - 0.9) = 10 times."
note.fa = "با گرادیان ثابت، گام تا 1/(1 - 0.9) = 10 برابر بزرگ می‌شود."

[[annotation.evidence]]
snippet = "heavy_ball"
figure = "growth"
claimed = 2
expected = 10
tolerance = 0.001
basis = "measured"
"""
SHORT = " ".join(["Momentum adds up the steps that point one way."] * 5)
LAYERED = f"""\
short.en = "{SHORT}"
short.fa = "تکانه گام‌های هم‌جهت را جمع می‌کند."
example.en = "1 + 0.9 + 0.81 = 2.71 after three steps."
mistakes.en = "To say *doubles*: with 0.9 it is ten times."
further.en = '''
- What does Nesterov change?
- When does it overshoot? See [[momentum]].
'''

[assessment]
judgement = "flawed"
sentence.en = "The step grows ten times and not twice."
sentence.fa = "گام ده برابر می‌شود و نه دو برابر."

"""
PROVEN = """
[[answer.evidence]]
snippet = "heavy_ball"
figure = "growth"
expected = 10
tolerance = 0.001
basis = "measured"

[[annotation]]"""
WITH_LAYERS = ENTRY.replace("\n[question.en]", f"{LAYERED}[question.en]").replace(
    "\n[[annotation]]", PROVEN
)
SNIPPET = '''"""Momentum multiplies a steady step by ten."""

step = 0.0
for _ in range(200):
    step = 0.9 * step + 1
print(f"growth: {step:.6g}")
'''
SOURCES = """\
[[source]]
file = "handout.txt"
title = "A handout"
author = "A teacher"
lang = "en"
origin = "Handed out in class."
rights = "Free to use."
sha256 = "{sha256}"
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    from hashlib import sha256

    folder = tmp_path / "course"
    for name in ("optimization", "sources", "snippets"):
        (folder / name).mkdir(parents=True)
    handout = "Momentum doubles the step size."
    (folder / "optimization" / "collection.toml").write_text(COLLECTION)
    (folder / "optimization" / "01-momentum.toml").write_text(ENTRY)
    (folder / "snippets" / "heavy_ball.py").write_text(SNIPPET)
    (folder / "snippets" / "titles.toml").write_text(
        'heavy_ball.fa = "تکانه گام را ده برابر می‌کند"\n'
    )
    (folder / "sources" / "handout.txt").write_text(handout)
    (folder / "sources" / "sources.toml").write_text(
        SOURCES.format(sha256=sha256(handout.encode()).hexdigest())
    )
    return folder


def test_a_folder_is_imported_with_its_languages_linked(bundled: Library, course: Path) -> None:
    report = bundled.import_file(course)
    assert (report.collection, report.added) == ("optimization", 1)
    entry = bundled.show("momentum")
    assert set(entry.question) == {"en", "fa"}
    assert entry.annotations[0].target.quote == "Momentum doubles the step size."
    assert entry.main_snippet() is not None
    assert bundled.read.collections()["optimization"] == {"en": "Optimization", "fa": "بهینه‌سازی"}
    for query in ("momentum", "تکانه", "نوسان"):
        assert "momentum" in [hit.id for hit in bundled.search(query).hits[:3]]


def layered(course: Path) -> Entry:
    (course / "optimization" / "01-momentum.toml").write_text(WITH_LAYERS)
    (entry,) = read_content(course).entries
    return entry


def test_a_file_has_the_layers_of_its_entry_and_what_its_answers_rest_on(course: Path) -> None:
    entry = layered(course)
    assert entry.short == {"en": SHORT, "fa": "تکانه گام‌های هم‌جهت را جمع می‌کند."}
    assert entry.example["en"].startswith("1 + 0.9") and entry.mistakes["en"].startswith("To say")
    assert entry.further["en"].splitlines()[1].endswith("See [[momentum]].")
    assert entry.assessment is not None and entry.assessment.judgement == "flawed"
    proven = entry.answer("fa", "reference")
    assert proven is not None and [each.figure for each in proven.evidence] == ["growth"]
    assert [each.id for each in entry.claims] == ["momentum-doubles", "momentum#reference.fa"]


def test_layers_are_kept_in_json(course: Path) -> None:
    entry = layered(course)
    assert ENTRY_JSON.read(ENTRY_JSON.write(entry), "entry") == entry
    assert entry_of(fields_of(entry)) == entry.with_claims(
        dataclasses.replace(each, status="unverified") for each in entry.claims
    )
    names = fields_of(entry)
    assert {"short.en", "short.fa", "example.en", "mistakes.en", "further.en"} <= names.keys()
    assert list(Shelf([entry])) == [entry]


def test_layers_and_figures_of_answers_are_stored_found_and_verified(
    empty: Library, course: Path
) -> None:
    entry = layered(course)
    empty.import_file(course)
    stored = empty.show("momentum")
    assert stored.with_claims(
        dataclasses.replace(each, status="unverified") for each in stored.claims
    ) == entry.with_claims(entry.claims)
    for query in ("overshoot", "2.71", "ten times and not twice", "هم‌جهت"):
        assert [hit.id for hit in empty.search(query).hits] == ["momentum"], query
    assert empty.list().hits[0].verdicts == {"wrong": 1}
    assert empty.list().hits[0].evidence == {"unverified": 2}
    assert empty.read.facets()["verdict"] == ["wrong"]
    results = {each.annotation: each for each in empty.verify(["momentum"], trust=True)}
    assert results["momentum#reference.fa"].figures == {"growth": 10}
    answer = empty.show("momentum").answer("fa", "reference")
    assert answer is not None and answer.status == "confirmed"
    assert empty.read.proven() == (2, 2)


def test_an_answer_with_figures_is_stale_once_its_text_or_its_program_changes(
    empty: Library, course: Path
) -> None:
    layered(course)
    empty.import_file(course)
    empty.verify(["momentum"], trust=True)
    draft = empty.edit.draft_of("momentum")
    changed = {**draft.answers, "reference": {"fa": "گام v = 0.9·v - g است."}}
    empty.edit.edit("momentum", dataclasses.replace(draft, answers=changed))
    results = {each.annotation: each.status for each in empty.verify(["momentum"], trust=True)}
    assert results == {"momentum#reference.fa": "stale", "momentum-doubles": "confirmed"}
    empty.changes.undo()
    assert [each.status for each in empty.verify(["momentum"], trust=True)] == ["confirmed"] * 2
    empty.changes.redo()
    accepted = empty.verify(["momentum#reference.fa"], trust=True, accept=True)
    assert [each.status for each in accepted] == ["confirmed"] * 2


def test_layers_are_written_in_the_form_and_their_changes_met_and_undone_one_by_one(
    empty: Library, course: Path
) -> None:
    entry = layered(course)
    empty.import_file(course)
    draft = empty.edit.draft_of("momentum")
    assert form.read(form.write(draft)) == draft
    assert draft.applied(entry) == entry
    typed = form.write(draft).replace(SHORT, "It adds up.") + "\n## Example (fa)\n\nسه گام: 2.71\n"
    empty.edit.edit("momentum", form.read(typed))
    changed = empty.show("momentum")
    assert (changed.short["en"], changed.example["fa"]) == ("It adds up.", "سه گام: 2.71")
    fields = [each.field for each in empty.changes.log()[0].fields]
    assert {*fields} == {"short.en", "example.fa"}
    theirs = WITH_LAYERS.replace("2.71 after three", "2.71 in three")
    (course / "optimization" / "01-momentum.toml").write_text(theirs)
    assert empty.import_file(course).conflicts == ()
    merged = empty.show("momentum")
    assert merged.short["en"] == "It adds up." and "in three" in merged.example["en"]


def test_a_file_cannot_say_that_the_figures_of_an_answer_were_measured(
    empty: Library, course: Path, tmp_path: Path
) -> None:
    entry = layered(course)
    claims = (dataclasses.replace(each, status="confirmed") for each in entry.claims)
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(ENTRY_JSON.write(entry.with_claims(claims))))
    report = empty.import_file(file)
    assert {each.status for each in empty.show(report.entries[0].id).claims} == {"unverified"}


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('judgement = "flawed"', 'judgement = "sound"', "judgement: 'momentum-doubles' says"),
        ('judgement = "flawed"', 'judgement = "sound but thin"', "'momentum-doubles' says what"),
        ('judgement = "flawed"', 'judgement = "good"', "judgement: unknown value 'good'"),
        ("sentence.en", "sentance.en", "sentance: no such key"),
        ("[[momentum]]", "[[momentam]]", "further: there is no entry 'momentam'"),
        ("short.fa", "short.de", "short: the question has no text in 'de'"),
    ],
)
def test_a_mistake_in_a_layer_is_named(course: Path, right: str, wrong: str, told: str) -> None:
    file = course / "optimization" / "01-momentum.toml"
    file.write_text(WITH_LAYERS.replace(right, wrong))
    with pytest.raises(BadData, match=re.escape(told)):
        read_content(course)


def test_a_short_answer_and_further_questions_have_their_length(course: Path) -> None:
    file = course / "optimization" / "01-momentum.toml"
    file.write_text(WITH_LAYERS.replace(SHORT, "Ten.").replace("\n- When", " When"))
    mistakes = Mistakes(kept=True)
    read_content(course, mistakes)
    assert mistakes.found == []
    told = [each.message for each in mistakes.advice]
    assert any("words in the short answer: 1, not 40 to 80" in each for each in told)
    assert any("follow-up questions in 'en': 1, not 2 or 3" in each for each in told)


def test_importing_it_again_changes_nothing_and_erases_nothing(
    bundled: Library, course: Path
) -> None:
    before = bundled.list().total
    bundled.import_file(course)
    assert bundled.import_file(course).unchanged == 1
    assert bundled.list().total == before + 1


def test_a_changed_file_renews_its_entry(bundled: Library, course: Path) -> None:
    bundled.import_file(course)
    file = course / "optimization" / "01-momentum.toml"
    file.write_text(ENTRY.replace("What does momentum change?", "What is momentum for?"))
    assert bundled.import_file(course).updated == 1
    assert bundled.show("momentum").question["en"] == "What is momentum for?"


def test_a_folder_may_be_a_collection_itself(course: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "collection.toml").write_text(COLLECTION)
    (plain / "01-one.toml").write_text(
        'id = "one"\nkind = "card"\ntopic = "t"\n[question.fa]\ntext = "یک چیست؟"\n'
    )
    with new_library(tmp_path / "empty.db") as library:
        assert library.import_file(plain).collection == "plain"
        assert library.show("one").question == {"fa": "یک چیست؟"}


def test_its_programs_are_run_only_when_asked_for(bundled: Library, course: Path) -> None:
    bundled.import_file(course)
    (result,) = bundled.verify(["momentum"])
    assert result.status == "cannot-run"
    (result,) = bundled.verify(["momentum"], trust=True)
    assert result.status == "confirmed"
    assert bundled.run("momentum", trust=True).figures["growth"] == 10


def test_a_broken_folder_changes_nothing_and_names_the_mistake(
    bundled: Library, course: Path
) -> None:
    before = bundled.list().total
    file = course / "optimization" / "01-momentum.toml"
    file.write_text(ENTRY.replace('verdict = "wrong"', 'verdict = "wrogn"'))
    with pytest.raises(
        BadData, match=r"01-momentum\.toml:32: verdict: unknown value 'wrogn'"
    ) as caught:
        bundled.import_file(course)
    assert caught.value.hint == "Nearest: wrong."
    assert bundled.list().total == before


def test_an_id_that_is_taken_is_told_and_stays(bundled: Library, course: Path) -> None:
    file = course / "optimization" / "01-momentum.toml"
    file.write_text(ENTRY.replace('"momentum"', '"accurate-mean"'))
    file.rename(file.with_name("01-accurate-mean.toml"))
    before = bundled.show("accurate-mean")
    assert bundled.import_file(course).conflicts == ("accurate-mean",)
    assert bundled.show("accurate-mean") == before


def test_a_folder_has_no_format_and_names_its_collections(bundled: Library, course: Path) -> None:
    with pytest.raises(UsageError, match="folder"):
        bundled.import_file(course, collection="mine")
    with pytest.raises(BadData, match="no file of a known format"):
        bundled.import_file(course / "snippets")


@pytest.mark.long
def test_a_good_folder_is_found_good(course: Path) -> None:
    (summary,) = check_folder(course)
    assert summary.well
    assert "1 entries, 1 annotations" in summary.found


EVERY_MISTAKE = [
    ('level = "M"', 'level = "X"', "level: unknown value 'X'"),
    ('topic = "optimization"', 'topc = "optimization"', "topc: no such key"),
    ('tags = ["optimizers"]', "tags = [1]", "tags: must be a list of texts"),
    ('snippets = ["heavy_ball"]', 'snippets = ["heavy_bal"]', "snippets: no program 'heavy_bal'"),
    ('text = "What does momentum change?"', 'text = ""', "text: is empty"),
    ("[question.fa]", "[question.persian]", "persian: 'persian' is not the code of a language"),
    ("origin = {", "origin = { page = 1,", "page: no such key"),
    ("quote = ", 'quote = "No" # ', "quote: is not at 0 to 31"),
    ('severity = "medium"', 'severity = "middle"', "severity: unknown value 'middle'"),
    ("note.en = ", "note.de = ", "note: is missing in 'en'"),
    ("expected = 10", "expected = nan", "expected: must be a finite number"),
    ("tolerance = 0.001", "tolerance = -1", "tolerance: must not be below zero"),
    ('[[annotation.evidence]]\nsnippet = "heavy_ball"', "[[annotation.evidence]]", "'snippet' is"),
    ('id = "momentum"', 'id = "other"', "id: 'other' is not the name of its file"),
]


@pytest.mark.long
@pytest.mark.parametrize(("right", "wrong", "told"), EVERY_MISTAKE)
def test_a_mistake_has_its_file_line_and_key(
    course: Path, right: str, wrong: str, told: str
) -> None:
    line = ENTRY[: ENTRY.index(right)].count("\n") + 1
    (course / "optimization" / "01-momentum.toml").write_text(ENTRY.replace(right, wrong, 1))
    found = [check.found for check in check_folder(course) if not check.well]
    assert any(f"01-momentum.toml:{line}: " in each and told in each for each in found), found


@pytest.mark.long
def test_all_mistakes_are_told_at_once(course: Path) -> None:
    text = ENTRY.replace('"heavy_ball"]', '"heavy_bal"]').replace('"medium"', '"middle"')
    (course / "optimization" / "01-momentum.toml").write_text(text)
    (course / "optimization" / "02-other.toml").write_text("id = ")
    (course / "snippets" / "broken.py").write_text("def :\n")
    found = [check.found for check in check_folder(course) if not check.well]
    (course / "optimization" / "collection.toml").write_text("order = 1\n")
    assert any(
        "collection.toml:1: the key 'title' is missing" in check.found
        for check in check_folder(course)
    )
    assert len(found) == 5
    for words in ("heavy_bal", "middle", "02-other.toml:1", "broken.py:1: this is not Python"):
        assert any(words in each for each in found), found


@pytest.mark.long
def test_what_is_weak_is_advice_and_no_mistake(course: Path) -> None:
    file = course / "optimization" / "01-momentum.toml"
    weak = ENTRY.replace("می‌کاهد", "می کاهد").replace('figure = "growth"', 'figure = "grwth"')
    file.write_text(weak.replace('level = "M"\n', ""))
    checks = check_folder(course)
    assert all(check.well for check in checks)
    told = "\n".join(f"{check.found} {check.remedy}" for check in checks if check.name == "advice")
    assert "«می کاهد»" in told
    assert "'grwth' is not printed by heavy_ball Nearest: growth." in told
    assert "the question has no level" in told


@pytest.mark.long
def test_opposite_verdicts_on_the_same_words_are_refused(course: Path) -> None:
    start = ENTRY.index("[[annotation]]")
    end = ENTRY.index("[[annotation.evidence]]")
    second = ENTRY[start:end].replace("momentum-doubles", "momentum-short")
    second = second.replace('verdict = "wrong"', 'verdict = "incomplete"')
    (course / "optimization" / "01-momentum.toml").write_text(f"{ENTRY}\n{second}")
    found = [check.found for check in check_folder(course) if not check.well]
    assert any("marks the same words as 'momentum-doubles'" in each for each in found)


@pytest.mark.long
def test_related_entries_must_name_each_other(course: Path) -> None:
    (course / "optimization" / "01-momentum.toml").write_text(
        ENTRY.replace("snippets =", 'related = ["other"]\nsnippets =')
    )
    (course / "optimization" / "02-other.toml").write_text(
        'id = "other"\nkind = "card"\ntopic = "t"\n[question.en]\ntext = "Other?"\n'
    )
    checks = [check for check in check_folder(course) if not check.well]
    assert (
        "01-momentum.toml:6: related: 'other' does not list this entry as related"
        in checks[1].found
    )
    assert "02-other.toml" in checks[1].remedy


def test_there_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        check_folder(tmp_path / "none")


@pytest.mark.long
def test_the_bundled_content_passes_as_a_folder() -> None:
    checks = check_folder(bundled_folder())
    assert [check.found for check in checks if not check.well] == []


@pytest.mark.long
def test_a_copy_of_the_bundled_content_changes_nothing_beside_it(
    bundled: Library, tmp_path: Path
) -> None:
    copy = shutil.copytree(bundled_folder(), tmp_path / "data")
    file = next((copy / "systems-for-ml").glob("06-*.toml"))
    file.write_text(file.read_text().replace('kind = "card"', 'kind = "note"'))
    before = json.dumps([hit.id for hit in bundled.list().hits])
    (changed,) = bundled.import_file(copy).conflicts
    assert bundled.show(changed).kind == "card"
    assert json.dumps([hit.id for hit in bundled.list().hits]) == before


@pytest.mark.parametrize("word", ["hard", "سخت", "H"])
def test_a_level_in_a_course_is_a_word_or_a_letter(course: Path, word: str) -> None:
    file = course / "optimization" / "01-momentum.toml"
    file.write_text(ENTRY.replace('level = "M"', f'level = "{word}"'))
    assert {entry.level for entry in read_content(course).entries} == {"H"}
