-- The proposals of an agent, by their first steps: those that it made, and those that it received.
CREATE INDEX agora_entry_by_proposer ON agora_entry (from_seq) WHERE step = 1;
CREATE INDEX agora_entry_by_receiver ON agora_entry (to_seq) WHERE step = 1;
