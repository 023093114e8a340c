"""What the bundled content must hold, and how a mistake in it is told."""

from __future__ import annotations

import ast
import dataclasses
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kb import Library
from kb.content.bundled import bundled_folder
from kb.content.context import Mistakes
from kb.content.entries import read_snippets
from kb.content.folder import Content, read_content
from kb.content.glossary import FIELDS
from kb.errors import BadData
from kb.evidence.runner import Limits, read_figures, run_snippet
from kb.model.entry import Entry, Snippet
from kb.model.values import LAYERS
from kb.service.diagnose import check_folder
from tests.content.ledger import COLUMNS, open_points, read_ledger

DATA = bundled_folder()
SNIPPETS = sorted(DATA.glob("snippets/*.py"))
ENTRY = "complexity-and-numerics/01-matrix-chain-three.toml"


@pytest.fixture(scope="module")
def content() -> Content:
    return read_content(DATA)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA, tmp_path / "data"))


def test_there_are_thirteen_questions_nineteen_cards_and_a_note(content: Content) -> None:
    kinds = [entry.kind for entry in content.entries]
    assert [kinds.count(kind) for kind in ("question", "card", "note")] == [13, 19, 1]
    numbers = [entry.number for entry in content.entries if entry.kind == "question"]
    assert numbers == ["1.1", "1.2", *map(str, range(2, 13))]


def test_the_pages_say_how_much_there_is(content: Content) -> None:
    annotations = [each for entry in content.entries for each in entry.annotations]
    proven = [each.evidence for each in annotations if each.evidence]
    answers = [each.evidence for e in content.entries for each in e.answers if each.evidence]
    verdicts = [each.verdict for each in annotations]
    wrong, misleading, incomplete = map(verdicts.count, ("wrong", "misleading", "incomplete"))
    figures, more = sum(map(len, proven)), sum(map(len, answers))
    root = Path(__file__).parents[2]
    for page, sentences in {
        "README.md": (
            f"{len(annotations)} annotations mark what is wrong",
            (
                f"{len(proven)} of them and {len(answers)} of our answers have evidence from "
                f"{len(SNIPPETS)} programs"
            ),
        ),
        "docs/explanation/content.md": (
            (
                f"Of the {len(annotations)} annotations, {wrong} say *wrong*, {misleading} "
                f"*misleading* and {incomplete} *incomplete*"
            ),
            (
                f"{len(proven)} annotations have evidence, with {figures} figures. "
                f"{len(answers)} of our answers have evidence, with {more} figures."
            ),
        ),
        "docs/explanation/evidence.md": (
            (
                f"Of the {len(annotations)} bundled annotations, {len(proven)} have evidence, with "
                f"{figures} figures in all. {len(answers)} of our answers have {more} more."
            ),
        ),
    }.items():
        text = " ".join((root / page).read_text(encoding="utf-8").split())
        assert [each for each in sentences if each not in text] == []


def test_every_question_has_both_languages_a_level_an_answer_and_a_snippet(
    content: Content,
) -> None:
    for entry in content.entries:
        if entry.kind == "question":
            assert set(entry.question) == {"en", "fa"}, entry.id
            assert entry.level in ("E", "M", "H")
            assert entry.answer("en") is not None
            assert entry.main_snippet() is not None


def test_every_text_is_the_span_it_names(content: Content) -> None:
    sources = {source.file: source.text for source in content.sources}
    for entry in content.entries:
        for lang, spans in entry.origins.items():
            first = sources[spans[0].file][spans[0].start : spans[0].end]
            assert entry.restored.get(lang) or entry.question[lang] == first
        for answer in entry.answers:
            if answer.origin is not None:
                span = answer.origin
                assert answer.text == sources[span.file][span.start : span.end]
        for annotation in entry.annotations:
            target = annotation.target
            assert sources[target.file][target.start : target.end] == target.quote


def test_every_question_names_its_place_in_every_source_that_holds_it(content: Content) -> None:
    for entry in content.entries:
        if entry.kind == "question":
            files = {span.file[:3] for span in entry.origins["en"]}
            assert files == {"000", "001", "002"}, entry.id
            assert {span.file[:3] for span in entry.origins["fa"]} == {"003"}


def test_questions_whose_formulas_were_lost_are_restored_and_say_so(content: Content) -> None:
    restored = {entry.number for entry in content.entries if entry.restored.get("en")}
    assert restored == {"1.1", "1.2", "3", "12"}


def test_no_part_of_an_answer_document_is_left_out(content: Content) -> None:
    for name in ("002", "004"):
        source = next(s for s in content.sources if s.file.startswith(name))
        covered = bytearray(len(source.text))
        for entry in content.entries:
            spans = [s for spans in entry.origins.values() for s in spans]
            spans += [a.origin for a in entry.answers if a.origin]
            for span in spans:
                if span.file == source.file:
                    covered[span.start : span.end] = b"\1" * (span.end - span.start)
        left = "".join(c for c, taken in zip(source.text, covered, strict=True) if not taken)
        assert (
            re.sub(r"In \[1\]:|L9 - Systems for ML Flashcards|[\s*]|\d+(\.\d)?\.?", "", left) == ""
        )


def test_every_sentence_of_the_answers_and_cards_is_examined(content: Content) -> None:
    rows = read_ledger(DATA / "ledger.tsv", content.sources)
    files = [s.file for s in content.sources if s.file[:3] in ("002", "004")]
    assert len(files) == 2
    assert list(open_points(rows, content.entries, content.sources, files)) == []


def test_the_control_of_the_ledger_test_misses_a_row_and_an_annotation(content: Content) -> None:
    rows = read_ledger(DATA / "ledger.tsv", content.sources)
    files = [s.file for s in content.sources if s.file[:3] in ("002", "004")]
    annotated = next(row for row in rows if row.judgement)
    without = [row for row in rows if row != annotated]
    called_right = [row._replace(judgement=()) if row == annotated else row for row in rows]
    for wrong in (without, called_right, [*rows, annotated]):
        assert list(open_points(wrong, content.entries, content.sources, files))


def test_what_a_true_sentence_leaves_out_is_said_by_our_answer(
    content: Content, tmp_path: Path
) -> None:
    row = next(row for row in (DATA / "ledger.tsv").read_text().splitlines() if "\tright\t" in row)
    file = tmp_path / "ledger.tsv"

    def judged(why: str) -> list[str]:
        cells = row.split("\t")
        cells[3:5] = ["true, but leaves out", why]
        file.write_text("\n".join(("\t".join(COLUMNS), "\t".join(cells))))
        return list(open_points(read_ledger(file, content.sources), content.entries, (), ()))

    assert not [point for point in judged("“(AB)C”") if "no answer says" in point]
    assert any("no answer says 'nobody'" in point for point in judged("“nobody”"))
    with pytest.raises(BadData, match="say what is left out"):
        judged("nothing is quoted")


@pytest.mark.long
def test_the_folder_needs_no_advice(content: Content) -> None:
    assert [check.found for check in check_folder(DATA) if check.name != "content"] == []


def test_every_answer_is_examined_and_its_errors_of_number_are_proved(content: Content) -> None:
    for entry in content.entries:
        annotations = [a for a in entry.annotations if a.target.role == "source" and not a.repeats]
        if entry.kind == "question":
            assert annotations, entry.id
            assert any(a.evidence for a in annotations), entry.id
        for annotation in annotations:
            claims = [e for e in annotation.evidence if e.claimed is not None]
            assert all(abs(e.claimed - e.expected) > 0 for e in claims), annotation.id
            if annotation.verdict == "wrong" and annotation.severity == "high":
                assert annotation.evidence, annotation.id


def test_every_question_has_a_reference_answer_in_both_languages(content: Content) -> None:
    for entry in content.entries:
        if entry.kind == "question":
            for lang in ("en", "fa"):
                answer = entry.answer(lang, "reference")
                assert answer is not None, (entry.id, lang)
                assert 150 <= len(answer.text.split()) <= 540, (entry.id, lang)
            assert "fa" in entry.wording


def test_an_entry_is_short_enough_to_be_learnt(content: Content) -> None:
    for entry in content.entries:
        answer = entry.answer("en", "reference")
        full = our_words(answer.text) if answer else 0
        own = (each for each in entry.annotations if not each.repeats)
        notes = [our_words(each.note.get("en", "")) for each in own]
        layers = [our_words(entry.text(name, "en")) for name in LAYERS]
        assert 40 <= layers[0] <= 80, entry.id
        assert full <= 300, entry.id
        assert max(notes, default=0) <= 60, entry.id
        assert full + sum(notes) + sum(layers) <= 1200, entry.id


def our_words(text: str) -> int:
    """Count the words of a text without its code and the list of its sources."""
    return len(re.sub(r"(?ms)^```.*?^```|^Sources: .*", " ", text).split())


def test_every_entry_can_be_read_in_persian_and_run(content: Content) -> None:
    for entry in content.entries:
        assert {"en", "fa"} <= set(entry.question), entry.id
        assert {"en", "fa"} <= {answer.lang for answer in entry.answers}, entry.id
        assert entry.main_snippet() is not None, entry.id
        assert entry.topic and entry.tags, entry.id


def test_every_snippet_belongs_to_an_entry(content: Content) -> None:
    listed = {snippet.id for entry in content.entries for snippet in entry.snippets}
    assert {file.stem for file in SNIPPETS} == listed


def test_evidence_of_an_entry_is_run_by_its_own_snippets(content: Content) -> None:
    for entry in content.entries:
        own = {snippet.id for snippet in entry.snippets}
        for claim in entry.claims:
            assert {e.snippet for e in claim.evidence} <= own, claim.id


def _draws(code: str) -> int:
    """Return how many draws a program's first constant of such a name allows, or 200."""
    amounts = {}
    for each in ast.parse(code).body:
        if isinstance(each, ast.Assign):
            names, values = (
                part.elts if isinstance(part, ast.Tuple) else [part]
                for part in (each.targets[0], each.value)
            )
            amounts |= {
                name.id: value.value
                for name, value in zip(names, values, strict=False)
                if isinstance(name, ast.Name) and isinstance(value, ast.Constant)
            }
    named = ("DRAWS", "SEEDS", "FORMULAS", "RUNS", "DATASETS", "STARTS")
    return next((amounts[name] for name in named if name in amounts), 200)


@pytest.mark.parametrize("file", SNIPPETS, ids=lambda file: file.stem)
def test_a_program_draws_200_times_or_says_why_fewer(file: Path) -> None:
    code = file.read_text()
    assert _draws(code) >= 200 or re.search("200,? w(hich w)?ould take longer", code)


def test_figures_are_computed_and_never_written_down() -> None:
    constant = re.compile(r"print\(\s*f?[\"'][a-z_0-9]+: -?[0-9.e]+[\"']")
    for file in SNIPPETS:
        assert not constant.search(file.read_text()), file.name


def test_the_glossary_is_large_and_covers_every_field(content: Content) -> None:
    fields = [concept.field for concept in content.glossary]
    assert len(fields) >= 1200
    assert set(fields) == set(FIELDS)


@pytest.mark.long
@pytest.mark.parametrize("file", SNIPPETS, ids=lambda file: file.stem)
def test_every_snippet_prints_the_same_figures_by_hand_and_in_the_sandbox(file: Path) -> None:
    command = [sys.executable, "-I", "-W", "error", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    code = file.read_text(encoding="utf-8")
    outcome = run_snippet(Snippet(file.stem, {}, code), Limits(seconds=600))
    assert outcome.status == "ok", outcome.stderr
    assert max(map(len, done.stdout.splitlines())) <= 72
    figures = read_figures(done.stdout)
    assert figures
    if "tracemalloc" in code:  # what the interpreter holds differs a little
        assert outcome.figures.keys() == figures.keys()
    else:  # where an array lies in memory decides the last bits of its sum
        assert outcome.figures == pytest.approx(figures, rel=1e-9, abs=1e-14)
        assert _without_numbers(outcome.stdout) == _without_numbers(done.stdout)


def _without_numbers(text: str) -> str:
    return re.sub(r"\d[\d.,]*(e[+-]\d+)?", "0", text)


def test_every_snippet_has_a_title_in_both_languages(content: Content) -> None:
    for entry in content.entries:
        for snippet in entry.snippets:
            assert set(snippet.title) == {"en", "fa"}, snippet.id


def edit(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (edit('level = "E"', 'levle = "E"'), [":4:", "levle", "level"]),
        (edit('level = "E"', 'level = "X"'), [":4:", "level", "'X'", "E, M, H"]),
        (edit('kind = "question"', 'kind = "qestion"'), [":2:", "kind", "question"]),
        (edit('id = "matrix-chain-three"\n', ""), ["'id' is missing"]),
        (edit('id = "matrix-chain-three"', 'id = "other"'), ["not the name of its file"]),
        (
            edit('["matrix_chain_order"', '["matrix_chain_ordr"'),
            ["snippets", "matrix_chain_order"],
        ),
        (
            edit("snippets = [", 'snippets = "matrix_chain_order" # ['),
            ["snippets", "must be a list"],
        ),
        (edit("end = ", "end = 9"), ["end", "is outside"]),
        (edit('quote = "', 'quote = "x'), ["quote", "is not at"]),
        (edit('verdict = "wrong"', 'verdict = "wrogn"'), ["verdict", "Nearest: wrong"]),
        (edit('severity = "high"', 'severity = "huge"'), ["severity", "Nearest: high"]),
        (edit("note.fa", "note.fx"), ["note", "missing in 'fa'"]),
        (edit('figure = "', "figure = 3 # "), ["figure", "must be text"]),
        (edit('related = ["matrix-chain-many"]', 'related = ["no-such"]'), ["related", "no-such"]),
        (edit("[question.en]", "[question.en"), ["not TOML"]),
        (edit('file = "000_', 'file = "009_'), ["file", "no source document", "000_"]),
    ],
)
def test_a_mistake_is_named_by_file_key_and_nearest_word(
    copy: Path, change: Callable[[str], str], words: list[str]
) -> None:
    file = copy / ENTRY
    file.write_text(change(file.read_text()))
    with pytest.raises(BadData) as caught:
        read_content(copy)
    told = f"{caught.value.message} {caught.value.hint}"
    assert "complexity-and-numerics" in told
    for word in words:
        assert word in told, told


def test_the_line_of_a_mistake_is_named_in_a_list_of_tables(copy: Path) -> None:
    file = copy / ENTRY
    lines = file.read_text().splitlines()
    place = [n for n, line in enumerate(lines, 1) if line.startswith("severity")][3]
    lines[place - 1] = 'severity = "huge"'
    file.write_text("\n".join(lines))
    with pytest.raises(BadData, match=rf"three.toml:{place}: severity"):
        read_content(copy)


def test_a_changed_source_document_is_noticed(copy: Path) -> None:
    source = next((copy / "sources").glob("002*"))
    source.write_text(source.read_text().replace("1,000,000", "500,000"))
    with pytest.raises(BadData, match="checksum"):
        read_content(copy)


def test_what_is_read_is_what_is_stored(bundled: Library, content: Content) -> None:
    for entry in content.entries:
        assert unjudged(bundled.show(entry.id)) == unjudged(entry)


def unjudged(entry: Entry) -> Entry:
    """Return the entry without what was found of its evidence."""
    return entry.with_claims(
        dataclasses.replace(each, status="", release=None) for each in entry.claims
    )


@pytest.mark.parametrize("sign", ["\r", "\x0c", "\u2028", "\u202e"])
def test_a_program_that_hides_code_is_told_with_file_and_line(tmp_path: Path, sign: str) -> None:
    (tmp_path / "one.py").write_bytes(f'"""One."""\n# fine{sign}x = 1\n'.encode())
    mistakes = Mistakes(kept=True)
    assert sign in read_snippets(tmp_path, mistakes)["one"].code
    assert not mistakes.found
    assert re.search(r"one\.py:2: this line has a .*, so it never runs", str(mistakes.advice[0]))


def test_a_program_with_line_ends_of_windows_is_the_same_program(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_bytes(b'"""One."""\r\nx = 1\r\n')
    assert read_snippets(tmp_path)["one"].code == '"""One."""\nx = 1\n'
