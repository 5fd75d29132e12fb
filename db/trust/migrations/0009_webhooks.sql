-- Subscriptions to events, and how their deliveries ended.

-- Both secrets are sealed under the master key.
CREATE TABLE webhook (
  webhook_seq    INTEGER PRIMARY KEY,
  webhook_id     BLOB NOT NULL UNIQUE CHECK (length(webhook_id) = 16),
  operator_seq   INTEGER NOT NULL REFERENCES operator (operator_seq),
  url            TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  events         TEXT NOT NULL CHECK (json_array_length(events) >= 1),
  -- 1: also events of agents and evidence that the operator has nothing to do with.
  every_agent    INTEGER NOT NULL CHECK (every_agent IN (0, 1)),
  secret         TEXT NOT NULL,
  signing_secret TEXT NOT NULL,
  created_at     TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_by_operator ON webhook (operator_seq);

-- The newest 100 of each subscription.
CREATE TABLE webhook_delivery (
  delivery_seq INTEGER PRIMARY KEY,
  delivery_id  BLOB NOT NULL CHECK (length(delivery_id) = 16),
  webhook_seq  INTEGER NOT NULL REFERENCES webhook (webhook_seq) ON DELETE CASCADE,
  event        TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  -- Null when nothing was sent.
  ended_at     TEXT,
  status       INTEGER CHECK (status BETWEEN 100 AND 999),
  error        TEXT,
  CHECK (status IS NOT NULL OR error IS NOT NULL)
) STRICT;
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_seq);
