import type { Transaction } from '../../../platform/store/transaction.ts';
import { overlapOf } from '../../../proof/log/key-purposes.ts';
import { refuseOlderDatabase } from '../lifecycle/fork.ts';
import type { Logs } from '../logs.ts';
import { compromiseIn } from './compromise-key.ts';
import { type EndedKey, readEndedKeys } from './files/ended-keys.ts';
import { activateIn, addIn, at, endIn, isSameKind, type Moment } from './key-changes.ts';
import type { Signer, SigningKey } from './signing/signer.ts';
import { allKeys } from './store.ts';

/** Returns whether a key is in use, or only retired, that ended before the database was restored. */
export function isAnyEndLost(signer: Pick<Signer, 'all'>, directory: string): boolean {
  return readEndedKeys(directory).some((end) => lostKey(signer.all(), end) !== null);
}

/** Returns the key of an end that the database does not know; null for any other end. */
function lostKey(keys: readonly SigningKey[], { kid, event }: EndedKey): SigningKey | null {
  const key = keys.find((known) => known.kid === kid);
  // A key that the database does not have signs nothing.
  if (key === undefined || key.status === 'compromised') return null;
  return event === 'retired' && key.status === 'retired' ? null : key;
}

/**
 * Ends the keys again that a restored database does not know to have ended. Each end has its first date, and
 * a size of the log of receipts that is not larger than it was: it counts no receipt that the key signed
 * since, and verifiers that have the closed key log find the end kept.
 *
 * @throws Failure for a database that is behind what was published, whose log must not be continued
 */
export async function appendLostEndsIn(
  tx: Transaction,
  logs: Logs,
  { signer, now }: { signer: Signer; now: number },
  directory: string,
): Promise<void> {
  if (!isAnyEndLost(signer, directory)) return;
  await refuseOlderDatabase(tx, directory);
  const ends = readEndedKeys(directory);
  for (const end of ends) {
    const key = lostKey(signer.all(), end);
    if (key === null) continue;
    const same = ends.filter(({ kid, event }) => kid === end.kid && event === end.event);
    const first = same.map((one) => one.at).sort()[0] ?? end.at;
    const mostReceipts = Math.min(...same.map(({ receipts_tree_size: size }) => size));
    const start = { logs, now, at: at(now) };
    const moment = { logs, now: Date.parse(first), at: first, mostReceipts };
    if (end.event === 'compromised') await compromiseIn(tx, signer, key, moment, start);
    else await retireIn(tx, signer, key, { end: moment, start });
    // The next end may be of the key that succeeded this one, or be signed by it.
    signer.reload(await allKeys(tx));
  }
}

/** Retires a key again, in favour of the next one that is published, or of a new one. */
async function retireIn(
  tx: Transaction,
  signer: Signer,
  key: SigningKey,
  { end, start }: { end: Moment; start: Moment },
): Promise<void> {
  const kind = { purpose: key.purpose, algorithm: key.algorithm };
  const next =
    signer.all().find((other) => other.status === 'next' && isSameKind(other, kind)) ??
    (await addIn(tx, start, { ...kind, ...signer.generate(kind) }, start.now, [key]));
  const until = end.now + overlapOf(key.purpose);
  await endIn(tx, end, key, 'retired', until, [key, next]);
  await activateIn(tx, start, next, [key, next]);
}
