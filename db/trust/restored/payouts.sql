-- Run on the copy of a backup before it takes the place of the database. What was open then may have been paid since.
UPDATE payout SET held = 'restored', updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
WHERE status IN ('queued', 'submitted') AND held IS NOT 'restored';
