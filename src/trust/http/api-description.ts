import type { ApiDescription } from '../../platform/http/openapi/openapi.ts';
import type { Site } from '../../platform/http/openapi/site-files.ts';
import { MAX_BODY_ITEMS } from '../../platform/http/request/body.ts';
import { MAX_PARAMETERS } from '../../platform/http/request/parameters.ts';
import type { ModuleEntry } from '../../platform/module.ts';
import { guessesProblem } from './schema.ts';

export const TITLE = 'Countersign trust service';

/** What `llms.txt` names besides the API. */
export const SITE_LINKS: Site['links'] = {
  'Verify without trusting the service': [
    {
      title: 'Public keys',
      path: '/api/v1/transparency/keys',
      about: 'all keys that sign or signed, with their purposes and times; save it as keys.json',
    },
    {
      title: 'Newest checkpoint',
      path: '/log/receipts/checkpoint',
      about: 'the signed size and root of the transparency log of receipts (C2SP tlog-checkpoint)',
    },
    {
      title: 'Verification of webhooks',
      path: '/api/v1/webhooks/verify-guide',
      about: 'how to check the signature of a delivered event',
    },
  ],
  'Identity and discovery': [
    { title: 'DID document', path: '/.well-known/did.json', about: 'the issuer of credentials (did:web)' },
    { title: 'Agent card', path: '/.well-known/agent-card.json', about: 'the skills of the A2A endpoint' },
    {
      title: 'Leaderboard',
      path: '/api/v1/leaderboard',
      about: 'enrolled agents by their items of evidence',
    },
  ],
  'For people': [
    { title: 'Account', path: '/account', about: 'the pages on which people manage an operator' },
  ],
};

/** Returns the general part of the trust service's OpenAPI document. */
export function trustApiDescription(modules: readonly ModuleEntry[], serverUrl: string): ApiDescription {
  return {
    openapi: '3.1.0',
    title: TITLE,
    version: '1.0.0',
    description:
      'Signed, tamper-evident receipts of what AI agents did, which anyone can verify offline.\n\n' +
      '- Errors are `{error, reason_code, issues?, request_id}`.\n' +
      '- Unknown body fields are an error.\n' +
      `- Unless an operation says otherwise, a body is JSON of at most 1 MiB and 64 levels, with at most ${MAX_BODY_ITEMS} members and ` +
      `elements together. A query has at most ${MAX_PARAMETERS} parameters.\n` +
      '- A request is checked in this order: body size, path, address limit, key, JSON, schema, rules. The first failed check is ' +
      'the error.\n' +
      '- Requests without a valid key count as public POSTs of their client address (setting `limits.public_posts`). Above the limit they ' +
      'get 429 instead of 401.\n' +
      '- While others wait, each operator and each client address has its turn, whatever the number of its requests. Beyond 1,024 requests ' +
      'or 8 MiB in bodies that wait, more get 429 with `Retry-After: 1`.\n' +
      '- Every response has the header `X-Request-Id`.\n' +
      '- Timestamps are RFC 3339 in UTC with milliseconds.\n' +
      '- After a 2xx response all changes are durable.',
    serverUrl,
    security: ['apiKey', 'session'],
    failedAttempts: guessesProblem(),
    headers: {
      all: {
        'X-Request-Id':
          'Identifies this request in the logs. If the request had this header, the response repeats its value.',
      },
      keyed: {},
      byStatus: {
        302: { Location: 'The path of what was created.' },
        401: { 'WWW-Authenticate': 'Bearer' },
        429: {
          'Retry-After': 'Seconds to wait before the next request.',
          RateLimit:
            'The remaining requests, in the format of the IETF draft. Absent if another limit than the request rate was reached.',
          'RateLimit-Policy':
            'The limit and its window, in the format of the IETF draft. Absent if another limit than the request rate was reached.',
        },
      },
      optional: ['RateLimit', 'RateLimit-Policy'],
    },
    idempotencyConflict: 422,
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key: `pp_` and 64 hexadecimal characters. The first start prints one.',
      },
      serviceToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The service token: `svc_` and 64 hexadecimal characters. The first start prints one.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'session_token',
        description:
          'The cookie of POST /api/v1/operator/session. Writes also need the header X-Requested-With.',
      },
    },
    tags: modules.flatMap(({ tags = [] }) => tags),
  };
}
