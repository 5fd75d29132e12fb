import { integer } from '../../../platform/config/setting.ts';

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
