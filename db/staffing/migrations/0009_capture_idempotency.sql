-- The first responses to requests whose Idempotency-Key is a capture id, which are kept for 30 days: a table like `idempotency`, since
-- the oldest rows of each table are the ones to delete.

CREATE TABLE capture_idempotency (
  idempotency_seq INTEGER PRIMARY KEY,
  scope           BLOB NOT NULL CHECK (length(scope) = 16),
  body_digest     BLOB NOT NULL CHECK (length(body_digest) = 32),
  answer          TEXT NOT NULL CHECK (json_valid(answer)),
  created_at      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX capture_idempotency_by_scope ON capture_idempotency (scope);
