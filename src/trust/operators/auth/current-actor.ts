import type { Snapshot } from '../../../platform/store/transaction.ts';
import { keyFacts } from '../store.ts';
import type { Actor } from './actor.ts';

/**
 * Returns an actor as its key is now, for responses that take long; null if the key was deleted meanwhile.
 * The local administrator stays.
 */
export async function currentActor<Of extends Actor>(snapshot: Snapshot, actor: Of): Promise<Of | null> {
  if (actor.keyHash === null) return actor;
  const facts = await keyFacts(snapshot, actor.keyHash);
  return facts === null ? null : { ...actor, ...facts };
}
