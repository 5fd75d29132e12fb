import { witnessedLog } from '../../../db/witness/checkpoints.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ witnessedLog });

/** The last cosigned checkpoint of a log. */
export type WitnessedLog = typeof witnessedLog.$inferSelect;

/** Returns the last cosigned checkpoint of the log with this origin; null when there is none. */
export const witnessedLogOf = sql.row(witnessedLog)`WHERE origin = ${'origin'}`;

/**
 * Returns the last cosigned note of a log; null when there is none. `originHash`: SHA-256 of its origin, in
 * hexadecimal.
 */
export const noteOf = sql.value(witnessedLog.note)`WHERE origin_hash = ${'originHash'}`;

/** Returns the last cosigned checkpoint of each log. */
export const witnessedLogs = sql.rows(witnessedLog, { scans: 'a row for each log that is witnessed' })``;

/**
 * Stores the last cosigned checkpoint of a log, and replaces the previous one. `cosignedAt`: Unix time in
 * seconds.
 */
export const saveWitnessed = sql.insert(witnessedLog, {
  without: ['logSeq'],
  end: `ON CONFLICT (origin) DO UPDATE SET
    size = excluded.size, root = excluded.root, cosigned_at = excluded.cosigned_at, note = excluded.note`,
});
