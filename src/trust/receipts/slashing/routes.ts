import { Elysia } from 'elysia';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { commonErrors } from '../../http/errors.ts';
import { KEYED, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { listSlashes } from './list-ledger.ts';
import { SlashingLedgerQuery, SlashingLedgerResponse } from './schema.ts';

export const slashingRoutes = (context: { store: Store; cursors: Cursors }, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(keyed)
    .get(
      '/api/v1/operator/slashing-ledger',
      ({ query, principal }) => listSlashes(context, principal, query),
      {
        keyed: 'issuer',
        query: SlashingLedgerQuery,
        response: responses({ 200: SlashingLedgerResponse }, KEYED, STORED, commonErrors.agent_not_enrolled),
        detail: { operationId: 'listSlashingLedger' },
      },
    );
