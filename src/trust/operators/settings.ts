import type { Config } from '../../platform/config/setting.ts';
import { integer, textMatching } from '../../platform/config/setting.ts';
import { Failure } from '../../platform/failure.ts';

const HEX_64 = 'and 64 lower-case hexadecimal characters';
const MOST = Number.MAX_SAFE_INTEGER;

/** Settings for operators and their keys. */
export const operatorsSettings = {
  bootstrapApiKey: textMatching<null>('bootstrap_api_key', /^pp_[0-9a-f]{64}$/, `is not pp_ ${HEX_64}`, {
    description: 'an admin API key of the first operator, added at every start; other keys stay valid',
    fallback: null,
    secret: true,
  }),
  serviceToken: textMatching<null>('service_token', /^svc_[0-9a-f]{64}$/, `is not svc_ ${HEX_64}`, {
    description: 'the service token, set at every start',
    fallback: null,
    secret: true,
  }),
  tierFull: integer('tiers.full', 1, MOST, {
    description: 'credits from which the tier is FULL',
    fallback: 50,
  }),
  tierLimited: integer('tiers.limited', 1, MOST, {
    description: 'credits from which the tier is LIMITED',
    fallback: 10,
  }),
  tierSandboxed: integer('tiers.sandboxed', 1, MOST, {
    description: 'credits from which the tier is SANDBOXED; with fewer it is SHELTERED',
    fallback: 1,
  }),
};

/** The settings of operators in the units of the code. */
export interface OperatorsPolicy {
  /** The credits from which each tier applies. */
  tiers: { full: number; limited: number; sandboxed: number };
}

/**
 * Returns the policy of operators from the settings.
 * @throws Failure (exit code 2) for tiers that do not descend
 */
export function operatorsPolicy(config: Config): OperatorsPolicy {
  const { tierFull, tierLimited, tierSandboxed } = operatorsSettings;
  const tiers = {
    full: tierFull.in(config),
    limited: tierLimited.in(config),
    sandboxed: tierSandboxed.in(config),
  };
  if (tiers.full > tiers.limited && tiers.limited > tiers.sandboxed) return { tiers };
  throw new Failure(
    'tiers.full, tiers.limited and tiers.sandboxed must descend',
    'set descending numbers, such as full 50, limited 10, sandboxed 1',
    2,
  );
}
