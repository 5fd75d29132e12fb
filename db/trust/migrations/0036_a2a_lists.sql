-- Every list of A2A tasks is a range of an index for each state: of an operator or of an agent, of all contexts or of one, those that changed
-- last at its end. a2a_task_by_state already has the lists of an operator.

DROP INDEX a2a_task_by_operator;
DROP INDEX a2a_task_by_context;
DROP INDEX a2a_task_by_agent;
CREATE INDEX a2a_task_by_context ON a2a_task (operator_seq, context_id, state, updated_at);
CREATE INDEX a2a_task_by_agent ON a2a_task (operator_seq, commitment, state, updated_at) WHERE commitment IS NOT NULL;
CREATE INDEX a2a_task_by_agent_context ON a2a_task (operator_seq, commitment, context_id, state, updated_at)
  WHERE commitment IS NOT NULL;
