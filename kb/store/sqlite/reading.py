"""Entries read whole, many at once: a handful of statements for however many there are."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from kb.records import Accepted, Annotation, Entry, Evidence, Snippet, digest
from kb.store.sqlite import rows
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.visibility import SHOWN

_ASKED = "json_each(?) AS asked JOIN"


def read_entries(connection: Connection, ids: Sequence[str]) -> dict[str, Entry]:
    """Return the entries of these ids that are there, in the order of the ids."""
    asked = (json.dumps(list(dict.fromkeys(ids))),)
    found = connection.rows(
        f"SELECT e.* FROM {_ASKED} entry e ON e.id = asked.value WHERE {SHOWN}", asked
    )
    documents = _grouped(
        connection.rows(
            f"SELECT asked.value AS of, d.* FROM {_ASKED} entry e ON e.id = asked.value "
            "JOIN document d ON d.entry = e.key ORDER BY d.id",
            asked,
        )
    )
    snippets = _snippets(connection, asked)
    annotations = _annotations(connection, asked)
    read = {
        row["id"]: rows.read_entry(
            row, documents[row["id"]], snippets[row["id"]], annotations[row["id"]]
        )
        for row in found
    }
    return {id: read[id] for id in dict.fromkeys(ids) if id in read}


def evidence_states(connection: Connection, asked: tuple[str]) -> Mapping[str, Mapping[str, int]]:
    """Return how many annotations with evidence each entry has, by their state.

    ``asked`` is the list of ids of entries, in JSON. One without evidence is left out.
    """
    found = connection.rows(
        "SELECT a.entry, a.id, a.quote, v.quote_hash, v.snippet, v.snippet_hash, r.status "
        f"FROM {_ASKED} annotation a ON a.entry = asked.value "
        "JOIN evidence v ON v.annotation = a.id LEFT JOIN verification r ON r.annotation = a.id",
        asked,
    )
    run = [row for row in found if row["status"]]  # of the others no text need be looked at
    codes = connection.rows(
        f"SELECT s.id, s.code FROM {_ASKED} snippet s ON s.id = asked.value",
        (json.dumps(list({row["snippet"] for row in run})),),
    )
    digests = {row["id"]: digest(row["code"]) for row in codes}
    states = {(row["entry"], row["id"]): row["status"] or "unverified" for row in found}
    for row in run:
        accepted = Accepted(row["quote_hash"], row["snippet_hash"])
        if not accepted.holds(digest(row["quote"]), digests.get(row["snippet"])):
            states[row["entry"], row["id"]] = "stale"
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for (entry, _), state in states.items():
        counted[entry][state] += 1
    return counted


def _grouped(found: Sequence[rows.Row]) -> Mapping[str, list[rows.Row]]:
    groups: dict[str, list[rows.Row]] = defaultdict(list)
    for row in found:
        groups[row["of"]].append(row)
    return groups


def _snippets(connection: Connection, asked: tuple[str]) -> Mapping[str, list[Snippet]]:
    found = connection.rows(
        f"SELECT s.*, es.entry, es.main FROM {_ASKED} entry_snippet es ON es.entry = asked.value "
        "JOIN snippet s ON s.id = es.snippet ORDER BY es.entry, es.position",
        asked,
    )
    groups: dict[str, list[Snippet]] = defaultdict(list)
    for row in found:
        groups[row["entry"]].append(rows.read_snippet(row, bool(row["main"])))
    return groups


def _annotations(connection: Connection, asked: tuple[str]) -> Mapping[str, list[Annotation]]:
    found = connection.rows(
        f"SELECT a.*, v.status FROM {_ASKED} annotation a ON a.entry = asked.value "
        "LEFT JOIN verification v ON v.annotation = a.id ORDER BY a.entry, a.position, a.id",
        asked,
    )
    evidence = _evidence(connection, asked) if found else {}
    digests = _digests(connection, asked) if evidence else {}
    groups: dict[str, list[Annotation]] = defaultdict(list)
    for row in found:
        groups[row["entry"]].append(_annotation(row, evidence.get(row["id"], ()), digests))
    for entry, each in groups.items():
        groups[entry] = _with_repeated(each)
    return groups


def _evidence(connection: Connection, asked: tuple[str]) -> Mapping[str, Sequence[Evidence]]:
    found = connection.rows(
        f"SELECT v.* FROM {_ASKED} annotation a ON a.entry = asked.value "
        "JOIN evidence v ON v.annotation = a.id ORDER BY v.annotation, v.position",
        asked,
    )
    groups: dict[str, list[Evidence]] = defaultdict(list)
    for row in found:
        groups[row["annotation"]].append(rows.read_evidence(row))
    return groups


def _digests(connection: Connection, asked: tuple[str]) -> Mapping[str, str]:
    """Return the digests of the snippets that evidence names."""
    found = connection.rows(
        f"SELECT DISTINCT s.id, s.code FROM {_ASKED} annotation a ON a.entry = asked.value "
        "JOIN evidence v ON v.annotation = a.id JOIN snippet s ON s.id = v.snippet",
        asked,
    )
    return {row["id"]: digest(row["code"]) for row in found}


def _annotation(
    row: rows.Row, evidence: Sequence[Evidence], digests: Mapping[str, str]
) -> Annotation:
    read = rows.read_annotation(row, tuple(evidence), row["status"] or "unverified")
    if not evidence:
        return dataclasses.replace(read, status="no-evidence")
    return dataclasses.replace(read, status="stale") if read.is_stale(digests) else read


def _with_repeated(annotations: Sequence[Annotation]) -> list[Annotation]:
    """Give annotations that repeat another the status of that one."""
    status = {annotation.id: annotation.status for annotation in annotations}
    return [
        dataclasses.replace(each, status=status.get(each.repeats, each.status))
        if each.repeats
        else each
        for each in annotations
    ]
