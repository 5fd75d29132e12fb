import { timestamp } from '../../platform/clock.ts';
import { randomBase62 } from '../../platform/ids.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Desk } from '../context.ts';
import { trustError } from '../dialect.ts';
import { createKeyIn, keyRequestOf, listApiKeys } from './api-keys.ts';
import type { NewApiKey } from './schema.ts';
import { type OperatorRow, operatorById, statusOf } from './service.ts';
import { operatorSql } from './store.ts';

/** The pool of the first operator; others begin with none. */
export const FIRST_POOL = 1_000_000;

/** Every operator with its figures, oldest first. */
export async function listOperators({ store, rules }: Desk) {
  return store.read((snapshot) =>
    operatorSql(snapshot)
      .all.all()
      .map((operator) => statusOf(snapshot, operator, rules.tiers)),
  );
}

/**
 * Makes an operator. `credits`: its pool. `provisionedFor`: the subject commitment of an agent that let itself in and whose own operator
 * it is, so that the quota of FREE holds for it.
 */
export function createOperatorIn(
  tx: Transaction,
  { clock }: Pick<Desk, 'clock'>,
  {
    name,
    credits,
    provisionedFor = null,
  }: { name: string | null; credits: number; provisionedFor?: string | null },
): OperatorRow {
  const operatorId = `op_cus_${randomBase62(24)}`;
  return operatorSql(tx).insertOperator.get({
    operatorId,
    createdAt: timestamp(clock),
    name,
    credits,
    selfProvisioned: provisionedFor !== null,
    provisionedFor,
  });
}

/** Makes an operator and its first key, an issuer key. */
export async function createOperator(desk: Desk, { name, admin }: { name: string | null; admin: boolean }) {
  return desk.store.writeAsService((tx) => {
    const { operatorId, operatorSeq } = createOperatorIn(tx, desk, { name, credits: 0 });
    const key = keyRequestOf({ name: 'first key', admin });
    return { operator_id: operatorId, api_key: createKeyIn(tx, desk.clock, operatorSeq, key).api_key };
  });
}

/** Makes a key for any operator: the way back in when a key is lost. @throws ApiError not_found, validation_error */
export async function createKeyFor(desk: Desk, operatorId: string, request: NewApiKey) {
  const asked = keyRequestOf(request);
  return desk.store.writeAsService((tx) =>
    createKeyIn(tx, desk.clock, known(tx, operatorId).operatorSeq, asked),
  );
}

/** A page of any operator's keys, newest first. @throws ApiError not_found, validation_error for a cursor that is none */
export async function listKeysOf(desk: Desk, operatorId: string, cursor: string | null) {
  const { operatorSeq } = await desk.store.read((snapshot) => known(snapshot, operatorId));
  return listApiKeys(desk, { operatorSeq }, { limit: '100', ...(cursor === null ? {} : { cursor }) });
}

/**
 * Deletes any key of any operator, the last one too, since an administrator can make another. It and every session that it opened
 * end at once.
 * @returns whether the operator has an issuer key left, and the installation an admin key. @throws ApiError not_found
 */
export async function deleteKeyOf(desk: Desk, operatorId: string, keyHash: string) {
  return desk.store.writeAsService((tx) => {
    const sql = operatorSql(tx);
    const { operatorSeq } = known(tx, operatorId);
    if (sql.key.get({ operatorSeq, keyHash }) === undefined) {
      throw trustError('not_found', {
        message: `${operatorId} has no key with the hash ${keyHash}; see countersign operators keys list ${operatorId}.`,
      });
    }
    sql.deleteKey.run({ keyHash });
    desk.principals.changedIn(tx);
    const issuers = sql.countOtherIssuers.get({ operatorSeq, keyHash })?.keys ?? 0;
    return {
      keyHash,
      deleted: true as const,
      has_issuer_key: issuers > 0,
      installation_has_admin_key: sql.anyAdminKey.get() !== undefined,
    };
  });
}

/** Suspends an operator or makes it active again, for the very next request. @throws ApiError not_found, conflict */
export async function setAccountStatus(
  desk: Desk,
  operatorId: string,
  accountStatus: 'ACTIVE' | 'SUSPENDED',
) {
  return change(desk, operatorId, (tx, operator) => {
    if (operator.accountStatus === 'CLOSED')
      throw trustError('conflict', { message: `${operatorId} is closed.` });
    operatorSql(tx).setStatus.run({ operatorSeq: operator.operatorSeq, accountStatus });
  });
}

/** Lets the breaches up to now weigh nothing at the gate. @throws ApiError not_found */
export async function pardonOperator(desk: Desk, operatorId: string) {
  return change(desk, operatorId, (tx, { operatorSeq }) => {
    operatorSql(tx).setPardon.run({ operatorSeq, pardonedAt: timestamp(desk.clock) });
  });
}

/** Sets an operator's stake, in US cents. @throws ApiError not_found */
export async function setStake(desk: Desk, operatorId: string, stakeCents: number) {
  return change(desk, operatorId, (tx, { operatorSeq }) => {
    operatorSql(tx).setStake.run({ operatorSeq, stakeCents });
  });
}

async function change(desk: Desk, operatorId: string, act: (tx: Transaction, operator: OperatorRow) => void) {
  return desk.store.writeAsService((tx) => {
    act(tx, known(tx, operatorId));
    desk.principals.changedIn(tx);
    return statusOf(tx, known(tx, operatorId), desk.rules.tiers);
  });
}

function known(tx: Snapshot, operatorId: string): OperatorRow {
  const operator = operatorById(tx, operatorId);
  if (operator === undefined) {
    throw trustError('not_found', {
      message: `There is no operator ${operatorId}; see countersign operators list.`,
    });
  }
  return operator;
}
