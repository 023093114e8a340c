-- The tables as migrations: each part is applied once, in order, in a recorded step. A part that
-- was released never changes, except where a later part makes its tables again.

-- part first_tables
-- `numbers` makes entry and document again, with types.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE source (file TEXT PRIMARY KEY, title TEXT, author TEXT, lang TEXT, rights TEXT,
sha256 TEXT, text TEXT);
CREATE TABLE collection (position INTEGER PRIMARY KEY, id TEXT NOT NULL, title TEXT NOT NULL);
CREATE UNIQUE INDEX idx_collection_id ON collection (id);
CREATE TABLE entry (id, kind, collection, number, level, topic, tags, related, position, owner,
digest);
CREATE TABLE document (id, entry, lang, question, source, reference, notes, code, keywords, origins,
restored, source_origin, reference_origin);
CREATE TABLE snippet (id TEXT PRIMARY KEY, owner TEXT, title TEXT, code TEXT);
CREATE TABLE entry_snippet (entry TEXT REFERENCES entry(id), position INTEGER,
snippet TEXT REFERENCES snippet(id), main INTEGER, PRIMARY KEY (entry, position));
CREATE TABLE annotation (id TEXT PRIMARY KEY, entry TEXT NOT NULL REFERENCES entry(id),
position INTEGER, owner TEXT NOT NULL, role TEXT, lang TEXT, quote TEXT NOT NULL, start INTEGER,
"end" INTEGER, file TEXT, verdict TEXT NOT NULL, severity TEXT NOT NULL, note TEXT, refs TEXT,
repeats TEXT);
CREATE INDEX idx_annotation_entry_position ON annotation (entry, position);
CREATE TABLE evidence (annotation TEXT REFERENCES annotation(id), position INTEGER, snippet TEXT,
figure TEXT, claimed REAL, expected REAL, tolerance REAL, absolute INTEGER, quote_hash TEXT,
snippet_hash TEXT, PRIMARY KEY (annotation, position));
CREATE TABLE verification (annotation TEXT PRIMARY KEY REFERENCES annotation(id), status TEXT,
figures TEXT);

-- part wording
-- Better wordings of questions.
ALTER TABLE document ADD COLUMN wording TEXT;

-- part glossary
-- Multilingual concept names, found by stems.
CREATE TABLE name (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, concept INTEGER NOT NULL,
place INTEGER NOT NULL, lang TEXT NOT NULL, name TEXT NOT NULL, stems TEXT NOT NULL);
CREATE INDEX idx_name_lang_stems ON name (lang, stems);
CREATE INDEX idx_name_owner_concept ON name (owner, concept);

-- part surroundings
-- The context of a reader's annotations, to find their words again.
ALTER TABLE annotation ADD COLUMN prefix TEXT;
ALTER TABLE annotation ADD COLUMN suffix TEXT;

-- part changes
-- The change log, file records of entries, and import layers. An entry of a hidden layer is staged
-- or undone. Of what was imported before, the file is not known. `numbers` makes record again.
ALTER TABLE entry ADD COLUMN layer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entry ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
CREATE INDEX idx_entry_snippet_snippet ON entry_snippet (snippet);
ALTER TABLE collection ADD COLUMN layer INTEGER NOT NULL DEFAULT 0;
CREATE TABLE layer (id INTEGER PRIMARY KEY, shown INTEGER NOT NULL, settled INTEGER NOT NULL,
work TEXT NOT NULL, beat REAL NOT NULL);
CREATE TABLE version (layer INTEGER, entry TEXT, state TEXT NOT NULL, seen TEXT,
settled INTEGER NOT NULL, PRIMARY KEY (layer, entry));
CREATE TABLE change (id TEXT PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
deed TEXT NOT NULL, state TEXT NOT NULL, layer INTEGER, of TEXT);
CREATE INDEX idx_change_state ON change (state);
CREATE TABLE journal (id TEXT PRIMARY KEY, change TEXT NOT NULL REFERENCES change(id), entry TEXT,
field TEXT, before TEXT, after TEXT);
CREATE INDEX idx_journal_change ON journal (change);
CREATE INDEX idx_journal_entry ON journal (entry);
CREATE TABLE retired (id TEXT PRIMARY KEY);
CREATE TABLE file (path TEXT PRIMARY KEY, collection TEXT NOT NULL, layer INTEGER NOT NULL);
CREATE TABLE record (entry, file, place, given, heading, answer, digest, line, gone, base, theirs,
layer);
INSERT INTO record (entry, file, place, given, heading, answer, digest, gone, layer)
SELECT id, '', id, 0, '', '', '', 0, 0 FROM entry WHERE owner = 'user';

-- part own_index
-- Tables that the index no longer uses are removed.
DROP TABLE IF EXISTS document_fts;
DROP TABLE IF EXISTS forward;

-- part numbers
-- Long ids and paths are stored once, and digests are shortened, also in the change log and in
-- layers. Documents refer to entries by number, and records to paths.
CREATE TABLE path (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
INSERT INTO path (path) SELECT DISTINCT file FROM record;
CREATE TABLE entry_numbered (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
collection TEXT NOT NULL REFERENCES collection(id), number TEXT, level TEXT, topic TEXT,
tags TEXT NOT NULL, related TEXT NOT NULL, position INTEGER NOT NULL, owner TEXT NOT NULL,
digest BLOB NOT NULL, layer INTEGER NOT NULL DEFAULT 0, hidden INTEGER NOT NULL DEFAULT 0);
INSERT INTO entry_numbered SELECT NULL, id, kind, collection, number, level, topic, tags, related,
position, owner, halved(digest), layer, hidden FROM entry ORDER BY rowid;
DROP TABLE entry;
ALTER TABLE entry_numbered RENAME TO entry;
CREATE INDEX idx_entry_collection_position ON entry (collection, position);
CREATE INDEX idx_entry_layer ON entry (layer);
CREATE TABLE document_numbered (id INTEGER PRIMARY KEY,
entry INTEGER NOT NULL REFERENCES entry(key), lang TEXT NOT NULL, question TEXT NOT NULL,
wording TEXT, source TEXT, reference TEXT, notes TEXT, code TEXT, keywords TEXT, origins TEXT,
restored INTEGER, source_origin TEXT, reference_origin TEXT);
INSERT INTO document_numbered SELECT d.id, e.key, lang, question, wording, source, reference, notes,
code, keywords, origins, restored, source_origin, reference_origin
FROM document d JOIN entry e ON e.id = d.entry ORDER BY d.id;
DROP TABLE document;
ALTER TABLE document_numbered RENAME TO document;
CREATE INDEX idx_document_lang ON document (lang);
CREATE UNIQUE INDEX idx_document_entry_lang ON document (entry, lang);
CREATE TABLE record_numbered (entry TEXT PRIMARY KEY, file INTEGER NOT NULL REFERENCES path(id),
place TEXT NOT NULL, given INTEGER NOT NULL, heading BLOB NOT NULL, answer BLOB NOT NULL,
digest BLOB NOT NULL, line INTEGER, gone INTEGER NOT NULL, base TEXT, theirs TEXT,
layer INTEGER NOT NULL);
INSERT INTO record_numbered SELECT entry, p.id, place, given, halved(heading), halved(answer),
halved(digest), line, gone, base, theirs, layer
FROM record r JOIN path p ON p.path = r.file ORDER BY r.rowid;
DROP TABLE record;
ALTER TABLE record_numbered RENAME TO record;
CREATE INDEX idx_record_file ON record (file);
UPDATE version SET seen = substr(seen, 1, 32);
UPDATE version SET state = json_set(state,
'$.record.heading', substr(json_extract(state, '$.record.heading'), 1, 32),
'$.record.answer', substr(json_extract(state, '$.record.answer'), 1, 32),
'$.record.digest', substr(json_extract(state, '$.record.digest'), 1, 32))
WHERE json_type(state, '$.record') = 'object';
UPDATE journal SET before = json_quote(substr(json_extract(before, '$'), 1, 32)),
after = json_quote(substr(json_extract(after, '$'), 1, 32)) WHERE field = 'record.digest';

-- part media
-- Media and reviews of entries.
ALTER TABLE entry ADD COLUMN media TEXT;
CREATE TABLE media (sha256 TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE review (entry TEXT, card INTEGER NOT NULL, at INTEGER NOT NULL,
rating INTEGER NOT NULL, interval INTEGER NOT NULL, ease INTEGER NOT NULL, took INTEGER NOT NULL,
kind INTEGER NOT NULL, PRIMARY KEY (entry, card, at));

-- part anchors
-- Anchors of annotations, the basis of figures, and check dates.
ALTER TABLE annotation ADD COLUMN anchors TEXT;
ALTER TABLE annotation ADD COLUMN checked TEXT;
ALTER TABLE annotation ADD COLUMN until TEXT;
ALTER TABLE evidence ADD COLUMN basis TEXT;
ALTER TABLE document ADD COLUMN source_checked TEXT;
ALTER TABLE document ADD COLUMN reference_checked TEXT;

-- part sessions
-- The session of each change; older changes have none.
ALTER TABLE change ADD COLUMN session TEXT;

-- part notes
-- Aliases, contexts, note files, cards of notes, title lookup and links. Triggers keep links equal
-- to `related`, and delete the titles of deleted documents.
ALTER TABLE entry ADD COLUMN aliases TEXT;
ALTER TABLE entry ADD COLUMN context TEXT;
ALTER TABLE entry ADD COLUMN within TEXT;
ALTER TABLE entry ADD COLUMN file TEXT;
CREATE INDEX idx_entry_within ON entry (within);
CREATE TABLE link (target TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (target, entry))
WITHOUT ROWID;
CREATE INDEX idx_link_entry ON link (entry);
INSERT INTO link SELECT DISTINCT value, entry.key FROM entry, json_each(related)
WHERE related <> '[]' AND json_valid(related);
CREATE TRIGGER link_new AFTER INSERT ON entry WHEN new.related <> '[]' BEGIN
INSERT INTO link SELECT DISTINCT value, new.key FROM json_each(new.related);
END;
CREATE TRIGGER link_changed AFTER UPDATE OF related ON entry WHEN new.related <> old.related BEGIN
DELETE FROM link WHERE entry = old.key;
INSERT INTO link SELECT DISTINCT value, new.key FROM json_each(new.related);
END;
CREATE TRIGGER link_gone AFTER DELETE ON entry WHEN old.related <> '[]' BEGIN
DELETE FROM link WHERE entry = old.key;
END;
CREATE TABLE title (folded INTEGER NOT NULL, alias INTEGER NOT NULL, document INTEGER NOT NULL,
PRIMARY KEY (folded, alias, document)) WITHOUT ROWID;
CREATE INDEX idx_title_document ON title (document);
CREATE TRIGGER title_gone AFTER DELETE ON document BEGIN
DELETE FROM title WHERE document = old.id;
END;

-- part view
-- A view of listed entries for other programs; `rowid` as in `document_fts`.
CREATE VIEW entries AS SELECT d.id AS rowid, e.id, d.lang,
coalesce(d.wording, d.question) AS question, coalesce(d.reference, d.source) AS answer,
e.collection, e.level, e.tags FROM document d JOIN entry e ON e.key = d.entry
WHERE e.layer NOT IN (SELECT id FROM layer WHERE shown = 0) AND e.hidden = 0;

-- part layers
-- The layers beside full answers, and assessments of source answers. From this version on, an
-- answer with evidence has a row in `annotation`, without a verdict.
ALTER TABLE document ADD COLUMN short TEXT;
ALTER TABLE document ADD COLUMN example TEXT;
ALTER TABLE document ADD COLUMN mistakes TEXT;
ALTER TABLE document ADD COLUMN further TEXT;
ALTER TABLE entry ADD COLUMN assessment TEXT;

-- part study
-- The study log, whose rows never change, and the memory states replayed from it.
CREATE TABLE study_card (card INTEGER PRIMARY KEY, entry TEXT NOT NULL, met INTEGER NOT NULL,
exercise TEXT NOT NULL, UNIQUE (entry, exercise));
CREATE TABLE study_scheduler (id INTEGER PRIMARY KEY, retention REAL NOT NULL,
begins INTEGER NOT NULL, weights TEXT NOT NULL);
CREATE TABLE study_log (id INTEGER PRIMARY KEY, card INTEGER NOT NULL, what TEXT NOT NULL,
at INTEGER NOT NULL, zone INTEGER NOT NULL, day INTEGER NOT NULL, rating INTEGER NOT NULL,
interval INTEGER NOT NULL, confidence INTEGER NOT NULL, took INTEGER NOT NULL,
outcome TEXT NOT NULL, shown TEXT NOT NULL, scheduler INTEGER NOT NULL, of INTEGER NOT NULL);
CREATE INDEX idx_study_log_card ON study_log (card, at, id);
CREATE INDEX idx_study_log_day ON study_log (day);
CREATE INDEX idx_study_log_of ON study_log (of) WHERE of > 0;
CREATE TRIGGER study_log_kept BEFORE UPDATE ON study_log BEGIN
SELECT raise(ABORT, 'the log of studying is never changed');
END;
CREATE TABLE study_memory (card INTEGER PRIMARY KEY, stability REAL NOT NULL,
difficulty REAL NOT NULL, day INTEGER NOT NULL, due INTEGER NOT NULL, at INTEGER NOT NULL,
reviews INTEGER NOT NULL, lapses INTEGER NOT NULL, cap INTEGER NOT NULL,
suspended INTEGER NOT NULL, changed INTEGER NOT NULL, shown TEXT NOT NULL, seen BLOB);
CREATE INDEX idx_study_memory_due ON study_memory (due, reviews);

-- part sync
-- The rows that are exchanged with other copies.
CREATE TABLE sync_space (id INTEGER PRIMARY KEY, target TEXT NOT NULL, course TEXT NOT NULL,
me TEXT NOT NULL, role TEXT NOT NULL, seq INTEGER NOT NULL, chain TEXT NOT NULL,
seen TEXT NOT NULL, UNIQUE (target, course));
CREATE TABLE sync_row (key INTEGER PRIMARY KEY, space INTEGER NOT NULL, id TEXT NOT NULL,
entry TEXT NOT NULL, body TEXT NOT NULL, author TEXT NOT NULL, standing INTEGER NOT NULL,
applied INTEGER NOT NULL, sent INTEGER NOT NULL, UNIQUE (space, id));
CREATE INDEX idx_sync_row_entry ON sync_row (space, entry);
CREATE INDEX idx_sync_row_unapplied ON sync_row (space, entry) WHERE applied = 0;
CREATE INDEX idx_sync_row_unsent ON sync_row (space, key) WHERE sent = 0;
CREATE INDEX idx_sync_row_proposal ON sync_row (space, key) WHERE standing = 1;
CREATE TABLE sync_dispute (space INTEGER NOT NULL, entry TEXT NOT NULL,
PRIMARY KEY (space, entry)) WITHOUT ROWID;

-- part vectors
-- The vectors of texts, for search by meaning; they end with their document. `meta` counts their
-- changes.
CREATE TABLE vector (document INTEGER PRIMARY KEY, weights TEXT NOT NULL, lang TEXT NOT NULL,
data BLOB NOT NULL);
INSERT INTO meta (key, value) VALUES ('vectors', '0');
CREATE TRIGGER vector_gone AFTER DELETE ON document BEGIN
DELETE FROM vector WHERE document = old.id;
END;
CREATE TRIGGER vector_deleted AFTER DELETE ON vector BEGIN
UPDATE meta SET value = value + 1 WHERE key = 'vectors';
END;

-- part parts
-- A copy can read only some collections of a course.
ALTER TABLE sync_space ADD COLUMN only TEXT NOT NULL DEFAULT '';

-- part prompts
-- What the further cards of an Anki note ask.
ALTER TABLE entry ADD COLUMN prompts TEXT;
