import { Elysia } from 'elysia';
import { isNotModified } from '../../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified, written } from '../../../platform/http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { CommitmentPath } from '../schema.ts';
import { cachedByKeys } from './cached-by-keys.ts';
import { type AgentDocumentContext, agentDocument, type DidForm } from './get-agent-document.ts';
import { jsonWebKeySet } from './get-key-set.ts';
import { type ServiceDocumentContext, serviceDocument } from './get-service-document.ts';
import { DID_DOCUMENT_TYPE, DidDocumentResponse, JwksResponse } from './schema.ts';

/** Short, so that a compromised key is soon gone from caches. */
const CACHING = 'public, max-age=60';

const CACHED = {
  ETag: ETAG_HEADER,
  'Cache-Control': 'A minute.',
};

export const didRoutes = (trust: ServiceDocumentContext & AgentDocumentContext, { open }: RouteAuth) => {
  const didDocument = cachedByKeys(trust, () => serviceDocument(trust));
  const keySet = cachedByKeys(trust, () => jsonWebKeySet(trust));
  const agent = async (commitment: string, form: DidForm, headers: Record<string, string | number>) => {
    const json = JSON.stringify(await agentDocument(trust, commitment, form));
    headers['content-type'] = DID_DOCUMENT_TYPE;
    headers['cache-control'] = CACHING;
    return json;
  };
  return new Elysia({ tags: ['Agent protocols'] })
    .use(open)
    .get(
      '/.well-known/did.json',
      ({ request, set, status }) => {
        const { json, etag } = didDocument();
        if (isNotModified(request, set.headers, etag, CACHING)) return status(304, undefined);
        set.headers['content-type'] = DID_DOCUMENT_TYPE;
        return json;
      },
      {
        open: 'free',
        response: { 200: written(DidDocumentResponse), 304: NotModified },
        detail: { operationId: 'getServiceDidDocument', 'x-response-headers': CACHED, security: [] },
      },
    )
    .get(
      '/.well-known/jwks.json',
      ({ request, set, status }) => {
        const { json, etag } = keySet();
        if (isNotModified(request, set.headers, etag, CACHING)) return status(304, undefined);
        set.headers['content-type'] = 'application/json';
        return json;
      },
      {
        open: 'free',
        response: { 200: written(JwksResponse), 304: NotModified },
        detail: { operationId: 'getJsonWebKeySet', 'x-response-headers': CACHED, security: [] },
      },
    )
    .get(
      '/api/v1/anp/agents/:commitment',
      ({ params, set }) => agent(params.commitment, 'key', set.headers),
      {
        open: 'publicReads',
        params: CommitmentPath,
        response: { 200: written(DidDocumentResponse) },
        detail: {
          operationId: 'getAgentDidDocument',
          'x-response-headers': { 'Cache-Control': 'A minute.' },
          security: [],
        },
      },
    )
    .get(
      '/api/v1/anp/agents/:commitment/did.json',
      ({ params, set }) => agent(params.commitment, 'web', set.headers),
      {
        open: 'publicReads',
        params: CommitmentPath,
        response: { 200: written(DidDocumentResponse) },
        detail: {
          operationId: 'getAgentWebDidDocument',
          'x-response-headers': { 'Cache-Control': 'A minute.' },
          security: [],
        },
      },
    );
};
