import { eq, sql } from 'drizzle-orm';
import { bound } from '../../../db/columns.ts';
import { apiKey, operator, serviceToken } from '../../../db/trust/operators.ts';
import { statements } from '../../platform/store/transaction.ts';

/** The SQL of operators, their keys and the service token. */
export const operatorSql = statements((orm) => ({
  principalByKeyHash: orm
    .select({
      operatorSeq: operator.operatorSeq,
      operatorId: operator.operatorId,
      accountStatus: operator.accountStatus,
      role: apiKey.role,
      admin: apiKey.admin,
    })
    .from(apiKey)
    .innerJoin(operator, eq(operator.operatorSeq, apiKey.operatorSeq))
    .where(eq(apiKey.keyHash, bound(apiKey.keyHash, 'keyHash')))
    .prepare(),
  first: orm.select().from(operator).orderBy(operator.operatorSeq).limit(1).prepare(),
  insertOperator: orm
    .insert(operator)
    .values({
      operatorId: sql.placeholder('operatorId'),
      accountStatus: 'ACTIVE',
      createdAt: sql.placeholder('createdAt'),
    })
    .returning()
    .prepare(),
  insertKey: orm
    .insert(apiKey)
    .values({
      keyHash: sql.placeholder('keyHash'),
      operatorSeq: sql.placeholder('operatorSeq'),
      role: 'issuer',
      admin: true,
      name: sql.placeholder('name'),
      createdAt: sql.placeholder('createdAt'),
    })
    .onConflictDoNothing()
    .prepare(),
  serviceToken: orm.select().from(serviceToken).prepare(),
  setServiceToken: orm
    .insert(serviceToken)
    .values({ one: 1, tokenHash: sql.placeholder('tokenHash'), createdAt: sql.placeholder('createdAt') })
    .onConflictDoUpdate({
      target: serviceToken.one,
      set: { tokenHash: sql`excluded.token_hash`, createdAt: sql`excluded.created_at` },
    })
    .prepare(),
}));
