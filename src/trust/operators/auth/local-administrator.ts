import { operatorOfCall } from '../../../platform/control/operation.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import { requireOperatorIn } from '../require-operator.ts';
import { type OperatorRow, operatorBySeq, operatorsAfter } from '../store.ts';
import { type Access, requireAccess } from './access.ts';
import { type Actor, LOCAL_ADMINISTRATOR, type OperatorActor } from './actor.ts';
import { writes } from './authenticate.ts';

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

/**
 * Returns the local administrator who administers the operator that a call names, or else the only one, in
 * any state of its account.
 * @throws ApiError not_found for an unknown operator; validation_error if there are several and none is named
 */
export async function localManager(store: Store, request: Request): Promise<OperatorActor> {
  const { operatorSeq, operatorId, accountStatus, plan, subscribed, selfProvisioned } = await store.read(
    (snapshot) => operatorOfCallIn(snapshot, operatorOfCall(request)),
  );
  const operator = { operatorSeq, operatorId, accountStatus, plan, subscribed, selfProvisioned };
  return { ...LOCAL_ADMINISTRATOR, ...operator };
}

/**
 * Returns the local administrator in the place of an operator: with an admin key's rights, but no more than
 * the state of the operator's account permits to its keys. Transactions check the account again.
 * @throws ApiError as `localManager`; forbidden for what the operator may not do
 */
export async function localOperator(store: Store, request: Request, access: Access): Promise<OperatorActor> {
  const actor = await localManager(store, request);
  const isWrite = writes(request) && access !== 'reading';
  const check = ({ accountStatus }: Pick<OperatorRow, 'accountStatus'>): void =>
    requireAccess({ ...actor, accountStatus }, access, isWrite, 0);
  check(actor);
  const admitIn = async (tx: Transaction): Promise<void> => {
    const operator = await operatorBySeq(tx, actor.operatorSeq);
    if (operator === null) throw new Error(`operator ${actor.operatorSeq} does not exist`);
    check(operator);
  };
  return { ...actor, authority: { admitIn, neverRefused: { admitIn } } };
}

/** Returns the operator with an id; without one, the only operator of the installation. */
async function operatorOfCallIn(snapshot: Snapshot, operatorId: string | null): Promise<OperatorRow> {
  if (operatorId !== null) return requireOperatorIn(snapshot, operatorId);
  const [operator, another] = await operatorsAfter(snapshot, { after: 0, limit: 2 });
  if (operator !== undefined && another === undefined) return operator;
  throw commonErrors.validation_error({
    message:
      operator === undefined
        ? 'There is no operator yet. Create one with countersign operators create.'
        : 'This data directory has several operators. Name the one that acts with --operator; countersign operators list shows them.',
  });
}
