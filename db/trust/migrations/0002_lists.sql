-- Keeps issuing and listing as fast with many receipts as with few: every index is either written in order, or within
-- a small part that is written again and again; and every filter of a list is a prefix of some index.

-- Hashes are random, so an index on them alone is written all over. In windows of 4,096 receipts the part that is being
-- written stays small; who looks for a hash asks window after window, the newest first. Queries must say the very same
-- expression.
DROP INDEX receipt_version_by_hash;
CREATE INDEX receipt_version_by_hash ON receipt_version (receipt_seq >> 12, hash_prefix);

-- Every index ends in the rowid, which is receipt_seq: naming it stored it twice.
DROP INDEX receipt_by_operator;
CREATE INDEX receipt_by_operator ON receipt (operator_seq, issued_at);

-- For lists with filters. A query that does not name a status or a domain merges the ranges of all their values.
CREATE INDEX receipt_by_outcome ON receipt (operator_seq, status, domain, issued_at);
DROP INDEX receipt_by_agent;
CREATE INDEX receipt_by_agent ON receipt (operator_seq, agent_id, status, domain, issued_at);
