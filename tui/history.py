"""What was searched for before: a line each in a file beside the settings, the latest last."""

from __future__ import annotations

from kb.settings import settings_path

_MOST = 200


def searches() -> list[str]:
    """Return what was searched for, each once; nothing where it cannot be read."""
    try:
        lines = settings_path().with_name("searches").read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return []
    return list(dict.fromkeys(line for line in reversed(lines) if line.strip()))[::-1]


def remember(words: str) -> None:
    """Keep what was searched for, as the latest. Raises `OSError`."""
    kept = [*(each for each in searches() if each != words), words][-_MOST:]
    path = settings_path().with_name("searches")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text("\n".join(kept) + "\n", encoding="utf-8")
    fresh.replace(path)
