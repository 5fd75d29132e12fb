import { and, asc, count, desc, eq, gt, isNotNull, ne, sql } from 'drizzle-orm';
import { agent } from '../../../db/trust/agents.ts';
import {
  apiKey,
  apiKeyNumber,
  authorityMark,
  operator,
  type Scope,
  serviceToken,
  session,
} from '../../../db/trust/operators.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { runQuery, type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

export type { Scope } from '../../../db/trust/operators.ts';

const $ = sql.placeholder;

/** The columns that describe the caller behind a key. */
const principal = {
  keyHash: apiKey.keyHash,
  apiKeySeq: apiKeyNumber.apiKeySeq,
  operatorSeq: operator.operatorSeq,
  operatorId: operator.operatorId,
  accountStatus: operator.accountStatus,
  plan: operator.plan,
  selfProvisioned: operator.selfProvisioned,
  subscribed: operator.subscribed,
  role: apiKey.role,
  admin: apiKey.admin,
  subjectCommitment: apiKey.subjectCommitment,
  scope: apiKey.scope,
  agentState: agent.state,
};

/** Joins a key to its number. */
const NUMBERED = and(
  eq(apiKeyNumber.keyHash, apiKey.keyHash),
  eq(apiKeyNumber.operatorSeq, apiKey.operatorSeq),
);
/** When the scope of a key ends, as text; null for one without an end. */
const EXPIRES_AT = sql`json_extract(${apiKey.scope}, '$.expires_at')`;
/** Joins a holder key to its agent, if the agent has enrolled. */
const OF_HOLDER = eq(agent.subjectCommitment, apiKey.subjectCommitment);

const query = statements((orm) => ({
  principalByKeyHash: () =>
    orm
      .select(principal)
      .from(apiKey)
      .innerJoin(apiKeyNumber, NUMBERED)
      .innerJoin(operator, eq(operator.operatorSeq, apiKey.operatorSeq))
      .leftJoin(agent, OF_HOLDER)
      .where(eq(apiKey.keyHash, bound(apiKey.keyHash, 'keyHash')))
      .prepare(),
  principalBySession: () =>
    orm
      .select({ ...principal, expiresAt: session.expiresAt })
      .from(session)
      .innerJoin(apiKey, eq(apiKey.keyHash, session.keyHash))
      .innerJoin(apiKeyNumber, NUMBERED)
      .innerJoin(operator, eq(operator.operatorSeq, apiKey.operatorSeq))
      .leftJoin(agent, OF_HOLDER)
      .where(eq(session.tokenHash, bound(session.tokenHash, 'tokenHash')))
      .prepare(),
  mark: () => orm.select({ mark: authorityMark.mark }).from(authorityMark).prepare(),
  first: () => orm.select().from(operator).orderBy(operator.operatorSeq).limit(1).prepare(),
  all: () => orm.select().from(operator).orderBy(operator.operatorSeq).prepare(),
  page: () =>
    orm
      .select()
      .from(operator)
      .where(gt(operator.operatorSeq, bound(operator.operatorSeq, 'after')))
      .orderBy(asc(operator.operatorSeq))
      .limit($('limit'))
      .prepare(),
  bySeq: () =>
    orm
      .select()
      .from(operator)
      .where(eq(operator.operatorSeq, bound(operator.operatorSeq, 'operatorSeq')))
      .prepare(),
  byId: () =>
    orm
      .select()
      .from(operator)
      .where(eq(operator.operatorId, bound(operator.operatorId, 'operatorId')))
      .prepare(),
  insertOperator: () =>
    orm
      .insert(operator)
      .values(
        everyColumn(operator, ['operatorSeq', 'plan', 'subscribed', 'pardonedAt'], {
          accountStatus: 'ACTIVE',
        }),
      )
      .returning()
      .prepare(),
  setStatus: () =>
    orm
      .update(operator)
      .set({ accountStatus: sql`${$('accountStatus')}` })
      .where(eq(operator.operatorSeq, bound(operator.operatorSeq, 'operatorSeq')))
      .prepare(),
  setPlan: () =>
    orm
      .update(operator)
      .set({ plan: sql`${$('plan')}`, subscribed: true })
      .where(eq(operator.operatorSeq, bound(operator.operatorSeq, 'operatorSeq')))
      .prepare(),
  setPardon: () =>
    orm
      .update(operator)
      .set({ pardonedAt: sql`${$('pardonedAt')}` })
      .where(eq(operator.operatorSeq, bound(operator.operatorSeq, 'operatorSeq')))
      .prepare(),
  insertKey: () =>
    orm
      .insert(apiKey)
      .values(everyColumn(apiKey, ['lastUsedAt']))
      .onConflictDoNothing()
      .prepare(),
  key: () =>
    orm
      .select()
      .from(apiKey)
      .where(
        and(
          eq(apiKey.operatorSeq, bound(apiKey.operatorSeq, 'operatorSeq')),
          eq(apiKey.keyHash, bound(apiKey.keyHash, 'keyHash')),
        ),
      )
      .prepare(),
  /** An operator's holder keys for an agent. */
  holderKeys: () =>
    orm
      .select({ keyHash: apiKey.keyHash, scope: apiKey.scope })
      .from(apiKey)
      .where(
        and(
          isNotNull(apiKey.subjectCommitment),
          eq(apiKey.subjectCommitment, bound(apiKey.subjectCommitment, 'subjectCommitment')),
          eq(apiKey.operatorSeq, bound(apiKey.operatorSeq, 'operatorSeq')),
        ),
      )
      .limit($('limit'))
      .prepare(),
  countKeys: () =>
    orm
      .select({ keys: count() })
      .from(apiKey)
      .where(eq(apiKey.operatorSeq, bound(apiKey.operatorSeq, 'operatorSeq')))
      .prepare(),
  /** The operator's issuer keys except one. */
  countOtherIssuers: () =>
    orm
      .select({ keys: count() })
      .from(apiKey)
      .where(
        and(
          eq(apiKey.operatorSeq, bound(apiKey.operatorSeq, 'operatorSeq')),
          eq(apiKey.role, 'issuer'),
          ne(apiKey.keyHash, bound(apiKey.keyHash, 'keyHash')),
          sql`(${EXPIRES_AT} IS NULL OR unixepoch(upper(${EXPIRES_AT}), 'subsec') * 1000 > +${$('now')})`,
        ),
      )
      .prepare(),
  /** An admin key of an active operator, if there is one. */
  anyAdminKey: () =>
    orm
      .select({ keyHash: apiKey.keyHash })
      .from(apiKey)
      .innerJoin(operator, eq(operator.operatorSeq, apiKey.operatorSeq))
      .where(sql`${apiKey.admin} = 1 AND ${operator.accountStatus} = 'ACTIVE'`)
      .limit(1)
      .prepare(),
  deleteKey: () =>
    orm
      .delete(apiKey)
      .where(eq(apiKey.keyHash, bound(apiKey.keyHash, 'keyHash')))
      .prepare(),
  touchKey: () =>
    orm
      .update(apiKey)
      .set({ lastUsedAt: sql`${$('lastUsedAt')}` })
      .where(eq(apiKey.keyHash, bound(apiKey.keyHash, 'keyHash')))
      .prepare(),
  serviceToken: () => orm.select().from(serviceToken).prepare(),
  setServiceToken: () =>
    orm
      .insert(serviceToken)
      .values(everyColumn(serviceToken, [], { one: 1 }))
      .onConflictDoUpdate({
        target: serviceToken.one,
        set: { tokenHash: sql`excluded.token_hash`, createdAt: sql`excluded.created_at` },
      })
      .prepare(),
}));

export type OperatorRow = typeof operator.$inferSelect;
export type ApiKeyRow = typeof apiKey.$inferSelect;

/** A key with its operator and agent, as stored. */
export interface KeyFacts {
  /** SHA-256 of the key, lower-case hexadecimal. */
  keyHash: string;
  /** The number of the key, as its receipts name it. */
  apiKeySeq: number;
  operatorSeq: number;
  operatorId: string;
  accountStatus: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  plan: 'FREE' | 'PRO';
  selfProvisioned: boolean;
  subscribed: boolean;
  role: 'issuer' | 'holder';
  admin: boolean;
  /** For a holder key: its agent. */
  subjectCommitment: string | null;
  scope: Scope | null;
  /** For a holder key: the state of its agent; null if the agent has not enrolled. */
  agentState: 'ISSUED' | 'REVOKED' | null;
}

/** Returns a key with its operator and agent, by its SHA-256; null for an unknown key. */
export function keyFacts(snapshot: Snapshot, keyHash: string): Promise<KeyFacts | null> {
  return query(snapshot, (sql) => sql.principalByKeyHash.get({ keyHash }) ?? null);
}

/** Returns the key of a session by the SHA-256 of its token, and when it expires; null for an unknown one. */
export function sessionFacts(
  snapshot: Snapshot,
  tokenHash: string,
): Promise<{ facts: KeyFacts; expiresAt: string } | null> {
  return query(snapshot, (sql) => {
    const row = sql.principalBySession.get({ tokenHash });
    if (row === undefined) return null;
    const { expiresAt, ...facts } = row;
    return { facts, expiresAt };
  });
}

/**
 * Returns the authority mark: triggers change it whenever the rights of a key, an account or an agent change.
 */
export function readAuthorityMark(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.mark.get()?.mark ?? Number.NaN);
}

/** Returns the operator that was created first; null before the first start. */
export function firstOperator(snapshot: Snapshot): Promise<OperatorRow | null> {
  return query(snapshot, (sql) => sql.first.get() ?? null);
}

/** Returns every operator, oldest first. */
export function allOperators(snapshot: Snapshot): Promise<OperatorRow[]> {
  return query(snapshot, (sql) => sql.all.all());
}

/** Returns the first `limit` operators with a number above `after`, oldest first. */
export function operatorsAfter(snapshot: Snapshot, after: number, limit: number): Promise<OperatorRow[]> {
  return query(snapshot, (sql) => sql.page.all({ after, limit }));
}

/** Returns an operator by its number; null if there is none. */
export function operatorBySeq(snapshot: Snapshot, operatorSeq: number): Promise<OperatorRow | null> {
  return query(snapshot, (sql) => sql.bySeq.get({ operatorSeq }) ?? null);
}

/** Returns an operator by its public id; null if there is none. */
export function operatorById(snapshot: Snapshot, operatorId: string): Promise<OperatorRow | null> {
  return query(snapshot, (sql) => sql.byId.get({ operatorId }) ?? null);
}

/** The columns of a new operator; the others have defaults. */
export type NewOperator = Pick<
  OperatorRow,
  'operatorId' | 'createdAt' | 'name' | 'selfProvisioned' | 'provisionedFor'
>;

/** Adds an active operator. */
export function insertOperator(tx: Transaction, row: NewOperator): Promise<OperatorRow> {
  return query(tx, (sql) => sql.insertOperator.get(row));
}

/** Sets the status of an account. */
export function updateStatus(
  tx: Transaction,
  operatorSeq: number,
  accountStatus: OperatorRow['accountStatus'],
): Promise<void> {
  return query(tx, (sql) => void sql.setStatus.run({ operatorSeq, accountStatus }));
}

/** Sets the plan of an operator by its subscriptions. */
export function updatePlan(tx: Transaction, operatorSeq: number, plan: OperatorRow['plan']): Promise<void> {
  return query(tx, (sql) => void sql.setPlan.run({ operatorSeq, plan }));
}

/** Sets the time up to which an operator's SLA breaches are pardoned. */
export function updatePardon(tx: Transaction, operatorSeq: number, pardonedAt: string): Promise<void> {
  return query(tx, (sql) => void sql.setPardon.run({ operatorSeq, pardonedAt }));
}

/** Inserts an unused key; does nothing if it exists. */
export function insertKey(tx: Transaction, row: Omit<ApiKeyRow, 'lastUsedAt'>): Promise<void> {
  return query(tx, (sql) => void sql.insertKey.run(row));
}

/** Returns an operator's key by its hash; null if the operator has no key with this hash. */
export function keyOfOperator(
  snapshot: Snapshot,
  operatorSeq: number,
  keyHash: string,
): Promise<ApiKeyRow | null> {
  return query(snapshot, (sql) => sql.key.get({ operatorSeq, keyHash }) ?? null);
}

/** Returns up to `limit` holder keys of an operator for an agent. */
export function holderKeysFor(
  snapshot: Snapshot,
  operatorSeq: number,
  subjectCommitment: string,
  limit: number,
): Promise<Pick<ApiKeyRow, 'keyHash' | 'scope'>[]> {
  return query(snapshot, (sql) => sql.holderKeys.all({ operatorSeq, subjectCommitment, limit }));
}

/** Returns how many keys an operator has. */
export function countKeys(snapshot: Snapshot, operatorSeq: number): Promise<number> {
  return query(snapshot, (sql) => sql.countKeys.get({ operatorSeq })?.keys ?? 0);
}

/**
 * Counts an operator's issuer keys, except one key and those whose scope has ended: these cannot create keys.
 * @param keyHash the key that is not counted
 * @param now milliseconds since 1970; 0 counts all
 */
export function countOtherIssuers(
  snapshot: Snapshot,
  operatorSeq: number,
  keyHash: string,
  now: number,
): Promise<number> {
  return query(snapshot, (sql) => sql.countOtherIssuers.get({ operatorSeq, keyHash, now })?.keys ?? 0);
}

/** Returns whether an active operator has an admin key. */
export function hasAdminKey(snapshot: Snapshot): Promise<boolean> {
  return query(snapshot, (sql) => sql.anyAdminKey.get() !== undefined);
}

/** Deletes keys; foreign keys delete their sessions. */
export function deleteKeys(tx: Transaction, keyHashes: readonly string[]): Promise<void> {
  return query(tx, (sql) => {
    for (const keyHash of keyHashes) sql.deleteKey.run({ keyHash });
  });
}

/** Sets when a key was last used. */
export function updateLastUsed(tx: Transaction, keyHash: string, lastUsedAt: string): Promise<void> {
  return query(tx, (sql) => void sql.touchKey.run({ keyHash, lastUsedAt }));
}

/** Returns a page of an operator's keys, newest first. */
export function keysOf(
  snapshot: Snapshot,
  operatorSeq: number,
  after: { createdAt: string; keyHash: string } | undefined,
  limit: number,
): Promise<ApiKeyRow[]> {
  const position =
    after === undefined
      ? undefined
      : sql`(${apiKey.createdAt}, ${apiKey.keyHash}) < (${after.createdAt}, ${sql.param(after.keyHash, apiKey.keyHash)})`;
  return runQuery(snapshot, ({ orm }) =>
    orm
      .select()
      .from(apiKey)
      .where(and(eq(apiKey.operatorSeq, operatorSeq), position))
      .orderBy(desc(apiKey.createdAt), desc(apiKey.keyHash))
      .limit(limit)
      .all(),
  );
}

/** Returns the SHA-256 of the service token; null before the first start. */
export function serviceTokenHash(snapshot: Snapshot): Promise<string | null> {
  return query(snapshot, (sql) => sql.serviceToken.get()?.tokenHash ?? null);
}

/** Stores the service token, replacing an earlier one. */
export function putServiceToken(tx: Transaction, tokenHash: string, createdAt: string): Promise<void> {
  return query(tx, (sql) => void sql.setServiceToken.run({ tokenHash, createdAt }));
}
