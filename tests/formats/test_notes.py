"""Notes as Obsidian and hashcards have them: what they show, what they hide, when they are due."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import Library
from kb.formats.media import Neighbours
from kb.formats.notes.matter import read_matter
from kb.model.entry import Review
from kb.model.reports import Dropped, ImportReport
from tests.databases import new_library

NOTES = {
    "Cards/Linear algebra.md": """\
---
tags: [flashcards/math]
sr-due: 2024-03-01
sr-interval: 12
sr-ease: 250
---
# Linear algebra

What is a norm?::The length of a vector, see [[Norms#Euclidean|norm]].
<!--SR:!2024-02-03,4,270-->

Trace of a matrix:::The sum of its diagonal ![[trace.png|200]] <!--SR:!2024-02-03,4,270!2000-01-01,1,250-->

What does this picture show?
![[Pasted image 20240101.png]]
?
A projection $P$.
%% check this later %%
<!--SR:!2024-01-01,3,250-->

## What is an eigenvector? #card
A direction that $A$ only stretches. ^eig1
![](../Attachments/eigen.svg)
""",
    "Norms.md": """\
---
aliases: [norm]
sr-due: 2024-03-01
sr-interval: 12
sr-ease: 250
---
## Euclidean
The Euclidean norm is the usual length, as in this picture and in the sentence that stands here.

![Unit ball|300](Attachments/ball.png) and [how it sounds](Attachments/سلام.mp3)

%%
to do
%%

See ![[Linear algebra#What is an eigenvector?]], ![[missing.png]] and `![[trace.png]]`.
""",
    "یادداشت/شبکهٔ عصبی.md": """\
#flashcards

شبکهٔ عصبی چیست؟::مجموعه‌ای از نورون‌ها ![[نمودار.png]]
<!--SR:!2024-02-03,4,270-->

گرادیان چیست؟
?
بردار مشتق‌های جزئی.
<img src="../Attachments/نمودار.png" alt="شیب" width="20">
""",
}
SHOWN = (
    "trace.png",
    "Pasted image 20240101.png",
    "eigen.svg",
    "ball.png",
    "سلام.mp3",
    "نمودار.png",
    "left.png",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        (tmp_path / "vault" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "vault" / name).write_text(text, "utf-8")
    (tmp_path / "vault" / "Attachments").mkdir()
    for name in SHOWN:
        (tmp_path / "vault" / "Attachments" / name).write_bytes(f"bytes of {name}".encode())
    return tmp_path / "vault"


@pytest.fixture
def library(tmp_path: Path):
    with new_library(tmp_path / "kb.db") as opened:
        yield opened


def found(library: Library, ending: str):
    (id,) = [hit.id for hit in library.list().hits if hit.id.endswith(ending)]
    return library.show(id)


def reasons(report: ImportReport) -> list[tuple[str, str]]:
    return [(Path(each.file).name, each.reason) for each in report.dropped]


def of_text(report: ImportReport, text: str) -> list[Dropped]:
    return [each for each in report.dropped if text in each.text]


def reviews(library: Library) -> dict[str, tuple[Review, ...]]:
    store = library._base.store.reviews
    return {id.rpartition("/")[2]: store.of([id])[id] for id in store.entries()}


# What notes show.


@pytest.mark.parametrize(
    ("entry", "text", "names"),
    [
        ("trace-of-a-matrix", "The sum of its diagonal ![](trace.png)", ["trace.png"]),
        ("what-is-an-eigenvector", "A direction that $A$ only stretches.\n![](eigen.svg)", ["eigen.svg"]),
        ("شبکه-عصبی-چیست", "مجموعه‌ای از نورون‌ها ![](نمودار.png)", ["نمودار.png"]),
        ("گرادیان-چیست", "بردار مشتق‌های جزئی.\n![شیب](نمودار.png)", ["نمودار.png"]),
    ],
)  # fmt: skip
def test_what_a_note_shows_comes_in_with_it(
    library, folder: Path, entry: str, text: str, names: list[str]
) -> None:
    library.import_file(folder)
    known = found(library, entry)
    assert known.answers[0].text == text
    assert [media.name for media in known.media] == names
    for media in known.media:
        assert library._base.store.media.get(media.sha256) == f"bytes of {media.name}".encode()


def test_a_picture_in_a_question_and_a_sound_come_in_too(library, folder: Path) -> None:
    library.import_file(folder)
    asked = found(library, "what-does-this-picture-show-pasted-image-20240101-png")
    assert asked.question["en"] == "What does this picture show?\n![](Pasted-image-20240101.png)"
    note = found(library, "norms")
    assert note.answers[0].text in NOTES["Norms.md"]  # a note keeps its text as it is
    assert [media.name for media in note.media] == ["ball.png", "سلام.mp3"]
    assert "`![[trace.png]]`" in note.answers[0].text


def test_what_cannot_be_read_is_told_once_with_its_line_and_stops_no_other(
    library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "closed").mkdir()
    (folder / "binary.md").write_bytes(b"a\n\0")
    (folder / "LICENSE").write_text("Free.")
    (folder / "half.json").write_text(
        '{"schema_version": 1, "entries": [{"id": "a", "kind": "card", "collection": "c",'
        ' "question": {"en": "\\ud800"}}]}'
    )

    def closed(whole):
        def asked(path, *rest, **more):
            if "closed" in os.fspath(path) and os.fspath(path) != str(folder / "closed"):
                raise PermissionError(13, "Permission denied")
            return whole(path, *rest, **more)

        return asked

    monkeypatch.setattr(os, "stat", closed(os.stat))
    monkeypatch.setattr(os, "listdir", lambda path, real=os.listdir: closed(real)(f"{path}/"))
    report = library.import_file(folder)
    told = {(Path(each.file).name, each.line, str(each.reason)) for each in report.dropped}
    assert report.added
    assert ("closed", None, "cannot be read (Permission denied)") in told
    assert ("binary.md", 2, "this is not a text file: it contains NUL") in told
    assert ("LICENSE", None, "no format is known for a 'LICENSE' file") in told
    (half,) = (reason for name, _, reason in told if name == "half.json")
    assert half.startswith("entries[0]: question: ")


def test_what_no_note_shows_and_what_is_not_there_is_told(library, folder: Path) -> None:
    told = reasons(library.import_file(folder))
    assert [name for name, reason in told if reason == "no note shows it"] == ["left.png"]
    missing = "shows a file that is not in the folder"
    assert ("Norms.md", missing) in told


def test_an_embedded_note_is_a_related_entry_and_no_loop(library, folder: Path) -> None:
    (folder / "loop.md").write_text(
        "# Loop\n\n![[loop]] and ![[Norms]], on and on it goes.", "utf-8"
    )
    (folder / "Norms.md").write_text("# Norms\n\n![[loop]] is where this goes on, again.", "utf-8")
    library.import_file(folder)
    assert found(library, "vault/loop").related == ("vault/norms",)
    assert found(library, "vault/norms").related == ("vault/loop",)


def test_a_link_to_a_file_of_questions_means_its_only_one_or_the_one_that_it_names(
    library, folder: Path
) -> None:
    (folder / "one.md").write_text("Q: What is one?\nA: A number.\n", "utf-8")
    (folder / "two.md").write_text("Q: What is two?\nA: Even.\n\nQ: دو چیست؟\nA: زوج.\n", "utf-8")
    (folder / "loop.md").write_text(
        "# Loop\n\nSee ![[one]], ![[two]] and ![[two#دو  چیست؟]], and on it goes.", "utf-8"
    )
    library.import_file(folder)
    assert found(library, "vault/loop").related == ("one/what-is-one", "two/دو-چیست")


def test_one_file_shows_what_lies_beside_it(library, folder: Path) -> None:
    library.import_file(folder / "Norms.md")
    assert [media.name for media in found(library, "norms").media] == ["ball.png", "سلام.mp3"]


def test_a_note_down_a_stream_shows_nothing(library, folder: Path) -> None:
    with (folder / "Norms.md").open("rb") as stream:
        library.imports.import_files(["-"], stream=stream, format="md")
    assert found(library, "euclidean").media == ()


def test_names_are_found_whatever_their_case_and_form(library, folder: Path) -> None:
    (folder / "Attachments" / "Cafe\u0301 (1).PNG").write_bytes(b"1")
    (folder / "n.md").write_text(
        "Q: What?\nA: ![[café (1).png]] ![](Attachments/caf%C3%A9%20(1).png)\n", "utf-8"
    )
    library.import_file(folder)
    entry = found(library, "n/what")
    assert entry.answers[0].text == "![](Café-1.PNG) ![](Café-1.PNG)"
    assert len(entry.media) == 1


def test_of_files_with_one_name_the_nearest_is_shown(library, folder: Path) -> None:
    for above in ("a/c", "b", "long"):
        (folder / above).mkdir(parents=True)
        (folder / above / "same.png").write_bytes(above.encode())
    (folder / "n.md").write_text("Q: What?\nA: ![[same.png]] ![](a/c/same.png)\n", "utf-8")
    (folder / "a" / "m.md").write_text("Q: Why?\nA: ![[same.png]] ![[long/same.png]]\n", "utf-8")
    library.import_file(folder)
    shown = {id: found(library, id) for id in ("n/what", "m/why")}
    assert {id: entry.answers[0].text for id, entry in shown.items()} == dict.fromkeys(
        shown, "![](same.png) ![](same-2.png)"
    )
    digests = {above: hashlib.sha256(above.encode()).hexdigest() for above in ("a/c", "b", "long")}
    assert [each.sha256 for each in shown["n/what"].media] == [digests["b"], digests["a/c"]]
    assert [each.sha256 for each in shown["m/why"].media] == [digests["a/c"], digests["long"]]


@pytest.mark.long
@pytest.mark.parametrize(
    "target",
    ["../secret.png", "/etc/secret.png", "a/../../secret.png", "%2e%2e/secret.png", "..\\secret.png",
     "file:///secret.png", "link.png", "linked/secret.png", "https://example.org/secret.png", "C:\\secret.png"],
)  # fmt: skip
@pytest.mark.parametrize("whole", [True, False])
def test_nothing_outside_the_folder_is_shown(
    library, folder: Path, tmp_path: Path, target: str, whole: bool
) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "secret.png").write_bytes(b"secret")
    os.symlink(tmp_path / "secret.png", folder / "link.png")
    os.symlink(tmp_path / "there", folder / "linked")
    (folder / "n.md").write_text(f"Q: What is it?\nA: ![x]({target}) ![[{target}]]\n", "utf-8")
    library.import_file(folder if whole else folder / "n.md")
    assert found(library, "what-is-it").media == ()


def test_links_that_go_round_end(library, folder: Path) -> None:
    os.symlink(folder, folder / "round")
    os.symlink(folder / "b.png", folder / "a.png")
    os.symlink(folder / "a.png", folder / "b.png")
    (folder / "n.md").write_text("Q: What is it?\nA: ![](a.png) ![](round/round/a.png)\n", "utf-8")
    report = library.import_file(folder)
    assert found(library, "what-is-it").media == ()
    assert of_text(report, "a.png")


def test_what_is_hidden_in_the_folder_is_not_shown(library, folder: Path) -> None:
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "key.png").write_bytes(b"secret")
    (folder / "n.md").write_text(
        "Q: What is it?\nA: ![](.obsidian/key.png) ![[key.png]]\n", "utf-8"
    )
    for path in (folder, folder / "n.md"):
        library.import_file(path)
    assert all(not found.media for hit in library.list().hits
               if "what-is-it" in hit.id and (found := library.show(hit.id)))  # fmt: skip


@pytest.mark.parametrize("text", ["Q: What is it?\nA: So.\n", "پرسش: آن چیست؟\nپاسخ: این.\n"])
def test_earlier_versions_that_logseq_keeps_are_not_imported(
    library, tmp_path: Path, text: str
) -> None:
    for place in ("graph/logseq/bak/pages/a.md", "graph/bak/b.md", "graph/pages/a.md"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text, "utf-8")
    assert library.import_file(tmp_path / "graph").added == 2


def test_what_is_too_large_is_told_and_stays_named(
    library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.limits.MEDIUM", 10)
    report = library.import_file(folder)
    assert found(library, "trace-of-a-matrix").media == ()
    assert any("has 18 bytes, more than 10 bytes" in reason for _, reason in reasons(report))


def test_a_picture_that_many_notes_show_is_read_and_kept_once(folder: Path) -> None:
    shown = Neighbours(folder, walked=True)
    shown.add(folder / "Attachments" / "ball.png")
    one, two = shown.of(folder / "Norms.md"), shown.of(folder / "Cards" / "x.md")
    first = one.find("Attachments/ball.png")
    (folder / "Attachments" / "ball.png").write_bytes(b"another")
    assert two.find("ball.png") == first
    assert one.media is two.media
    assert len(one.media) == 1


@given(st.text(max_size=40))
def test_a_note_may_name_anything(name: str) -> None:
    beside = Neighbours(Path(__file__).parent, walked=False).of(Path(__file__))
    for target in (name, f"{name}.png", f"../{name}.png"):
        assert beside.find(target) is None


# What they hide, and when they are due.


def test_a_card_has_no_comments_and_a_note_keeps_them(library, folder: Path) -> None:
    library.import_file(folder)
    asked = found(library, "what-does-this-picture-show-pasted-image-20240101-png")
    assert asked.answers[0].text == "A projection $P$."
    assert "%%\nto do\n%%" in found(library, "norms").answers[0].text


@pytest.mark.parametrize("text", ["100%% of them %%", "%%time x", "`a %% b %%`", "50 %% 20"])
def test_percent_signs_are_no_comments_by_themselves(library, tmp_path: Path, text: str) -> None:
    (tmp_path / "n.md").write_text(f"Q: What is it?\nA: So {text}\n", "utf-8")
    library.import_file(tmp_path / "n.md")
    assert found(library, "what-is-it").answers[0].text == f"So {text}"


def test_the_days_of_cards_are_counted_where_they_are_not_asked_for(library, folder: Path) -> None:
    told = reasons(library.import_file(folder))
    said = "the schedule of {} cards or sides, which --with-reviews imports"
    assert ("Linear algebra.md", said.format(4)) in told
    assert ("Norms.md", said.format(1)) in told
    assert ("شبکهٔ عصبی.md", said.format(1)) in told
    assert reviews(library) == {}
    assert not any("SR:" in each.text for hit in library.list().hits if hit.kind == "card"
                   for each in library.show(hit.id).answers)  # fmt: skip


def test_the_days_of_cards_are_kept_where_they_are(library, folder: Path) -> None:
    library.import_file(folder, reviews=True)
    day = 86_400_000
    norm = Review(0, 19752 * day, 3, 4, 2700, 0, 4)  # due on 2024-02-03, and four days before
    assert reviews(library) == {
        "what-is-a-norm": (norm,),
        "trace-of-a-matrix": (norm,),  # its other side was never answered
        "what-does-this-picture-show-pasted-image-20240101-png": (
            Review(0, 19720 * day, 3, 3, 2500, 0, 4),
        ),
        "norms": (Review(0, 19771 * day, 3, 12, 2500, 0, 4),),
        "linear-algebra": (Review(0, 19771 * day, 3, 12, 2500, 0, 4),),
        "شبکه-عصبی-چیست": (norm,),
    }


@pytest.mark.parametrize(
    "said", ["!2024-13-45,3,250", "!2024-01-01,999999999,1", "!0001-01-01,9,1", "!x", ""]
)
def test_days_that_are_none_are_passed_over(library, tmp_path: Path, said: str) -> None:
    (tmp_path / "n.md").write_text(f"What is it?::This.\n<!--SR:{said}-->\n", "utf-8")
    library.import_file(tmp_path / "n.md", reviews=True)
    assert reviews(library) == {}
    assert found(library, "what-is-it").answers[0].text == "This."


# Decks of hashcards.


def test_a_deck_of_hashcards_has_its_name_pictures_and_gaps(library, tmp_path: Path) -> None:
    (tmp_path / "deck" / "img").mkdir(parents=True)
    (tmp_path / "deck" / "img" / "cell.png").write_bytes(b"cell")
    (tmp_path / "deck" / "hashcards.db").write_bytes(b"SQLite format 3\0")
    (tmp_path / "deck" / "ch1.md").write_text(
        '---\nname = "زیست‌شناسی"\n---\n\nQ: What is this?\n\n![](img/cell.png)\n\nA: A cell.\n\n'
        "C: The [mitochondria] is the [powerhouse] of the cell.\n\n---\n\nQ: یاخته چیست؟\nA: کوچک‌ترین واحد.\n",
        "utf-8",
    )
    report = library.import_file(tmp_path / "deck")
    asked = found(library, "what-is-this-img-cell-png")
    assert asked.question["en"] == "What is this?\n\n![](cell.png)"
    assert asked.media[0].name == "cell.png"
    assert asked.topic == "زیست‌شناسی"
    gaps = found(library, "the-is-the-of-the-cell")
    assert gaps.question["en"] == "The […] is the […] of the cell."
    assert found(library, "یاخته-چیست").answers[0].text == "کوچک‌ترین واحد."
    assert [name for name, _ in reasons(report)] == ["hashcards.db"]


def test_the_work_for_front_matter_grows_with_its_length_at_most() -> None:
    """Its pattern has no two parts that can match the same, so calls are what grows."""

    def calls(keys: int) -> int:
        text = (
            "---\ntitle: بلند\n" + "".join(f"k{n:05}: v\n" for n in range(keys)) + "---\n\nText.\n"
        )
        head, counted = text.removesuffix("\nText.\n"), [0]

        def count(frame: object, event: str, argument: object) -> None:
            counted[0] += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            found = read_matter(head)
        finally:
            sys.setprofile(before)
        assert found.text("title") == "بلند" and len(found.values) == keys + 1
        return counted[0]

    calls(1)  # loads the parser
    for keys in (100, 10_000):
        assert calls(2 * keys) <= 2.3 * calls(keys)
