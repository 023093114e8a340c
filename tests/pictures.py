"""Pictures for tests: small ones that are whole, and hostile ones, made without a reader of any."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import zlib
from pathlib import Path

SVG = b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script>run()</script></svg>"
HTML = b"<!doctype html><script>run()</script>"
RED, BLUE = (255, 0, 0), (0, 0, 255)

GIF = base64.b64decode("R0lGODlhAgACAPAAAP8AAAAAACH5BAAAAAAALAAAAAACAAIAAAIChFEAOw==")
JPEG_START = b"\xff\xd8\xff\xe0"


def png(width: int = 4, height: int = 4, *, said: tuple[int, int] | None = None) -> bytes:
    """Return a picture whose upper half is red and lower half blue; ``said`` is its header's."""
    rows = b"".join(b"\0" + bytes(RED if y < height / 2 else BLUE) * width for y in range(height))
    head = struct.pack(">IIBBBBB", *(said or (width, height)), 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def webp(width: int, height: int) -> bytes:
    """Return a WebP that says it is so large, and has no pixels."""
    extended = struct.pack("<I", 0x02) + (width - 1).to_bytes(3, "little")
    chunk = b"VP8X" + struct.pack("<I", 10) + extended + (height - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def gif_of_huge_frame() -> bytes:
    """Return a GIF of 2 × 2 pixels whose first frame says that it is as large as one can be."""
    frame = GIF.index(b",", 20)
    return GIF[: frame + 5] + b"\xff\xff\xff\xff" + GIF[frame + 9 :]


def write_entry(file: Path, shown: dict[str, bytes], text: str | None = None) -> Path:
    """Write a file of ours with an entry ``seen`` that shows these media, in two languages."""
    lines = text or "\n\n".join(f"It is ![the words for it]({name})." for name in shown)
    keys = {name: hashlib.sha256(data).hexdigest() for name, data in shown.items()}
    entry = {
        "id": "seen",
        "kind": "question",
        "collection": "cards",
        "question": {"en": "What does it show?", "fa": "چه نشان می‌دهد؟"},
        "answers": [{"role": "source", "lang": lang, "text": lines} for lang in ("en", "fa")],
        "media": [
            {"name": name, "sha256": keys[name], "size": len(data)} for name, data in shown.items()
        ],
    }
    kept = [
        {"sha256": keys[name], "data": base64.b64encode(data).decode()}
        for name, data in shown.items()
    ]
    document = {"schema_version": 1, "entries": [entry], "media": kept, "reviews": []}
    file.write_text(json.dumps(document))
    return file
