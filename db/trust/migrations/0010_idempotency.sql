-- The first answer to a request with an Idempotency-Key, without its secrets, for as long as it is replayed. Rows are in order of
-- time, so that they are written and deleted at the ends. Scopes are random, so their index is kept small: half of a SHA-256.

CREATE TABLE idempotency (
  idempotency_seq INTEGER PRIMARY KEY,
  scope           BLOB NOT NULL CHECK (length(scope) = 16),
  body_digest     BLOB NOT NULL CHECK (length(body_digest) = 32),
  answer          TEXT NOT NULL CHECK (json_valid(answer)),
  created_at      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX idempotency_by_scope ON idempotency (scope);
