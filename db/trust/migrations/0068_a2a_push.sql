-- Conversations and push notifications of the Agent2Agent protocol.

-- The task with escrow that the newest reply of a context named, by caller: an acceptance without a task id pays only for this task. A context
-- whose newest reply named no such task, or several, has no row. The amount of escrow never changes, so the task stands for it.
CREATE TABLE a2a_last_reply (
  reply_seq    INTEGER PRIMARY KEY,
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  -- The agent of a holder key; null for the issuer keys of the operator.
  commitment   BLOB CHECK (length(commitment) = 32),
  context_id   TEXT NOT NULL CHECK (length(context_id) BETWEEN 1 AND 128),
  task_seq     INTEGER NOT NULL REFERENCES a2a_task (task_seq) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX a2a_last_reply_by_context ON a2a_last_reply (operator_seq, context_id, ifnull(commitment, x''));
CREATE INDEX a2a_last_reply_by_task ON a2a_last_reply (task_seq);

-- Where an owner of a task is told of its changes. A task that ended needs none: its rows are deleted with the next one of the operator.
CREATE TABLE a2a_push (
  push_seq     INTEGER PRIMARY KEY,
  task_seq     INTEGER NOT NULL REFERENCES a2a_task (task_seq) ON DELETE CASCADE,
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  -- Chosen by the client or by the service.
  config_id    TEXT NOT NULL CHECK (length(config_id) BETWEEN 1 AND 128),
  url          TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  -- The generation in whose words the task is sent.
  form         TEXT NOT NULL CHECK (length(form) BETWEEN 1 AND 16),
  -- The HTTP authentication scheme; null for none.
  scheme       TEXT CHECK (length(scheme) BETWEEN 1 AND 64),
  -- The token, the credentials and the signing secret as JSON, sealed under the master key.
  secrets      TEXT NOT NULL,
  created_at   INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;

CREATE UNIQUE INDEX a2a_push_by_task ON a2a_push (task_seq, config_id);
CREATE INDEX a2a_push_by_operator ON a2a_push (operator_seq);
