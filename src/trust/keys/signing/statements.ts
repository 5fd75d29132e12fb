import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { ReadOnly } from '../../../platform/store/errors.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { signedObjectMessage } from '../../../proof/keys/signed-object.ts';
import type { SignedType } from '../../../proof/keys/signed-types.ts';
import type { TrustContext } from '../../context.ts';
import { trustError } from '../../http/dialect.ts';

/** The parts of the service that signing a statement needs. */
export type StatementContext = Pick<TrustContext, 'store' | 'clock' | 'signer' | 'clockWatch' | 'readOnly'>;

/** The lifetime of most statements. */
export const STATEMENT_VALIDITY_MS = 5 * 60_000;

/** Refuses on a read-only server: its data may be old, and the signature would confirm it. @throws ReadOnly */
export function refuseReadOnly({ readOnly }: Pick<TrustContext, 'readOnly'>): void {
  if (readOnly) throw new ReadOnly();
}

/** The time after which a client may try again. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Refuses while the clock is wrong: a statement with a wrong date would be valid until then, whatever happens to its subject. @throws
 * ApiError overloaded
 */
export function refuseWrongClock({ clockWatch }: Pick<TrustContext, 'clockWatch'>): void {
  if (clockWatch.look() === null) return;
  throw trustError('overloaded', {
    message:
      "The server's clock was changed by more than 60 seconds. It signs no statements until the clock is right. Repeat the request later.",
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
}

/**
 * Reads a statement from the database and signs its digest with the key of purpose `credentials`.
 * @throws ReadOnly; ApiError overloaded while the clock is wrong; and errors of `read`
 */
export async function signStatement<Said extends JsonObject & { type: SignedType }>(
  context: StatementContext,
  read: (snapshot: Snapshot) => Said | Promise<Said>,
): Promise<Said & { signature: string; kid: string }> {
  refuseReadOnly(context);
  const statement = await context.store.read(read);
  // Last, since the clock may have been set meanwhile.
  refuseWrongClock(context);
  const { signature, kid } = context.signer.sign(
    'credentials',
    signedObjectMessage(nativePrimitives, statement),
  );
  await backdateCredentialsKey(context, timestamp(context.clock));
  return { ...statement, signature, kid };
}

/**
 * Moves `valid_from` of the key for statements back to a signature that it just made, if the clock was set back since its activation.
 * @param signedAt RFC 3339
 */
export async function backdateCredentialsKey(
  { signer, store }: Pick<StatementContext, 'signer' | 'store'>,
  signedAt: string,
): Promise<void> {
  const { keySeq, validFrom } = signer.activeKey('credentials');
  if (validFrom > signedAt) await store.writeAsService((tx) => signer.backdateIn(tx, keySeq, signedAt));
}
