import { overlapOf } from '../../../proof/log/key-purposes.ts';
import {
  activateIn,
  activeOf,
  endIn,
  endMomentOf,
  type RotationContext,
  takeUpAfter,
} from './key-changes.ts';
import { recordEndedKeys } from './recorded-ends.ts';
import type { SigningKey } from './signing/signer.ts';

/** Activates the next keys that are due, in place of the old ones; none while the clock is wrong. */
export async function activateDueKeys(trust: RotationContext): Promise<void> {
  const { store, directory } = trust;
  if (dueKeys(trust).length === 0) return;
  await store.writeAlone(async (tx) => {
    const moment = endMomentOf(trust);
    // Computed again, since a key may have been reported as compromised or activated while this unit waited.
    for (const next of dueKeys(trust)) {
      const old = activeOf(trust, next);
      await endIn(tx, moment, old, 'retired', moment.now + overlapOf(next.purpose), [old, next]);
      await activateIn(tx, moment, next, [old, next]);
    }
    await takeUpAfter(tx, trust, moment);
  });
  await recordEndedKeys(store, directory);
}

/**
 * Returns when the next key is due that is due after `after`, in milliseconds since 1970; null for none.
 */
export function nextActivationOf({ signer }: Pick<RotationContext, 'signer'>, after: number): number | null {
  const dues = signer
    .all()
    .filter(({ status }) => status === 'next')
    .map(({ validFrom }) => Date.parse(validFrom))
    .filter((due) => due > after);
  return dues.length === 0 ? null : Math.min(...dues);
}

function dueKeys({ signer, clock, clockWatch }: RotationContext): SigningKey[] {
  if (clockWatch.look() !== null) return [];
  return signer
    .all()
    .filter(({ status, validFrom }) => status === 'next' && Date.parse(validFrom) <= clock.now());
}
