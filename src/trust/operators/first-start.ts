import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { createOperatorIn } from './create-operator.ts';
import type { ConfiguredSecrets, FirstStart } from './later-start.ts';
import { newKeyFields } from './new-api-key.ts';
import { firstOperator, insertKey, type OperatorRow, putServiceToken, serviceTokenHash } from './store.ts';

/**
 * Creates the first operator with an admin key, and the service token, unless they exist. A configured key is
 * added and a configured token replaces the stored one at every start. A start with nothing to create
 * (`completedStart`) does not load this code.
 * @param endowIn gives the first operator its credits
 * @throws Failure for a configured key of a first operator that is closed
 */
export async function runFirstStart(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  configured: ConfiguredSecrets,
  endowIn: (tx: Transaction, operator: OperatorRow) => Promise<void>,
): Promise<FirstStart> {
  const fresh = { apiKey: ids.newSecret('pp_'), token: ids.newSecret('svc_') };
  return store.writeAsService(async (tx) => {
    const createdAt = timestamp(clock);
    const existing = await firstOperator(tx);
    const created = existing === null;
    const operator = existing ?? (await createOperatorIn(tx, { clock, ids }, { name: null }));
    const { operatorSeq, operatorId } = operator;
    if (operator.accountStatus === 'CLOSED' && configured.apiKey !== null) {
      throw new Failure(
        `bootstrap_api_key cannot be a key of the first operator ${operatorId}, which is closed for good`,
        'remove the setting; keys of other operators are made with countersign operators key',
      );
    }
    if (created) await endowIn(tx, operator);
    const apiKey = configured.apiKey ?? (created ? fresh.apiKey : null);
    if (apiKey !== null) {
      const key = newKeyFields({ name: 'first start', admin: true });
      await insertKey(tx, { ...key, keyHash: sha256Hex(apiKey), operatorSeq, createdAt });
    }
    const serviceToken =
      configured.serviceToken ?? ((await serviceTokenHash(tx)) === null ? fresh.token : null);
    if (serviceToken !== null) await putServiceToken(tx, { tokenHash: sha256Hex(serviceToken), createdAt });
    return { operatorId, created, apiKey, serviceToken };
  });
}
