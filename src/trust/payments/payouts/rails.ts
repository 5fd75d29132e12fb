import { manualRail } from './manual-rail.ts';
import { type PayoutRail, type PayoutRailName, type RailContext, RailUnavailable } from './rail.ts';

/**
 * Returns a rail. The code of a chain is loaded by its first use.
 * @throws RailUnavailable for a rail that is not configured
 */
export async function openRail(name: PayoutRailName, trust: RailContext): Promise<PayoutRail> {
  if (name === 'manual') return manualRail;
  if (trust.policy.evm === null)
    throw new RailUnavailable(
      'not_configured',
      'The rail evm is not configured. Set evm.rpc_urls and the other settings of the chain.',
    );
  const { evmRail } = await import('./evm/rail.ts');
  return evmRail(trust);
}

/**
 * Returns the rail whose rounds a service runs: the configured one. With the manual rail and a configured
 * chain, it is the rail of the chain, which then only follows payouts that it submitted before.
 */
export async function runningRail(trust: RailContext): Promise<PayoutRail> {
  if (trust.policy.payoutRail !== 'manual') return openRail(trust.policy.payoutRail, trust);
  const rail = await openRail('evm', trust);
  return { ...rail, work: () => rail.work('follow') };
}
