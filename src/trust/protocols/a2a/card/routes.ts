import { Elysia } from 'elysia';
import { isNotModified } from '../../../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified, written } from '../../../../platform/http/schema.ts';
import { cachedByKeys } from '../../../agents/dids/cached-by-keys.ts';
import type { Signer } from '../../../log/keys/signing/signer.ts';
import type { RouteAuth } from '../../../operators/auth/route-auth.ts';
import { AgentCardResponse } from '../schema.ts';
import type { CardForm } from './card.ts';
import { signedCard } from './sign-card.ts';

/** The parts of the service that the card uses. */
interface CardContext {
  signer: Signer;
  url: string | null;
  readOnly: boolean;
}

const CACHING = 'public, max-age=300';
const CACHED = {
  ETag: ETAG_HEADER,
  'Cache-Control': 'Five minutes.',
};

export const cardRoutes = (trust: CardContext, { open }: RouteAuth, version: string) => {
  const card = (form: CardForm) =>
    cachedByKeys(trust, () => signedCard(trust, { url: trust.url ?? '', version }, form));
  const cards = { '0.3': card('0.3'), '1.0': card('1.0') };
  return new Elysia({ tags: ['A2A'] })
    .use(open)
    .get(
      '/.well-known/agent.json',
      ({ request, set, status }) => {
        const { json, etag } = cards['0.3']();
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
        const isOlder = /^0\./.test(request.headers.get('a2a-version')?.trim() ?? '');
        const { json, etag } = cards[isOlder ? '0.3' : '1.0']();
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
