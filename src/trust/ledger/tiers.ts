import type { TIERS } from '../../../db/trust/ledger-enums.ts';
import type { Portions } from './portions.ts';

export type Tier = (typeof TIERS)[number];

/** The credits from which each tier applies; fewer are SHELTERED. */
export interface TierThresholds {
  full: number;
  limited: number;
  sandboxed: number;
}

/** Returns the credits that count for a tier: all but sandbox credits. */
export function countedForTier({ promotional, paid }: Portions): number {
  return promotional + paid;
}

/** Returns the tier for an amount of available credits. */
export function tierOf(
  credits: number,
  { full, limited, sandboxed }: TierThresholds,
): Exclude<Tier, 'SUSPENDED'> {
  if (credits >= full) return 'FULL';
  if (credits >= limited) return 'LIMITED';
  return credits >= sandboxed ? 'SANDBOXED' : 'SHELTERED';
}
