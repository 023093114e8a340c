"""Decks that Anki's own library writes, and archives put together as it never does."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 100
CLOZE = "{{c1::Paris::city}} lies on the {{c2::Seine}}."
WHY = "چرا <b>می\u200cشود</b>؟"
STUB = "Please update to the latest Anki version"


def filled(collection: Any, folder: Path) -> None:
    """Fill a collection: basic, reversed, cloze and image notes, in both languages, studied."""
    picture = folder / "منحنی loss.png"
    picture.write_bytes(PNG)
    shown = collection.media.add_file(str(picture))
    notes = [
        ("Basic", (WHY, "زیرا \\(x^2\\)<br>و <i>همین</i>"), "ML::RNN", ["a", "b::c"]),
        ("Basic", (f'pic <img src="{shown}">', "<ul><li>one</li><li>two</li></ul>"), "ML::RNN", []),
        ("Basic (and reversed card)", ("<h3>gradient</h3>", "گرادیان"), "ML::واژه‌ها", ["واژه"]),
        ("Cloze", (CLOZE, "<script>hit()</script>more"), "ML", []),
        ("Basic", ("a &lt; b &amp; c", '<a href="javascript:hit()">x</a>'), "ML", []),
    ]  # fmt: skip
    for kind, fields, deck, tags in notes:
        note = collection.new_note(collection.models.by_name(kind))
        note.fields[: len(fields)] = list(fields)
        note.tags = tags
        collection.add_note(note, collection.decks.id(deck))
    collection.decks.select(collection.decks.id("ML"))
    for _ in range(3):
        card = collection.sched.getCard()
        card.start_timer()
        collection.sched.answerCard(card, 3)


def exported(collection: Any, file: Path, *, legacy: bool) -> None:
    """Let Anki write a package, with all that it knows: of a deck, or of the whole collection."""
    from anki.collection import ExportAnkiPackageOptions

    if file.suffix == ".colpkg":
        collection.export_collection_package(str(file), include_media=True, legacy=legacy)
        return
    options = ExportAnkiPackageOptions(
        with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy
    )
    collection.export_anki_package(out_path=str(file), options=options, limit=None)


def first_layout(file: Path) -> bytes:
    """Return a package of the second layout as one of the first, which had no other."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["collection.anki2"] = members.pop("collection.anki21")
    members.pop("meta")
    return packed(members)


def packed(members: Mapping[str, bytes], change: Callable[[zipfile.ZipInfo], None] = id) -> bytes:
    """Return an archive with these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            made = zipfile.ZipInfo(name)
            made.compress_type = zipfile.ZIP_DEFLATED
            change(made)
            archive.writestr(made, data)
    return out.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def encrypted(data: bytes) -> bytes:
    """Return an archive that says of its members that they are encrypted."""
    changed = bytearray(data)
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = changed.find(sign)
        while at >= 0:
            flags = struct.unpack_from("<H", changed, at + place)[0]
            struct.pack_into("<H", changed, at + place, flags | 1)
            at = changed.find(sign, at + 4)
    return bytes(changed)


def bomb(size: int) -> bytes:
    """Return nothing but zeros, packed as a member is."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()
