-- Tasks of the Agent2Agent protocol: what clients sent, what the service replied, and the results. Times are milliseconds since 1970.

CREATE TABLE a2a_task (
  task_seq     INTEGER PRIMARY KEY,
  -- The service's id of the task, and of its escrow if it has one.
  task_id      BLOB NOT NULL UNIQUE CHECK (length(task_id) = 16),
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  -- The client's id of the task; null where the service's id is its only one.
  client_id    TEXT CHECK (length(client_id) BETWEEN 1 AND 128),
  -- The agent of the holder key that began it; null for an issuer key.
  commitment   BLOB CHECK (length(commitment) = 32),
  -- Groups tasks of one conversation. Chosen by the client or by the service.
  context_id   TEXT NOT NULL CHECK (length(context_id) BETWEEN 1 AND 128),
  -- The skill and what is known of its input, as JSON. Null while the client has not named a skill.
  skill        TEXT CHECK (length(skill) BETWEEN 1 AND 64),
  input        TEXT CHECK (length(input) BETWEEN 2 AND 131072),
  state        TEXT NOT NULL CHECK (length(state) BETWEEN 1 AND 32),
  -- The escrow of a paid task, whose state decides the task's.
  escrow_seq   INTEGER UNIQUE REFERENCES escrow (escrow_seq),
  messages     INTEGER NOT NULL DEFAULT 0 CHECK (messages >= 0),
  artifacts    INTEGER NOT NULL DEFAULT 0 CHECK (artifacts >= 0),
  created_at   INTEGER NOT NULL CHECK (created_at >= 0),
  -- The time of its state.
  updated_at   INTEGER NOT NULL CHECK (updated_at >= 0),
  CHECK (skill IS NOT NULL OR escrow_seq IS NULL)
) STRICT;

CREATE UNIQUE INDEX a2a_task_by_client_id ON a2a_task (operator_seq, client_id) WHERE client_id IS NOT NULL;
-- The lists of an operator, of an agent and of a context. Every index ends in task_seq.
CREATE INDEX a2a_task_by_operator ON a2a_task (operator_seq, updated_at);
CREATE INDEX a2a_task_by_state ON a2a_task (operator_seq, state, updated_at);
CREATE INDEX a2a_task_by_context ON a2a_task (operator_seq, context_id, updated_at);
CREATE INDEX a2a_task_by_agent ON a2a_task (operator_seq, commitment, updated_at) WHERE commitment IS NOT NULL;
-- What is deleted after its time.
CREATE INDEX a2a_task_by_time ON a2a_task (updated_at);

-- A message of the client or of the service. Messages of a task are numbered in their order.
CREATE TABLE a2a_message (
  message_seq INTEGER PRIMARY KEY,
  task_seq    INTEGER NOT NULL REFERENCES a2a_task (task_seq) ON DELETE CASCADE,
  -- JSON.
  content     TEXT NOT NULL CHECK (length(content) BETWEEN 2 AND 262144),
  -- SHA-256 of the content.
  digest      BLOB NOT NULL CHECK (length(digest) = 32),
  -- Identifies a repetition of a client's message: SHA-256 of the sender and of the message as it was sent. Null for the service's own.
  repetition  BLOB CHECK (length(repetition) = 32),
  created_at  INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;

CREATE INDEX a2a_message_by_task ON a2a_message (task_seq);
CREATE INDEX a2a_message_by_repetition ON a2a_message (repetition) WHERE repetition IS NOT NULL;

-- A result of a task.
CREATE TABLE a2a_artifact (
  artifact_seq INTEGER PRIMARY KEY,
  task_seq     INTEGER NOT NULL REFERENCES a2a_task (task_seq) ON DELETE CASCADE,
  -- JSON.
  content      TEXT NOT NULL CHECK (length(content) BETWEEN 2 AND 1048576),
  -- SHA-256 of the content.
  digest       BLOB NOT NULL CHECK (length(digest) = 32),
  created_at   INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;

CREATE INDEX a2a_artifact_by_task ON a2a_artifact (task_seq);

-- A task that ended never changes. The client's ids, the owner and the escrow of a task stay.
CREATE TRIGGER a2a_task_moves_forward BEFORE UPDATE ON a2a_task
WHEN NEW.task_seq <> OLD.task_seq OR NEW.task_id <> OLD.task_id OR NEW.operator_seq <> OLD.operator_seq
  OR NEW.client_id IS NOT OLD.client_id OR NEW.commitment IS NOT OLD.commitment OR NEW.context_id <> OLD.context_id
  OR NEW.created_at <> OLD.created_at OR NEW.messages < OLD.messages OR NEW.artifacts < OLD.artifacts
  OR (OLD.escrow_seq IS NOT NULL AND NEW.escrow_seq IS NOT OLD.escrow_seq)
  OR (OLD.state IN ('completed', 'canceled', 'failed', 'rejected') AND NEW.state <> OLD.state)
BEGIN SELECT RAISE(ABORT, 'tasks only move forward'); END;

-- Only tasks that wait for nobody's credits are deleted.
CREATE TRIGGER a2a_task_of_open_escrow_stays BEFORE DELETE ON a2a_task
WHEN OLD.escrow_seq IS NOT NULL AND OLD.state NOT IN ('completed', 'canceled', 'failed', 'rejected')
BEGIN SELECT RAISE(ABORT, 'a task with open escrow is not deleted'); END;

CREATE TRIGGER a2a_message_is_final BEFORE UPDATE ON a2a_message
BEGIN SELECT RAISE(ABORT, 'messages never change'); END;
CREATE TRIGGER a2a_message_stays BEFORE DELETE ON a2a_message
WHEN EXISTS (SELECT 1 FROM a2a_task WHERE task_seq = OLD.task_seq)
BEGIN SELECT RAISE(ABORT, 'messages are deleted with their task only'); END;
CREATE TRIGGER a2a_artifact_is_final BEFORE UPDATE ON a2a_artifact
BEGIN SELECT RAISE(ABORT, 'artifacts never change'); END;
CREATE TRIGGER a2a_artifact_stays BEFORE DELETE ON a2a_artifact
WHEN EXISTS (SELECT 1 FROM a2a_task WHERE task_seq = OLD.task_seq)
BEGIN SELECT RAISE(ABORT, 'artifacts are deleted with their task only'); END;

CREATE TRIGGER a2a_message_is_counted AFTER INSERT ON a2a_message
BEGIN UPDATE a2a_task SET messages = messages + 1 WHERE task_seq = NEW.task_seq; END;
CREATE TRIGGER a2a_artifact_is_counted AFTER INSERT ON a2a_artifact
BEGIN UPDATE a2a_task SET artifacts = artifacts + 1 WHERE task_seq = NEW.task_seq; END;

-- The state of a paid task is that of its escrow.
CREATE TRIGGER a2a_task_follows_its_escrow AFTER UPDATE OF status, updated_at ON escrow
WHEN NEW.purpose = 'a2a'
BEGIN
  UPDATE a2a_task SET updated_at = NEW.updated_at, state = CASE NEW.status
    WHEN 'HELD' THEN 'working' WHEN 'DELIVERED' THEN 'input-required' WHEN 'PAID' THEN 'completed'
    WHEN 'CANCELLED' THEN 'canceled' ELSE 'failed' END
  WHERE escrow_seq = NEW.escrow_seq;
END;
