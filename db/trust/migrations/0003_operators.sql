-- Operators with their pool, stake and plan; keys for holders, with scopes; sessions; replays; what is counted.

ALTER TABLE operator ADD COLUMN name TEXT CHECK (length(name) BETWEEN 1 AND 256);
ALTER TABLE operator ADD COLUMN plan TEXT NOT NULL DEFAULT 'FREE' CHECK (plan IN ('FREE', 'PRO'));
ALTER TABLE operator ADD COLUMN credits INTEGER NOT NULL DEFAULT 0
  CHECK (credits BETWEEN 0 AND 9007199254740991);
ALTER TABLE operator ADD COLUMN stake_cents INTEGER NOT NULL DEFAULT 0
  CHECK (stake_cents BETWEEN 0 AND 9007199254740991);
-- Breaches up to this time no longer weigh at the gate.
ALTER TABLE operator ADD COLUMN pardoned_at TEXT;
UPDATE operator SET credits = 1000000 WHERE operator_seq = (SELECT min(operator_seq) FROM operator);

ALTER TABLE api_key ADD COLUMN subject_commitment BLOB
  CHECK ((role = 'holder') = (subject_commitment IS NOT NULL) AND coalesce(length(subject_commitment), 32) = 32);
ALTER TABLE api_key ADD COLUMN scope TEXT CHECK (json_valid(scope));
ALTER TABLE api_key ADD COLUMN last_used_at TEXT;
CREATE INDEX api_key_by_operator ON api_key (operator_seq, created_at, key_hash);

-- A browser's session stands for the key that opened it, and ends with it.
CREATE TABLE session (
  token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  key_hash   BLOB NOT NULL REFERENCES api_key (key_hash) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_key ON session (key_hash);
CREATE INDEX session_by_expiry ON session (expires_at);

-- The first answer to a request with an Idempotency-Key, without its secrets, for as long as it is replayed. Rows lie in
-- order of time, so that they are written and forgotten at the ends; scopes are random, so their index is kept small: half
-- of a SHA-256.
CREATE TABLE idempotency (
  idempotency_seq INTEGER PRIMARY KEY,
  scope           BLOB NOT NULL CHECK (length(scope) = 16),
  body_digest     BLOB NOT NULL CHECK (length(body_digest) = 32),
  answer          TEXT NOT NULL CHECK (json_valid(answer)),
  created_at      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX idempotency_by_scope ON idempotency (scope);

-- How many receipts stand in which state: counted as they move, never scanned.
CREATE TABLE receipt_count (
  operator_seq      INTEGER NOT NULL REFERENCES operator (operator_seq),
  status            TEXT NOT NULL,
  revocation_status TEXT NOT NULL,
  receipts          INTEGER NOT NULL CHECK (receipts >= 0),
  PRIMARY KEY (operator_seq, status, revocation_status)
) STRICT, WITHOUT ROWID;

INSERT INTO receipt_count
SELECT operator_seq, status, revocation_status, count(*) FROM receipt GROUP BY 1, 2, 3;

CREATE TRIGGER receipt_is_counted AFTER INSERT ON receipt
BEGIN
  INSERT INTO receipt_count VALUES (NEW.operator_seq, NEW.status, NEW.revocation_status, 1)
  ON CONFLICT DO UPDATE SET receipts = receipts + 1;
END;

CREATE TRIGGER receipt_is_counted_anew AFTER UPDATE OF status, revocation_status ON receipt
BEGIN
  UPDATE receipt_count SET receipts = receipts - 1
  WHERE operator_seq = OLD.operator_seq AND status = OLD.status AND revocation_status = OLD.revocation_status;
  INSERT INTO receipt_count VALUES (NEW.operator_seq, NEW.status, NEW.revocation_status, 1)
  ON CONFLICT DO UPDATE SET receipts = receipts + 1;
END;

-- What the gate weighs, blind receipts apart: how many were finalized, and of the newest 20, oldest first, a list of
-- [milliseconds since 1970, 1 for an SLA breach].
CREATE TABLE gate_standing (
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  domain       TEXT NOT NULL,
  blind        INTEGER NOT NULL CHECK (blind IN (0, 1)),
  finalized    INTEGER NOT NULL CHECK (finalized >= 1),
  newest       TEXT NOT NULL CHECK (json_array_length(newest) BETWEEN 1 AND 20),
  PRIMARY KEY (operator_seq, domain, blind)
) STRICT, WITHOUT ROWID;

INSERT INTO gate_standing
SELECT operator_seq, domain, blind, count(*),
  json_group_array(json_array(finalized_at, breach) ORDER BY place DESC) FILTER (WHERE place <= 20)
FROM (
  SELECT r.operator_seq, r.domain, r.domain_commitment IS NOT NULL AS blind,
    CAST(round(unixepoch(v.signed_at, 'subsec') * 1000) AS INTEGER) AS finalized_at,
    CASE v.error_tranche WHEN 'SLA_BREACH' THEN 1 ELSE 0 END AS breach,
    row_number() OVER (
      PARTITION BY r.operator_seq, r.domain, r.domain_commitment IS NOT NULL
      ORDER BY v.signed_at DESC, v.receipt_seq DESC
    ) AS place
  FROM receipt_version v JOIN receipt r USING (receipt_seq)
  WHERE v.status <> 'pending' AND v.revocation_status = 'active'
)
GROUP BY 1, 2, 3;
