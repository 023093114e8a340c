-- The schema of a hub. Each version is applied once, in one transaction.
--
-- Clients have no privileges on tables. They call the functions, which run as the owner of the
-- schema, take the caller from session_user, and see one course. Each names it, and row security is
-- forced besides: hub_enter alone says which course it shows. (A superuser passes row security, so
-- the owner of a hub should be none.)

-- version 1
CREATE SCHEMA danesh;

CREATE TABLE danesh.course (
    course text PRIMARY KEY,
    seq bigint NOT NULL DEFAULT 0,
    chain text NOT NULL DEFAULT ''
);

CREATE TABLE danesh.member (
    course text NOT NULL REFERENCES danesh.course,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('reader', 'contributor', 'reviewer', 'owner')),
    PRIMARY KEY (course, name)
);

-- standing: 0 counts, 1 is a proposal. A row that was proposed can be sent again by a contributor.
CREATE TABLE danesh.row (
    course text NOT NULL REFERENCES danesh.course,
    seq bigint NOT NULL,
    id text NOT NULL,
    standing smallint NOT NULL,
    chain text NOT NULL,
    author text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    body text NOT NULL,
    PRIMARY KEY (course, id, standing),
    UNIQUE (course, seq)
);

CREATE TABLE danesh.medium (
    course text NOT NULL REFERENCES danesh.course,
    sha256 text NOT NULL,
    author text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (course, sha256)
);

ALTER TABLE danesh.course ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE danesh.member ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE danesh.row ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE danesh.medium ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY one_course ON danesh.course USING (course = current_setting('danesh.course', true));
CREATE POLICY one_course ON danesh.member USING (course = current_setting('danesh.course', true));
CREATE POLICY one_course ON danesh.row USING (course = current_setting('danesh.course', true));
CREATE POLICY one_course ON danesh.medium USING (course = current_setting('danesh.course', true));

CREATE FUNCTION danesh.hub_version() RETURNS int
LANGUAGE sql IMMUTABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS 'SELECT 1';

-- Choose the course of this call, and return the caller's role in it.
CREATE FUNCTION danesh.hub_enter(_course text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    _role text;
BEGIN
    PERFORM set_config('danesh.course', coalesce(_course, ''), true);
    SELECT m.role INTO _role FROM danesh.member m
        WHERE m.course = _course AND m.name = session_user;
    IF _role IS NULL AND session_user <> current_user THEN
        RAISE EXCEPTION 'you are no member of this course' USING ERRCODE = 'KB002';
    END IF;
    RETURN coalesce(_role, 'owner');
END $$;

CREATE FUNCTION danesh.hub_open(_course text)
RETURNS TABLE (version int, name text, role text, seq bigint, chain text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    _role text := danesh.hub_enter(_course);
BEGIN
    RETURN QUERY SELECT danesh.hub_version(), session_user::text, _role, c.seq, c.chain
        FROM danesh.course c WHERE c.course = _course;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'you are no member of this course' USING ERRCODE = 'KB002';
    END IF;
END $$;

-- Return rows after a position; the digest of everything before it must be the same here.
CREATE FUNCTION danesh.hub_read(_course text, _after bigint, _chain text, _most int)
RETURNS TABLE (seq bigint, chain text, author text, standing smallint, body text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    IF _after > 0 AND NOT EXISTS (
        SELECT 1 FROM danesh.row r
        WHERE r.course = _course AND r.seq = _after AND r.chain = _chain
    ) THEN
        RAISE EXCEPTION 'this position is unknown' USING ERRCODE = 'KB001';
    END IF;
    RETURN QUERY SELECT w.seq, w.chain, w.author, w.standing, w.body FROM (
        SELECT r.*, sum(octet_length(r.body)) OVER (ORDER BY r.seq) - octet_length(r.body) AS before
        FROM (
            SELECT * FROM danesh.row WHERE row.course = _course AND row.seq > _after
            ORDER BY row.seq LIMIT least(greatest(_most, 1), 1000)
        ) r
    ) w WHERE w.before < 8388608 ORDER BY w.seq;
END $$;

CREATE FUNCTION danesh.hub_ids(_course text, _after bigint, _most int)
RETURNS TABLE (seq bigint, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    RETURN QUERY SELECT r.seq, r.id FROM danesh.row r
        WHERE r.course = _course AND r.seq > _after
        ORDER BY r.seq LIMIT least(greatest(_most, 1), 10000);
END $$;

CREATE FUNCTION danesh.hub_rows(_course text, _ids text[])
RETURNS TABLE (author text, standing smallint, body text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    IF cardinality(_ids) > 100 THEN
        RAISE EXCEPTION 'too many rows at once' USING ERRCODE = 'KB003';
    END IF;
    RETURN QUERY SELECT r.author, r.standing, r.body FROM danesh.row r
        WHERE r.course = _course AND r.id = ANY (_ids) ORDER BY r.seq;
END $$;

-- Add rows. Ids are computed here, the author is the caller, and a reader's rows are proposals.
CREATE FUNCTION danesh.hub_push(_course text, _bodies text[])
RETURNS TABLE (before bigint, seq bigint, chain text, standing smallint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    _role text := danesh.hub_enter(_course);
    _standing smallint := CASE WHEN _role = 'reader' THEN 1 ELSE 0 END;
    _before bigint;
    _seq bigint;
    _chain text;
    _body text;
    _id text;
    _said json;
    _bytes bigint := 0;
BEGIN
    IF cardinality(_bodies) > 1000 THEN
        RAISE EXCEPTION 'too many rows at once' USING ERRCODE = 'KB003';
    END IF;
    SELECT c.seq, c.seq, c.chain INTO _before, _seq, _chain FROM danesh.course c
        WHERE c.course = _course FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'you are no member of this course' USING ERRCODE = 'KB002';
    END IF;
    FOREACH _body IN ARRAY _bodies LOOP
        _bytes := _bytes + coalesce(octet_length(_body), 0);
        IF _body IS NULL OR octet_length(_body) > 8388608 OR _bytes > 33554432 THEN
            RAISE EXCEPTION 'a row is too large' USING ERRCODE = 'KB003';
        END IF;
        BEGIN
            _said := _body::json;
        EXCEPTION WHEN OTHERS THEN
            RAISE EXCEPTION 'a row is malformed' USING ERRCODE = 'KB003';
        END;
        IF json_typeof(_said) <> 'object' OR _said ->> 'entry' IS NULL THEN
            RAISE EXCEPTION 'a row is malformed' USING ERRCODE = 'KB003';
        END IF;
        IF _said -> 'review' IS NOT NULL AND _role NOT IN ('reviewer', 'owner') THEN
            RAISE EXCEPTION 'only reviewers decide about proposals' USING ERRCODE = 'KB004';
        END IF;
        _id := encode(sha256(convert_to(_body, 'UTF8')), 'hex');
        IF NOT EXISTS (
            SELECT 1 FROM danesh.row r
            WHERE r.course = _course AND r.id = _id AND r.standing <= _standing
        ) THEN
            _seq := _seq + 1;
            _chain := encode(sha256(convert_to(_chain || _id || _standing, 'UTF8')), 'hex');
            INSERT INTO danesh.row (course, seq, id, standing, chain, author, body)
                VALUES (_course, _seq, _id, _standing, _chain, session_user, _body);
        END IF;
    END LOOP;
    UPDATE danesh.course c SET seq = _seq, chain = _chain
        WHERE c.course = _course AND c.seq < _seq;
    RETURN QUERY SELECT _before, _seq, _chain, _standing;
END $$;

CREATE FUNCTION danesh.hub_missing_media(_course text, _digests text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    RETURN QUERY SELECT d FROM unnest(_digests[1:10000]) AS d
        WHERE NOT EXISTS (
            SELECT 1 FROM danesh.medium m WHERE m.course = _course AND m.sha256 = d
        );
END $$;

CREATE FUNCTION danesh.hub_put_medium(_course text, _data bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    IF _data IS NULL OR octet_length(_data) > 5242880 THEN
        RAISE EXCEPTION 'a media file is too large' USING ERRCODE = 'KB003';
    END IF;
    INSERT INTO danesh.medium (course, sha256, author, data)
        VALUES (_course, encode(sha256(_data), 'hex'), session_user, _data)
        ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION danesh.hub_get_medium(_course text, _digest text) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    RETURN (
        SELECT m.data FROM danesh.medium m WHERE m.course = _course AND m.sha256 = _digest
    );
END $$;

CREATE FUNCTION danesh.hub_members(_course text) RETURNS TABLE (name text, role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    RETURN QUERY SELECT m.name, m.role FROM danesh.member m
        WHERE m.course = _course ORDER BY m.name;
END $$;

-- Give somebody a role, or take it away without one. Only the owner of the hub makes courses.
CREATE FUNCTION danesh.hub_set_member(_course text, _name text, _role text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF danesh.hub_enter(_course) <> 'owner' THEN
        RAISE EXCEPTION 'only an owner changes who belongs to a course' USING ERRCODE = 'KB004';
    END IF;
    IF session_user = current_user AND _role IS NOT NULL THEN
        INSERT INTO danesh.course (course) VALUES (_course) ON CONFLICT DO NOTHING;
    END IF;
    IF _role IS NULL THEN
        DELETE FROM danesh.member m WHERE m.course = _course AND m.name = _name;
    ELSE
        INSERT INTO danesh.member (course, name, role) VALUES (_course, _name, _role)
            ON CONFLICT (course, name) DO UPDATE SET role = excluded.role;
    END IF;
END $$;

REVOKE ALL ON SCHEMA danesh FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA danesh FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA danesh FROM PUBLIC;
GRANT USAGE ON SCHEMA danesh TO danesh_member;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA danesh TO danesh_member;
REVOKE EXECUTE ON FUNCTION danesh.hub_enter(text) FROM danesh_member;

-- version 2
-- A copy may read some collections of a course: all rows of the entries that ever were in them.
ALTER TABLE danesh.row
    ADD COLUMN entry text COLLATE "C"
        GENERATED ALWAYS AS (left(body::json ->> 'entry', 200)) STORED,
    ADD COLUMN collection text COLLATE "C"
        GENERATED ALWAYS AS (left(body::json #>> '{fields,collection}', 200)) STORED;
CREATE INDEX row_entry ON danesh.row (course, entry);
CREATE INDEX row_collection ON danesh.row (course, collection, entry) WHERE collection IS NOT NULL;

CREATE OR REPLACE FUNCTION danesh.hub_version() RETURNS int
LANGUAGE sql IMMUTABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS 'SELECT 2';

CREATE FUNCTION danesh.hub_collections(_course text) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    RETURN QUERY SELECT DISTINCT r.collection FROM danesh.row r
        WHERE r.course = _course AND r.collection IS NOT NULL ORDER BY r.collection LIMIT 10000;
END $$;

-- Return the entries of some collections and of those inside them.
CREATE FUNCTION danesh.hub_entries(_course text, _only text[]) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT r.entry FROM unnest(_only) AS o, danesh.row r
    WHERE r.course = _course AND r.collection IS NOT NULL AND (
        r.collection = o COLLATE "C"
        OR r.collection > o || '/' COLLATE "C" AND r.collection < o || '0' COLLATE "C"
    )
$$;

-- Return rows after a position; the digest of everything before it must be the same here.
DROP FUNCTION danesh.hub_read(text, bigint, text, int);
CREATE FUNCTION danesh.hub_read(_course text, _after bigint, _chain text, _most int, _only text[])
RETURNS TABLE (seq bigint, chain text, author text, standing smallint, body text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    IF _after > 0 AND NOT EXISTS (
        SELECT 1 FROM danesh.row r
        WHERE r.course = _course AND r.seq = _after AND r.chain = _chain
    ) THEN
        RAISE EXCEPTION 'this position is unknown' USING ERRCODE = 'KB001';
    END IF;
    RETURN QUERY SELECT w.seq, w.chain, w.author, w.standing, w.body FROM (
        SELECT r.*, sum(octet_length(r.body)) OVER (ORDER BY r.seq) - octet_length(r.body) AS before
        FROM (
            SELECT * FROM danesh.row WHERE row.course = _course AND row.seq > _after
                AND (_only = '{}' OR row.entry IN (SELECT danesh.hub_entries(_course, _only)))
            ORDER BY row.seq LIMIT least(greatest(_most, 1), 1000)
        ) r
    ) w WHERE w.before < 8388608 ORDER BY w.seq;
END $$;

DROP FUNCTION danesh.hub_ids(text, bigint, int);
CREATE FUNCTION danesh.hub_ids(_course text, _after bigint, _most int, _only text[])
RETURNS TABLE (seq bigint, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    RETURN QUERY SELECT r.seq, r.id FROM danesh.row r
        WHERE r.course = _course AND r.seq > _after
            AND (_only = '{}' OR r.entry IN (SELECT danesh.hub_entries(_course, _only)))
        ORDER BY r.seq LIMIT least(greatest(_most, 1), 10000);
END $$;

-- Return rows of some entries after a position.
CREATE FUNCTION danesh.hub_history(_course text, _entries text[], _after bigint)
RETURNS TABLE (seq bigint, author text, standing smallint, body text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM danesh.hub_enter(_course);
    RETURN QUERY SELECT w.seq, w.author, w.standing, w.body FROM (
        SELECT r.*, sum(octet_length(r.body)) OVER (ORDER BY r.seq) - octet_length(r.body) AS before
        FROM (
            SELECT * FROM danesh.row WHERE row.course = _course AND row.seq > _after
                AND row.entry IN (SELECT left(e, 200) FROM unnest(_entries[1:100]) AS e)
            ORDER BY row.seq LIMIT 1000
        ) r
    ) w WHERE w.before < 8388608 ORDER BY w.seq;
END $$;

REVOKE ALL ON FUNCTION danesh.hub_collections(text), danesh.hub_entries(text, text[]),
    danesh.hub_read(text, bigint, text, int, text[]), danesh.hub_ids(text, bigint, int, text[]),
    danesh.hub_history(text, text[], bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION danesh.hub_collections(text),
    danesh.hub_read(text, bigint, text, int, text[]), danesh.hub_ids(text, bigint, int, text[]),
    danesh.hub_history(text, text[], bigint) TO danesh_member;
