import type { Transaction } from '../../../platform/store/transaction.ts';
import { activateIn, activeOf, addIn, endIn, isSameKind, type Kind, type Moment } from './key-changes.ts';
import type { Signer, SigningKey } from './signing/signer.ts';

/** The key that signs the events in the key log, and the key that vouches after its compromise. */
const RECORD_KEY = { purpose: 'keys-log', algorithm: 'Ed25519' } as const satisfies Kind;

const RECORD_KEY_TWIN = { purpose: 'keys-log', algorithm: 'ML-DSA-44' } as const satisfies Kind;

/**
 * Ends a compromised key, in the transaction of the report.
 * @param moment when it ended
 * @param start when its successor becomes active, if that is later
 * @returns its successor; null if it was not active
 */
export async function compromiseIn(
  tx: Transaction,
  signer: Signer,
  key: SigningKey,
  moment: Moment,
  start = moment,
): Promise<SigningKey | null> {
  const isInUse = key.status === 'active';
  const isRecordKey = isInUse && isSameKind(key, RECORD_KEY);
  // A thief of one key of the key log does not have the other, so the other cross-signs the successor.
  const others = isRecordKey
    ? [activeOf({ signer }, RECORD_KEY_TWIN)]
    : [signer.activeKey(RECORD_KEY.purpose)];
  const successor = isInUse ? await successorIn(tx, signer, start, key, others) : null;
  // The key log's key signs the report; if that key is the compromised one, its successor does.
  const witnesses = isRecordKey && successor !== null ? [successor] : [signer.activeKey(RECORD_KEY.purpose)];
  await endIn(tx, moment, key, 'compromised', moment.now, witnesses);
  if (successor !== null) await activateIn(tx, start, successor, [...others, successor]);
  return successor;
}

/** Returns the published next key that can replace a key, or a new one. */
async function successorIn(
  tx: Transaction,
  signer: Signer,
  moment: Moment,
  key: SigningKey,
  others: readonly SigningKey[],
): Promise<SigningKey> {
  const published = signer.all().find((next) => next.status === 'next' && isSameKind(next, key));
  if (published !== undefined) return published;
  return addIn(tx, moment, { ...kindOf(key), ...signer.generate(key) }, moment.now, others);
}

function kindOf({ purpose, algorithm }: SigningKey): Kind {
  return { purpose, algorithm };
}
