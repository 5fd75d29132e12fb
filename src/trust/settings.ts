import {
  limitSettings,
  platformSettings,
  tableOf,
  webhookSettings,
} from '../platform/config/platform-settings.ts';
import { formed, integer, text, toggle } from '../platform/config/setting.ts';
import { DOMAINS } from '../proof/receipt.ts';
import { DAY_MS, DEFAULT_SLA_RULE, WEIGHED } from './gate/verdict.ts';

const HEX_64 = 'and 64 lower-case hexadecimal characters';
const MOST = Number.MAX_SAFE_INTEGER;

/** The settings of the trust service. */
export const trustSettings = {
  ...platformSettings({ port: 3000, data: 'data/trust' }),
  bootstrapApiKey: formed<null>('bootstrap_api_key', /^pp_[0-9a-f]{64}$/, `is not pp_ ${HEX_64}`, {
    description: 'an admin API key of the first operator, put in place at every start; a former one stays',
    fallback: null,
    secret: true,
  }),
  serviceToken: formed<null>('service_token', /^svc_[0-9a-f]{64}$/, `is not svc_ ${HEX_64}`, {
    description: 'the token of the service itself, put in place at every start',
    fallback: null,
    secret: true,
  }),
  ...limitSettings(),
  gateChecks: integer('limits.gate', 1, 1_000_000, {
    description: 'gate checks of one client address a minute',
    fallback: 600,
  }),
  enrollments: integer('limits.enrollment', 1, 1_000_000, {
    description: 'steps of enrollment, with or without a sponsor, of one client address a minute',
    fallback: 30,
  }),
  readOnly: toggle('read_only', {
    description: 'answer reads alone: nothing is written, nothing signed, no checkpoint published',
  }),
  logOrigin: formed<null>(
    'log.origin',
    /^[!-*,-~]{1,200}$/,
    'is not 1 to 200 printable ASCII characters without space and plus',
    {
      description:
        "the transparency log's name, fixed with the first receipt in it; else host[:port] of the first start's URL",
      fallback: null,
    },
  ),
  witnessPolicy: text<null>('log.witness_policy', {
    argument: '<file>',
    description:
      'the witnesses that are asked to cosign checkpoints: a C2SP tlog-policy, each witness with its URL',
    fallback: null,
  }),
  publishKeysAhead: integer('keys.publish_ahead_seconds', 0, 30 * 24 * 3600, {
    description: 'how long the next signing key is published before it signs',
    fallback: 7200,
  }),
  powDifficulty: integer('agents.pow_difficulty', 0, 12, {
    description: 'leading zero hexadecimal digits that an agent which enrolls itself has to find',
    fallback: 5,
  }),
  tierFull: integer('tiers.full', 1, MOST, {
    description: 'available credits from which the tier is FULL',
    fallback: 50,
  }),
  tierLimited: integer('tiers.limited', 1, MOST, {
    description: 'available credits from which the tier is LIMITED',
    fallback: 10,
  }),
  tierSandboxed: integer('tiers.sandboxed', 1, MOST, {
    description: 'available credits from which the tier is SANDBOXED; below it, SHELTERED',
    fallback: 1,
  }),
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
  ...webhookSettings(),
  slaWindowDays: integer('gate.sla_window_days', 1, 3650, {
    description: 'how many days the gate weighs a finalized receipt for SLA breaches',
    fallback: DEFAULT_SLA_RULE.windowMs / DAY_MS,
  }),
  slaSharePercent: integer('gate.sla_share_percent', 0, 100, {
    description:
      'the gate denies when more than this share of the weighed receipts are SLA breaches; 100 never',
    fallback: DEFAULT_SLA_RULE.sharePercent,
  }),
  slaMinimumReceipts: integer('gate.sla_minimum_receipts', 1, WEIGHED, {
    description: 'the gate denies for SLA breaches only when so many receipts are weighed',
    fallback: DEFAULT_SLA_RULE.minimumReceipts,
  }),
  slaNewest: integer('gate.sla_newest', 1, WEIGHED, {
    description: 'how many of the newest finalized receipts of a domain are weighed for SLA breaches',
    fallback: DEFAULT_SLA_RULE.newest,
  }),
};

/** The least stake, in US cents, that the gate asks of an operator, by domain. */
export const minimumStakes = DOMAINS.map((domain) => ({
  domain,
  setting: integer(`gate.minimum_stake.${domain.toLowerCase()}`, 0, MOST, {
    description: `the stake in US cents under which the gate denies ${domain}`,
    fallback: 0,
  }),
}));

export const trustSettingsTable = [...tableOf(trustSettings), ...minimumStakes.map(({ setting }) => setting)];
