import { MAX_PARAMETERS } from '../../platform/http/app.ts';
import type { ApiDescription } from '../../platform/http/openapi/openapi.ts';
import { MAX_BODY_ITEMS } from '../../platform/http/request/body.ts';
import type { ModuleEntry } from '../../platform/module.ts';
import { guessesProblem } from './schema.ts';

export const TITLE = 'Countersign trust service';

/** What the trust service's OpenAPI document says of the whole. */
export function trustApiDescription(modules: readonly ModuleEntry[], serverUrl: string): ApiDescription {
  return {
    openapi: '3.1.0',
    title: TITLE,
    version: '1.0.0',
    description:
      'Signed, tamper-evident receipts of what AI agents did, which anyone can verify offline.\n\n' +
      'Errors are `{error, reason_code, issues?, request_id}`. Unknown body fields are refused. Bodies are JSON of at ' +
      `most 1 MiB, 64 levels, and ${MAX_BODY_ITEMS} members and elements together, unless an operation says otherwise; ` +
      'members whose names begin with a digit or an escape count three times, empty objects and arrays as if they had one. ' +
      `A query has at most ${MAX_PARAMETERS} parameters. ` +
      'Every answer carries `X-Request-Id`. A request passes its limits, route, key, JSON, ' +
      'schema and rules in this order, and is refused at the first that it fails. Requests without a valid key count ' +
      'against the limit of public POSTs of their address; beyond it they are 429 instead of 401. Timestamps are RFC 3339 in UTC with ' +
      'milliseconds. A 2xx means that what was written is durable.',
    serverUrl,
    security: ['apiKey', 'session'],
    failedAttempts: guessesProblem(),
    headers: {
      all: { 'X-Request-Id': 'Names this request in the logs; the one that was sent, if any.' },
      keyed: {},
      byStatus: {
        302: { Location: 'Where it is.' },
        401: { 'WWW-Authenticate': 'Bearer' },
        429: {
          'Retry-After': 'Seconds to wait.',
          RateLimit: 'What is left, by the IETF draft; absent where not the rate of requests is limited.',
          'RateLimit-Policy':
            'The policy by the IETF draft; absent where not the rate of requests is limited.',
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
          'The cookie of POST /api/v1/operator/session. Writes need the header X-Requested-With as well.',
      },
    },
    tags: modules.flatMap(({ tags = [] }) => tags),
  };
}
