-- The built-in sandbox processor: its checkout sessions, the made-up payments, and the events that the service has not acknowledged yet.
-- Nothing here is a booking: those follow from the events, as with Stripe. Old rows are deleted.

CREATE TABLE sandbox_session (
  session_seq     INTEGER PRIMARY KEY,
  session_id      TEXT NOT NULL UNIQUE CHECK (length(session_id) BETWEEN 1 AND 255),
  checkout_id     TEXT NOT NULL UNIQUE,
  operator_id     TEXT NOT NULL,
  purpose         TEXT NOT NULL,
  usd_cents       INTEGER NOT NULL CHECK (usd_cents > 0),
  customer_id     TEXT NOT NULL,
  -- Null for a payment that does not repeat.
  subscription_id TEXT,
  embedded        INTEGER NOT NULL CHECK (embedded IN (0, 1)),
  status          TEXT NOT NULL CHECK (status IN ('open', 'paid', 'failed')),
  -- Milliseconds since 1970, as all times of the sandbox. When the subscription was canceled.
  canceled_at     INTEGER,
  created_at      INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  changed_at      INTEGER NOT NULL,
  CHECK (canceled_at IS NULL OR (subscription_id IS NOT NULL AND status = 'paid'))
) STRICT;
CREATE INDEX sandbox_session_by_change ON sandbox_session (changed_at);

CREATE TABLE sandbox_payment (
  payment_seq       INTEGER PRIMARY KEY,
  session_seq       INTEGER NOT NULL REFERENCES sandbox_session (session_seq) ON DELETE CASCADE,
  payment_intent_id TEXT NOT NULL UNIQUE,
  charge_id         TEXT NOT NULL UNIQUE,
  -- Null for a payment that does not repeat.
  invoice_id        TEXT UNIQUE,
  usd_cents         INTEGER NOT NULL CHECK (usd_cents > 0),
  refunded_cents    INTEGER NOT NULL CHECK (refunded_cents BETWEEN 0 AND usd_cents),
  created_at        INTEGER NOT NULL
) STRICT;
CREATE INDEX sandbox_payment_by_session ON sandbox_payment (session_seq);

-- A row is deleted when the service has acknowledged the event.
CREATE TABLE sandbox_event (
  event_seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id        TEXT NOT NULL UNIQUE,
  session_seq     INTEGER NOT NULL REFERENCES sandbox_session (session_seq) ON DELETE CASCADE,
  type            TEXT NOT NULL,
  body            TEXT NOT NULL,
  attempts        INTEGER NOT NULL CHECK (attempts >= 0),
  next_attempt_at INTEGER NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX sandbox_event_by_session ON sandbox_event (session_seq);
