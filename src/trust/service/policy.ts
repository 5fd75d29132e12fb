import type { Config } from '../../platform/config/setting.ts';
import { type AgentsPolicy, agentsPolicy, agentsSettings } from '../agents/settings.ts';
import { processorSettings } from '../billing/processor/settings.ts';
import { type AssessorsPolicy, assessorsPolicy } from '../compliance/assessors/settings.ts';
import { packagesSettings } from '../compliance/packages/settings.ts';
import { type DatacenterPolicy, datacenterPolicy } from '../datacenter/settings.ts';
import { type EscrowPolicy, escrowPolicy } from '../hires/escrow/settings.ts';
import type { RateLimitPolicy } from '../http/rate-limits.ts';
import { type CreditsPolicy, creditsPolicy } from '../ledger/credits/settings.ts';
import { type HoldsPolicy, holdsPolicy } from '../ledger/lots/settings.ts';
import { type MeteringPolicy, meteringPolicy } from '../ledger/metering/settings.ts';
import { type StatementsPolicy, statementsPolicy } from '../ledger/statements/settings.ts';
import { evmPolicyOf, type WalletsPolicy } from '../ledger/wallets/evm-policy.ts';
import { type KeysPolicy, keysPolicy } from '../log/keys/settings.ts';
import { type QuotasPolicy, quotasPolicy } from '../operators/quotas/settings.ts';
import { type OperatorsPolicy, operatorsPolicy } from '../operators/settings.ts';
import { type PayoutsPolicy, payoutsPolicy } from '../payments/payouts/settings.ts';
import { type PaymentsPolicy, paymentsPolicy } from '../payments/settings.ts';
import { type GatePolicy, gatePolicy, gateSettings } from '../receipts/gate/settings.ts';
import { type ReceiptsPolicy, receiptsPolicy } from '../receipts/settings.ts';
import { type SlashingPolicy, slashingPolicy } from '../receipts/slashing/settings.ts';
import { trustSettings } from './settings.ts';

/** The settings that the logic of the trust service uses, checked and in the units of the code. */
export interface TrustPolicy
  extends RateLimitPolicy,
    OperatorsPolicy,
    QuotasPolicy,
    KeysPolicy,
    AgentsPolicy,
    CreditsPolicy,
    HoldsPolicy,
    MeteringPolicy,
    StatementsPolicy,
    WalletsPolicy,
    ReceiptsPolicy,
    GatePolicy,
    SlashingPolicy,
    EscrowPolicy,
    PaymentsPolicy,
    PayoutsPolicy,
    DatacenterPolicy,
    AssessorsPolicy {}

/**
 * Returns the policy from the settings.
 * @throws Failure (exit code 2) for settings that contradict each other
 */
export function policyOf(config: Config): TrustPolicy {
  const evm = evmPolicyOf(config);
  return {
    ...rateLimitPolicy(config),
    ...operatorsPolicy(config),
    ...quotasPolicy(config, trustSettings.rateLimits.in(config) === 'on'),
    ...keysPolicy(config),
    ...agentsPolicy(config),
    ...creditsPolicy(config),
    ...holdsPolicy(config, processorSettings.processor.in(config) === 'sandbox'),
    ...meteringPolicy(config),
    ...statementsPolicy(config, trustSettings.rateLimits.in(config) === 'on'),
    evm,
    ...receiptsPolicy(config),
    ...gatePolicy(config),
    ...slashingPolicy(config),
    ...escrowPolicy(config),
    ...paymentsPolicy(config),
    ...payoutsPolicy(config, evm !== null),
    ...datacenterPolicy(config),
    ...assessorsPolicy(config),
  };
}

/** Returns the rate limits. Each capability defines its own. */
function rateLimitPolicy(config: Config): RateLimitPolicy {
  const perMinute = (name: string, requests: number) => ({ name, requests, seconds: 60 });
  return {
    rateLimits: {
      publicReads: perMinute('public-reads', trustSettings.publicReads.in(config)),
      publicPosts: perMinute('public-posts', trustSettings.publicPosts.in(config)),
      gate: perMinute('gate', gateSettings.gateChecks.in(config)),
      enrollment: perMinute('enrollment', agentsSettings.enrollments.in(config)),
      packages: perMinute('packages', packagesSettings.builds.in(config)),
      checkout: perMinute('checkout', processorSettings.checkouts.in(config)),
    },
  };
}
