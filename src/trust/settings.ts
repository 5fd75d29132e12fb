import {
  limitSettings,
  platformSettings,
  tableOf,
  webhookSettings,
} from '../platform/config/platform-settings.ts';
import { formed, integer, text, toggle } from '../platform/config/setting.ts';
import { DOMAINS } from '../proof/receipt.ts';

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
      description: "the transparency log's name, fixed at the first start; else host[:port] of the URL",
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
  ...webhookSettings(),
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
