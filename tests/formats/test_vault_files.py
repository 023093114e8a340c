"""A vault that is imported and exported: its notes byte for byte, and nothing added is lost."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kb import Library
from kb.errors import UsageError
from kb.model.draft import Draft
from kb.model.entry import TextSpan
from kb.model.results import Filters
from tests.databases import new_library

NOTES = {
    "Support Vector Machine.md": (
        "---\naliases: [SVM]\ntags: [ml]\n---\n# Support vectors\n\nA classifier, see "
        "[[Kernel|the kernel]].\n\nHow many support vectors are there?\n\nUsually few.\n\n"
        "## Kernel\n\nThe kernel trick. ![[plot.png|200]]\n\nQ: What is a margin?\nA: The gap.\n"
    ),
    "Deep/Kernel.md": "A kernel is a function. [[Support Vector Machine]]\r\n",
    "عمیق/شبکهٔ عصبی.md": "\ufeff---\nlang: fa\n---\n# شبکه\n\nاز نورون‌ها ساخته می‌شود.",
    "empty.md": "\n",
}
PICTURE = b"\x89PNG bytes"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        (tmp_path / "vault" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "vault" / name).write_bytes(text.encode())
    (tmp_path / "vault" / "attachments").mkdir()
    (tmp_path / "vault" / "attachments" / "plot.png").write_bytes(PICTURE)
    return tmp_path / "vault"


@pytest.fixture
def library(tmp_path: Path):
    with new_library(tmp_path / "kb.db") as opened:
        yield opened


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def exported(library: Library, folder: Path) -> dict[str, bytes]:
    library.export("vault", folder)
    return files(folder)


def ids(library: Library, **filters: str) -> list[str]:
    return sorted(hit.id for hit in library.list(filters=Filters(**filters)).hits)


def test_a_vault_goes_out_as_it_came_in(library: Library, vault: Path, tmp_path: Path) -> None:
    library.import_file(vault)
    assert exported(library, tmp_path / "out") == files(vault)
    report = library.import_file(vault)
    assert (report.added, report.updated, report.gone) == (0, 0, ())


def test_a_folder_is_a_collection_and_a_note_an_entry_in_it(library: Library, vault: Path) -> None:
    library.import_file(vault)
    assert ids(library, collection="vault") == [
        "vault/empty",
        "vault/support-vector-machine",
        "vault/what-is-a-margin",
    ]
    assert ids(library, collection="Deep") == ["Deep/kernel"]
    card, note = (
        library.show(f"vault/{x}") for x in ("what-is-a-margin", "support-vector-machine")
    )
    assert (card.within, note.aliases) == (note.id, ("SVM",))
    assert note.related == ("Deep/kernel",)
    assert library.show("Deep/kernel").related == (note.id,)


def test_a_note_named_alone_goes_into_notes(library: Library, vault: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("Another note.\n")
    library.imports.import_files([vault / "Deep" / "Kernel.md", other])
    assert ids(library, collection="notes") == ["notes/kernel", "notes/other"]


def test_what_a_note_cannot_hold_lies_beside_it_and_comes_back(
    library: Library, vault: Path, tmp_path: Path
) -> None:
    library.import_file(vault)
    note = library.show("vault/support-vector-machine")
    start = note.answers[0].text.index("Usually few.")
    span = TextSpan("source", "en", start, start + len("Usually few."))
    library.own.annotate(note.id, span, "Often many.")
    draft = library.edit.draft_of(note.id)
    answers = {**draft.answers, "reference": {"en": "As many as touch the margin."}}
    library.edit.edit(note.id, replace(draft, answers=answers))
    out = exported(library, tmp_path / "out")
    assert {name for name in out if name not in NOTES} == {"attachments/plot.png", "danesh.json"}
    assert all(out[name] == text.encode() for name, text in NOTES.items())
    with new_library(tmp_path / "again.db") as again:
        again.import_file(tmp_path / "out", mine=True)
        found, now = again.show("out/support-vector-machine"), library.show(note.id)
        assert [a.note for a in found.annotations] == [a.note for a in now.annotations]
        assert found.answers == now.answers
        assert exported(again, tmp_path / "twice") == out


def test_a_changed_card_is_changed_in_the_text_of_its_note(
    library: Library, vault: Path, tmp_path: Path
) -> None:
    library.import_file(vault)
    draft = library.edit.draft_of("vault/what-is-a-margin")
    wider = replace(draft, answers={"source": {"en": "The widest gap."}})
    library.edit.edit("vault/what-is-a-margin", wider)
    out = exported(library, tmp_path / "out")
    name = "Support Vector Machine.md"
    assert out[name].decode() == NOTES[name].replace("A: The gap.", "A: The widest gap.")
    assert "danesh.json" not in out


def test_a_picture_that_a_card_shows_changes_no_word_of_its_note(
    library: Library, vault: Path, tmp_path: Path
) -> None:
    (vault / "attachments" / "the gap.png").write_bytes(b"gap")
    words = "A margin is the gap between two classes, see [[Kernel]].\n\n"
    note = f"{words}Q: Where is the margin?\nA: Between the lines:\n![[the gap.png|300]]\n\n{words}"
    (vault / "Margin.md").write_text(note)
    library.import_file(vault)
    out = exported(library, tmp_path / "out")
    assert out["Margin.md"].decode() == note
    assert "danesh.json" not in out


def test_links_and_pictures_in_a_table_are_found(
    library: Library, vault: Path, tmp_path: Path
) -> None:
    (vault / "img").mkdir()
    (vault / "img" / "gap.png").write_bytes(b"gap")
    table = (
        "| [[Kernel\\|a function]] | ![[plot.png\\|200]] ![[img/gap.png\\|20]] |\n| --- | --- |\n"
    )
    (vault / "Table.md").write_text(table)
    library.import_file(vault)
    entry = library.show("vault/table")
    assert entry.related == ("Deep/kernel",)
    assert [each.name for each in entry.media] == ["plot.png", "gap.png"]
    assert exported(library, tmp_path / "out")["img/gap.png"] == b"gap"


def test_properties_of_a_note_are_searched_and_their_links_followed(
    library: Library, vault: Path
) -> None:
    properties = 'created: 2026-03-08\nauthor: Vapnik\nup:\n  - "[[Kernel]]"'
    (vault / "Clip.md").write_text(f"---\n{properties}\n---\nA short text.\n")
    library.import_file(vault)
    assert [hit.id for hit in library.search("vapnik").hits] == ["vault/clip"]
    assert not library.search("created").hits
    entry = library.show("vault/clip")
    assert entry.related == ("Deep/kernel",)
    assert entry.file is not None and "\n".join(entry.file.properties) == properties


def test_a_renamed_note_is_known_by_its_text(library: Library, vault: Path) -> None:
    library.import_file(vault)
    library.edit.tag(["Deep/kernel"], add=["mine"])
    shutil.move(vault / "Deep" / "Kernel.md", vault / "Kernel function.md")
    report = library.import_file(vault)
    assert (report.added, report.updated, report.gone) == (
        0,
        2,
        (),
    )  # the other's link leads nowhere now
    entry = library.show("Deep/kernel")
    assert (entry.tags, entry.collection) == (("mine",), "vault")
    assert entry.question == {"en": "Kernel function"}
    assert entry.file is not None and entry.file.path == "Kernel function.md"


def test_a_moved_folder_of_notes_is_known_by_its_notes(library: Library, vault: Path) -> None:
    library.import_file(vault)
    library.edit.tag(["Deep/kernel"], add=["mine"])
    moved = vault.rename(vault.parent / "notes")
    report = library.import_file(moved)
    assert (report.added, report.gone) == (0, ())
    assert library.show("Deep/kernel").tags == ("mine",)
    report = library.import_file(moved)
    assert (report.added, report.updated, report.gone) == (0, 0, ())
    # A single file is known as well; of what is still there, a copy is another note.
    alone = shutil.move(moved / "Deep" / "Kernel.md", vault.parent / "Alone.md")
    assert library.import_file(alone).added == 0
    shutil.copy(alone, vault.parent / "Copy.md")
    assert library.import_file(vault.parent / "Copy.md").added == 1


def test_a_moved_note_is_known_by_its_title_too(library: Library, tmp_path: Path) -> None:
    (tmp_path / "v" / "a").mkdir(parents=True)
    notes = {"Empty": "---\ntype: stub\n---\n", "Same": "To do.\n", "Other": "To do.\n"}
    for name, text in notes.items():
        (tmp_path / "v" / "a" / f"{name}.md").write_text(text)
    library.import_file(tmp_path / "v")
    library.edit.tag(["a/empty", "a/other"], add=["mine"])
    shutil.move(tmp_path / "v" / "a", tmp_path / "v" / "b")
    report = library.import_file(tmp_path / "v")
    assert (report.added, report.updated, report.gone) == (0, 3, ())
    for name in ("empty", "other"):
        entry = library.show(f"a/{name}")
        assert (entry.tags, entry.collection) == (("mine",), "b")


def test_a_renamed_file_of_cards_is_known_by_all_its_cards(
    library: Library, tmp_path: Path
) -> None:
    (tmp_path / "v").mkdir()
    cards = "".join(f"Q: What is {name}?\nA: The {name}.\n\n" for name in ("one", "two"))
    (tmp_path / "v" / "cards.md").write_text(cards)
    (tmp_path / "v" / "bank.csv").write_text("question,answer\nWhat is three?,The three.\n")
    library.import_file(tmp_path / "v")
    library.edit.tag(["cards/what-is-two", "bank/what-is-three"], add=["mine"])
    shutil.move(tmp_path / "v" / "cards.md", tmp_path / "v" / "numbers.md")
    (tmp_path / "v" / "below").mkdir()
    shutil.move(tmp_path / "v" / "bank.csv", tmp_path / "v" / "below" / "bank.csv")
    report = library.import_file(tmp_path / "v")
    assert (report.added, report.updated, report.gone) == (0, 3, ())
    entry = library.show("cards/what-is-two")
    assert (entry.tags, entry.collection) == (("mine",), "numbers")
    assert library.show("bank/what-is-three").collection == "below/bank"
    # A file that was edited, too, has at least half of them; with less it is another file.
    (tmp_path / "v" / "numbers.md").unlink()
    (tmp_path / "v" / "other.md").write_text(f"{cards}Q: What is four?\nA: The four.\n")
    report = library.import_file(tmp_path / "v")
    assert (report.added, report.gone) == (1, ())
    assert library.show("cards/what-is-two").tags == ("mine",)
    (tmp_path / "v" / "other.md").unlink()
    more = "".join(f"Q: What is {n}?\nA: The {n}.\n\n" for n in ("four", "five", "six", "seven"))
    (tmp_path / "v" / "last.md").write_text(more)
    report = library.import_file(tmp_path / "v")
    assert (report.added, len(report.gone)) == (4, 3)


def test_a_note_that_was_renamed_and_edited_keeps_its_cards(
    library: Library, tmp_path: Path
) -> None:
    note = "# گرادیان\n\nمتن یادداشت.\n\nپرسش: شیب چیست؟\nپاسخ: مشتق.\n"
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "a.md").write_text(note)
    library.import_file(tmp_path / "v")
    before = ids(library)
    library.edit.tag(before, add=["mine"])
    (tmp_path / "v" / "a.md").unlink()
    (tmp_path / "v" / "c.md").write_text(note.replace("متن", "متن تازهٔ"))
    report = library.import_file(tmp_path / "v")
    assert (report.added, report.gone, ids(library)) == (0, (), before)
    assert {library.show(id).tags for id in before} == {("mine",)}


def test_two_notes_of_one_name_are_two_entries(library: Library, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / "v" / folder).mkdir(parents=True)
        (tmp_path / "v" / folder / "Same.md").write_text(f"Text of {folder}.\n")
    library.import_file(tmp_path / "v")
    assert ids(library) == ["a/same", "b/same"]
    assert exported(library, tmp_path / "out") == files(tmp_path / "v")


def test_the_reader_says_what_a_file_is_taken_as(library: Library, vault: Path) -> None:
    (vault / "list.md").write_text("1. What is a norm?\n\n   A length.\n\n2. What is a mean?\n")
    (reading,) = library.import_file(vault / "list.md", dry_run=True).readings
    assert (reading.taken_as, reading.lost) == ("questions", 0)
    (note,) = library.import_file(vault / "list.md", taken_as="notes", dry_run=True).readings
    assert (note.taken_as, note.why) == ("notes", "--as says so")
    with pytest.raises(UsageError, match="cannot be read as 'decks'"):
        library.import_file(vault / "list.md", taken_as="decks")


def test_a_report_holds_all_that_was_not_taken(library: Library, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"id": "a", "title": "A", "text": "B", "x": 1}\n')
    report = library.import_file(tmp_path / "rows.jsonl")
    library.imports.write_report([report], tmp_path / "report.txt")
    said = (tmp_path / "report.txt").read_text()
    assert said.startswith(f"{tmp_path}/rows.jsonl:1: the key 'x'")


def test_a_note_in_a_collection_of_its_own_moves_into_that_of_its_folder(
    library: Library, vault: Path
) -> None:
    library.import_file(vault)
    library.collections.rename("Deep", "own/Deep/Kernel")  # as notes once were imported
    assert library.show("Deep/kernel").collection == "own/Deep/Kernel"
    report = library.import_file(vault)
    assert (report.added, report.updated, report.gone) == (0, 1, ())
    assert library.show("Deep/kernel").collection == "Deep"
    library.changes.undo()
    assert library.show("Deep/kernel").collection == "own/Deep/Kernel"


def test_what_is_said_of_a_note_that_is_not_there_is_told(library: Library, vault: Path) -> None:
    said = {"schema_version": 1, "notes": {"رفته.md": {"fields": {"level": "H"}}}}
    (vault / "danesh.json").write_text(json.dumps(said))
    (dropped,) = library.import_file(vault).dropped
    assert (Path(dropped.file).name, dropped.text) == ("danesh.json", "رفته.md")


def test_what_lies_beside_the_notes_is_found_below_the_folder_that_is_named(
    library: Library, vault: Path
) -> None:
    said = {"schema_version": 1, "notes": {"عمیق/شبکهٔ عصبی.md": {"fields": {"level": "H"}}}}
    (vault / "danesh.json").write_text(json.dumps(said))
    library.import_file(vault.parent)
    assert library.show("vault/عمیق/شبکه-عصبی").level == "H"


@pytest.mark.parametrize(
    "text", ["", "[]", '{"notes": 1}', '{"schema_version": 99, "notes": {}}', "\x00"]
)
def test_another_file_of_that_name_is_listed_and_the_notes_come_in(
    library: Library, vault: Path, text: str
) -> None:
    (vault / "danesh.json").write_text(text)
    report = library.import_file(vault)
    assert "danesh.json" in {Path(each.file).name for each in report.dropped}
    assert "Deep/kernel" in ids(library)


@pytest.mark.parametrize(
    "path",
    [".git/hooks/pre-commit", ".obsidian/plugins/a/main.js", "run.sh", "a\\..\\b.md", "c:x.md"],
)
def test_an_entry_of_anybody_is_written_to_no_place_but_that_of_a_note(
    library: Library, tmp_path: Path, path: str
) -> None:
    entry = own(
        "عنوان", "متن", file={"path": path, "head": "", "encoding": "utf-8", "newline": "lf"}
    )
    library.import_file(book(tmp_path, entry))
    out = exported(library, tmp_path / "out")
    assert out.keys() == {"a/عنوان.md", "a/a.md"}


@pytest.mark.parametrize(
    "target", ["../../outside.png", "{root}/outside.png", ".obsidian/outside.png", "x/outside.js"]
)
def test_a_file_that_a_note_shows_is_written_within_the_folder(
    library: Library, tmp_path: Path, target: str
) -> None:
    data = b"bytes"
    name = Path(target).name
    media = {"name": name, "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    text = f"![]({target.format(root=tmp_path)})"
    file = {"path": "n.md", "head": "", "encoding": "utf-8", "newline": "lf"}
    library.import_file(
        book(tmp_path, own("T", text, file=file, media=[media]), media["sha256"], data)
    )
    before = files(tmp_path)
    out = exported(library, tmp_path / "out")
    assert {key.rpartition("/")[0] for key in out} <= {"", "attachments"}
    assert data in out.values()
    assert {k: v for k, v in files(tmp_path).items() if not k.startswith(("out/", "kb.db"))} == {
        k: v for k, v in before.items() if not k.startswith("kb.db")
    }


def own(title: str, text: str, **more: object) -> dict[str, object]:
    answers = [{"role": "source", "lang": "fa", "text": text, "origin": None}]
    return {"id": "a/x", "kind": "note", "collection": "a", "question": {"fa": title}, "answers": answers,
            **more}  # fmt: skip


def book(folder: Path, entry: dict[str, object], sha: str = "", data: bytes = b"") -> Path:
    said: dict[str, object] = {"schema_version": 1, "entries": [entry]}
    if data:
        said["media"] = [{"sha256": sha, "data": base64.b64encode(data).decode()}]
    (folder / "book.json").write_text(json.dumps(said))
    return folder / "book.json"


def written(folder: Path, notes: dict[str, str | bytes]) -> Path:
    for name, text in notes.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


@pytest.mark.parametrize(
    ("link", "found"),
    [
        ("[one](My%20note.md)", "n/my-note"),
        ("[one](My%20note.md#Its%20part)", "n/my-note"),
        ("[one](My%20paren%20(x).md)", "n/my-paren-x"),
        ("[店](https://example.org/a_(b)#c)で、[[نرم]]", "n/نرم"),
        ("https://example.org,[[نرم]]", "n/نرم"),
        ("[[Cafe\u0301]]", "n/café"),
        ("[[c/same]]", "b/c/same-in-c"),
        ("[[same]]", "d/same-in-d"),
        ("[[b/c/same]]", "b/c/same-in-c"),
        ("[[mutex]]", "n/mutual-exclusion"),
        ("[[دوتایی]]", "n/mutual-exclusion"),
        ("[[std::map]]", "n/std-map"),
        ("[[Engine/Camera]]", "n/engine-camera"),
        ("[[Big O]]", "n/big-o"),
        ("[[yaml name]]", None),
        ("[[not there]]", None),
        ("[[.]]", None),
    ],
)
def test_a_link_means_the_note_that_it_means_elsewhere(
    library: Library, tmp_path: Path, link: str, found: str | None
) -> None:
    notes = {
        "n/My note.md": "a", "n/My paren (x).md": "b", "n/نرم.md": "c", "n/Café.md": "d",
        "b/c/same.md": "same in c", "d/same.md": "same in d", "long/way/same.md": "same in long",
        "n/Mutual exclusion.md": "alias:: mutex, دوتایی\n\n- A lock.\n",
        "n/std%3A%3Amap.md": "- A map.\n", "n/Engine___Camera.md": "- A camera.\n",
        "n/big.md": "title:: Big O\n\n- Growth.\n",
        "n/front.md": "---\naliases: [yaml name]\n---\nA text.\n",
        "start.md": f"A text that links: {link} and so on.\n",
    }  # fmt: skip
    for name in ("b/c/same.md", "d/same.md", "long/way/same.md"):
        notes[name] = f"---\ntitle: {notes[name]}\n---\nA text.\n"
    library.import_file(written(tmp_path / "v", notes))
    assert library.show("v/start").related == ((found,) if found else ())


def test_of_notes_with_one_name_those_in_or_below_the_folder_come_first(
    library: Library, tmp_path: Path
) -> None:
    notes = {"q/x.md": "---\ntitle: near\n---\nA.", "deep/a/x.md": "---\ntitle: deep\n---\nB."}
    notes |= {"deep/start.md": "See [[x]].", "start.md": "See [[x]].", "mutex.md": "A file.", "deep/other/page.md": "alias:: mutex\n\n- A page.\n", "deep/other/s.md": "See [[mutex]]."}  # fmt: skip
    library.import_file(written(tmp_path / "v", notes))
    assert library.show("deep/start").related == ("deep/a/deep",)
    assert library.show("v/start").related == ("q/near",)
    assert library.show("deep/other/s").related == ("v/mutex",)


@pytest.mark.parametrize(
    "code",
    [
        "- ```c\n  #include <a.h>\n  a[[i]];\n  ```\n",
        "\t1. ~~~\n\t   #define\n\t   a[[i]];\n\t   ~~~\n",
        "> ```c\n> #include <a.h>\n> a[[i]];\n> ```\n",
        "> [!note] Code\n> > ```\n> > #no a[[i]]\n",
    ],
)
def test_code_in_an_item_or_a_quotation_has_no_tags_and_links(
    library: Library, tmp_path: Path, code: str
) -> None:
    text = f"# Queue\n\n{code}\nAfter it [[stack]] #زبان and ![p](a/p.png)\n"
    notes = {"n/queue.md": text, "n/stack.md": "A stack.", "n/i.md": "An i.", "n/a/p.png": PICTURE}
    library.import_file(written(tmp_path / "v", notes))
    note = library.show("n/queue")
    assert (note.related, note.tags) == (("n/stack",), ("زبان",))
    assert [each.name for each in note.media] == ["p.png"]


def test_an_export_copied_over_its_vault_changes_nothing(library: Library, tmp_path: Path) -> None:
    notes = {"T/lab.md": "A lab: ![[p.png]]\n", "T/img/p.png": PICTURE, "U/q/p.png": b"other"}
    vault = written(tmp_path / "v", notes)
    library.import_file(vault)
    exported(library, tmp_path / "out")
    shutil.copytree(tmp_path / "out", vault, dirs_exist_ok=True)
    report = library.import_file(vault)
    assert (report.added, report.updated, report.unchanged) == (0, 0, 1)
    assert [str(each.reason) for each in report.dropped] == ["no note shows it"] * 2


@pytest.mark.parametrize(
    ("shown", "stored", "out"),
    [
        ("../../res/my%20pic%201.png", "res/my pic 1.png", "attachments/my pic 1.png"),
        ("گراف.PNG", "T/گراف.png", "attachments/گراف.PNG"),
    ],
)
def test_a_picture_goes_where_the_unchanged_text_finds_it(
    library: Library, tmp_path: Path, shown: str, stored: str, out: str
) -> None:
    library.import_file(written(tmp_path / "v", {"T/lab.md": f"A ![]({shown})\n", stored: PICTURE}))
    assert exported(library, tmp_path / "out")[out] == PICTURE
    with new_library(tmp_path / "again.db") as again:
        assert not again.import_file(tmp_path / "out").dropped
        (now,), (before,) = again.show("T/lab").media, library.show("T/lab").media
        assert now.sha256 == before.sha256


def test_cards_of_two_notes_may_ask_the_same(library: Library, tmp_path: Path) -> None:
    notes = {
        f"n/{name}.md": f"# {name}\n\n{NOTES['Deep/Kernel.md']}\n\nWho said it?:: {name} did\n\nMore.\n"
        for name in ("Ann", "Bob")
    }
    library.import_file(written(tmp_path / "v", notes))
    out = exported(library, tmp_path / "out")
    assert sorted(out) == sorted(notes)
    with new_library(tmp_path / "again.db") as again:
        again.import_file(tmp_path / "out")
        assert ids(again) == ids(library)
    draft = library.edit.draft_of("n/who-said-it-2")
    library.edit.edit("n/who-said-it-2", replace(draft, answers={"source": {"en": "Nobody"}}))
    assert b"Who said it?:: Nobody" in exported(library, tmp_path / "then")["n/Bob.md"]


def test_links_written_in_danesh_are_links(library: Library, vault: Path) -> None:
    library.import_file(vault)
    draft = library.edit.draft_of("Deep/kernel")
    text = "See [[Support Vector Machine]], [[شبکهٔ عصبی]], [k](kernel.md) and [[nothing]]."
    kept = library.show("Deep/kernel").related
    library.edit.edit("Deep/kernel", replace(draft, answers={"source": {"en": text}}))
    assert library.show("Deep/kernel").related == kept
    made = library.edit.new(
        Draft(
            {"en": "Where?"},
            {"source": {"en": "In [[kernel]] or [e](vault/empty.md)."}},
            collection="Deep",
        )
    )
    (id,) = made.ids
    assert library.show(id).related == ("Deep/kernel", "vault/empty")
    draft = replace(library.edit.draft_of(id), answers={"source": {"en": "In [[Kernel]]."}})
    library.edit.edit(id, draft)
    assert library.show(id).related == ("Deep/kernel",)
    library.changes.undo()
    assert library.show(id).related == ("Deep/kernel", "vault/empty")


@pytest.mark.parametrize(
    ("text", "edited", "asked", "answer", "out"),
    [
        (
            "Q: What is a norm?\nA: A length.\n\n{0}What is a norm?\n?\nA length.\n",
            "v/what-is-a-norm",
            "Why so?",
            "A length.",
            "",
        ),
        (
            "Q: What is a norm?\nA: A length.\n",
            "v/what-is-a-norm",
            "Why so?",
            "A length.",
            "Q: Why so?",
        ),
        (
            "What is a norm 2?\n?\nA size.\n\n{0}What is a norm?\n?\nThing.\n",
            "v/what-is-a-norm-2",
            "What is a norm?",
            "Changed.",
            "Changed.",
        ),
    ],
)
def test_an_edited_card_comes_back_with_what_was_added_to_it(
    library: Library, tmp_path: Path, text: str, edited: str, asked: str, answer: str, out: str
) -> None:
    prose = "Some text of the note that stays.\n\n"
    library.import_file(written(tmp_path / "v", {"v.md": prose + text.format(prose)}))
    draft = replace(
        library.edit.draft_of(edited),
        question={"en": asked},
        answers={"source": {"en": answer}},
        tags=("mine",),
    )
    library.edit.edit(edited, draft)
    files_out = exported(library, tmp_path / "out")
    assert out in files_out["v.md"].decode()

    def told(book: Library) -> list[tuple[str, str, tuple[str, ...]]]:
        found = (book.show(id) for id in ids(book))
        return sorted(
            (each.question["en"], each.answers[0].text, each.tags)
            for each in found
            if each.kind == "card"
        )

    with new_library(tmp_path / "again.db") as again:
        again.import_file(tmp_path / "out", mine=True)
        assert told(again) == told(library)
        assert (asked, answer, ("mine",)) in told(again)
