import { integer } from '../../../platform/config/setting.ts';
import { DOMAINS } from '../../../proof/receipt/receipt.ts';
import { DAY_MS, DEFAULT_SLA_POLICY, MAX_WEIGHED } from './verdict.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/** Settings for the gate. */
export const gateSettings = {
  gateChecks: integer('limits.gate', 1, 1_000_000, {
    description: 'gate checks per client address per minute',
    fallback: 600,
  }),
  slaWindowDays: integer('gate.sla_window_days', 1, 3650, {
    description: 'days for which a finalized receipt counts when the gate looks for SLA breaches',
    fallback: DEFAULT_SLA_POLICY.windowMs / DAY_MS,
  }),
  slaSharePercent: integer('gate.sla_share_percent', 0, 100, {
    description:
      'the gate denies when more than this percentage of the counted receipts are SLA breaches; 100: never',
    fallback: DEFAULT_SLA_POLICY.sharePercent,
  }),
  slaMinimumReceipts: integer('gate.sla_minimum_receipts', 1, MAX_WEIGHED, {
    description:
      'the gate denies for SLA breaches only when at least this many receipts count; at most gate.sla_newest',
    fallback: DEFAULT_SLA_POLICY.minimumReceipts,
  }),
  slaNewest: integer('gate.sla_newest', 1, MAX_WEIGHED, {
    description: `how many of the newest finalized receipts of a domain count, 1 to ${MAX_WEIGHED}`,
    fallback: DEFAULT_SLA_POLICY.newest,
  }),
};

/** Settings for the minimum stake of an operator, in US cents, by domain. */
export const minimumStakes = DOMAINS.map((domain) => ({
  domain,
  setting: integer(`gate.minimum_stake.${domain.toLowerCase()}`, 0, MOST, {
    description: `the stake in US cents below which the gate denies ${domain}`,
    fallback: 0,
  }),
}));
