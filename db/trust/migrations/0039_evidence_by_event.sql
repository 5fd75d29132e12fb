-- Finds an item of any agent by its event hash. 48 bits of the hash keep the index small; the full hash is compared after. As
-- receipt_version_by_hash, it has windows of 4,096 items, so that the part that is being written stays small. Queries must use the very
-- same expressions.
CREATE INDEX evidence_by_event ON evidence (evidence_seq >> 12, substr(event_hash, 1, 6));
