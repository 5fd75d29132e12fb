import { and, count, desc, eq, isNotNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { agent } from '../../../db/trust/agents.ts';
import { apiKey, authorityMark, operator, serviceToken, session } from '../../../db/trust/operators.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, syncStatements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** What a request's key says of who calls. */
const principal = {
  keyHash: apiKey.keyHash,
  operatorSeq: operator.operatorSeq,
  operatorId: operator.operatorId,
  accountStatus: operator.accountStatus,
  plan: operator.plan,
  selfProvisioned: operator.selfProvisioned,
  role: apiKey.role,
  admin: apiKey.admin,
  subjectCommitment: apiKey.subjectCommitment,
  scope: apiKey.scope,
  agentState: agent.state,
};

/** Of a holder key: its agent, if it has enrolled. */
const OF_HOLDER = eq(agent.subjectCommitment, apiKey.subjectCommitment);

/** The SQL of operators, their keys, sessions and the service token. */
export const operatorSql = syncStatements((orm) => ({
  principalByKeyHash: () =>
    orm
      .select(principal)
      .from(apiKey)
      .innerJoin(operator, eq(operator.operatorSeq, apiKey.operatorSeq))
      .leftJoin(agent, OF_HOLDER)
      .where(eq(apiKey.keyHash, bound(apiKey.keyHash, 'keyHash')))
      .prepare(),
  principalBySession: () =>
    orm
      .select({ ...principal, expiresAt: session.expiresAt })
      .from(session)
      .innerJoin(apiKey, eq(apiKey.keyHash, session.keyHash))
      .innerJoin(operator, eq(operator.operatorSeq, apiKey.operatorSeq))
      .leftJoin(agent, OF_HOLDER)
      .where(eq(session.tokenHash, bound(session.tokenHash, 'tokenHash')))
      .prepare(),
  mark: () => orm.select({ mark: authorityMark.mark }).from(authorityMark).prepare(),
  first: () => orm.select().from(operator).orderBy(operator.operatorSeq).limit(1).prepare(),
  all: () => orm.select().from(operator).orderBy(operator.operatorSeq).prepare(),
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
        everyColumn(operator, ['operatorSeq', 'plan', 'stakeCents', 'pardonedAt'], {
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
  setStake: () =>
    orm
      .update(operator)
      .set({ stakeCents: sql`${$('stakeCents')}` })
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
      .limit($('rows'))
      .prepare(),
  countKeys: () =>
    orm
      .select({ keys: count() })
      .from(apiKey)
      .where(eq(apiKey.operatorSeq, bound(apiKey.operatorSeq, 'operatorSeq')))
      .prepare(),
  /** The operator's issuer keys beside one. */
  countOtherIssuers: () =>
    orm
      .select({ keys: count() })
      .from(apiKey)
      .where(
        and(
          eq(apiKey.operatorSeq, bound(apiKey.operatorSeq, 'operatorSeq')),
          eq(apiKey.role, 'issuer'),
          ne(apiKey.keyHash, bound(apiKey.keyHash, 'keyHash')),
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
  insertSession: () => orm.insert(session).values(everyColumn(session)).prepare(),
  deleteSession: () =>
    orm
      .delete(session)
      .where(eq(session.tokenHash, bound(session.tokenHash, 'tokenHash')))
      .returning({ tokenHash: session.tokenHash })
      .prepare(),
  deleteSessionsUntil: () =>
    orm
      .delete(session)
      .where(lte(session.expiresAt, bound(session.expiresAt, 'now')))
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

/** A page of an operator's keys, newest first. */
export function selectKeys(
  { connection }: Snapshot,
  operatorSeq: number,
  after: { createdAt: string; keyHash: string } | undefined,
  rows: number,
): ApiKeyRow[] {
  const place =
    after === undefined
      ? undefined
      : or(
          lt(apiKey.createdAt, after.createdAt),
          and(eq(apiKey.createdAt, after.createdAt), lt(apiKey.keyHash, after.keyHash)),
        );
  return connection.orm
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.operatorSeq, operatorSeq), place))
    .orderBy(desc(apiKey.createdAt), desc(apiKey.keyHash))
    .limit(rows)
    .all();
}
