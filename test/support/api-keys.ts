import type { Once } from '../../src/platform/http/idempotency/once.ts';
import type { Ids } from '../../src/platform/ids.ts';
import type { Store } from '../../src/platform/store/store.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import type { Principals } from '../../src/trust/operators/auth/authenticate.ts';
import { actingFor } from '../../src/trust/operators/auth/local-administrator.ts';
import { createApiKey } from '../../src/trust/operators/create-api-key.ts';
import { deleteApiKey } from '../../src/trust/operators/delete-api-key.ts';
import { requireOperatorIn } from '../../src/trust/operators/require-operator.ts';
import type { LastingActs } from '../../src/trust/operators/restored/lasting-acts.ts';
import type { NewApiKey } from '../../src/trust/operators/schema.ts';

/** Runs what a request asks for, which has no Idempotency-Key. */
const directly: Once = (_tx, act) => act();

/** Returns the local administrator who acts for an operator. */
async function administratorOf({ store }: { store: Store }, operatorId: string) {
  return actingFor(await store.read((snapshot) => requireOperatorIn(snapshot, operatorId)));
}

/** Creates a key for an operator, as the administrator does. */
export async function createKeyFor(
  trust: { store: Store; clock: Clock; ids: Ids; principals: Principals },
  operatorId: string,
  request: NewApiKey,
) {
  const created = await createApiKey(trust, await administratorOf(trust, operatorId), request, directly);
  const { api_key } = created;
  if (api_key === null) throw new Error('the key was created before');
  return { ...created, api_key };
}

/** Deletes a key of an operator, as the administrator does. */
export async function deleteKeyOf(
  trust: { store: Store; clock: Clock; principals: Principals; acts: LastingActs },
  operatorId: string,
  keyHash: string,
) {
  return deleteApiKey(trust, await administratorOf(trust, operatorId), keyHash);
}
