import { wrongRows } from '../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { SUSTAINABILITY_TYPE } from '../../../proof/credential/contexts.ts';
import type { Problem } from '../../../proof/log/problem.ts';

/**
 * Credentials that cite a checkpoint of another log.
 * @param column of the checkpoint
 * @param name of its log
 */
const citesOtherLog = (column: string, name: string) => `
  SELECT credential_seq, '${name}' AS expected, log.name AS found
  FROM credential JOIN checkpoint ON checkpoint.checkpoint_seq = ${column} JOIN log USING (log_seq)
  WHERE log.name <> '${name}' LIMIT 100`;

/** Credentials that are not valid for exactly a day: julianday counts in days, and 0.5 ms are 6e-9 days. */
const OTHER_VALIDITY = `
  SELECT credential_seq, 1 AS expected, julianday(valid_until) - julianday(valid_from) AS found
  FROM credential WHERE abs(julianday(valid_until) - julianday(valid_from) - 1) > 1e-8 OR julianday(valid_from) IS NULL LIMIT 100`;

/** Credentials whose type does not fit their subject: an agent or a cluster. */
const OTHER_TYPE = `
  SELECT credential_seq, iif(cluster_seq IS NULL, 'a type for agents', '${SUSTAINABILITY_TYPE}') AS expected, type AS found
  FROM credential WHERE (cluster_seq IS NULL) = (type = '${SUSTAINABILITY_TYPE}') LIMIT 100`;

/** Lists that count other credentials than they have. */
const LISTED =
  'FROM status_list l LEFT JOIN credential c USING (list_seq) GROUP BY l.list_seq HAVING expected <> found LIMIT 100';
const OTHER_COUNT = `SELECT l.list_seq, count(c.credential_seq) + l.deleted AS expected, l.issued AS found ${LISTED}`;
const OTHER_REVOKED = `SELECT l.list_seq, count(c.revoked_at) AS expected, l.revoked AS found ${LISTED}`;

/** Lists that end before one of their credentials. */
const ENDED_BEFORE = `
  SELECT list_seq, max(credential.valid_until) AS expected, status_list.valid_until AS found
  FROM credential JOIN status_list USING (list_seq) GROUP BY list_seq
  HAVING max(credential.valid_until) > status_list.valid_until LIMIT 100`;

/** Lists of a key that signs no credentials. */
const OTHER_KEY = `
  SELECT list_seq, 'credentials' AS expected, purpose AS found
  FROM status_list JOIN signing_key USING (key_seq) WHERE purpose <> 'credentials' LIMIT 100`;

/** A gap in the numbers of lists: they count up from 1, and no list is ever deleted. */
const GAP = `
  SELECT max(list_seq) AS list_seq, max(list_seq) AS expected, count(*) AS found FROM status_list HAVING expected <> found`;

/**
 * Returns up to 100 problems of each kind: credentials that cite a checkpoint of another log, that are not
 * valid for exactly a day, or whose type does not fit their subject.
 */
export async function wrongCredentials(snapshot: Snapshot): Promise<Problem[]> {
  const wrong = (problem: string, sql: string) => wrongRows(snapshot, 'credential', problem, sql);
  return [
    ...(await wrong(
      'it cites a checkpoint of another log',
      citesOtherLog('evidence_checkpoint_seq', 'evidence'),
    )),
    ...(await wrong(
      'it cites a checkpoint of another log',
      citesOtherLog('receipts_checkpoint_seq', 'receipts'),
    )),
    ...(await wrong('its validity is not a day', OTHER_VALIDITY)),
    ...(await wrong('its type is for another kind of subject', OTHER_TYPE)),
  ];
}

/** Returns up to 100 problems each of lists with a wrong count, end or key; and one if lists are missing. */
export async function wrongStatusLists(snapshot: Snapshot): Promise<Problem[]> {
  const wrong = (problem: string, sql: string) => wrongRows(snapshot, 'status_list', problem, sql);
  return [
    ...(await wrong(
      'issued is not the number of its credentials, with those that were deleted',
      OTHER_COUNT,
    )),
    ...(await wrong('revoked is not the number of its revoked credentials', OTHER_REVOKED)),
    ...(await wrong('it ends before one of its credentials', ENDED_BEFORE)),
    ...(await wrong('its key signs no credentials', OTHER_KEY)),
    ...(await wrong('lists are missing: their numbers have gaps', GAP)),
  ];
}
