-- Partners list their deliveries, newest first, also those of a webhook that they have replaced or deleted.

ALTER TABLE delivery ADD COLUMN owner TEXT;

-- Deliveries of webhooks that were removed before keep no owner, and are not listed.
UPDATE delivery SET owner = (
  SELECT 'partner ' || partner_seq || ' ' || mode FROM webhook
  WHERE 'wh_' || lower(hex(webhook_id)) = delivery.endpoint
);

CREATE INDEX delivery_owner ON delivery (owner, delivery_seq);
