import { Elysia } from 'elysia';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { getOperatorJournal, type JournalContext } from './get-operator-journal.ts';
import { getTransaction } from './get-transaction.ts';
import { JournalQuery, OperatorJournalResponse, TransactionPath, TransactionResponse } from './schema.ts';

export const journalRoutes = (trust: JournalContext, { operating, acting }: RouteAuth) =>
  new Elysia({ tags: ['Credits'] })
    .use(
      new Elysia({ tags: ['Credits'] })
        .use(operating)
        .get(
          '/api/v1/operator/journal',
          ({ query, principal }) => getOperatorJournal(trust, principal, query),
          {
            keyed: 'issuer',
            query: JournalQuery,
            response: { 200: OperatorJournalResponse },
            detail: { operationId: 'getOperatorJournal' },
          },
        ),
    )
    .use(acting)
    .get(
      '/api/v1/transactions/:transaction_id',
      ({ params, principal }) => getTransaction(trust, principal, params.transaction_id),
      {
        keyed: 'any',
        params: TransactionPath,
        response: { 200: TransactionResponse },
        detail: { operationId: 'getTransaction' },
      },
    );
