import { operatorOfCall } from '../../../platform/control/operation.ts';
import type { Store } from '../../../platform/store/store.ts';
import { requireOperatorIn } from '../require-operator.ts';
import { type Actor, LOCAL_ADMINISTRATOR } from './actor.ts';

/**
 * Returns the local administrator, with the operator that a call names.
 * @throws ApiError not_found for an unknown operator
 */
export async function localActor(store: Store, request: Request): Promise<Actor> {
  const operator = operatorOfCall(request);
  if (operator === null) return LOCAL_ADMINISTRATOR;
  return actingFor(await store.read((snapshot) => requireOperatorIn(snapshot, operator)));
}

/** Returns the local administrator who acts for an operator. */
export const actingFor = ({
  operatorSeq,
  operatorId,
}: {
  operatorSeq: number;
  operatorId: string;
}): Actor => ({ ...LOCAL_ADMINISTRATOR, operatorSeq, operatorId });
