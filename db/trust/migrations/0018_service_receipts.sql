-- The receipts that the service issued itself, such as that of a paid engagement. They count neither for the gate nor for a reputation:
-- no operator stated them.

CREATE TABLE service_receipt (
  receipt_seq INTEGER PRIMARY KEY REFERENCES receipt (receipt_seq)
) STRICT;

CREATE TRIGGER service_receipt_is_final BEFORE UPDATE ON service_receipt
BEGIN SELECT RAISE(ABORT, 'receipts of the service never change'); END;
CREATE TRIGGER service_receipt_stays BEFORE DELETE ON service_receipt
BEGIN SELECT RAISE(ABORT, 'receipts of the service are never deleted'); END;
