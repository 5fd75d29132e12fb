import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { ReadOnly } from '../../../../platform/store/errors.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import { timestamp } from '../../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../../platform/time/clock-watch.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import { signedObjectMessage } from '../../../../proof/keys/signed-object.ts';
import type { SignedType } from '../../../../proof/keys/signed-types.ts';
import { refuseWrongClock } from '../../clock/dates.ts';
import type { Signer } from './signer.ts';

/** The parts of the service that signing a statement needs. */
export type StatementContext = {
  store: Store;
  clock: Clock;
  signer: Signer;
  clockWatch: ClockWatch;
  readOnly: boolean;
};

/** The lifetime of most statements. */
export const STATEMENT_VALIDITY_MS = 5 * 60_000;

/**
 * Refuses on a read-only server: its data may be old, and the signature would confirm it.
 * @throws ReadOnly
 */
export function refuseReadOnly({ readOnly }: { readOnly: boolean }): void {
  if (readOnly) throw new ReadOnly();
}

/** A JSON object that the service signs. */
type Statement = JsonObject & { type: SignedType };

/**
 * Reads a statement from the database and signs its digest with the key of purpose `credentials`.
 * @throws ReadOnly; ApiError clock_wrong; and errors of `read`
 */
export async function signStatement<Said extends Statement>(
  context: StatementContext,
  read: (snapshot: Snapshot) => Said | Promise<Said>,
): Promise<Said & { signature: string; kid: string }> {
  return (await signAmong(context, async (snapshot) => ({ statement: await read(snapshot) }))).statement;
}

/** Does the same with a statement that is read together with other things. They are of one snapshot. */
export async function signAmong<Said extends Statement, Others extends object>(
  context: StatementContext,
  read: (snapshot: Snapshot) => Promise<Others & { statement: Said }>,
): Promise<Others & { statement: Said & { signature: string; kid: string } }> {
  refuseReadOnly(context);
  // First, since the caller may have taken the date just now.
  refuseWrongClock(context);
  const found = await context.store.read(read);
  // Last, since the clock may have been set meanwhile.
  refuseWrongClock(context);
  const { statement } = found;
  const { signature, kid } = context.signer.sign(
    'credentials',
    signedObjectMessage(nativePrimitives, statement),
  );
  await backdateCredentialsKey(context, timestamp(context.clock));
  return { ...found, statement: { ...statement, signature, kid } };
}

/**
 * Moves `valid_from` of the key for statements back to a signature that it just made, if the clock was set
 * back since its activation.
 * @param signedAt RFC 3339
 */
export async function backdateCredentialsKey(
  { signer, store }: Pick<StatementContext, 'signer' | 'store'>,
  signedAt: string,
): Promise<void> {
  const { keySeq, validFrom } = signer.activeKey('credentials');
  if (validFrom > signedAt) await store.writeAsService((tx) => signer.backdateIn(tx, keySeq, signedAt));
}
