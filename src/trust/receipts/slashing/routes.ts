import { Elysia } from 'elysia';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { listSlashes } from './list-ledger.ts';
import { SlashingLedgerQuery, SlashingLedgerResponse } from './schema.ts';

export const slashingRoutes = (context: { store: Store; cursors: Cursors }, { operating }: RouteAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(operating)
    .get(
      '/api/v1/operator/slashing-ledger',
      ({ query, principal }) => listSlashes(context, principal, query),
      {
        keyed: 'issuer',
        query: SlashingLedgerQuery,
        response: { 200: SlashingLedgerResponse },
        detail: { operationId: 'listSlashingLedger' },
      },
    );
