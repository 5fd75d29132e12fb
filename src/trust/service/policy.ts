import type { PayoutRailName } from '../../../db/trust/payouts-enums.ts';
import type { SlashedTranche } from '../../../db/trust/slashing-enums.ts';
import type { Config } from '../../platform/config/setting.ts';
import { Failure } from '../../platform/failure.ts';
import type { RateLimit } from '../../platform/http/request/rate-limits.ts';
import type { Domain } from '../../proof/receipt/receipt.ts';
import { agentsSettings } from '../agents/settings.ts';
import { processorSettings } from '../billing/processor/settings.ts';
import { packagesSettings } from '../compliance/packages/settings.ts';
import { datacenterSettings } from '../datacenter/settings.ts';
import { escrowSettings } from '../hires/escrow/settings.ts';
import { creditsSettings } from '../ledger/credits/settings.ts';
import { meteringSettings, type Product } from '../ledger/metering/settings.ts';
import { type EvmPolicy, evmPolicyOf } from '../ledger/wallets/evm-policy.ts';
import { keysSettings } from '../log/keys/settings.ts';
import type { QuotaLimits } from '../operators/quotas/quotas.ts';
import { quotasSettings } from '../operators/quotas/settings.ts';
import { operatorsSettings } from '../operators/settings.ts';
import { DEFAULT_MINIMUM, payoutsSettings } from '../payments/payouts/settings.ts';
import { paymentsSettings, type SettlementRail } from '../payments/settings.ts';
import { gateSettings, minimumStakes } from '../receipts/gate/settings.ts';
import { DAY_MS, type SlaPolicy } from '../receipts/gate/verdict.ts';
import { receiptsSettings } from '../receipts/settings.ts';
import { slashingSettings } from '../receipts/slashing/settings.ts';
import { trustSettings } from './settings.ts';

/** Most webhooks of an operator without the quota of FREE. */
export const MAX_WEBHOOKS = 100;

/** The settings that the logic of the trust service uses, checked and in the units of the code. */
export interface TrustPolicy {
  /** US cents, by domain. */
  minimumStakeCents: Readonly<Record<Domain, number>>;
  /** The gate's SLA rule. */
  sla: SlaPolicy;
  /** The credits from which each tier applies. */
  tiers: { full: number; limited: number; sandboxed: number };
  /** The time that the next signing key is published before it signs, in milliseconds. */
  publishKeysAheadMs: number;
  /** The time after a delivery in which the hirer can accept, in milliseconds. */
  acceptMs: number;
  /** Difficulty of the proof of work of agents that enroll themselves, in leading zero hexadecimal digits. */
  powDifficulty: number;
  /** Rate limits per client address. */
  rateLimits: {
    publicReads: RateLimit;
    publicPosts: RateLimit;
    gate: RateLimit;
    enrollment: RateLimit;
    packages: RateLimit;
    checkout: RateLimit;
  };
  quotas: QuotaLimits;
  /** Most clusters of a self-provisioned operator. */
  freeClusters: number;
  /** The percentage of the stake that a finalized failure takes. */
  slashingPercent: Readonly<Record<SlashedTranche, number>>;
  /** The credits of the operator's pool that issuing a receipt costs. */
  receiptPrice: number;
  /** The credits that each metered product costs, at least 1. */
  productPrices: Readonly<Record<Product, number>>;
  /** The chain of wallets and payouts; null if none is configured. */
  evm: EvmPolicy | null;
  /** US cents that a credit costs and is worth. */
  centsPerCredit: number;
  /** How withdrawals are paid. */
  payoutRail: PayoutRailName;
  /** The fewest credits of a withdrawal. */
  payoutMinimum: number;
  /** The keys of the HMAC of settlements, by rail; null for a rail that is not configured. */
  settlementSecrets: Readonly<Record<SettlementRail, string | null>>;
}

/** Returns the policy from the settings. @throws Failure (exit code 2) for settings that contradict each other */
export function policyOf(config: Config): TrustPolicy {
  const { tierFull, tierLimited, tierSandboxed } = operatorsSettings;
  const { publicReads, publicPosts } = trustSettings;
  const { gateChecks } = gateSettings;
  const { enrollments } = agentsSettings;
  const stake = (domain: Domain): number =>
    minimumStakes.find((minimum) => minimum.domain === domain)?.setting.in(config) ?? 0;
  if (!(tierFull.in(config) > tierLimited.in(config) && tierLimited.in(config) > tierSandboxed.in(config))) {
    throw new Failure(
      'tiers.full, tiers.limited and tiers.sandboxed must descend',
      'set descending numbers, such as full 50, limited 10, sandboxed 1',
      2,
    );
  }
  const evm = evmPolicyOf(config);
  const payoutRail = payoutsSettings.rail.in(config);
  if (payoutRail === 'evm' && evm === null) {
    throw new Failure(
      'payouts.rail is evm, but no chain is configured',
      'set evm.rpc_url, evm.chain_id, evm.token and evm.treasury_key, or set payouts.rail to manual',
      2,
    );
  }
  return {
    minimumStakeCents: {
      FINANCIAL_CLEARING: stake('FINANCIAL_CLEARING'),
      CUSTOMER_SUPPORT: stake('CUSTOMER_SUPPORT'),
      CODE_GENERATION: stake('CODE_GENERATION'),
      SYSTEM_INTEGRATION: stake('SYSTEM_INTEGRATION'),
    },
    sla: slaPolicyOf(config),
    tiers: {
      full: tierFull.in(config),
      limited: tierLimited.in(config),
      sandboxed: tierSandboxed.in(config),
    },
    publishKeysAheadMs: keysSettings.publishKeysAhead.in(config) * 1000,
    acceptMs: escrowSettings.acceptHours.in(config) * 3_600_000,
    powDifficulty: agentsSettings.powDifficulty.in(config),
    rateLimits: {
      publicReads: { name: 'public-reads', requests: publicReads.in(config), seconds: 60 },
      publicPosts: { name: 'public-posts', requests: publicPosts.in(config), seconds: 60 },
      gate: { name: 'gate', requests: gateChecks.in(config), seconds: 60 },
      enrollment: { name: 'enrollment', requests: enrollments.in(config), seconds: 60 },
      packages: { name: 'packages', requests: packagesSettings.builds.in(config), seconds: 60 },
      checkout: { name: 'checkout', requests: processorSettings.checkouts.in(config), seconds: 60 },
    },
    quotas: quotaLimits(config),
    freeClusters: datacenterSettings.freeClusters.in(config),
    slashingPercent: {
      DATA_LEAKAGE: slashingSettings.DATA_LEAKAGE.in(config),
      SLA_BREACH: slashingSettings.SLA_BREACH.in(config),
      LOGIC_DETECTION: slashingSettings.LOGIC_DETECTION.in(config),
      COMPUTE_TIMEOUT: slashingSettings.COMPUTE_TIMEOUT.in(config),
    },
    receiptPrice: receiptsSettings.price.in(config),
    productPrices: {
      reputation_lookup_verified: meteringSettings.reputation_lookup_verified.in(config),
      portable_credential_issuance: meteringSettings.portable_credential_issuance.in(config),
      audit_package_generation: meteringSettings.audit_package_generation.in(config),
    },
    evm,
    centsPerCredit: creditsSettings.centsPerCredit.in(config),
    payoutRail,
    payoutMinimum: payoutsSettings.minimum.in(config) ?? DEFAULT_MINIMUM[payoutRail],
    settlementSecrets: {
      stripe_agent: paymentsSettings.stripe_agent.in(config),
      visa_intelligent_commerce: paymentsSettings.visa_intelligent_commerce.in(config),
      mastercard_agent_pay: paymentsSettings.mastercard_agent_pay.in(config),
      x402: paymentsSettings.x402.in(config),
    },
  };
}

/** Returns the quotas from the settings. With rate limits off, only limits of rates are off; storage stays limited. */
function quotaLimits(config: Config): QuotaLimits {
  const areRatesLimited = trustSettings.rateLimits.in(config) === 'on';
  const orNone = (limit: number): number | null => (limit === 0 ? null : limit);
  const rate = (limit: number): number | null => (areRatesLimited ? orNone(limit) : null);
  return {
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
  };
}

/** Returns the SLA rule from the settings. @throws Failure (exit code 2) when it needs more receipts than it weighs */
function slaPolicyOf(config: Config): SlaPolicy {
  const { slaWindowDays, slaSharePercent, slaMinimumReceipts, slaNewest } = gateSettings;
  const rule = {
    windowMs: slaWindowDays.in(config) * DAY_MS,
    sharePercent: slaSharePercent.in(config),
    minimumReceipts: slaMinimumReceipts.in(config),
    newest: slaNewest.in(config),
  };
  if (rule.minimumReceipts <= rule.newest) return rule;
  throw new Failure(
    `gate.sla_minimum_receipts is ${rule.minimumReceipts}, but only the newest ${rule.newest} receipts (gate.sla_newest) are weighed: the rule would never deny`,
    'docs/configuration.md',
    2,
  );
}
