import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';
import { Failure } from '../../../platform/failure.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import type { Domain } from '../../../proof/receipt/receipt.ts';
import { DOMAINS } from '../../../proof/receipt/receipt.ts';
import { DEFAULT_RULES, type GateRules, MAX_SHARED, MAX_WEIGHED } from './verdict.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/** Settings for the gate. */
export const gateSettings = {
  gateChecks: integer('limits.gate', 1, 1_000_000, {
    description: 'gate checks per client address per minute',
    fallback: 600,
  }),
  slaWindowDays: integer('gate.sla_window_days', 1, 3650, {
    description: 'days for which a finalized or abandoned receipt counts at the gate',
    fallback: DEFAULT_RULES.windowMs / DAY_MS,
  }),
  slaSharePercent: integer('gate.sla_share_percent', 0, 100, {
    description:
      'the gate denies when more than this percentage of the counted receipts are SLA breaches; 100: never',
    fallback: DEFAULT_RULES.sharePercent,
  }),
  slaMinimumReceipts: integer('gate.sla_minimum_receipts', 1, MAX_WEIGHED, {
    description:
      'the gate denies for SLA breaches only when at least this many receipts count; at most gate.sla_newest',
    fallback: DEFAULT_RULES.minimumReceipts,
  }),
  slaNewest: integer('gate.sla_newest', 1, MAX_WEIGHED, {
    description: `how many of the newest finalized receipts of a domain count, 1 to ${MAX_WEIGHED}`,
    fallback: DEFAULT_RULES.newest,
  }),
  maxAbandonedShare: integer('gate.max_abandoned_share', 0, 100, {
    description: `the gate denies when more than this percentage of the newest ${MAX_SHARED} receipts of a domain were abandoned, if gate.sla_minimum_receipts count; 100: never`,
    fallback: null,
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

/** The settings of the gate in the units of the code. */
export interface GatePolicy {
  /** US cents, by domain. */
  minimumStakeCents: Readonly<Record<Domain, number>>;
  rules: GateRules;
}

/**
 * Returns the policy of the gate from the settings.
 * @throws Failure (exit code 2) when the SLA rule would never deny
 */
export function gatePolicy(config: Config): GatePolicy {
  const stake = (domain: Domain): number =>
    minimumStakes.find((minimum) => minimum.domain === domain)?.setting.in(config) ?? 0;
  return {
    minimumStakeCents: {
      FINANCIAL_CLEARING: stake('FINANCIAL_CLEARING'),
      CUSTOMER_SUPPORT: stake('CUSTOMER_SUPPORT'),
      CODE_GENERATION: stake('CODE_GENERATION'),
      SYSTEM_INTEGRATION: stake('SYSTEM_INTEGRATION'),
    },
    rules: rulesOf(config),
  };
}

/**
 * Returns the rules about receipts from the settings.
 * @throws Failure (exit code 2) when the SLA rule needs more receipts than it weighs
 */
function rulesOf(config: Config): GateRules {
  const { slaWindowDays, slaSharePercent, slaMinimumReceipts, slaNewest, maxAbandonedShare } = gateSettings;
  const rule = {
    windowMs: slaWindowDays.in(config) * DAY_MS,
    sharePercent: slaSharePercent.in(config),
    minimumReceipts: slaMinimumReceipts.in(config),
    newest: slaNewest.in(config),
    maxAbandonedPercent: maxAbandonedShare.in(config),
  };
  if (rule.minimumReceipts <= rule.newest) return rule;
  throw new Failure(
    `gate.sla_minimum_receipts is ${rule.minimumReceipts}, but only the newest ${rule.newest} receipts (gate.sla_newest) are weighed: the rule would never deny`,
    'docs/configuration.md',
    2,
  );
}
