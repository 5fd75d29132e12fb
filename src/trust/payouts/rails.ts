import { manualRail } from './manual-rail.ts';
import { type PayoutRail, type PayoutRailName, type RailContext, RailUnavailable } from './rail.ts';

/**
 * Returns a rail. Its code is loaded by the first call.
 * @throws RailUnavailable for a rail that is not configured
 */
export async function openRail(name: PayoutRailName, { policy }: RailContext): Promise<PayoutRail> {
  if (name === 'manual') return manualRail;
  if (policy.evm === null) throw new RailUnavailable('not_configured', 'The rail evm is not configured.');
  throw new RailUnavailable('not_configured', 'The rail evm is not a part of this program.');
}
