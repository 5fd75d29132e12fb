import { Failure } from '../../../platform/failure.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { overlapOf } from '../../../proof/log/key-purposes.ts';
import { actTime } from '../../clock/dates.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import type { Logs } from '../logs.ts';
import type { KeyPair } from './files/public-keys.ts';
import { appendKeyEventIn } from './log/key-events.ts';
import type { KeysPolicy } from './settings.ts';
import type { Signer, SigningKey } from './signing/signer.ts';
import { REQUIRED_KEYS } from './signing-keys.ts';
import { activateKey, allKeys, endKey, insertKeys, type KeyPurpose } from './store.ts';

/**
 * The parts of the service that changes of keys need. Each change is one unit that shares its transaction with no other: the signer's
 * memory changes only by effects of other units, so it stays the same while the unit waits for the store.
 */
export type RotationContext = {
  store: Store;
  signer: Signer;
  clock: Clock;
  clockWatch: ClockWatch;
  log: TrustLog;
};

/**
 * At most this many replaced pairs of a log's keys sign beside the current one: a note has at most 64 signatures, of which witnesses may make
 * 32.
 */
const MAX_OVERLAPPING = 15;

type Kind = Pick<SigningKey, 'purpose' | 'algorithm'>;

/** The key that signs the events in the key log, and the key that vouches after its compromise. */
const RECORD_KEY = { purpose: 'keys-log', algorithm: 'Ed25519' } as const satisfies Kind;
const RECORD_KEY_TWIN = { purpose: 'keys-log', algorithm: 'ML-DSA-44' } as const satisfies Kind;

/**
 * Publishes the next key of a purpose, for a log one of each algorithm. It takes over once clients have had time to see it.
 * @param aheadMs how long it is published before it signs
 * @returns the kids. @throws Failure if a next key is already published, if too many replaced keys still sign, and while the clock is wrong
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
    await takeUpAfter(tx, trust);
  });
  await activateDueKeys(trust);
  return pairs.map(({ kid }) => kid);
}

/** Activates the next keys that are due, in place of the old ones; none while the clock is wrong. */
export async function activateDueKeys(trust: RotationContext): Promise<void> {
  const { store } = trust;
  if (dueKeys(trust).length === 0) return;
  await store.writeAlone(async (tx) => {
    const moment = momentOf(trust);
    // Computed again, since a key may have been reported as compromised or activated while this unit waited.
    for (const next of dueKeys(trust)) {
      const old = activeOf(trust, next);
      await endIn(tx, moment, old, 'retired', moment.now + overlapOf(next.purpose), [old, next]);
      await activateIn(tx, moment, next, [old, next]);
    }
    await takeUpAfter(tx, trust);
  });
}

/**
 * Reports a key as compromised: it signs nothing from now on. If it was active, its successor takes over at once; it is created if none is
 * published.
 * @returns the successor's kid; null if the key was not active
 * @throws Failure for a key that is unknown, or was reported before
 */
export async function reportCompromised(trust: RotationContext, kid: string): Promise<string | null> {
  const { signer, store } = trust;
  requireReportable(trust, kid);
  return store.writeAlone(async (tx) => {
    const known = requireReportable(trust, kid);
    const moment = momentOf(trust, Date.parse(known.validFrom));
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
    await takeUpAfter(tx, trust);
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

function dueKeys({ signer, clock, clockWatch }: RotationContext): SigningKey[] {
  if (clockWatch.look() !== null) return [];
  return signer
    .all()
    .filter(({ status, validFrom }) => status === 'next' && Date.parse(validFrom) <= clock.now());
}

/** Refuses while the clock is wrong: a next key with a wrong time would take over at once, or only after years. @throws Failure */
function requireRightClock({ clockWatch }: Pick<RotationContext, 'clockWatch'>): void {
  if (clockWatch.look() === null) return;
  throw new Failure(
    "the server's clock was changed by more than 60 s, so the key would be activated at the wrong time",
    'correct the clock, or run countersign clock accept if the new time is right',
  );
}

/** @throws Failure */
function requireNoNextKey({ signer }: Pick<RotationContext, 'signer'>, purpose: KeyPurpose): void {
  const waiting = signer.all().find((key) => key.purpose === purpose && key.status === 'next');
  if (waiting === undefined) return;
  throw new Failure(
    `the next key for ${purpose} is already published: ${waiting.kid} signs from ${waiting.validFrom}`,
    'wait until it signs, or report the current key with --compromised',
  );
}

/** Refuses a rotation after which a checkpoint could have more signatures than a note may have. @throws Failure */
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
  throw new Failure(
    `${ends.length} replaced keys for ${purpose} still sign every checkpoint, and a checkpoint has room for no more`,
    `wait until ${at(Math.min(...ends))}, when one of them ends; if the current key was stolen, report it with --compromised`,
  );
}

/** @throws Failure */
function requireReportable({ signer }: Pick<RotationContext, 'signer'>, kid: string): SigningKey {
  const known = signer.all().find((key) => key.kid === kid);
  if (known === undefined) {
    throw new Failure(`no signing key has the kid ${kid}`, 'GET /api/v1/transparency/keys lists all keys', 2);
  }
  if (known.status === 'compromised')
    throw new Failure(`key ${kid} is already reported as compromised`, 'do nothing, or specify another key');
  return known;
}

/** The time of a change of keys, the same in all rows and log entries. */
interface Moment {
  logs: Logs;
  /** Milliseconds since 1970. */
  now: number;
  /** The same, as RFC 3339. */
  at: string;
}

/** @param follows milliseconds since 1970 of what the change follows */
function momentOf(trust: RotationContext, follows = 0): Moment {
  const now = actTime(trust, follows);
  return { logs: trust.log.open, now, at: at(now) };
}

/** Adds a next key. `others` sign its log entry with the key itself. */
async function addIn(
  tx: Transaction,
  moment: Moment,
  { privateKey, ...pair }: Kind & KeyPair,
  validFrom: number,
  others: readonly SigningKey[],
): Promise<SigningKey> {
  const [row] = await insertKeys(tx, [{ ...pair, status: 'next', validFrom: at(validFrom) }]);
  if (row === undefined) throw new Error(`the key ${pair.kid} was not stored`);
  const key = { ...row, privateKey };
  await appendKeyEventIn(tx, moment, key, 'added', [...others, key]);
  return key;
}

/** Activates a key from now on, whenever that was planned. */
async function activateIn(
  tx: Transaction,
  moment: Moment,
  key: SigningKey,
  signers: readonly SigningKey[],
): Promise<void> {
  await activateKey(tx, key.keySeq, moment.at);
  await appendKeyEventIn(tx, moment, key, 'activated', signers);
}

async function endIn(
  tx: Transaction,
  moment: Moment,
  key: SigningKey,
  status: 'retired' | 'compromised',
  until: number,
  signers: readonly SigningKey[],
): Promise<void> {
  const receiptsTreeSize = await appendKeyEventIn(tx, moment, key, status, signers);
  await endKey(tx, key.keySeq, { status, validUntil: at(until), receiptsTreeSize });
}

/** Reloads the signer after the commit, so that the next writes are signed by the new keys. */
async function takeUpAfter(tx: Transaction, { signer, log }: RotationContext): Promise<void> {
  const rows = await allKeys(tx);
  tx.afterCommit(() => {
    signer.reload(rows);
    log.publisher.grown('keys');
  });
}

function activeOf({ signer }: Pick<RotationContext, 'signer'>, kind: Kind): SigningKey {
  const key = signer.all().find((known) => known.status === 'active' && isSameKind(known, kind));
  if (key === undefined) throw new Error(`no active ${kind.algorithm} key for ${kind.purpose}`);
  return key;
}

function isSameKind(one: Kind, other: Kind): boolean {
  return one.purpose === other.purpose && one.algorithm === other.algorithm;
}

function kindOf({ purpose, algorithm }: SigningKey): Kind {
  return { purpose, algorithm };
}

function at(time: number): string {
  const clock: Clock = { now: () => time };
  return timestamp(clock);
}
