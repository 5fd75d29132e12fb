import type { Snapshot } from '../../platform/store/transaction.ts';
import { firstOrigin } from '../log/logs.ts';
import { keySql } from './store.ts';

/**
 * The name of this installation in what agents sign for it: the origin of its first logs and the kid of the first key that signed
 * the receipts log. Neither a restart of the log nor a rotation changes it, so that a client may keep it.
 */
export function audienceIn(snapshot: Snapshot): string {
  const known = audiences.get(snapshot.connection);
  if (known !== undefined) return known;
  const audience = readAudience(snapshot);
  audiences.set(snapshot.connection, audience);
  return audience;
}

/** By the connection that it was read by. */
const audiences = new WeakMap<Snapshot['connection'], string>();

function readAudience(snapshot: Snapshot): string {
  const origin = firstOrigin(snapshot);
  const key = keySql(snapshot)
    .all.all()
    .find(({ purpose, algorithm }) => purpose === 'log' && algorithm === 'Ed25519');
  if (origin === null || key === undefined) throw new Error('there is no log, or no key of it');
  return `${origin}+${key.kid}`;
}
