-- When a subscription ends without being renewed, as the processor last said: its customer canceled it. Milliseconds since 1970.
ALTER TABLE subscription ADD COLUMN ends_at INTEGER CHECK (ends_at >= 0);
-- When the event was made that said so.
ALTER TABLE subscription ADD COLUMN changed_at INTEGER CHECK (changed_at >= 0);
