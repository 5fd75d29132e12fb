import { Type } from '@sinclair/typebox';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { pageRequest } from '../http/paging.ts';
import { type Account, type Asset, type CreditClass, ISSUANCE, poolOf, stakeOf } from '../ledger/accounts.ts';
import { stakeCents } from '../ledger/figures.ts';
import { type LedgerContext, postIn } from '../ledger/post.ts';
import { createKeyIn, listApiKeys, newKeyFields } from './api-keys/api-keys.ts';
import type { Principals } from './auth/principals.ts';
import { operatorStatusOf } from './operator-status.ts';
import type { NewApiKey } from './schema.ts';
import type { OperatorsPolicy } from './settings.ts';
import {
  countOtherIssuers,
  deleteKeys,
  hasAdminKey,
  insertOperator,
  keyOfOperator,
  type OperatorRow,
  operatorById,
  operatorsAfter,
  updatePardon,
  updatePlan,
  updateStatus,
} from './store.ts';

/** The promotional credits of the first operator; other operators start without credits. */
export const INITIAL_CREDITS = 1_000_000;

/** The parts that changing an operator or its keys uses: the store, and the cache to invalidate. */
type ChangeContext = { store: Store; principals: Principals };

/** The list of all operators, for the administrator. */
const OPERATORS = { name: 'operators', position: Type.Tuple([positionNumber]) };

/** Returns a page of all operators with their status, oldest first. @throws ApiError validation_error for an invalid cursor */
export async function listOperators(
  { store, policy, cursors }: { store: Store; policy: OperatorsPolicy; cursors: Cursors },
  query: Paging,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(OPERATORS, []));
  return store.read(async (snapshot) => {
    const { page, next_cursor } = takePage(
      await operatorsAfter(snapshot, after?.[0] ?? 0, limit + 1),
      (last) => [last.operatorSeq],
    );
    const operators: Awaited<ReturnType<typeof operatorStatusOf>>[] = [];
    for (const operator of page) operators.push(await operatorStatusOf(snapshot, operator, policy.tiers));
    return { operators, next_cursor };
  });
}

/**
 * Creates an operator without credits. `provisionedFor` is the subject commitment of the agent for which it is created, so that the quota
 * of FREE applies; null for any other operator. `operatorId` is a reserved id, which no operator has; without it the operator gets a new one.
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

/** Sets the plan of an operator by its subscriptions: from the first one on, the quota of FREE applies while it has none. */
export async function setPlanIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  operatorSeq: number,
  plan: OperatorRow['plan'],
): Promise<void> {
  await updatePlan(tx, operatorSeq, plan);
  principals.changedIn(tx);
}

/** Sets the status of an account. Who decided a status before, an administrator or a refund, no longer matters. */
export async function setStatusIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  operatorSeq: number,
  accountStatus: OperatorRow['accountStatus'],
): Promise<void> {
  await updateStatus(tx, operatorSeq, accountStatus);
  principals.changedIn(tx);
}

/** Creates an operator and its first key, an issuer key. @returns the key in full, which cannot be read again */
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

/** Creates a key for any operator, for example after it lost its key. @throws ApiError not_found, validation_error */
export async function createKeyFor(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  operatorId: string,
  request: NewApiKey,
) {
  const fields = newKeyFields(request);
  return store.writeAsService(async (tx) => {
    const { operatorSeq } = await requireOperator(tx, operatorId);
    return createKeyIn(tx, { clock, ids }, operatorSeq, fields);
  });
}

/** Returns a page of any operator's keys, newest first. @throws ApiError not_found, validation_error for an invalid cursor */
export async function listKeysOf(
  context: { store: Store; cursors: Cursors },
  operatorId: string,
  cursor: string | null,
) {
  const { operatorSeq } = await context.store.read((snapshot) => requireOperator(snapshot, operatorId));
  return listApiKeys(context, { operatorSeq }, { limit: '100', ...(cursor === null ? {} : { cursor }) });
}

/**
 * Deletes any key of any operator, also its last one, since an administrator can create another. The key and its sessions end at once.
 * @returns whether the operator has an issuer key left whose scope has not ended, and the installation an admin key @throws ApiError not_found
 */
export async function deleteKeyOf(
  { store, principals, clock }: ChangeContext & { clock: Clock },
  operatorId: string,
  keyHash: string,
) {
  return store.writeAsService(async (tx) => {
    const { operatorSeq } = await requireOperator(tx, operatorId);
    if ((await keyOfOperator(tx, operatorSeq, keyHash)) === undefined) {
      throw commonErrors.not_found({
        message: `${operatorId} has no key with the hash ${keyHash}. See countersign operators keys list ${operatorId}.`,
      });
    }
    await deleteKeys(tx, [keyHash]);
    principals.changedIn(tx);
    const issuers = await countOtherIssuers(tx, operatorSeq, keyHash, clock.now());
    return {
      keyHash,
      deleted: true as const,
      has_issuer_key: issuers > 0,
      installation_has_admin_key: await hasAdminKey(tx),
    };
  });
}

/** Suspends an operator or activates it again, from the next request on. @throws ApiError not_found, conflict for a closed account */
export async function setAccountStatus(
  context: ChangeContext & { policy: OperatorsPolicy },
  operatorId: string,
  accountStatus: 'ACTIVE' | 'SUSPENDED',
) {
  return change(context, operatorId, async (tx, { operatorSeq, accountStatus: previous }) => {
    if (previous === 'CLOSED')
      throw commonErrors.conflict({
        message: `The operator ${operatorId} is closed. Name another operator.`,
      });
    await updateStatus(tx, operatorSeq, accountStatus);
  });
}

/** Pardons an operator's SLA breaches up to now: the gate no longer counts them. @throws ApiError not_found */
export async function pardonOperator(
  context: ChangeContext & { policy: OperatorsPolicy; clock: Clock },
  operatorId: string,
) {
  return change(context, operatorId, (tx, { operatorSeq }) =>
    updatePardon(tx, operatorSeq, timestamp(context.clock)),
  );
}

/** Sets an operator's stake, in US cents, by a booking of the difference. @throws ApiError not_found, conflict */
export async function setStake(context: ChangeContext & LedgerContext, operatorId: string, wanted: number) {
  return change(context, operatorId, async (tx, operator) => {
    const difference = wanted - (await stakeCents(tx, operator.operatorSeq));
    await adjustIn(tx, context, stakeOf(operator), 'cents', difference);
  });
}

/**
 * Adds credits of a class to an operator's pool, or with a negative amount removes them. @throws ApiError not_found; insufficient_credits
 * for more than the pool has; conflict
 */
export async function adjustPool(
  context: ChangeContext & LedgerContext,
  operatorId: string,
  amount: number,
  creditClass: CreditClass,
) {
  return change(context, operatorId, (tx, operator) =>
    adjustIn(tx, context, poolOf(operator), creditClass, amount),
  );
}

/** Books a change of an account by the administrator: from issuance, or with a negative amount back to it. */
export async function adjustIn(
  tx: Transaction,
  ledger: LedgerContext,
  account: Account,
  asset: Asset,
  amount: number,
): Promise<void> {
  if (amount === 0) return;
  const [from, to] = amount > 0 ? [ISSUANCE, account] : [account, ISSUANCE];
  await postIn(tx, ledger, { kind: 'ADJUSTMENT', from, to, portions: { [asset]: Math.abs(amount) } });
}

async function change(
  { store, principals, policy }: ChangeContext & { policy: OperatorsPolicy },
  operatorId: string,
  act: (tx: Transaction, operator: OperatorRow) => Promise<void>,
) {
  return store.writeAsService(async (tx) => {
    await act(tx, await requireOperator(tx, operatorId));
    principals.changedIn(tx);
    return operatorStatusOf(tx, await requireOperator(tx, operatorId), policy.tiers);
  });
}

async function requireOperator(tx: Snapshot, operatorId: string): Promise<OperatorRow> {
  const operator = await operatorById(tx, operatorId);
  if (operator === undefined) {
    throw commonErrors.not_found({
      message: `There is no operator ${operatorId}. See countersign operators list.`,
    });
  }
  return operator;
}
