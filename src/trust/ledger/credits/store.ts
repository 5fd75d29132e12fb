import { accessOverride } from '../../../../db/trust/credits.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ accessOverride });

/**
 * Returns the newest override of an agent's tier; null if there never was one.
 * @returns a row without a tier if it ended the override before it
 */
export const newestOverride = sql.row(accessOverride)`
  WHERE agent_seq = ${'agentSeq'} ORDER BY override_seq DESC LIMIT 1`;

/** Stores an override, which applies from now on. */
export const insertOverride = sql.insert(accessOverride, { without: ['overrideSeq'] });
