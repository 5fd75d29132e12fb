import { commonErrors } from '../../http/errors.ts';
import { activateDueKeys } from './activate-due.ts';
import { activeOf, addIn, at, momentOf, type RotationContext, takeUpAfter } from './key-changes.ts';
import type { KeysPolicy } from './settings.ts';
import { REQUIRED_KEYS } from './signing-keys.ts';
import type { KeyPurpose } from './store.ts';

/**
 * At most this many replaced pairs of a log's keys sign beside the current one: a note has at most 64
 * signatures, of which witnesses may make 32.
 */
const MAX_OVERLAPPING = 15;

/**
 * Publishes the next key of a purpose, for a log one of each algorithm. It takes over once clients have had
 * time to see it.
 * @param aheadMs how long it is published before it signs
 * @returns the kids.
 * @throws ApiError invalid_state if a next key is already published, if too many replaced keys still sign,
 * and while the clock is wrong
 */
export async function rotate(
  trust: RotationContext & { policy: KeysPolicy },
  purpose: KeyPurpose,
  aheadMs = trust.policy.publishKeysAheadMs,
): Promise<string[]> {
  const { signer, store } = trust;
  requireRightClock(trust);
  requireNoNextKey(trust, purpose);
  requireFewKeys(trust, purpose);
  const pairs = REQUIRED_KEYS.filter((kind) => kind.purpose === purpose).map((kind) => ({
    ...kind,
    ...signer.generate(kind),
  }));
  await store.writeAlone(async (tx) => {
    // Another next key may have been published while this unit waited.
    requireNoNextKey(trust, purpose);
    requireFewKeys(trust, purpose);
    requireRightClock(trust);
    const moment = momentOf(trust);
    for (const pair of pairs) {
      await addIn(tx, moment, pair, moment.now + aheadMs, [activeOf(trust, pair)]);
    }
    await takeUpAfter(tx, trust, moment);
  });
  await activateDueKeys(trust);
  return pairs.map(({ kid }) => kid);
}

/**
 * Refuses while the clock is wrong: a next key with a wrong time would take over at once, or only after
 * years.
 * @throws ApiError invalid_state
 */
function requireRightClock({ clockWatch }: Pick<RotationContext, 'clockWatch'>): void {
  if (clockWatch.look() === null) return;
  throw commonErrors.invalid_state({
    message:
      "The server's clock was changed by more than 60 s, so the key would be activated at the wrong time. Correct the clock, or run countersign clock accept if the new time is right.",
  });
}

/** @throws ApiError invalid_state */
function requireNoNextKey({ signer }: Pick<RotationContext, 'signer'>, purpose: KeyPurpose): void {
  const waiting = signer.all().find((key) => key.purpose === purpose && key.status === 'next');
  if (waiting === undefined) return;
  throw commonErrors.invalid_state({
    message: `The next key for ${purpose} is already published: ${waiting.kid} signs from ${waiting.validFrom}. Wait until it signs, or report the current key with --compromised.`,
  });
}

/**
 * Refuses a rotation after which a checkpoint could have more signatures than a note may have.
 * @throws ApiError invalid_state
 */
function requireFewKeys(
  { signer, clock }: Pick<RotationContext, 'signer' | 'clock'>,
  purpose: KeyPurpose,
): void {
  const now = clock.now();
  const ends = signer
    .all()
    .filter((key) => key.purpose === purpose && key.status === 'retired' && key.algorithm === 'Ed25519')
    .map(({ validUntil }) => Date.parse(validUntil ?? ''))
    .filter((end) => end > now);
  if (ends.length < MAX_OVERLAPPING) return;
  throw commonErrors.invalid_state({
    message: `${ends.length} replaced keys for ${purpose} still sign every checkpoint, and a checkpoint has room for no more. Wait until ${at(Math.min(...ends))}, when one of them ends; if the current key was stolen, report it with --compromised.`,
  });
}
