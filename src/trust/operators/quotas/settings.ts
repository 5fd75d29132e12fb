import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';
import type { QuotaLimits } from './quotas.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/** Settings for quotas. */
export const quotasSettings = {
  freeWrites: integer('quotas.free.writes_per_minute', 0, MOST, {
    description:
      'writes per minute of each self-provisioned operator and each agent without a sponsor; 0: no limit',
    fallback: 120,
  }),
  freeStoredBytes: integer('quotas.free.stored_bytes', 0, MOST, {
    description:
      'bytes that each self-provisioned operator and each agent without a sponsor may store; 0: no limit',
    fallback: 64 * 1024 * 1024,
  }),
  freeWebhooks: integer('quotas.free.webhooks', 0, 100, {
    description: 'webhooks of each self-provisioned operator',
    fallback: 5,
  }),
  freeTotalBytes: integer('quotas.free.total_bytes', 0, MOST, {
    description:
      'bytes that all self-provisioned operators and agents without a sponsor may store together; above three quarters, no agent can enroll without an API key; 0: no limit',
    fallback: 4 * 1024 * 1024 * 1024,
  }),
  provisions: integer('quotas.free.provisions_per_day', 0, MOST, {
    description: 'agents that enroll without an API key per client address per day; 0: no limit',
    fallback: 10,
  }),
  otherWrites: integer('quotas.other.writes_per_minute', 0, MOST, {
    description: 'writes per minute of each other operator; 0: no limit',
    fallback: 0,
  }),
  otherStoredBytes: integer('quotas.other.stored_bytes', 0, MOST, {
    description: 'bytes that each other operator may store; 0: no limit',
    fallback: 0,
  }),
};

/** Most webhooks of an operator without the quota of FREE. */
export const MAX_WEBHOOKS = 100;

/** The settings of quotas in the units of the code. */
export interface QuotasPolicy {
  quotas: QuotaLimits;
}

/**
 * Returns the quotas from the settings.
 * @param areRatesLimited with rate limits off, only limits of rates are off; storage stays limited
 */
export function quotasPolicy(config: Config, areRatesLimited: boolean): QuotasPolicy {
  const orNone = (limit: number): number | null => (limit === 0 ? null : limit);
  const rate = (limit: number): number | null => (areRatesLimited ? orNone(limit) : null);
  return {
    quotas: {
      free: {
        writesPerMinute: rate(quotasSettings.freeWrites.in(config)),
        storedBytes: orNone(quotasSettings.freeStoredBytes.in(config)),
        webhooks: quotasSettings.freeWebhooks.in(config),
      },
      other: {
        writesPerMinute: rate(quotasSettings.otherWrites.in(config)),
        storedBytes: orNone(quotasSettings.otherStoredBytes.in(config)),
        webhooks: MAX_WEBHOOKS,
      },
      freeTotalBytes: orNone(quotasSettings.freeTotalBytes.in(config)) ?? Number.MAX_SAFE_INTEGER,
      provisionsPerDay: rate(quotasSettings.provisions.in(config)),
    },
  };
}
