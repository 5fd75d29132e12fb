import { commonErrors } from '../../http/errors.ts';
import { compromiseIn } from './compromise-key.ts';
import { endMomentOf, type RotationContext, takeUpAfter } from './key-changes.ts';
import { recordEndedKeys } from './recorded-ends.ts';
import type { SigningKey } from './signing/signer.ts';

/**
 * Reports a key as compromised: it signs nothing from now on. If it was active, its successor takes over at
 * once; it is created if none is published.
 * @returns the successor's kid; null if the key was not active
 * @throws ApiError not_found; invalid_state for a key that was reported before
 */
export async function reportCompromised(trust: RotationContext, kid: string): Promise<string | null> {
  const { signer, store, directory } = trust;
  requireReportable(trust, kid);
  const reported = await store.writeAlone(async (tx) => {
    const known = requireReportable(trust, kid);
    // A next key has no start yet, but a planned one, which is in the future.
    const moment = endMomentOf(trust, known.status === 'next' ? 0 : Date.parse(known.validFrom));
    const successor = await compromiseIn(tx, signer, known, moment);
    await takeUpAfter(tx, trust, moment);
    return successor?.kid ?? null;
  });
  await recordEndedKeys(store, directory);
  return reported;
}

/** @throws Failure */
function requireReportable({ signer }: Pick<RotationContext, 'signer'>, kid: string): SigningKey {
  const known = signer.all().find((key) => key.kid === kid);
  if (known === undefined) {
    throw commonErrors.not_found({
      message: `No signing key has the kid ${kid}. GET /api/v1/transparency/keys lists all keys.`,
    });
  }
  if (known.status === 'compromised') {
    throw commonErrors.invalid_state({
      message: `The key ${kid} is already reported as compromised. Do nothing, or specify another key.`,
    });
  }
  return known;
}
