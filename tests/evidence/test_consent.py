"""What consent must hold: a yes is to code that was shown, by its digest, and to nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kb import Library
from kb.errors import BadData, Conflict, NotFound, Untrusted, UsageError
from kb.evidence.trust import is_synced, remember_synced
from kb.present.programs import numbered_rows, shown_code
from kb.service.programs import Run, consent
from kb.service.verify import Verify
from kb.settings import settings_path
from kb.terminal.layout import text_width
from kb.text.program import lines_of
from tests.behind import raw
from tests.databases import new_library

FOREIGN = "print('foreign: 1')\n"
BUNDLED, PROGRAM = "matrix-chain-three", "matrix_chain_order"


def entry(id: str = "web", program: str = "web_program", code: str = FOREIGN, **more: Any) -> Any:
    snippet = {"id": program, "title": {}, "code": code, "main": True, **more.pop("snippet", {})}
    return {
        "id": id, "kind": "question", "collection": "web", "question": {"fa": "چیست؟"},
        "answers": [{"role": "source", "lang": "en", "text": "It is 1."}], "snippets": [snippet],
    } | more  # fmt: skip


def annotation(id: str, snippet: str, **more: Any) -> Any:
    target = {"role": "source", "lang": "en", "quote": "It is 1", "start": 0, "end": 7, "file": "f"}
    proof = {"snippet": snippet, "figure": "foreign", "claimed": 2, "expected": 1}
    return {
        "id": id, "target": target, "verdict": "wrong", "severity": "high", "note": {"en": "No."},
        "evidence": [proof],
    } | more  # fmt: skip


def take_in(library: Library, folder: Path, *entries: Any, **options: Any) -> Any:
    file = folder / "web.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in entries))
    return library.import_file(file, **options)


def test_a_yes_is_to_the_code_that_was_shown(empty: Library, tmp_path: Path) -> None:
    take_in(empty, tmp_path, entry())
    (asked,) = empty.programs.of_run("web")
    assert (asked.asks, asked.code, asked.whose) == (True, FOREIGN, "file")
    assert asked.file == str((tmp_path / "web.jsonl").resolve())
    assert empty.run("web", yes=[asked.digest]).figures == {"foreign": 1}
    with pytest.raises(Untrusted):
        empty.run("web")
    raw(empty).execute("UPDATE snippet SET code = 'print(2)'")
    with pytest.raises(Untrusted, match="changed after it was shown"):
        empty.run("web", yes=[asked.digest])


def test_what_is_always_allowed_asks_again_once_it_changed(empty: Library, tmp_path: Path) -> None:
    take_in(empty, tmp_path, entry())
    empty.programs.allow(each.digest for each in empty.programs.of_run("web"))
    assert empty.run("web").status == "ok"
    assert empty.programs.of_run("web")[0].whose == "allowed"
    take_in(empty, tmp_path, entry(code="print('other: 1')\n"))
    assert empty.programs.of_run("web")[0].asks


def test_what_is_made_of_foreign_code_asks_and_what_one_writes_does_not(
    empty: Library, tmp_path: Path
) -> None:
    take_in(empty, tmp_path, entry())
    for code in (FOREIGN, f"{FOREIGN}#"):
        with pytest.raises(Untrusted):
            empty.run_code(code, based_on=FOREIGN)
        saved = empty.own.save_snippet("web", code, based_on=FOREIGN)
        assert saved.own
        for name in (saved.id, "web"):
            with pytest.raises(Untrusted):
                empty.run(name)
        empty.own.save_snippet("web", code, name=saved.id, main=True)
        with pytest.raises(Untrusted):
            empty.run(saved.id)
    assert empty.programs.of_run(saved.id)[0].whose == "changed"
    mine = empty.own.save_snippet("web", "print('mine: 1')\n")
    changed = empty.own.save_snippet("web", "print('mine: 2')\n", based_on=mine.code)
    assert empty.run(changed.id).figures == {"mine": 2}
    assert empty.programs.of_run(changed.id)[0].whose == "yours"


def test_typed_code_that_is_stored_as_foreign_is_foreign(empty: Library, tmp_path: Path) -> None:
    take_in(empty, tmp_path, entry())
    with pytest.raises(Untrusted):
        empty.run_code(f"{FOREIGN}\n")
    saved = empty.own.save_snippet("web", FOREIGN, name="mine")
    with pytest.raises(Untrusted):
        empty.run(saved.id)


def test_typed_code_tells_whose_it_is_and_asks_where_it_is_based_on_others(
    bundled: Library, tmp_path: Path
) -> None:
    take_in(bundled, tmp_path, entry())
    ours = bundled.snippet(PROGRAM).code
    for code, based_on, whose, asks in (
        ("print('mine: 1')\n", None, "elsewhere", False),
        (f"{ours}#\n", ours, "elsewhere", False),
        (ours, FOREIGN, "bundled", False),
        (FOREIGN, None, "elsewhere", True),
        (FOREIGN, FOREIGN, "elsewhere", True),
        (f"{FOREIGN}#\n", FOREIGN, "changed", True),
        (f"{FOREIGN}# \u202e\n", FOREIGN, "changed", False),
    ):
        (told,) = bundled.programs.of_code(code, name="typed", based_on=based_on)
        assert (told.name, told.whose, told.asks) == ("typed", whose, asks), code


def test_a_place_to_sync_with_is_known_once_it_was_named_and_by_its_digest_alone() -> None:
    place, other = "/media/stick/base.json", "/media/stick/other.json"
    assert not is_synced(place)
    for _ in range(2):
        remember_synced(place)
    assert is_synced(place) and not is_synced(other)
    remember_synced(other)
    assert is_synced(place) and is_synced(other)
    kept = settings_path().with_name("synced").read_text(encoding="utf-8")
    assert len(kept.split()) == 2 and "stick" not in kept


def test_a_name_that_is_anothers_in_full_is_ambiguous_whatever_else_it_means(
    empty: Library, tmp_path: Path
) -> None:
    take_in(
        empty,
        tmp_path,
        entry("web::p", "x", "print('one: 1')\n"),
        entry("web", "p", "print('two: 2')\n"),
        entry("other", "web::p", "print('three: 3')\n"),
    )
    with pytest.raises(Conflict) as caught:
        empty.run("web::p", trust=True)
    for name in ("web::p::x", "web::p", "other::web::p"):
        assert name in caught.value.hint
    assert empty.run("web::p::x", trust=True).figures == {"one": 1}
    assert empty.run("other::web::p", trust=True).figures == {"three": 3}


def test_a_name_that_means_one_program_twice_is_not_ambiguous(
    empty: Library, tmp_path: Path
) -> None:
    named = entry(annotations=[annotation("web_program", "web_program")])
    take_in(empty, tmp_path, named)
    assert empty.run("web_program", trust=True).figures == {"foreign": 1}


def test_trust_reaches_no_program_of_another_entry(empty: Library, tmp_path: Path) -> None:
    victim = entry("victim", "fine", annotations=[annotation("a", "web_program")])
    take_in(empty, tmp_path, victim, entry(code="print('foreign: 1') # another\n"))
    (asked,) = empty.programs.of_verify(["victim"], accept=True)
    assert (asked.name, asked.named, asked.entries) == ("web_program", False, ("web",))
    (result,) = empty.verify(["victim"], accept=True, trust=True)
    assert result.status == "cannot-run"
    assert "web_program is untrusted: read 'kb show --code web'" in result.reason
    (result,) = empty.verify(["victim", "web"], trust=True)
    assert result.status == "confirmed"


def test_of_several_programs_that_may_not_run_each_is_named(empty: Library, tmp_path: Path) -> None:
    for number in range(3):
        id, code = f"web-{number}", f"print('foreign: {number}')\n"
        take_in(
            empty,
            tmp_path,
            entry(
                id,
                f"program_{number}",
                code,
                annotations=[annotation(f"a-{number}", f"program_{number}")],
            ),
        )
    names = [f"web-{number}" for number in range(3)]
    reasons = [each.reason for each in empty.verify(names, accept=True)]
    said = "program_{} is untrusted: read its code, then use --trust"
    assert list(map(str, reasons)) == [said.format(number) for number in range(3)]


def test_an_entrys_id_goes_before_a_programs_name(bundled: Library, tmp_path: Path) -> None:
    ours = bundled.snippet(BUNDLED)
    take_in(bundled, tmp_path, entry(program=BUNDLED))
    assert bundled.snippet(BUNDLED).code == ours.code
    assert bundled.snippet(f"web::{BUNDLED}").code == FOREIGN
    with pytest.raises(NotFound, match="has no program 'x'"):
        bundled.snippet("web::x")


@pytest.mark.parametrize("id", [PROGRAM, f"{BUNDLED}::{PROGRAM}"])
def test_no_entry_takes_over_a_program_that_came_with_danesh(
    bundled: Library, tmp_path: Path, id: str
) -> None:
    take_in(bundled, tmp_path, entry(id))
    with pytest.raises(Conflict, match="several programs") as caught:
        bundled.run(id, trust=True)
    assert f"{id}::web_program" in caught.value.hint


def test_a_program_of_an_import_that_was_taken_back_is_not_there(
    empty: Library, tmp_path: Path
) -> None:
    take_in(empty, tmp_path, entry())
    empty.changes.undo()
    with pytest.raises(NotFound):
        empty.run("web_program", trust=True)


@pytest.mark.parametrize(
    "sign",
    ["\r", "\x0c", "\x0b", "\x85", "\u2028", "\u202e", "\u200b", "\ufe01", "\u200c", "\u2800"],
)
def test_code_that_hides_something_is_kept_as_text_and_never_runs(
    empty: Library, tmp_path: Path, sign: str
) -> None:
    code = f"# one\n# all fine here{sign}import os\n"
    report = take_in(empty, tmp_path, entry(code=code), entry("good", "good"))
    (told,) = report.unfit
    assert (report.added, report.bad, told.line, told.text) == (2, (), 1, "web_program")
    assert told.reason.startswith("line 2 of its code has ")
    assert empty.show("web").snippets[0].code == empty.snippet("web").code == code
    (asked,) = empty.programs.of_run("web")
    assert (asked.asks, bool(asked.unfit)) == (False, True)
    for options in ({"trust": True}, {"yes": [asked.digest]}):
        with pytest.raises(Untrusted, match="line 2 of its code has"):
            empty.run("web", **options)
    with pytest.raises(UsageError, match="line 2 of the code"):
        empty.own.save_snippet("good", code)
    with pytest.raises(Untrusted):
        empty.run_code(code)


@pytest.mark.long
@pytest.mark.parametrize("sign", ["\ufe01\ufe02", "\u00a0"])
@pytest.mark.parametrize("form", ["json", "jsonl", "md", "ipynb", "vault"])
def test_an_export_has_code_that_hides_something_and_its_import_says_so(
    empty: Library, tmp_path: Path, form: str, sign: str
) -> None:
    code = f"# all fine here{sign}print('hidden: 1')\n"
    take_in(empty, tmp_path, entry(code=code))
    out = tmp_path / ("vault" if form == "vault" else f"out.{form}")
    empty.export(form, out)
    with new_library(tmp_path / "other.db") as other:
        report = other.import_file(out)
        (taken,) = report.entries
        assert [each.text for each in report.unfit] == [other.snippet(taken.id).id]
        assert other.snippet(taken.id).code == code
        with pytest.raises(Untrusted, match="line 1 of its code has"):
            other.run(taken.id, trust=True)


@pytest.mark.parametrize("line", ["# fine\rprint(1)", "x\u00a0= 1", 'NAME = "Ada\ufe01"'])
def test_a_course_with_code_that_hides_something_is_imported_and_told(
    empty: Library, tmp_path: Path, line: str
) -> None:
    course = tmp_path / "course"
    (course / "one").mkdir(parents=True)
    (course / "snippets").mkdir()
    (course / "one" / "collection.toml").write_text('order = 1\ntitle.en = "One"\n')
    (course / "one" / "01-lesson.toml").write_text(
        'id = "lesson"\nkind = "card"\ntopic = "t"\nsnippets = ["fine"]\n'
        '[question.en]\ntext = "What?"\n'
    )
    (course / "snippets" / "fine.py").write_bytes(f'"""Fine."""\n{line}\n'.encode())
    report = empty.import_file(course)
    assert [each.text for each in report.unfit] == ["fine"]
    with pytest.raises(Untrusted, match="line 2 of its code has"):
        empty.run("lesson", trust=True)


def test_a_program_whose_name_hides_something_is_refused(empty: Library, tmp_path: Path) -> None:
    take_in(empty, tmp_path, entry())
    for name in ("a\nb", "a\u200cb"):
        with pytest.raises(BadData, match=r"web\.jsonl:1: the name of a program has a"):
            take_in(empty, tmp_path, entry(program=name))
        with pytest.raises(UsageError):
            empty.own.save_snippet("web", FOREIGN, name=name)
    assert take_in(empty, tmp_path, entry(program="نامه‌ها")).updated == 1


def test_of_a_file_only_what_hides_something_in_a_name_is_set_aside(
    empty: Library, tmp_path: Path
) -> None:
    others = [entry(id, f"{id}_program") for id in ("one", "two", "three")]
    others.insert(1, entry("bad", "plain\u202e"))
    others.insert(3, entry("worse", "plain\u200b"))
    report = take_in(empty, tmp_path, *others, skip_bad=True)
    assert ([each.line for each in report.bad], report.added) == ([2, 4], 3)
    assert {hit.id for hit in empty.list().hits} == {"one", "two", "three"}


def test_no_row_of_a_question_has_anything_of_a_program_where_numbers_stand() -> None:
    blanks = " " * 3000
    lines = [
        f"y = 2  #{blanks}3  if x > y:",
        "z" * 5000,
        "机" * 300,
        "\U0001fae8" * 300,
        "a\u0301" * 300,
        f"# سلام {'دنیا ' * 90}",
        "\t" * 90 + "3  x",
        " " * 30 + "x",
        "# " + "می‌شود " * 40,
        "",
        "'",
    ]
    code = "\n".join(lines)
    for width in (20, 21, 40, 80):
        rows = list(numbered_rows(code, width))
        numbers = [row[:4] for row in rows]
        assert set(numbers) == {*(f"{n:>2}  " for n in range(1, len(lines) + 1)), "  ↳ "}
        assert [n for n in numbers if n != "  ↳ "] == [f"{n:>2}  " for n in range(1, 12)]
        assert all(text_width(row) <= width for row in rows)
        shown = "".join(row[4:] for row in rows)
        assert "⟨␣ × 3000⟩3  if x > y:" in shown and "می⟨\\u200c⟩شود" in shown
        assert shown.count("机") == 300 and shown.count("z") == 5000


def test_a_row_has_room_for_what_some_terminals_draw_wider() -> None:
    for sign in ("\U0001fae8", "\U0001f1ee", "±", "机"):
        assert all(len(row[3:]) <= 8 for row in numbered_rows(sign * 50, 20))


def test_line_ends_of_windows_are_made_newlines(empty: Library, tmp_path: Path) -> None:
    take_in(empty, tmp_path, entry(code="\ufeffa = 1\r\nprint(a)\r\n"))
    assert empty.snippet("web").code == "a = 1\nprint(a)\n"


def test_what_is_stored_and_hides_code_is_shown_in_pythons_lines_and_never_run(
    empty: Library, tmp_path: Path
) -> None:
    take_in(empty, tmp_path, entry())
    code = "# all fine here\rprint('hidden')\x0c\n"
    raw(empty).execute("UPDATE snippet SET code = ?", (code,))
    assert shown_code(code) == "# all fine here␍\nprint('hidden')␌"
    assert len(list(numbered_rows(code, 80))) == len(lines_of(code.rstrip())) == 2
    (told,) = empty.programs.of_run("web")
    assert (told.asks, "carriage return" in told.unfit) == (False, True)
    for options in ({"trust": True}, {"yes": [told.digest]}):
        with pytest.raises(Untrusted, match="line 1 of its code has a carriage return"):
            empty.run("web", **options)


def test_no_file_says_what_is_ones_own(empty: Library, tmp_path: Path) -> None:
    note = annotation("own-1", "web_program", own=True, verdict="note")
    claims = entry(snippet={"own": True}, annotations=[note])
    report = take_in(empty, tmp_path, claims)
    assert {each.text for each in report.disbelieved} == {"web_program", "own-1"}
    found = empty.show("web")
    assert not found.snippets[0].own and not found.annotations[0].own
    assert found.annotations[0].verdict == "note"
    assert take_in(empty, tmp_path, claims).unchanged == 1
    empty.changes.undo()
    empty.changes.redo()
    assert empty.show("web") == found
    take_in(empty, tmp_path, claims, mine=True)
    found = empty.show("web")
    assert found.snippets[0].own and found.annotations[0].own
    with pytest.raises(Untrusted):
        empty.run("web")


@pytest.mark.parametrize("own", ["program", "note"])
def test_no_file_says_what_is_ones_own_beside_what_is_not(
    empty: Library, tmp_path: Path, own: str
) -> None:
    note = annotation("note", "program", own=own == "note")
    mixed = entry(program="program", snippet={"own": own == "program"}, annotations=[note])
    report = take_in(empty, tmp_path, mixed)
    assert [each.text for each in report.disbelieved] == [own]
    found = empty.show("web")
    assert not found.snippets[0].own and not found.annotations[0].own


@pytest.mark.parametrize("mine", [True, False])
def test_what_a_reader_vouched_for_is_theirs_in_another_knowledge_base_and_no_more(
    empty: Library, bundled: Library, tmp_path: Path, mine: bool
) -> None:
    def claims(id: str, note: str, code: str = FOREIGN) -> Any:
        made = annotation(note, f"{id}_program", own=True, verdict="note")
        return entry(id, f"{id}_program", code, snippet={"own": True}, annotations=[made])

    take_in(empty, tmp_path, claims("web", "own-1"), mine=mine)
    other = claims("other", "own-2", "print('other: 1')\n")
    report = take_in(bundled, tmp_path, claims("web", "own-1"), other)
    told = {"other_program", "own-2"} | (set() if mine else {"web_program", "own-1"})
    assert {each.text for each in report.disbelieved} == told
    for id, own in (("web", mine), ("other", False)):
        found = bundled.show(id)
        assert (found.snippets[0].own, found.annotations[0].own) == (own, own)


def test_no_file_says_what_was_measured(bundled: Library, tmp_path: Path) -> None:
    claim = annotation("a", "web_program", status="confirmed")
    report = take_in(bundled, tmp_path, entry(annotations=[claim]))
    assert [each.text for each in report.disbelieved] == ["a"]
    bundled.verify(["web"], accept=True)
    assert bundled.show("web").annotations[0].status == "cannot-run"


def test_of_what_a_file_says_was_measured_only_that_with_evidence_is_told(
    empty: Library, tmp_path: Path
) -> None:
    claims = [
        annotation("a", "web_program", status="refuted"),
        annotation("b", "web_program"),
        annotation("c", "web_program", status="confirmed") | {"evidence": []},
    ]
    report = take_in(empty, tmp_path, entry(annotations=claims))
    (told,) = report.disbelieved
    assert told.text == "a" and told.reason.startswith("its status was skipped")
    statuses = [each.status for each in empty.show("web").annotations]
    assert statuses == ["stale", "stale", "no-evidence"]


def test_what_came_with_danesh_stays_confirmed_in_another_knowledge_base(
    bundled: Library, empty: Library, tmp_path: Path
) -> None:
    bundled.verify([BUNDLED])
    bundled.export("json", tmp_path / "all.json", ids=[BUNDLED])
    assert not empty.import_file(tmp_path / "all.json").disbelieved
    assert empty.show(BUNDLED) == bundled.show(BUNDLED)


@pytest.mark.parametrize("program", ["mixed_precision_training", "half_precision"])
def test_what_two_programs_confirmed_is_believed_only_if_both_are_as_they_came(
    bundled: Library, empty: Library, tmp_path: Path, program: str
) -> None:
    rests_on_both = "precision-loss-scaling-missing"
    bundled.export("json", tmp_path / "all.json", ids=["reduced-precision"])
    book = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    (given,) = book["entries"]
    (note,) = [each for each in given["annotations"] if each["id"] == rests_on_both]
    (changed,) = [each for each in given["snippets"] if each["id"] == program]
    note["status"] = "confirmed"
    changed["code"] += "# another one\n"
    (tmp_path / "all.json").write_text(json.dumps(book), encoding="utf-8")
    report = empty.import_file(tmp_path / "all.json")
    assert [each.text for each in report.disbelieved] == [rests_on_both]


@pytest.mark.parametrize(
    ("status", "believed"), [("confirmed", True), ("refuted", False), ("cannot-run", False)]
)
def test_of_what_came_with_danesh_a_file_may_say_only_that_it_was_confirmed(
    bundled: Library, empty: Library, tmp_path: Path, status: str, believed: bool
) -> None:
    bundled.export("json", tmp_path / "all.json", ids=[BUNDLED])
    book = json.loads((tmp_path / "all.json").read_text())
    notes = [each for each in book["entries"][0]["annotations"] if each.get("evidence")]
    for each in notes:
        each["status"] = status
    (tmp_path / "all.json").write_text(json.dumps(book))
    report = empty.import_file(tmp_path / "all.json")
    assert notes and bool(report.disbelieved) != believed
    shown = {each.id: each.status for each in empty.show(BUNDLED).annotations}
    assert {shown[each["id"]] for each in notes} == {status if believed else "unverified"}


def test_a_program_of_ones_own_that_comes_again_is_told_only_where_it_differs(
    empty: Library, tmp_path: Path
) -> None:
    mine = "print('mine: 1')\n"
    take_in(empty, tmp_path, entry())
    empty.own.save_snippet("web", mine, name="mine")
    own = {"own": True}
    for id, code, told in (("web", mine, []), ("web", FOREIGN, ["mine"]), ("new", mine, ["mine"])):
        report = take_in(empty, tmp_path, entry(id, "mine", code, snippet=own), dry_run=True)
        assert [each.text for each in report.disbelieved] == told
        assert all("web, stays" in each.reason for each in report.disbelieved)


def test_no_import_writes_over_a_program_of_ones_own(empty: Library, tmp_path: Path) -> None:
    take_in(empty, tmp_path, entry())
    mine = empty.own.save_snippet("web", "print('mine: 1')\n", name="mine")
    other = entry("other", "mine", snippet={"own": True})
    report = take_in(empty, tmp_path, entry(), other)
    assert [each.text for each in report.disbelieved] == ["mine"]
    assert empty.snippet("mine").code == mine.code


def test_no_code_of_others_runs_without_a_sandbox_unless_that_is_said() -> None:
    assert not consent().unsafe
    assert consent(unsafe=True).unsafe


def test_evidence_of_others_is_not_run_without_a_sandbox_either(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(empty, tmp_path, entry(annotations=[annotation("a", "web_program")]))
    bare = SimpleNamespace(level="limits-only", missing=("Landlock: none",))
    monkeypatch.setattr("kb.evidence.runner.sandbox_level", lambda: bare)
    for verify in (empty.verify, Verify(empty._base).verify):
        (result,) = verify(["web"], accept=True, trust=True)
        assert result.status == "cannot-run"
        assert "no sandbox works here" in result.reason and "--unsafe-run" in result.reason
    (asked,) = empty.programs.of_run("web")
    for service in (empty, Run(empty._base)):
        for started in (
            lambda service=service: service.run("web", trust=True),
            lambda service=service: service.run_code(FOREIGN, yes=[asked.digest]),
        ):
            with pytest.raises(Untrusted, match="no sandbox works here"):
                started()


def test_nothing_is_reviewed_or_trusted_unasked(empty: Library, tmp_path: Path) -> None:
    take_in(empty, tmp_path, entry(annotations=[annotation("a", "web_program")]))
    verifying = (empty.verify, Verify(empty._base).verify)
    for accept, status in (({}, "stale"), ({"accept": True}, "cannot-run"), ({}, "cannot-run")):
        for verify in verifying:
            assert [each.status for each in verify(["web"], **accept)] == [status]
