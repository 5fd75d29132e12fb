import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { written } from '../../../platform/http/schema.ts';
import { requestLineOf } from '../../agents/agent-auth.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { problemOf } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { readProposal } from './get-proposal.ts';
import { type AgoraContext, negotiate } from './negotiate.ts';
import { NegotiateRequest, NegotiationResponse, ProposalPath, ProposalResponse } from './schema.ts';

export const agoraRoutes = (trust: AgoraContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Agent protocols'] })
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
