"""A course on a hub: what readers, contributors and reviewers exchange, and what nobody can do."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from kb.errors import HubError, NotFound, UsageError
from kb.model.entry import TextSpan
from kb.service import merging
from kb.sync import hub
from kb.sync.hub import Hub
from kb.sync.rows import make_row
from tests.databases import new_library
from tests.plugin import times
from tests.sync.test_files import amend, content, new, step

with suppress(ImportError):  # then the server is skipped, and says why
    import psycopg

ROW = "course, seq, id, standing, chain, author, at, body"
ROLES = {"ada": "contributor", "bob": "contributor", "rose": "reviewer", "rey": "reader"}


class Course:
    """A hub with a course ``c``, and copies of its members by name."""

    def __init__(self, server, database, tmp_path, stack) -> None:
        self.server, self.database, self._folder, self._stack = server, database, tmp_path, stack
        self.copies = {}
        teacher = self["teacher"]
        teacher.sync.hub_init(self.url("teacher"))
        for name, role in ROLES.items():
            teacher.sync.hub_add(name, role, "c", address=self.url("teacher"))

    def url(self, name: str) -> str:
        return self.server.url(self.database, name)

    def __getitem__(self, name: str):
        if name not in self.copies:
            path = self._folder / f"{name}.db"
            self.copies[name] = self._stack.enter_context(new_library(path))
        return self.copies[name]

    def sync(self, *names: str):
        return [self[name].sync.sync_hub(self.url(name), "c") for name in names]


@pytest.fixture
def course(server, database, tmp_path):
    with ExitStack() as stack:
        yield Course(server, database, tmp_path, stack)


def test_changes_reach_the_others_and_merge(course):
    id = new(course["ada"])
    assert course.sync("ada", "bob", "rey")[1].entries == (id,)
    amend(course["ada"], id, answer="ONE two three four", lang="en")
    amend(course["bob"], id, answer="one two three FOUR", lang="en")
    course.sync("ada", "bob", "ada", "rey")
    assert course["rey"].show(id).answers[0].text == "ONE two three FOUR"
    assert content(course["ada"]) == content(course["bob"]) == content(course["rey"])


def test_a_sync_without_news_sends_and_changes_nothing(course):
    new(course["ada"])
    course.sync("ada", "bob")
    for name in ("ada", "bob"):
        (done,) = course.sync(name)
        assert (done.sent, done.received, done.entries, done.unsent) == (0, 0, (), 0)


def test_entries_outside_the_course_and_private_notes_stay_here(course):
    ada = course["ada"]
    id, diary = new(ada), new(ada, "Diary", collection="mine")
    ada.own.annotate(id, TextSpan("source", "en", 0, 3), "private")
    ada.own.annotate(id, TextSpan("source", "en", 0, 3), "public", verdict="wrong")
    ada.own.save_snippet(id, "print('secret')")
    course.sync("ada", "bob")
    shown = course["bob"].show(id)
    assert [each.note for each in shown.annotations] == [{"en": "public"}]
    assert shown.snippets == ()
    assert diary not in content(course["bob"])
    amend(ada, diary, level="H")
    amend(course["bob"], id, level="E")
    course.sync("bob", "ada")
    assert len(ada.show(id).annotations) == 2
    assert len(ada.show(id).snippets) == 1
    bodies = course.server.sql("SELECT string_agg(body, '') FROM danesh.row", course.database)
    assert "private" not in bodies[0][0]
    assert "secret" not in bodies[0][0]
    assert "Diary" not in bodies[0][0]


def test_what_is_private_or_elsewhere_is_not_unsent(course):
    ada = course["ada"]
    id = new(ada)
    course.sync("ada")
    ada.own.annotate(id, TextSpan("source", "en", 0, 3), "private")
    new(ada, "Diary", collection="mine")
    assert ada.files.unsynced() == (0, 0)
    amend(ada, id, level="H")
    assert ada.files.unsynced() == (1, 0)
    (done,) = ada.sync.sync_known()
    assert done.sent == 1
    assert ada.files.unsynced() == (0, 0)


def test_ones_own_entry_of_the_same_name_elsewhere_is_neither_sent_nor_overwritten(course):
    id = new(course["ada"])
    course["bob"].edit.move([new(course["bob"], "Attention")], "mine")
    before = content(course["bob"])
    (done,) = course.sync("ada")
    (done,) = course.sync("bob")
    assert [each.text for each in done.aside] == [id]
    assert content(course["bob"]) == before
    assert len(course.server.sql("SELECT 1 FROM danesh.row", course.database)) == 1


def test_an_unreachable_hub_changes_nothing(course):
    id = new(course["ada"])
    course.sync("ada")
    amend(course["ada"], id, level="H")
    course.server.stop("immediate")
    try:
        with pytest.raises(HubError, match="cannot be used"):
            course.sync("ada")
    finally:
        course.server.start()
    assert course["ada"].show(id).level == "H"
    course.sync("ada", "bob")
    assert course["bob"].show(id).level == "H"


def certificate(folder, name):
    """Make a certificate for a name in a folder."""
    made = [shutil.which("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout",
            "server.key", "-out", "server.crt", "-days", "2", "-subj", f"/CN={name}"]  # fmt: skip
    subprocess.run(made, cwd=folder, check=True, capture_output=True)
    return folder / "server.crt"


@contextmanager
def certified(server):
    """Let the server have a certificate, and listen on a port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server.stop()
    server.start(f"-c ssl=on -c listen_addresses=127.0.0.1 -p {port}")
    try:
        yield port
    finally:
        server.stop()
        server.start()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
@pytest.mark.parametrize("known", [True, False])
def test_a_certificate_that_does_not_match_is_refused(course, tmp_path, known):
    data = course.server.folder / "data"
    theirs, mine = certificate(data, "db.example.org"), certificate(tmp_path, "mine")
    for name in ("server.key", "server.crt"):
        shutil.chown(data / name, data.stat().st_uid, data.stat().st_gid)
    id, root = new(course["ada"]), tmp_path / "root.crt"
    shutil.copy(theirs if known else mine, root)
    before = content(course["ada"])
    with certified(course.server) as port:
        address = f"postgresql://ada@localhost:{port}/{course.database}?sslmode=verify-full"
        with pytest.raises(HubError, match="db.example.org" if known else "certificate"):
            course["ada"].sync.sync_hub(f"{address}&sslrootcert={root}", "c")
    assert content(course["ada"]) == before
    assert course["ada"].sync.courses() == []
    course.sync("ada", "bob")
    assert id in content(course["bob"])


def test_a_hub_restored_from_an_older_backup_is_filled_again(course):
    first = new(course["ada"], "First")
    course.sync("ada", "bob")
    tables = ("course", "row")
    for name in tables:
        course.server.sql(f"CREATE TABLE public.{name} AS SELECT * FROM danesh.{name}",
                          course.database)  # fmt: skip
    second = new(course["ada"], "Second")
    amend(course["bob"], first, level="H")
    course.sync("ada", "bob", "ada")
    course.server.sql("DELETE FROM danesh.row; DELETE FROM danesh.medium", course.database)
    course.server.sql(
        f"INSERT INTO danesh.row ({ROW}) SELECT {ROW} FROM public.row; "
        "UPDATE danesh.course c SET seq = p.seq, chain = p.chain FROM public.course p",
        course.database,
    )
    new(course["rose"], "Third")
    course.sync("rose", "bob", "ada", "rey", "bob", "rose")
    for name in ("bob", "rey", "rose"):
        assert content(course[name]) == content(course["ada"])
    assert course["rey"].show(first).level == "H"
    assert second in content(course["rey"])


def read_only(course, name, *only):
    return course[name].sync.sync_hub(course.url(name), "c", only=only)


def test_a_copy_that_reads_some_collections_gets_their_entries_and_no_other_row(course):
    ada, bob = course["ada"], course["bob"]
    one, deeper = new(ada, "One", collection="c/a"), new(ada, "Deeper", collection="c/a/b")
    for collection in ("c", "c/ab", "c/a0", "c/a-b", "c/a b", "c/A"):
        new(ada, "Other", collection=collection)
    course.sync("ada")
    done = read_only(course, "bob", "c/a")
    assert (done.received, done.only) == (2, ("c/a",))
    assert content(bob) == {id: content(ada)[id] for id in (one, deeper)}
    amend(ada, one, level="H")
    new(ada, "Five", collection="c/z")
    late = new(ada, "Six", collection="c/a")
    course.sync("ada")
    (done,) = bob.sync.sync_known()
    assert (done.received, set(done.entries)) == (2, {one, late})
    (done,) = bob.sync.sync_known()
    assert (done.received, done.sent, done.entries) == (0, 0, ())


def test_as_many_collections_as_one_names_are_read(course):
    names = [f"c/{n}" for n in range(102)]
    ids = [new(course["ada"], "Entry", collection=name) for name in names]
    course.sync("ada")
    read_only(course, "bob", *names[:-1])
    assert content(course["bob"]).keys() == {*ids[:-1]}


def words_of_sqlite(library, word):
    """Return how many documents SQLite's own full-text search finds."""
    sql = "SELECT count(*) FROM document_fts WHERE document_fts MATCH ?"
    return library.sync._base.store.connection.value(sql, (word,))


def test_what_a_sync_brings_is_found_and_what_it_replaced_is_not(course, monkeypatch):
    ada, bob = course["ada"], course["bob"]
    monkeypatch.setattr(merging, "STEP", 2)
    ids = [new(ada, f"Entry {n}", "porcupine\n") for n in range(3)]
    course.sync("ada", "bob")
    assert bob.search("porcupine").total == 3
    assert words_of_sqlite(bob, "porcupine") == 3
    amend(ada, ids[0], answer="wombat", lang="en")
    amend(ada, ids[1], answer="wombat", lang="en")
    course.sync("ada", "bob")
    assert {hit.id for hit in bob.search("wombat").hits} == {*ids[:2]}
    assert [hit.id for hit in bob.search("porcupine").hits] == ids[2:]
    assert words_of_sqlite(bob, "porcupine") == 1


def test_a_hub_that_only_says_that_it_knows_a_position_is_another_one(course, server, monkeypatch):
    ada, other = course["ada"], server.new_database()
    amend(ada, new(ada), level="H")
    course.sync("ada")
    course["teacher"].sync.hub_init(server.url(other, "teacher"))
    course["teacher"].sync.hub_add("ada", "contributor", "c", address=server.url(other, "teacher"))
    monkeypatch.setattr(Hub, "has", lambda *_: True)
    ada.sync.sync_hub(server.url(other, "ada"), "c")
    assert len(ada.sync.courses()) == 2


def test_what_a_copy_of_a_part_writes_reaches_the_whole_course(course):
    ada, bob = course["ada"], course["bob"]
    one, two = new(ada, "One", collection="c/a"), new(ada, "Two", collection="c/b")
    course.sync("ada")
    read_only(course, "bob", "c/a")
    mine = new(bob, "Mine", collection="c/b")
    amend(bob, one, answer="one TWO three four", lang="en")
    amend(ada, one, answer="one two three FOUR", lang="en")
    course.sync("ada", "bob", "ada")
    assert ada.show(one).answers[0].text == "one TWO three FOUR"
    assert content(ada)[one] == content(bob)[one]
    assert content(ada).keys() == {one, two, mine}


def test_an_entry_that_moves_into_a_part_comes_whole_and_stays_when_it_leaves(course):
    ada, bob = course["ada"], course["bob"]
    near, far = new(ada, "Near", collection="c/a"), new(ada, "Far", collection="c/b")
    amend(ada, far, level="H")
    course.sync("ada")
    read_only(course, "bob", "c/a")
    assert content(bob).keys() == {near}
    ada.edit.move([far], "c/a")
    ada.edit.move([near], "c/b")
    course.sync("ada", "bob")
    assert content(bob) == content(ada)


def test_an_entry_that_its_writer_moves_into_their_part_gets_what_others_changed_before(course):
    ada, bob = course["ada"], course["bob"]
    new(ada, "Near", collection="c/a")
    course.sync("ada")
    read_only(course, "bob", "c/a")
    mine = new(bob, "Mine", collection="c/b")
    course.sync("bob", "ada")
    amend(ada, mine, answer="one two three FOUR", lang="en")
    course.sync("ada", "bob")
    bob.edit.move([mine], "c/a")
    course.sync("bob", "ada")
    assert content(bob) == content(ada)
    assert bob.show(mine).answers[0].text == "one two three FOUR"


def test_a_copy_of_anothers_file_goes_on_where_it_was(course, tmp_path):
    ada = course["ada"]
    one, two = new(ada, "One"), new(ada, "Two")
    course.sync("ada")
    ada.backups.make(tmp_path / "bob.db")
    bob = course["bob"]
    amend(bob, one, answer="one TWO three four", lang="en")
    amend(ada, one, answer="one two three FOUR", lang="en")
    amend(bob, two, level="H")
    (done,) = course.sync("bob")
    assert (done.sent, done.received) == (2, 0)
    course.sync("ada", "bob")
    assert ada.show(one).answers[0].text == "one TWO three FOUR"
    assert content(bob) == content(ada)
    assert not bob.files.contested()
    assert [(each.me, each.target) for each in bob.sync.courses()] == [("bob", course.url("bob"))]


def test_a_course_of_the_same_name_on_another_hub_is_another_course(course, server):
    ada, other = course["ada"], server.new_database()
    new(ada)
    course.sync("ada")
    course["teacher"].sync.hub_init(server.url(other, "teacher"))
    course["teacher"].sync.hub_add("ada", "contributor", "c", address=server.url(other, "teacher"))
    ada.sync.sync_hub(server.url(other, "ada"), "c")
    assert len(ada.sync.courses()) == 2
    rows = [
        server.sql("SELECT count(*) FROM danesh.row", name) for name in (course.database, other)
    ]
    assert rows == [[(1,)], [(1,)]]


def test_an_entry_that_others_move_into_a_part_gets_what_its_writer_did_not_know(course):
    ada, bob = course["ada"], course["bob"]
    new(ada, "Near", collection="c/a")
    course.sync("ada")
    read_only(course, "bob", "c/a")
    mine = new(bob, "Mine", collection="c/b")
    course.sync("bob", "ada", "rose")
    amend(ada, mine, answer="one two three FOUR", lang="en")
    course["rose"].edit.move([mine], "c/a")  # not knowing of Ada's change
    course.sync("ada", "bob", "rose", "bob", "ada")
    assert content(bob) == content(ada)
    assert bob.show(mine).answers[0].text == "one two three FOUR"


def test_the_collections_that_are_read_can_be_changed_and_what_came_stays(course):
    ada, bob = course["ada"], course["bob"]
    one, two, _ = (new(ada, name, collection=f"c/{name}") for name in "abd")
    course.sync("ada")
    read_only(course, "bob", "c/a")
    read_only(course, "bob", "c/b")
    assert content(bob).keys() == {one, two}
    amend(ada, one, level="H")
    course.sync("ada", "bob")
    assert bob.show(one).level is None
    read_only(course, "bob", "c")
    assert content(bob) == content(ada)


def test_a_part_that_the_course_does_not_have_is_named_and_changes_nothing(course):
    new(course["ada"], collection="c/lectures")
    course.sync("ada")
    for wrong in ("c/lecture", "other", "c/lectures/x"):
        with pytest.raises(NotFound, match=f"no collection '{wrong}'"):
            read_only(course, "bob", "c/lectures", wrong)
    with pytest.raises(NotFound) as caught:
        read_only(course, "bob", "c/lecturs")
    assert "c/lectures" in str(caught.value.hint)
    assert course["bob"].sync.courses() == []


def test_a_hub_restored_from_a_backup_is_filled_again_by_copies_of_a_part(course):
    ada, bob = course["ada"], course["bob"]
    one = new(ada, "One", collection="c/a")
    course.sync("ada")
    read_only(course, "bob", "c/a")
    amend(ada, one, level="H")
    two = new(ada, "Two", collection="c/b")
    course.sync("ada", "bob")
    restore(course, random.Random(1), kept=1)
    course.sync("bob")
    new(course["rose"], "Three", collection="c/a")
    course.sync("rose", "bob", "ada", "bob", "rose")
    assert content(course["rose"]) == content(ada)
    assert content(bob) == {id: each for id, each in content(ada).items() if id != two}


def test_a_hub_of_the_first_version_is_upgraded_with_its_rows(server, database, tmp_path):
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub, "VERSION", 1)
        migrations = list(hub._migrations())
        patch.setattr(hub, "_migrations", lambda: iter(migrations[:1]))
        course = Course(server, database, tmp_path, stack)
        row = make_row("x", (), "ada", "", {"exists": True, "kind": "note", "collection": "c/a",
                                            "question.en": "X"})  # fmt: skip
        psql(course, "ada", "SELECT danesh.hub_push('c', %s)", [row.text])
        patch.undo()
        with pytest.raises(HubError, match="no hub of this version"):
            course.sync("bob")
        course["teacher"].sync.hub_init(course.url("teacher"))
        read_only(course, "bob", "c/a")
        assert content(course["bob"]).keys() == {"x"}


@pytest.mark.long
def test_a_replica_that_is_promoted_gets_what_it_lacks_also_at_a_new_address(course):
    primary = course.server
    ada, bob = course["ada"], course["bob"]
    first = new(ada, "First")
    course.sync("ada")
    amend(ada, first, level="H")
    course.sync("ada", "bob")
    with tempfile.TemporaryDirectory(prefix="kb-pg-") as name:  # sockets have short paths
        os.chmod(name, 0o755)
        replica = primary.replica(Path(name))
        second = new(bob, "Second")
        amend(bob, first, answer="one TWO three four", lang="en")
        course.sync("bob", "ada")
        primary.stop("immediate")
        try:
            replica.start()
            replica.promote()
            course.server = replica
            amend(ada, first, answer="one TWO three FOUR", lang="en")
            course.sync("ada", "bob", "rey")
            assert content(ada) == content(bob) == content(course["rey"])
            assert bob.show(first).answers[0].text == "one TWO three FOUR"
            assert content(bob).keys() == {first, second}
            assert not bob.files.contested()
            assert len(ada.sync.courses()) == 1
        finally:
            replica.stop("immediate")
            primary.start()


def test_a_server_that_dies_while_it_is_written_to_loses_and_doubles_nothing(course, monkeypatch):
    ids = [new(course["ada"], f"Entry {n}") for n in range(5)]
    push = Hub.push

    def dying(self, *arguments):
        push(self, *arguments)
        course.server.stop("immediate")
        course.server.start()
        raise HubError("died before it answered")

    with monkeypatch.context() as patch:
        patch.setattr(Hub, "push", dying)
        with pytest.raises(HubError, match="died"):
            course.sync("ada")
    course.sync("ada", "bob")
    assert sorted(content(course["bob"])) == sorted(ids)
    rows = course.server.sql("SELECT count(*), count(DISTINCT id) FROM danesh.row", course.database)
    assert rows == [(5, 5)]


def test_who_is_no_member_learns_nothing(course):
    course.server.sql("DROP ROLE IF EXISTS eve")
    course.server.sql("CREATE ROLE eve LOGIN; GRANT danesh_member TO eve")
    for wanted in ("c", "no such course"):
        with pytest.raises(HubError, match="not a member of this course, or there is no such"):
            course["eve"].sync.sync_hub(course.url("eve"), wanted)


def test_a_password_in_the_address_is_refused_and_never_stored(course):
    for address in ("postgresql://a:secret@localhost/x", "postgresql:///x?password=secret"):
        with pytest.raises(UsageError, match="must not contain a password"):
            course["ada"].sync.sync_hub(address, "c")


def test_a_newer_and_a_missing_hub_are_named(course):
    course.server.sql(
        "CREATE OR REPLACE FUNCTION danesh.hub_version() RETURNS int LANGUAGE sql AS 'SELECT 99'",
        course.database,
    )
    with pytest.raises(Exception, match="newer danesh"):
        course.sync("ada")
    course.server.sql("DROP SCHEMA danesh CASCADE", course.database)
    with pytest.raises(HubError, match="no hub"):
        course.sync("ada")


def test_whoever_is_removed_loses_the_course_and_keeps_the_copy(course):
    id = new(course["ada"])
    course.sync("ada", "bob")
    course["teacher"].sync.hub_remove("bob", "c", address=course.url("teacher"))
    with pytest.raises(HubError, match="not a member"):
        course.sync("bob")
    assert id in content(course["bob"])
    members = course["ada"].sync.hub_members("c", address=course.url("ada"))
    assert ("bob", "contributor") not in members
    assert ("ada", "contributor") in members


@pytest.mark.long
def test_random_changes_through_cuts_and_restores_end_equal_on_all_copies(course, monkeypatch):
    assert random_trial(course, monkeypatch, seed=36, steps=times(60)) == 0


def random_trial(course, monkeypatch, seed, steps):
    """Make random steps on four copies, one of them of a part; return how many differ at the end.

    The part is compared, and then read whole.
    """
    rng, names = random.Random(seed), ["ada", "bob", "rose", "teacher"]
    course["teacher"].sync.hub_add("teacher", "contributor", "c", address=course.url("teacher"))
    for n in range(3):
        new(course["ada"], f"Entry {n}", "one two three four five six\n" * 3, f"c{n * '/d'}")
    course.sync("ada", "bob", "teacher")
    read_only(course, "rose", "c/d")
    with monkeypatch.context() as patch:
        for name in ("push", "read", "history"):
            patch.setattr(Hub, name, cut(rng, getattr(Hub, name)))
        for _ in range(steps):
            name = rng.choice(names)
            if rng.random() < 0.25:
                with suppress(HubError):
                    course.sync(name)
            elif rng.random() < 0.03:
                restore(course, rng)
            else:
                step(rng, course[name], None)
    course.sync(*names, *names, *names)
    rows = "SELECT entry FROM danesh.row WHERE collection || '/' LIKE 'c/d/%'"
    ids = {id for (id,) in course.server.sql(rows, course.database)}
    whole, part = content(course["ada"]), content(course["rose"])
    differing = sum(part.get(id) != whole.get(id) for id in ids)
    read_only(course, "rose", "c")
    first, *others = (content(course[name]) for name in names)
    return differing + sum(each != first for each in others)


def cut(rng, real):
    """Return a call that is sometimes cut off, before or after the hub has answered."""

    def called(self, *arguments):
        if rng.random() < 0.1:
            raise HubError("cut off")
        found = real(self, *arguments)
        if rng.random() < 0.1:
            raise HubError("cut off")
        return found

    return called


def restore(course, rng, kept=None):
    """Let the hub forget its last rows, as if it were restored from a backup."""
    ((last,),) = course.server.sql("SELECT max(seq) FROM danesh.row", course.database)
    kept = kept or rng.randint(1, last)
    course.server.sql(
        f"DELETE FROM danesh.row WHERE seq > {kept}; UPDATE danesh.course c "
        f"SET seq = r.seq, chain = r.chain FROM danesh.row r WHERE r.seq = {kept}",
        course.database,
    )


# What an attacker with a contributor's or reader's password and psql may try.


def psql(course, name, statement, *values):
    with psycopg.connect(course.url(name), autocommit=True) as connection:
        done = connection.execute(statement, values)
        return done.fetchall() if done.description else []


ATTACKS = [
        *(f"{verb} danesh.{table}"
          for table in ("course", "member", "row", "medium")
          for verb in ("TABLE", "TRUNCATE", "DELETE FROM", "DROP TABLE", "LOCK TABLE")),
        "INSERT INTO danesh.member VALUES ('c', 'ada', 'owner')",
        "UPDATE danesh.row SET author = 'bob'",
        "COPY danesh.row TO STDOUT",
        "CREATE TABLE danesh.mine (x int)",
        "CREATE FUNCTION danesh.hub_enter(x text, y int) RETURNS text LANGUAGE sql AS 'SELECT 1'",
        "ALTER FUNCTION danesh.hub_enter(text) SECURITY INVOKER",
        "DROP FUNCTION danesh.hub_version()",
        "SELECT danesh.hub_enter('c')",
        "SET ROLE teacher",
        "SET SESSION AUTHORIZATION bob",
        "ALTER TABLE danesh.row DISABLE ROW LEVEL SECURITY",
        "DROP POLICY one_course ON danesh.row",
        "GRANT danesh_member TO ada WITH ADMIN OPTION",
        "CREATE ROLE mallory",
        "SELECT danesh.hub_set_member('c', 'ada', 'owner')",
        "SELECT danesh.hub_set_member('new', 'ada', 'owner')",
        "SELECT danesh.hub_set_member('c', 'bob', NULL)",
        "SELECT * FROM danesh.hub_open('other')",
        "SELECT * FROM danesh.hub_read('other', 0, '', 10, '{}')",
        "SELECT * FROM danesh.hub_ids('other', 0, 10, '{}')",
        "SELECT * FROM danesh.hub_ids('other', 0, 10, ARRAY['other'])",
        "SELECT danesh.hub_collections('other')",
        "SELECT * FROM danesh.hub_history('other', ARRAY['a'], 0)",
        "SELECT danesh.hub_entries('c', ARRAY['c'])",
        "SELECT * FROM danesh.hub_rows('other', ARRAY['x'])",
        "SELECT * FROM danesh.hub_members('other')",
        "SELECT danesh.hub_get_medium('other', 'x')",
        "SELECT * FROM danesh.hub_push('other', ARRAY['{\"entry\": \"a\"}'])",
        "SELECT danesh.hub_put_medium('other', 'x')",
        "SELECT * FROM danesh.hub_push('c', ARRAY['no json'])",
        "SELECT * FROM danesh.hub_push('c', ARRAY[NULL])",
        "SELECT * FROM danesh.hub_push('c', ARRAY['[]'])",
        "SELECT * FROM danesh.hub_push('c', array_fill('{\"entry\": \"a\"}'::text, ARRAY[1001]))",
        "SELECT * FROM danesh.hub_push('c', ARRAY['{\"entry\": \"'||repeat('a', 9000000)||'\"}'])",
        "SELECT * FROM danesh.hub_push('c', ARRAY['{\"entry\": \"a\", \"review\": null}'])",
        "SELECT * FROM danesh.hub_push('c', ARRAY['{\"entry\": \"a\", \"\\u0072eview\": 1}'])",
        "SELECT danesh.hub_put_medium('c', convert_to(repeat('a', 6000000), 'UTF8'))",
]  # fmt: skip


def test_a_contributor_with_psql_cannot_read_or_change_what_is_not_theirs(course):
    psql(course, "teacher", "SELECT danesh.hub_set_member('other', 'rose', 'owner')")
    stored = (
        "SELECT (SELECT string_agg(m::text, ';' ORDER BY m) FROM danesh.member m), "
        "(SELECT count(*) FROM danesh.row), (SELECT count(*) FROM danesh.medium)"
    )
    before = course.server.sql(stored, course.database)
    for statement in ATTACKS:
        with pytest.raises(psycopg.Error):
            psql(course, "ada", statement)
    assert course.server.sql(stored, course.database) == before


def test_a_function_of_the_attacker_is_never_called_by_ours(course):
    course.server.sql("GRANT CREATE ON SCHEMA public TO PUBLIC", course.database)
    psql(course, "ada",
         "CREATE FUNCTION public.set_config(text, text, boolean) RETURNS text LANGUAGE plpgsql AS "
         "'BEGIN RAISE EXCEPTION ''owned''; END'")  # fmt: skip
    with psycopg.connect(course.url("ada"), autocommit=True) as connection:
        connection.execute("SET search_path = public, pg_catalog")
        connection.execute("SET danesh.course = 'other'")
        ((_, name, role, *_),) = connection.execute("SELECT * FROM danesh.hub_open('c')").fetchall()
    assert (name, role) == ("ada", "contributor")


def test_row_security_shows_the_owner_of_the_tables_one_course(course):
    new(course["ada"])
    course.sync("ada")
    assert psql(course, "teacher", "SELECT count(*) FROM danesh.row") == [(0,)]
    psql(course, "teacher", "SELECT danesh.hub_set_member('other', 'ada', 'reader')")
    with psycopg.connect(course.url("teacher"), autocommit=True) as connection:
        connection.execute("SET danesh.course = 'other'")
        assert connection.execute("SELECT course FROM danesh.course").fetchall() == [("other",)]


def test_forged_authors_ids_and_times_deceive_nobody(course):
    id = new(course["ada"])
    course.sync("ada", "rose")
    forged = make_row(id, (), "rose", "1970-01-01T00:00:00.000Z", {"level": "H"})
    psql(course, "ada", "SELECT * FROM danesh.hub_push('c', %s)", [forged.text])
    ((author, stored),) = course.server.sql(
        "SELECT author, id FROM danesh.row ORDER BY seq DESC LIMIT 1", course.database
    )
    assert (author, stored) == ("ada", forged.id)


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [
        '{"entry": "c/attention"}',
        r'{"at":"","author":"","entry":"c/attention","fields":{"level":"Z"},"parents":[]}',
        r'{"at":"","author":"","entry":"c/attention","fields":{"collection":"d"},"parents":[]}',
        r'{"at":"\u001b[2J","author":"","entry":"c/attention","fields":{},"parents":[]}',
        r'{"at":"","author":"","entry":"\u001b]0;x","fields":{"question.en":"\u001b[2J"},"parents":[]}',
    ],
)
def test_hostile_rows_are_set_aside_and_the_rest_arrives(course, body):
    id = new(course["ada"])
    psql(course, "ada", "SELECT * FROM danesh.hub_push('c', %s)", [body])
    course.sync("ada")
    (done,) = course.sync("bob")
    assert id in content(course["bob"])
    assert set(content(course["bob"])) == {id}
    assert "collection" not in [each.reason for each in done.aside]


def test_a_row_that_moves_an_entry_out_of_the_course_has_no_effect(course):
    id = new(course["ada"])
    course.sync("ada", "bob")
    row = make_row(id, (), "ada", "", {"collection": "elsewhere"})
    psql(course, "ada", "SELECT * FROM danesh.hub_push('c', %s)", [row.text])
    (done,) = course.sync("bob")
    assert [each.text for each in done.aside] == [id]
    assert course["bob"].show(id).collection == "c"


def test_two_hubs_of_one_server_share_nothing(course, server, tmp_path):
    other = server.new_database()
    address = server.url(other, "teacher")
    course["teacher"].sync.hub_init(address)
    course["teacher"].sync.hub_add("zoe", "contributor", "c", address=address)
    with pytest.raises(HubError, match="not a member"):
        course["zoe"].sync.sync_hub(course.url("zoe"), "c")
