import type { ServiceDocument } from '../../platform/http/documented-app.ts';
import type { ApiDescription } from '../../platform/http/openapi/openapi.ts';
import type { Site } from '../../platform/http/openapi/site-files.ts';
import { MAX_BODY_ITEMS } from '../../platform/http/request/body.ts';
import { MAX_PARAMETERS } from '../../platform/http/request/parameters.ts';
import { type ModuleEntry, webhooksOf } from '../../platform/module.ts';
import { TEST_PATH, TEST_TAG } from '../../platform/test-service/paths.ts';
import { failedAttemptsProblem, PREFIX } from './schema.ts';

const TITLE = 'Countersign staffing service';

/** What `llms.txt` names besides the API. */
export const SITE_LINKS: Site['links'] = {
  'For people': [{ title: 'Search', path: '/', about: 'the pages on which people search clinicians' }],
};

/** The tags of the operations that need the admin token. They have their own document. */
const ADMINISTRATION: readonly string[] = ['Administration', TEST_TAG.name];

/** Returns the document for partners, without the operations of the administrator. */
export function partnersDocument(modules: readonly ModuleEntry[], serverUrl: string): ServiceDocument {
  return {
    at: '',
    title: TITLE,
    includes: (plugin) => !isAdministration(plugin),
    describe: () => partnersDescription(modules, serverUrl),
    webhooks: () => webhooksOf(modules),
  };
}

/**
 * Returns the document of the operations that need the admin token. It contains no secrets, so anyone may
 * read it.
 */
export function administrationDocument(modules: readonly ModuleEntry[], serverUrl: string): ServiceDocument {
  return {
    at: '/admin',
    title: `${TITLE}: administration`,
    includes: isAdministration,
    describe: () => administrationDescription(modules, serverUrl),
    webhooks: async () => ({}),
  };
}

function isAdministration({ routes }: Parameters<ServiceDocument['includes']>[0]): boolean {
  return routes.some(({ path }) => path.startsWith(`${PREFIX}/admin/`) || path.startsWith(TEST_PATH));
}

function partnersDescription(modules: readonly ModuleEntry[], serverUrl: string): ApiDescription {
  return {
    openapi: '3.0.3',
    title: TITLE,
    version: '1.0.0',
    description:
      'A registry of clinicians that staffing firms search, and their requisitions. Begin with POST /sandbox-keys: a work e-mail ' +
      'address gets a key at once.\n\n' +
      '- Errors are `{error: {code, message, request_id, details?}}`. Each operation lists its own. Any can also be 500 INTERNAL_ERROR; an ' +
      'unknown path is 404 NOT_FOUND, and another method 405 METHOD_NOT_ALLOWED.\n' +
      '- Unknown body fields are an error. Unknown query parameters are an error if the operation has parameters.\n' +
      `- A body is JSON of at most 1 MiB and 64 levels, with at most ${MAX_BODY_ITEMS} members and elements together. A query has at most ` +
      `${MAX_PARAMETERS} parameters.\n` +
      '- A request is checked in this order: body size, path, address limit, key, rate limit, scope, JSON, schema, rules. The first failed check is the ' +
      'error.\n' +
      '- Requests without a valid key count per client address. Above 60 per minute (setting `limits.public_posts`) they get 429 instead ' +
      'of 401.\n' +
      '- While others wait, each partner and each client address has its turn, whatever the number of its requests. Beyond 1,024 requests ' +
      'or 8 MiB in bodies that wait, more get 429 with `Retry-After: 1`.\n' +
      '- A response to a request with a valid key has the headers X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit ' +
      'and RateLimit-Policy. The limit is for the partner: all of its keys of a tier share it.\n' +
      '- Lists are `{data, has_more, next_cursor}`.\n' +
      '- Timestamps are RFC 3339 in UTC with milliseconds.\n' +
      '- After a 2xx response all changes are durable.',
    serverUrl,
    security: ['apiKey'],
    failedAttempts: failedAttemptsProblem(),
    headers: {
      all: { 'X-Request-Id': 'Identifies this request in the logs.' },
      keyed: {
        'X-RateLimit-Limit':
          'Requests per minute that the partner can send with keys of this tier. 0 means no limit.',
        'X-RateLimit-Remaining': 'Requests that remain in the current window. 0 even when there is no limit.',
        'X-RateLimit-Reset': 'The time when the current window ends, in Unix seconds.',
        RateLimit: 'The remaining requests, in the format of the IETF draft. Absent when there is no limit.',
        'RateLimit-Policy':
          'The limit and its window, in the format of the IETF draft. Absent when there is no limit.',
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
        description: 'An API key: `mpk_test_…` for the sandbox, `mpk_live_…` for a live account.',
      },
    },
    tags: tagsOf(modules).filter(({ name }) => !ADMINISTRATION.includes(name)),
  };
}

function administrationDescription(modules: readonly ModuleEntry[], serverUrl: string): ApiDescription {
  return {
    ...partnersDescription(modules, serverUrl),
    title: `${TITLE}: administration`,
    description:
      'The operations of the administrator of the staffing service. Each needs the admin token. The commands `countersign partners` and ' +
      '`countersign jobs` do the same on the machine of the service.\n\n' +
      '- The operations for partners have their own page, /swagger.\n' +
      '- Errors are `{error: {code, message, request_id, details?}}`.\n' +
      '- Requests without a valid token count per client address. Above 60 per minute (setting `limits.public_posts`) they get 429 ' +
      'instead of 401.\n' +
      '- Lists are `{data, has_more, next_cursor}`.\n' +
      '- Timestamps are RFC 3339 in UTC with milliseconds.\n' +
      '- After a 2xx response all changes are durable.',
    security: ['adminToken'],
    securitySchemes: {
      adminToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of the administrator of the service: `adm_…`. The first start prints it.',
      },
    },
    tags: tagsOf(modules).filter(({ name }) => ADMINISTRATION.includes(name)),
  };
}

function tagsOf(modules: readonly ModuleEntry[]) {
  return modules.flatMap(({ tags = [] }) => tags);
}
