-- Every list, and every number that a list shows, is read from rows of its own.

-- The administrator's list of all requisitions: a range for each tier and status, the newest at its end.
DROP INDEX requisition_by_time;
CREATE INDEX requisition_by_mode ON requisition (mode, status, created_at);

-- How many requisitions of a tier are stored for a partner. Triggers count them.
CREATE TABLE requisition_count (
  partner_seq  INTEGER NOT NULL REFERENCES partner (partner_seq),
  mode         TEXT NOT NULL CHECK (length(mode) BETWEEN 1 AND 32),
  requisitions INTEGER NOT NULL CHECK (requisitions >= 0),
  PRIMARY KEY (partner_seq, mode)
) STRICT, WITHOUT ROWID;
INSERT INTO requisition_count SELECT partner_seq, mode, count(*) FROM requisition GROUP BY partner_seq, mode;

CREATE TRIGGER requisition_is_counted AFTER INSERT ON requisition
BEGIN
  INSERT INTO requisition_count VALUES (NEW.partner_seq, NEW.mode, 1)
  ON CONFLICT DO UPDATE SET requisitions = requisitions + 1;
END;
CREATE TRIGGER requisition_is_uncounted AFTER DELETE ON requisition
BEGIN
  UPDATE requisition_count SET requisitions = requisitions - 1 WHERE partner_seq = OLD.partner_seq AND mode = OLD.mode;
END;
CREATE TRIGGER requisition_stays_with_its_partner BEFORE UPDATE OF partner_seq, mode ON requisition
WHEN NEW.partner_seq <> OLD.partner_seq OR NEW.mode <> OLD.mode
BEGIN SELECT RAISE(ABORT, 'the partner and the tier of a requisition never change'); END;

-- The keys of a partner that work, at most two of a tier. Revoked ones stay, as many as the partner made.
CREATE INDEX partner_key_active ON partner_key (partner_seq, tier, created_at) WHERE revoked_at IS NULL;
