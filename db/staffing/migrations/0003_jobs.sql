-- Requisitions and the history of their states.

CREATE TABLE requisition (
  requisition_seq INTEGER PRIMARY KEY,
  requisition_id  BLOB NOT NULL UNIQUE CHECK (length(requisition_id) = 16),
  partner_seq     INTEGER NOT NULL REFERENCES partner (partner_seq),
  mode            TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
  status          TEXT NOT NULL CHECK (status IN ('submitted', 'open', 'on_hold', 'filled', 'cancelled', 'closed')),
  title           TEXT NOT NULL,
  specialty       TEXT NOT NULL,
  specialty_code  TEXT,
  state           TEXT NOT NULL CHECK (length(state) = 2),
  city            TEXT,
  weeks           INTEGER CHECK (weeks BETWEEN 1 AND 104),
  external_id     TEXT,
  positions       INTEGER NOT NULL CHECK (positions BETWEEN 1 AND 999),
  start_date      TEXT CHECK (length(start_date) = 10),
  shift           TEXT CHECK (length(shift) BETWEEN 1 AND 32),
  employment_type TEXT CHECK (length(employment_type) BETWEEN 1 AND 32),
  notes           TEXT,
  -- SHA-256 of the canonical JSON of the body that it was submitted with.
  body_digest     BLOB NOT NULL CHECK (length(body_digest) = 32),
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  -- Nobody works a sandbox requisition, and no live one waits to be worked.
  CHECK (CASE mode WHEN 'sandbox' THEN status IN ('submitted', 'cancelled') ELSE status <> 'submitted' END)
) STRICT;
CREATE UNIQUE INDEX requisition_by_external_id ON requisition (partner_seq, mode, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX requisition_by_partner ON requisition (partner_seq, mode, created_at);
CREATE INDEX requisition_by_status ON requisition (partner_seq, mode, status, created_at);
CREATE INDEX requisition_by_time ON requisition (created_at);

CREATE TRIGGER requisition_sandbox_cap BEFORE INSERT ON requisition
WHEN NEW.mode = 'sandbox' AND (
  SELECT count(*) FROM requisition WHERE partner_seq = NEW.partner_seq AND mode = 'sandbox'
) >= 25
BEGIN SELECT RAISE(ABORT, '25 sandbox requisitions are stored'); END;
CREATE TRIGGER requisition_live_stays BEFORE DELETE ON requisition WHEN OLD.mode = 'live'
BEGIN SELECT RAISE(ABORT, 'a live requisition is never deleted'); END;
CREATE TRIGGER requisition_ends BEFORE UPDATE ON requisition
WHEN OLD.status IN ('filled', 'cancelled', 'closed')
BEGIN SELECT RAISE(ABORT, 'the requisition has ended'); END;

CREATE TABLE requisition_move (
  requisition_seq INTEGER NOT NULL REFERENCES requisition (requisition_seq) ON DELETE CASCADE,
  place           INTEGER NOT NULL CHECK (place >= 1),
  status          TEXT NOT NULL,
  at              TEXT NOT NULL,
  PRIMARY KEY (requisition_seq, place)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER requisition_move_stays BEFORE UPDATE ON requisition_move
BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;
