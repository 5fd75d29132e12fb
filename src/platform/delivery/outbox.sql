-- Webhooks to be delivered, and what became of them. A row is written in the transaction of what it tells of.
CREATE TABLE delivery (
  delivery_seq    INTEGER PRIMARY KEY,
  delivery_id     BLOB NOT NULL UNIQUE CHECK (length(delivery_id) = 16),
  endpoint        TEXT NOT NULL CHECK (length(endpoint) BETWEEN 1 AND 255),
  url             TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 4096),
  event_type      TEXT NOT NULL CHECK (length(event_type) BETWEEN 1 AND 255),
  body            TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts        INTEGER NOT NULL CHECK (attempts BETWEEN 0 AND 6),
  next_attempt_at TEXT CHECK ((next_attempt_at IS NOT NULL) = (state = 'pending')),
  ended_at        TEXT CHECK ((ended_at IS NULL) = (state = 'pending')),
  last_status     INTEGER CHECK (last_status BETWEEN 0 AND 999),
  last_error      TEXT CHECK (state <> 'delivered' OR last_error IS NULL),
  -- Who may list the delivery, also after its endpoint was removed.
  owner           TEXT
) STRICT;
-- Both are partial, so that each holds only what is asked of it.
CREATE INDEX delivery_waiting ON delivery (endpoint, next_attempt_at, delivery_seq)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX delivery_ended ON delivery (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX delivery_owner ON delivery (owner, delivery_seq);
