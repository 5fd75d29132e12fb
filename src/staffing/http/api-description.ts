import { MAX_PARAMETERS } from '../../platform/http/app.ts';
import type { ApiDescription } from '../../platform/http/openapi/openapi.ts';
import { MAX_BODY_ITEMS } from '../../platform/http/request/body.ts';
import type { ModuleEntry } from '../../platform/module.ts';
import { failedAttemptsProblem } from './schema.ts';

export const TITLE = 'Countersign staffing service';

/** Returns the general part of the staffing service's OpenAPI document. */
export function staffingApiDescription(modules: readonly ModuleEntry[], serverUrl: string): ApiDescription {
  return {
    openapi: '3.0.3',
    title: TITLE,
    version: '1.0.0',
    description:
      'A registry of clinicians that staffing firms search, and their requisitions.\n\n' +
      'Begin with POST /sandbox-keys: a work e-mail address gets a key at once. Errors are `{error: {code, message, ' +
      'request_id, details?}}`. Unknown body fields are refused, and unknown parameters where an operation takes any. ' +
      `Bodies are JSON of at most 1 MiB, 64 levels, and ${MAX_BODY_ITEMS} members and elements together; ` +
      'a member whose name begins with a digit or an escape counts as three, an empty object or array as one. ' +
      `A query has at most ${MAX_PARAMETERS} parameters. ` +
      'The service checks a request in this order, and the first failed check is the error: body size, path, address limit, ' +
      'key, rate limit, scope, JSON, schema, rules. Requests without a valid key count towards the address limit: beyond 60 a ' +
      'minute (a setting) they get 429 instead of 401. Every response to a valid key has X-RateLimit-Limit, -Remaining, -Reset ' +
      '(Unix seconds), RateLimit and RateLimit-Policy. All keys of a partner for one tier share its rate limit. Lists are `{data, has_more, next_cursor}`. Timestamps ' +
      'are RFC 3339 in UTC with milliseconds. After a 2xx response all changes are durable.',
    serverUrl,
    security: ['apiKey'],
    failedAttempts: failedAttemptsProblem(),
    headers: {
      all: { 'X-Request-Id': 'Identifies this request in the logs.' },
      keyed: {
        'X-RateLimit-Limit': 'Requests per minute for the partner with keys of this tier. 0 for no limit.',
        'X-RateLimit-Remaining': 'Remaining requests. 0 for no limit.',
        'X-RateLimit-Reset': 'When the window ends, in Unix seconds.',
        RateLimit: 'The remaining requests, by the IETF draft. Absent without a limit.',
        'RateLimit-Policy': 'The limit and its window, by the IETF draft. Absent without a limit.',
      },
      byStatus: {
        401: { 'WWW-Authenticate': 'Bearer' },
        429: { 'Retry-After': 'Seconds to wait before the next request.' },
      },
      optional: ['RateLimit', 'RateLimit-Policy'],
    },
    idempotencyConflict: 409,
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'A key: `mpk_test_…` of a sandbox, `mpk_live_…` of a live account.',
      },
      adminToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of the operator of the service: `adm_…`. The first start prints it.',
      },
    },
    tags: modules.flatMap(({ tags = [] }) => tags),
  };
}
