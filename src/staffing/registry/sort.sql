-- Sorts what was staged into the registry file: each table is written once, from its first page to its last.
INSERT INTO clinician SELECT * FROM stage.arrived ORDER BY npi;

INSERT INTO by_name
SELECT member.list, name.kind, name.name_key, name.first_key, name.npi
FROM stage.name AS name CROSS JOIN stage.member AS member ON member.common = name.common
WHERE member.listed
ORDER BY 1, 2, 3, 4, 5;

INSERT INTO by_state
SELECT member.list, name.state, name.kind, name.name_key, name.first_key, name.npi
FROM stage.name AS name CROSS JOIN stage.member AS member ON member.common = name.common
WHERE member.listed AND name.state IS NOT NULL
ORDER BY 1, 2, 3, 4, 5, 6;

INSERT INTO several_names SELECT npi, name_key, kind FROM stage.name WHERE several ORDER BY 1, 2;

CREATE TABLE stage.tally AS
SELECT member.list, tally.state, sum(tally.clinicians) AS clinicians
FROM (
  SELECT common, state, count(*) AS clinicians FROM stage.name WHERE kind = 0 GROUP BY common, state
) AS tally
CROSS JOIN stage.member AS member ON member.common = tally.common
GROUP BY 1, 2;

INSERT INTO list_count SELECT list, state, clinicians FROM stage.tally WHERE state IS NOT NULL ORDER BY 1, 2;
INSERT INTO list_count SELECT list, '', sum(clinicians) FROM stage.tally GROUP BY list;
