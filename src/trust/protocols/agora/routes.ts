import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { written } from '../../../platform/http/schema.ts';
import { requestLineOf } from '../../agents/agent-auth.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { BODY, PUBLIC, problemOf, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { quotasErrors } from '../../operators/quotas/errors.ts';
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
        response: responses(
          {
            201: NegotiationResponse,
            409: problemOf([commonErrors.conflict, commonErrors.invalid_state, agentsErrors.nonce_reused], {
              negotiation: Type.Optional(NegotiationResponse),
            }),
          },
          PUBLIC,
          BODY,
          STORED,
          agentsErrors.invalid_proof,
          commonErrors.agent_not_enrolled,
          commonErrors.forbidden,
          quotasErrors.quota_exceeded,
          commonErrors.not_found,
        ),
        detail: {
          operationId: 'negotiate',
          summary: 'Take a step of a negotiation',
          description:
            "Each request needs its own `agent_auth`: `countersign authorize` makes one. The example's is a placeholder, except in a " +
            'demonstration: there it is valid once, until eight minutes after the page was loaded. AGORA: two enrolled agents agree on ' +
            'terms, and each step is an entry of an append-only, hash-chained ledger that everybody can ' +
            'read. The signature of the agent is the authority; a key is not needed. Every action except propose names the newest ' +
            'step by `prev_hash`, so that an agent accepts exactly the terms that it signed: another prev_hash is 409 `conflict`, and ' +
            'of two answers at the same moment one is refused. Only the party that received the current offer can counter, accept or ' +
            'reject it; only the other one can withdraw it. A proposal has at most 32 steps, and the last one ends it. A party can reject ' +
            'or withdraw also when the other one was revoked. A request that is sent again is 409 `nonce_reused` with the step that it took as ' +
            '`negotiation`. Default limit: 60 requests per minute and client address.',
          security: [],
        },
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
        response: responses({ 200: written(ProposalResponse) }, PUBLIC, STORED, commonErrors.not_found),
        detail: {
          operationId: 'getProposal',
          summary: 'Get a proposal with its steps',
          description:
            'The steps with their terms, entries and signatures, and the public keys of both agents. It proves itself without a key of ' +
            'the service: save it and run `countersign verify FILE`.',
          security: [],
        },
      },
    );
