-- Bodies that were sent before, found among any number of corrections of one window.

DROP INDEX datacenter_evidence_by_superseded;
CREATE INDEX datacenter_evidence_by_superseded ON datacenter_evidence (instance_seq, window_end, payload_digest)
  WHERE superseded_by IS NOT NULL;
