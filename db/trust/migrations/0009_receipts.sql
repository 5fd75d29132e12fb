-- A holder key's filter by domain passes over blind receipts. A page of it must not cost more because there are many of
-- them: each range of the index has the blind ones or the others. Queries must say the very same expression.
DROP INDEX receipt_by_agent;
CREATE INDEX receipt_by_agent
  ON receipt (operator_seq, agent_id, status, domain, (domain_commitment IS NOT NULL), issued_at);

-- valid_from of a key that took over before its planned time was that planned time: receipts that it signed until then are
-- dated before it. The key log says when each key was activated.
UPDATE signing_key SET valid_from = (
  SELECT json_extract(entry, '$.at') FROM key_leaf
  WHERE key_leaf.key_seq = signing_key.key_seq AND event = 'activated' ORDER BY leaf_seq LIMIT 1
)
WHERE valid_from > (
  SELECT json_extract(entry, '$.at') FROM key_leaf
  WHERE key_leaf.key_seq = signing_key.key_seq AND event = 'activated' ORDER BY leaf_seq LIMIT 1
);

-- A first answer to an issue that was kept for its replays has no salt any more.
UPDATE idempotency SET answer = json_set(answer, '$.blind_salt', NULL)
WHERE json_extract(answer, '$.blind_salt') IS NOT NULL;
