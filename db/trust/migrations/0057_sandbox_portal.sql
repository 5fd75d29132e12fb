-- What a customer changes in the portal of the sandbox.
ALTER TABLE sandbox_session ADD COLUMN cancels_at_end INTEGER NOT NULL DEFAULT 0 CHECK (cancels_at_end IN (0, 1));
-- The last digits of the card. No number is stored.
ALTER TABLE sandbox_session ADD COLUMN card_last4 TEXT NOT NULL DEFAULT '4242' CHECK (length(card_last4) = 4);
