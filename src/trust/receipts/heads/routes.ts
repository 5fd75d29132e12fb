import { Elysia } from 'elysia';
import { CreditPath } from '../../ledger/credits/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { getHeadProof, getPoolHeadProof, type HeadProofContext } from './get-head-proof.ts';
import { HeadProofQuery, HeadProofResponse } from './schema.ts';

export const headRoutes = (trust: HeadProofContext, { acting, operating }: RouteAuth) =>
  new Elysia({ tags: ['Credits'] })
    .use(
      new Elysia({ tags: ['Credits'] })
        .use(operating)
        .get(
          '/api/v1/operator/journal/head-proof',
          ({ query, principal }) => getPoolHeadProof(trust, principal, query),
          {
            keyed: 'issuer',
            query: HeadProofQuery,
            response: { 200: HeadProofResponse },
            detail: { operationId: 'getOperatorJournalHeadProof' },
          },
        ),
    )
    .use(acting)
    .get(
      '/api/v1/passport/agents/:id/credit-journal/head-proof',
      ({ params, query, principal }) => getHeadProof(trust, principal, params.id, query),
      {
        keyed: 'any',
        params: CreditPath,
        query: HeadProofQuery,
        response: { 200: HeadProofResponse },
        detail: { operationId: 'getJournalHeadProof' },
      },
    );
