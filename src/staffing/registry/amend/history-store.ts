import { change, revision } from '../../../../db/staffing/registry/tables.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ change, revision });

export const insertRevision = sql.insert(revision);
export const insertChange = sql.insert(change);

/** Returns the greatest sequence number below another; 0 for none. */
export const lastBefore = sql.value(sql.number`max(
  coalesce((SELECT max(first) FROM revision WHERE first < ${'before:first'}), 0),
  coalesce((SELECT max(sequence) FROM change WHERE sequence < ${'before:first'}), 0)
)`)``;

/** Returns the first revision at or after a time, or the newest one; null for none. */
export const firstSince = sql.value(
  orNull(
    sql.number`coalesce((SELECT min(first) FROM revision WHERE at >= ${'at'}), (SELECT max(first) FROM revision))`,
  ),
)``;
export const newestRevision = sql.row(revision)`ORDER BY first DESC LIMIT 1`;
export const revisionsFrom = sql.rows(revision)`WHERE first >= ${'first'} ORDER BY first`;
export const changesFrom = sql.rows(change)`
  WHERE sequence >= ${'sequence'} ORDER BY sequence LIMIT ${'limit'}`;

export const deleteRevisionsBefore = sql.run`DELETE FROM revision WHERE first < ${'first'}`;
export const deleteChangesBefore = sql.run`DELETE FROM change WHERE sequence < ${'sequence'}`;
export const deleteRevisions = sql.run`DELETE FROM revision`;
export const deleteChanges = sql.run`DELETE FROM change`;
/** Deletes the changes of clinicians after a sequence number. */
export const deleteChangesOf = sql.run`
  DELETE FROM change
  WHERE sequence > ${'sequence'} AND npi IN (SELECT value FROM json_each(${'npis:list'}))`;
