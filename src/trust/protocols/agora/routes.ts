import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { written } from '../../../platform/http/schema.ts';
import { requestLineOf } from '../../agents/agent-auth.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { problemOf } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { readProposal } from './get-proposal.ts';
import { listProposals } from './list-proposals.ts';
import { type AgoraContext, negotiate } from './negotiate.ts';
import {
  NegotiateRequest,
  NegotiationResponse,
  ProposalListQuery,
  ProposalListResponse,
  ProposalPath,
  ProposalResponse,
} from './schema.ts';

export const agoraRoutes = (trust: AgoraContext & { cursors: Cursors }, { acting, open }: RouteAuth) =>
  new Elysia({ tags: ['Agent protocols'] })
    .use(acting)
    .use(open)
    .post(
      '/api/v1/agora/negotiate',
      async ({ body, request, set }) => {
        const step = await negotiate(trust, requestLineOf(request), body);
        set.status = 201;
        return step;
      },
      {
        open: 'publicPosts',
        body: NegotiateRequest,
        response: {
          201: NegotiationResponse,
          409: problemOf([commonErrors.conflict, commonErrors.invalid_state, agentsErrors.nonce_reused], {
            negotiation: Type.Optional(NegotiationResponse),
          }),
        },
        detail: { operationId: 'negotiate', security: [] },
      },
    )
    .get('/api/v1/agora/proposals', ({ principal, query }) => listProposals(trust, principal, query), {
      keyed: 'any',
      query: ProposalListQuery,
      response: { 200: ProposalListResponse },
      detail: { operationId: 'listProposals' },
    })
    .get(
      '/api/v1/agora/proposals/:proposalId',
      async ({ params, set }) => {
        const json = await readProposal(trust, params.proposalId);
        set.headers['content-type'] = 'application/json';
        return json;
      },
      {
        open: 'publicReads',
        params: ProposalPath,
        response: { 200: written(ProposalResponse) },
        detail: { operationId: 'getProposal', security: [] },
      },
    );
