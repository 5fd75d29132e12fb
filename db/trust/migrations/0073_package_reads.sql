-- What a package asks of nearly all receipts of an agent: which name the receipt before them, and which were revoked. Their rows are wide
-- and lie between those of others, so that reading them took most of the time of a package.
CREATE INDEX receipt_marks ON receipt (receipt_seq, prev_receipt_seq, revocation_status)
  WHERE prev_receipt_seq IS NOT NULL OR revocation_status = 'revoked';
