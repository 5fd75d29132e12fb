import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { actTime } from '../clock/dates.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import type { Logs } from '../logs.ts';
import type { KeyPair } from './files/public-keys.ts';
import { appendKeyEventIn } from './log/key-events.ts';
import type { Signer, SigningKey } from './signing/signer.ts';
import { activateKey, allKeys, endKey, insertKeys } from './store.ts';

/**
 * The parts of the service that changes of keys need. Each change is one unit that shares its transaction
 * with no other. The signer's memory changes only by effects of other units, so it stays the same while the
 * unit waits for the store.
 */
export type RotationContext = {
  store: Store;
  signer: Signer;
  clock: Clock;
  clockWatch: ClockWatch;
  log: TrustLog;
  /** The data directory. */
  directory: string;
};

/** The purpose and the algorithm of a key: one key of each kind is active. */
export type Kind = Pick<SigningKey, 'purpose' | 'algorithm'>;

/** The time of a change of keys, the same in all rows and log entries. */
export interface Moment {
  logs: Logs;
  /** Milliseconds since 1970. */
  now: number;
  /** The same, as RFC 3339. */
  at: string;
  /** The size of the log of receipts that an event states at most, if it was an earlier one. */
  mostReceipts?: number;
}

/** Returns the time of a change of keys. */
export function momentOf(trust: RotationContext): Moment {
  return momentAt(trust, actTime(trust));
}

/**
 * Returns the time of a change that ends a key. The event states the size of the log of receipts, so it is
 * never before a checkpoint: one of a smaller log with a later date would contradict the size for ever.
 * @param follows milliseconds since 1970 of what the change follows
 */
export function endMomentOf(trust: RotationContext, follows = 0): Moment {
  return momentAt(trust, actTime(trust, Math.max(follows, trust.log.publisher.newestDate)));
}

function momentAt(trust: RotationContext, now: number): Moment {
  return { logs: trust.log.open, now, at: at(now) };
}

/** Adds a next key. The key itself and `otherSigners` sign its log entry. */
export async function addIn(
  tx: Transaction,
  moment: Moment,
  { privateKey, ...pair }: Kind & KeyPair,
  validFrom: number,
  otherSigners: readonly SigningKey[],
): Promise<SigningKey> {
  const [row] = await insertKeys(tx, [{ ...pair, status: 'next', validFrom: at(validFrom) }]);
  if (row === undefined) throw new Error(`the key ${pair.kid} was not stored`);
  const key = { ...row, privateKey };
  await appendKeyEventIn(tx, moment, key, 'added', [...otherSigners, key]);
  return key;
}

/** Activates a key from now on, whenever that was planned. */
export async function activateIn(
  tx: Transaction,
  moment: Moment,
  key: SigningKey,
  signers: readonly SigningKey[],
): Promise<void> {
  await activateKey(tx, { keySeq: key.keySeq, validFrom: moment.at });
  await appendKeyEventIn(tx, moment, key, 'activated', signers);
}

/** Ends a key at `until`, in milliseconds since 1970, with the log entry that says so. */
export async function endIn(
  tx: Transaction,
  moment: Moment,
  key: SigningKey,
  status: 'retired' | 'compromised',
  until: number,
  signers: readonly SigningKey[],
): Promise<void> {
  const receiptsTreeSize = await appendKeyEventIn(tx, moment, key, status, signers);
  await endKey(tx, { keySeq: key.keySeq, status, validUntil: at(until), receiptsTreeSize });
}

/** Reloads the signer after the commit, so that the next writes are signed by the new keys. */
export async function takeUpAfter(
  tx: Transaction,
  { signer, log }: RotationContext,
  moment: Moment,
): Promise<void> {
  const rows = await allKeys(tx);
  tx.afterCommit(() => {
    signer.reload(rows);
    log.publisher.grown('keys', moment.at);
  });
}

/** Returns the active key of a kind. */
export function activeOf({ signer }: Pick<RotationContext, 'signer'>, kind: Kind): SigningKey {
  const key = signer.all().find((known) => known.status === 'active' && isSameKind(known, kind));
  if (key === undefined) throw new Error(`no active ${kind.algorithm} key for ${kind.purpose}`);
  return key;
}

/** Returns whether two keys have the same purpose and algorithm. */
export function isSameKind(one: Kind, other: Kind): boolean {
  return one.purpose === other.purpose && one.algorithm === other.algorithm;
}

/** Returns a time in milliseconds since 1970 as RFC 3339. */
export function at(time: number): string {
  const clock: Clock = { now: () => time };
  return timestamp(clock);
}
