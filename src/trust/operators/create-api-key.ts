import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { excessRights } from './api-key-rights.ts';
import type { KeyView } from './api-key-view.ts';
import { type Actor, requireOperator } from './auth/actor.ts';
import type { Principals } from './auth/authenticate.ts';
import { createKeyIn, newKeyFields } from './new-api-key.ts';
import type { NewApiKey } from './schema.ts';

/**
 * Creates a key for the caller's operator. It cannot have more rights than the caller's key.
 * @throws ApiError forbidden, validation_error
 */
export async function createApiKey(
  { store, clock, ids, principals }: { store: Store; clock: Clock; ids: Ids; principals: Principals },
  actor: Actor,
  request: NewApiKey,
  once: Once,
) {
  const fields = newKeyFields(request);
  const excess = excessRights(actor, fields);
  if (excess !== null)
    throw commonErrors.forbidden({
      message: `A key cannot create a key with more rights than its own: ${excess}. Request fewer rights.`,
    });
  const { operatorSeq } = requireOperator(actor);
  return store.write(actor.authority, (tx) => {
    // What an operator is told as an administrator depends on it.
    if (fields.admin) principals.changedIn(tx);
    const act = (): Promise<KeyView & { api_key: string | null }> =>
      createKeyIn(tx, { clock, ids }, operatorSeq, fields);
    return once(tx, act, (response) => ({ ...response, api_key: null }));
  });
}
