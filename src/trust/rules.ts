import type { Config } from '../platform/config/setting.ts';
import { Failure } from '../platform/failure.ts';
import type { Policy } from '../platform/http/limits.ts';
import type { Domain } from '../proof/receipt.ts';
import { minimumStakes, trustSettings } from './settings.ts';

/** What the trust service's rules take from its settings. */
export interface Rules {
  /** US cents, by domain. */
  minimumStakeCents: Readonly<Record<Domain, number>>;
  /** Available credits from which a tier holds. */
  tiers: { full: number; limited: number; sandboxed: number };
  /** How long the next signing key is published before it signs. */
  publishKeysAheadMs: number;
  /** Leading zero hexadecimal digits that an agent without a sponsor has to find. */
  powDifficulty: number;
  /** Of a client address. */
  policies: { publicReads: Policy; publicPosts: Policy; gate: Policy; enrollment: Policy };
}

/** @throws Failure (exit code 2) for settings that contradict each other */
export function rulesOf(config: Config): Rules {
  const { tierFull, tierLimited, tierSandboxed } = trustSettings;
  const { publicReads, publicPosts, gateChecks, enrollments } = trustSettings;
  const stake = (domain: Domain): number =>
    minimumStakes.find((minimum) => minimum.domain === domain)?.setting.in(config) ?? 0;
  if (!(tierFull.in(config) > tierLimited.in(config) && tierLimited.in(config) > tierSandboxed.in(config))) {
    throw new Failure(
      'tiers.full, tiers.limited and tiers.sandboxed must descend',
      'docs/configuration.md',
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
    tiers: {
      full: tierFull.in(config),
      limited: tierLimited.in(config),
      sandboxed: tierSandboxed.in(config),
    },
    publishKeysAheadMs: trustSettings.publishKeysAhead.in(config) * 1000,
    powDifficulty: trustSettings.powDifficulty.in(config),
    policies: {
      publicReads: { name: 'public-reads', requests: publicReads.in(config), seconds: 60 },
      publicPosts: { name: 'public-posts', requests: publicPosts.in(config), seconds: 60 },
      gate: { name: 'gate', requests: gateChecks.in(config), seconds: 60 },
      enrollment: { name: 'enrollment', requests: enrollments.in(config), seconds: 60 },
    },
  };
}
