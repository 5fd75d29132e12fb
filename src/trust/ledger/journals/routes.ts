import { Elysia } from 'elysia';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { wholeForm } from './forms.ts';
import {
  getOperatorJournal,
  type JournalContext,
  type WholeJournalContext,
  wholeOperatorJournal,
} from './get-operator-journal.ts';
import { getTransaction } from './get-transaction.ts';
import {
  inJournalForms,
  JournalQuery,
  OperatorJournalResponse,
  TransactionPath,
  TransactionResponse,
} from './schema.ts';

export const journalRoutes = (
  trust: JournalContext & WholeJournalContext,
  { operating, acting }: RouteAuth,
) => {
  return new Elysia({ tags: ['Credits'] })
    .use(
      new Elysia({ tags: ['Credits'] }).use(operating).get(
        '/api/v1/operator/journal',
        ({ query, principal, request }) => {
          const form = wholeForm(request);
          if (form === null) return getOperatorJournal(trust, principal, query);
          return wholeOperatorJournal(trust, principal, query, { form, signal: request.signal });
        },
        {
          keyed: 'issuer',
          query: JournalQuery,
          response: { 200: inJournalForms(OperatorJournalResponse) },
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
};
