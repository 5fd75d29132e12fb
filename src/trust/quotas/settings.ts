import { integer } from '../../platform/config/setting.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/** The settings of quotas. */
export const quotasSettings = {
  freeWrites: integer('quotas.free.writes_per_minute', 0, MOST, {
    description:
      'writes a minute of each operator that provisioned itself, and of each agent without a sponsor; 0: no limit',
    fallback: 120,
  }),
  freeStoredBytes: integer('quotas.free.stored_bytes', 0, MOST, {
    description: 'what each of them may store; 0: no limit',
    fallback: 64 * 1024 * 1024,
  }),
  freeWebhooks: integer('quotas.free.webhooks', 0, 100, {
    description: 'webhooks of each of them',
    fallback: 5,
  }),
  freeTotalBytes: integer('quotas.free.total_bytes', 0, MOST, {
    description:
      'what all of them may store together; from three quarters of it on, no agent enrolls without a sponsor; 0: no limit',
    fallback: 4 * 1024 * 1024 * 1024,
  }),
  provisions: integer('quotas.free.provisions_per_day', 0, MOST, {
    description: 'agents that enroll without a sponsor from one address in a day; 0: no limit',
    fallback: 10,
  }),
  otherWrites: integer('quotas.other.writes_per_minute', 0, MOST, {
    description: 'writes a minute of each other operator; 0: no limit',
    fallback: 0,
  }),
  otherStoredBytes: integer('quotas.other.stored_bytes', 0, MOST, {
    description: 'what each other operator may store, in bytes; 0: no limit',
    fallback: 0,
  }),
};
