import type { Transaction } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import {
  activateIn,
  activeOf,
  addIn,
  endIn,
  endMomentOf,
  isSameKind,
  type Kind,
  type Moment,
  type RotationContext,
  takeUpAfter,
} from './key-changes.ts';
import type { SigningKey } from './signing/signer.ts';

/** The key that signs the events in the key log, and the key that vouches after its compromise. */
const RECORD_KEY = { purpose: 'keys-log', algorithm: 'Ed25519' } as const satisfies Kind;

const RECORD_KEY_TWIN = { purpose: 'keys-log', algorithm: 'ML-DSA-44' } as const satisfies Kind;

/**
 * Reports a key as compromised: it signs nothing from now on. If it was active, its successor takes over at
 * once; it is created if none is published.
 * @returns the successor's kid; null if the key was not active
 * @throws ApiError not_found; invalid_state for a key that was reported before
 */
export async function reportCompromised(trust: RotationContext, kid: string): Promise<string | null> {
  const { signer, store } = trust;
  requireReportable(trust, kid);
  return store.writeAlone(async (tx) => {
    const known = requireReportable(trust, kid);
    // A next key has no start yet, but a planned one, which is in the future.
    const moment = endMomentOf(trust, known.status === 'next' ? 0 : Date.parse(known.validFrom));
    const isInUse = known.status === 'active';
    const isRecordKey = isInUse && isSameKind(known, RECORD_KEY);
    // A thief of one key of the key log does not have the other, so the other cross-signs the successor.
    const others = isRecordKey ? [activeOf(trust, RECORD_KEY_TWIN)] : [signer.activeKey(RECORD_KEY.purpose)];
    const successor = isInUse ? await successorIn(tx, trust, moment, known, others) : null;
    // The key log's key signs the report; if that key is the compromised one, its successor does.
    const witnesses =
      isRecordKey && successor !== null ? [successor] : [signer.activeKey(RECORD_KEY.purpose)];
    await endIn(tx, moment, known, 'compromised', moment.now, witnesses);
    if (successor !== null) await activateIn(tx, moment, successor, [...others, successor]);
    await takeUpAfter(tx, trust, moment);
    return successor?.kid ?? null;
  });
}

/** Returns the published next key that can replace a key, or a new one. */
async function successorIn(
  tx: Transaction,
  { signer }: Pick<RotationContext, 'signer'>,
  moment: Moment,
  key: SigningKey,
  others: readonly SigningKey[],
): Promise<SigningKey> {
  const published = signer.all().find((next) => next.status === 'next' && isSameKind(next, key));
  if (published !== undefined) return published;
  return addIn(tx, moment, { ...kindOf(key), ...signer.generate(key) }, moment.now, others);
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

function kindOf({ purpose, algorithm }: SigningKey): Kind {
  return { purpose, algorithm };
}
