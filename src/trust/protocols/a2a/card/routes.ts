import { Elysia } from 'elysia';
import { isNotModified } from '../../../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified, written } from '../../../../platform/http/schema.ts';
import type { RouteAuth } from '../../../operators/auth/route-auth.ts';
import { AgentCardResponse } from '../schema.ts';
import { agentCards, type CardContext, formFor } from './get-agent-card.ts';

const CACHING = 'public, max-age=300';
const CACHED = {
  ETag: ETAG_HEADER,
  'Cache-Control': 'Five minutes.',
};

export const cardRoutes = (trust: CardContext, { open }: RouteAuth, version: string) => {
  const getAgentCard = agentCards(trust, version);
  return new Elysia({ tags: ['A2A'] })
    .use(open)
    .get(
      '/.well-known/agent.json',
      ({ request, set, status }) => {
        const { json, etag } = getAgentCard('0.3');
        if (isNotModified(request, set.headers, etag, CACHING)) return status(304, undefined);
        set.headers['content-type'] = 'application/json';
        return json;
      },
      {
        open: 'free',
        response: { 200: written(AgentCardResponse), 304: NotModified },
        detail: { operationId: 'getAgentCardOf03', 'x-response-headers': CACHED, security: [] },
      },
    )
    .get(
      '/.well-known/agent-card.json',
      ({ request, set, status }) => {
        const { json, etag } = getAgentCard(formFor(request));
        set.headers.vary = 'A2A-Version';
        if (isNotModified(request, set.headers, etag, CACHING)) return status(304, undefined);
        set.headers['content-type'] = 'application/json';
        return json;
      },
      {
        open: 'free',
        response: { 200: written(AgentCardResponse), 304: NotModified },
        detail: {
          operationId: 'getAgentCard',
          'x-response-headers': { ...CACHED, Vary: '`A2A-Version`.' },
          security: [],
        },
      },
    );
};
