import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { createKeyIn, newKeyFields } from './new-api-key.ts';
import { insertOperator, type OperatorRow } from './store.ts';

/**
 * Creates an operator and its first key, an issuer key.
 * @returns the key in full, which cannot be read again
 */
export async function createOperator(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  { name, admin }: { name: string | null; admin: boolean },
) {
  return store.writeAsService(async (tx) => {
    const { operatorId, operatorSeq } = await createOperatorIn(tx, { clock, ids }, { name });
    const key = newKeyFields({ name: 'first key', admin });
    const { api_key } = await createKeyIn(tx, { clock, ids }, operatorSeq, key);
    return { operator_id: operatorId, api_key };
  });
}

/**
 * Creates an operator without credits. `provisionedFor` is the subject commitment of the agent for which it
 * is created, so that the quota of FREE applies; null for any other operator. `operatorId` is a reserved id,
 * which no operator has; without it the operator gets a new one.
 */
export function createOperatorIn(
  tx: Transaction,
  { clock, ids }: { clock: Clock; ids: Ids },
  {
    name,
    provisionedFor = null,
    operatorId = newOperatorId(ids),
  }: { name: string | null; provisionedFor?: string | null; operatorId?: string },
): Promise<OperatorRow> {
  return insertOperator(tx, {
    operatorId,
    createdAt: timestamp(clock),
    name,
    selfProvisioned: provisionedFor !== null,
    provisionedFor,
  });
}

/** Returns a new id for an operator. */
export function newOperatorId(ids: Pick<Ids, 'newText'>): string {
  return ids.newText('op_cus_', 24);
}
