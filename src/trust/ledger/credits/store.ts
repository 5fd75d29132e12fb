import { accessOverride, keySpending, keySpendingHour } from '../../../../db/trust/credits.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ accessOverride, keySpending, keySpendingHour });

/**
 * Returns the newest override of an agent's tier; null if there never was one.
 * @returns a row without a tier if it ended the override before it
 */
export const newestOverride = sql.row(accessOverride)`
  WHERE agent_seq = ${'agentSeq'} ORDER BY override_seq DESC LIMIT 1`;

/** Stores an override, which applies from now on. */
export const insertOverride = sql.insert(accessOverride, { without: ['overrideSeq'] });

/** Returns the credits that a key with a limit over time spent in all; null for none. */
export const spentInAll = sql.value(keySpending.credits)`WHERE api_key_seq = ${'apiKeySeq'}`;

/** Returns the credits that such a key spent from an hour on. */
export const spentSince = sql.value(sql.number`coalesce(sum(credits), 0)`)`
  FROM key_spending_hour WHERE api_key_seq = ${'apiKeySeq:keySpendingHour.apiKeySeq'} AND hour >= ${'hour'}`;

/** Adds credits to what such a key spent in an hour. */
export const addSpentInHour = sql.insert(keySpendingHour, {
  end: 'ON CONFLICT (api_key_seq, hour) DO UPDATE SET credits = key_spending_hour.credits + excluded.credits',
});

/** Adds credits to what such a key spent in all. */
export const addSpentInAll = sql.insert(keySpending, {
  end: 'ON CONFLICT (api_key_seq) DO UPDATE SET credits = key_spending.credits + excluded.credits',
});
