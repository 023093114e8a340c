"""Entries in the order of their collections: what a list shows before anything is asked."""

from __future__ import annotations

from kb.records import Filters, Page, Results
from kb.store.sqlite import queries
from kb.store.sqlite.conditions import from_filters
from kb.store.sqlite.database import Database


def list_entries(database: Database, filters: Filters, page: Page) -> Results:
    """Return the entries that pass the filters, in the order of their collections."""
    with database.errors():
        total, found = queries.select(
            database.connection, from_filters(filters), page.limit, page.offset
        )
        hits = tuple(queries.get_hit(database.connection, *each) for each in found)
    return Results("", total, hits)
