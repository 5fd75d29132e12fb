import { timestamp } from '../../platform/clock.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import { ReadOnly } from '../../platform/store/errors.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { JsonObject } from '../../proof/json.ts';
import { signedObjectMessage } from '../../proof/signed-object.ts';
import type { SignedType } from '../../proof/signed-types.ts';
import type { Trust } from '../context.ts';
import { dateBackIn } from './date-back.ts';

/** For how long most of what is vouched for may be relied on. */
export const VOUCHED_MS = 5 * 60_000;

/** What is read where nothing is written may be old, and a signature would vouch for it. @throws ReadOnly */
export function refuseOldWord({ readOnly }: Pick<Trust, 'readOnly'>): void {
  if (readOnly) throw new ReadOnly();
}

/**
 * What is stored now, said and signed by the key of purpose `credentials`, over the digest of what is said.
 * @throws ReadOnly, and whatever `say` throws
 */
export async function vouchFor<Said extends JsonObject & { type: SignedType }>(
  trust: Trust,
  say: (snapshot: Snapshot) => Said,
): Promise<Said & { signature: string; kid: string }> {
  refuseOldWord(trust);
  const said = await trust.store.read(say);
  const { signer, store, clock } = trust;
  const { signature, kid, keySeq } = signer.sign('credentials', signedObjectMessage(nativePrimitives, said));
  const at = timestamp(clock);
  if (signer.activeKey('credentials').validFrom > at) {
    await store.writeAsService((tx) => dateBackIn(tx, signer, keySeq, at));
  }
  return { ...said, signature, kid };
}
