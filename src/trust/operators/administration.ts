import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import type { CommandContext } from '../context.ts';
import { trustError } from '../http/dialect.ts';
import { createKeyIn, listApiKeys, newKeyFields } from './api-keys/api-keys.ts';
import type { NewApiKey } from './schema.ts';
import { operatorStatusOf } from './status.ts';
import {
  allOperators,
  countOtherIssuers,
  deleteKeys,
  hasAdminKey,
  insertOperator,
  type OperatorRow,
  operatorById,
  ownKey,
  updatePardon,
  updateStake,
  updateStatus,
} from './store.ts';

/** The pool of the first operator; others begin with none. */
export const INITIAL_CREDITS = 1_000_000;

/** What it takes to change an operator or its keys: where they are stored, and who remembers them. */
type ChangeContext = Pick<CommandContext, 'store' | 'principals'>;

/** Every operator with its figures, oldest first. */
export async function listOperators({ store, policy }: Pick<CommandContext, 'store' | 'policy'>) {
  return store.read(async (snapshot) => {
    const summaries: Awaited<ReturnType<typeof operatorStatusOf>>[] = [];
    for (const operator of await allOperators(snapshot))
      summaries.push(await operatorStatusOf(snapshot, operator, policy.tiers));
    return summaries;
  });
}

/**
 * Makes an operator. `credits`: its pool. `provisionedFor`: the subject commitment of an agent that let itself in and whose own operator
 * it is, so that the quota of FREE holds for it.
 */
export function createOperatorIn(
  tx: Transaction,
  { clock, ids }: Pick<CommandContext, 'clock' | 'ids'>,
  {
    name,
    credits,
    provisionedFor = null,
  }: { name: string | null; credits: number; provisionedFor?: string | null },
): Promise<OperatorRow> {
  return insertOperator(tx, {
    operatorId: ids.newText('op_cus_', 24),
    createdAt: timestamp(clock),
    name,
    credits,
    selfProvisioned: provisionedFor !== null,
    provisionedFor,
  });
}

/** Makes an operator and its first key, an issuer key. */
export async function createOperator(
  { store, clock, ids }: Pick<CommandContext, 'store' | 'clock' | 'ids'>,
  { name, admin }: { name: string | null; admin: boolean },
) {
  return store.writeAsService(async (tx) => {
    const { operatorId, operatorSeq } = await createOperatorIn(tx, { clock, ids }, { name, credits: 0 });
    const key = newKeyFields({ name: 'first key', admin });
    const { api_key } = await createKeyIn(tx, { clock, ids }, operatorSeq, key);
    return { operator_id: operatorId, api_key };
  });
}

/** Makes a key for any operator: the way back in when a key is lost. @throws ApiError not_found, validation_error */
export async function createKeyFor(
  { store, clock, ids }: Pick<CommandContext, 'store' | 'clock' | 'ids'>,
  operatorId: string,
  request: NewApiKey,
) {
  const fields = newKeyFields(request);
  return store.writeAsService(async (tx) => {
    const { operatorSeq } = await requireOperator(tx, operatorId);
    return createKeyIn(tx, { clock, ids }, operatorSeq, fields);
  });
}

/** A page of any operator's keys, newest first. @throws ApiError not_found, validation_error for a cursor that is none */
export async function listKeysOf(
  context: Pick<CommandContext, 'store' | 'cursors'>,
  operatorId: string,
  cursor: string | null,
) {
  const { operatorSeq } = await context.store.read((snapshot) => requireOperator(snapshot, operatorId));
  return listApiKeys(context, { operatorSeq }, { limit: '100', ...(cursor === null ? {} : { cursor }) });
}

/**
 * Deletes any key of any operator, the last one too, since an administrator can make another. It and every session that it opened
 * end at once.
 * @returns whether the operator has an issuer key left, and the installation an admin key. @throws ApiError not_found
 */
export async function deleteKeyOf({ store, principals }: ChangeContext, operatorId: string, keyHash: string) {
  return store.writeAsService(async (tx) => {
    const { operatorSeq } = await requireOperator(tx, operatorId);
    if ((await ownKey(tx, operatorSeq, keyHash)) === undefined) {
      throw trustError('not_found', {
        message: `${operatorId} has no key with the hash ${keyHash}. See countersign operators keys list ${operatorId}.`,
      });
    }
    await deleteKeys(tx, [keyHash]);
    principals.changedIn(tx);
    const issuers = await countOtherIssuers(tx, operatorSeq, keyHash);
    return {
      keyHash,
      deleted: true as const,
      has_issuer_key: issuers > 0,
      installation_has_admin_key: await hasAdminKey(tx),
    };
  });
}

/** Suspends an operator or makes it active again, for the very next request. @throws ApiError not_found, conflict */
export async function setAccountStatus(
  context: ChangeContext & Pick<CommandContext, 'policy'>,
  operatorId: string,
  accountStatus: 'ACTIVE' | 'SUSPENDED',
) {
  return change(context, operatorId, async (tx, { operatorSeq, accountStatus: previous }) => {
    if (previous === 'CLOSED')
      throw trustError('conflict', {
        message: `The operator ${operatorId} is closed. Name another operator.`,
      });
    await updateStatus(tx, operatorSeq, accountStatus);
  });
}

/** Lets the breaches up to now weigh nothing at the gate. @throws ApiError not_found */
export async function pardonOperator(
  context: ChangeContext & Pick<CommandContext, 'policy' | 'clock'>,
  operatorId: string,
) {
  return change(context, operatorId, (tx, { operatorSeq }) =>
    updatePardon(tx, operatorSeq, timestamp(context.clock)),
  );
}

/** Sets an operator's stake, in US cents. @throws ApiError not_found */
export async function setStake(
  context: ChangeContext & Pick<CommandContext, 'policy'>,
  operatorId: string,
  stakeCents: number,
) {
  return change(context, operatorId, (tx, { operatorSeq }) => updateStake(tx, operatorSeq, stakeCents));
}

async function change(
  { store, principals, policy }: ChangeContext & Pick<CommandContext, 'policy'>,
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
    throw trustError('not_found', {
      message: `There is no operator ${operatorId}. See countersign operators list.`,
    });
  }
  return operator;
}
