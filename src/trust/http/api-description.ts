import { MAX_PARAMETERS } from '../../platform/http/app.ts';
import type { ApiDescription } from '../../platform/http/openapi/openapi.ts';
import { MAX_BODY_ITEMS } from '../../platform/http/request/body.ts';
import type { ModuleEntry } from '../../platform/module.ts';
import { guessesProblem } from './schema.ts';

export const TITLE = 'Countersign trust service';

/** Returns the general part of the trust service's OpenAPI document. */
export function trustApiDescription(modules: readonly ModuleEntry[], serverUrl: string): ApiDescription {
  return {
    openapi: '3.1.0',
    title: TITLE,
    version: '1.0.0',
    description:
      'Signed, tamper-evident receipts of what AI agents did, which anyone can verify offline.\n\n' +
      'Errors are `{error, reason_code, issues?, request_id}`. Unknown body fields are an error. Bodies are JSON of at ' +
      `most 1 MiB, 64 levels, and ${MAX_BODY_ITEMS} members and elements together, unless an operation says otherwise; ` +
      'a member whose name begins with a digit or an escape counts as three, an empty object or array as one. ' +
      `A query has at most ${MAX_PARAMETERS} parameters. ` +
      'Every response has `X-Request-Id`. The service checks a request in this order, and ' +
      'the first failed check is the error: body size, path, address limit, key, JSON, schema, rules. Requests without a valid key count ' +
      'towards the limit of public POSTs of their address; above the limit they get 429 instead of 401. Timestamps are RFC 3339 in UTC with ' +
      'milliseconds. After a 2xx response all changes are durable.',
    serverUrl,
    security: ['apiKey', 'session'],
    failedAttempts: guessesProblem(),
    headers: {
      all: { 'X-Request-Id': 'Identifies this request in the logs. The value that the client sent, if any.' },
      keyed: {},
      byStatus: {
        302: { Location: 'The path of what was created.' },
        401: { 'WWW-Authenticate': 'Bearer' },
        429: {
          'Retry-After': 'Seconds to wait before the next request.',
          RateLimit:
            'The remaining requests, by the IETF draft. Absent if the request rate is not the limit.',
          'RateLimit-Policy':
            'The limit and its window, by the IETF draft. Absent if the request rate is not the limit.',
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
