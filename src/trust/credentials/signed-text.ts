import { preferredType } from '../../platform/http/request/accept.ts';
import { matchesEtag } from '../../platform/http/request/conditional.ts';
import { ETAG_HEADER } from '../../platform/http/schema.ts';
import type { SignedText } from './cache.ts';
import { VC_TYPE } from './schema.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** As long as verifiers may rely on a status list. */
const A_MINUTE = 'public, max-age=60';
const JSON_TYPE = 'application/json';

type Headers = Record<string, string | number>;

/** Sets the headers of a signed document. @returns whether the client has it already */
export function isNotModified({ etag }: SignedText, request: Request, headers: Headers): boolean {
  headers.etag = etag;
  headers['cache-control'] = A_MINUTE;
  headers.vary = 'Accept';
  const known = request.headers.get('if-none-match');
  if (known !== null && matchesEtag(known, etag)) return true;
  const accept = request.headers.get('accept');
  headers['content-type'] =
    accept?.includes(VC_TYPE) === true ? preferredType(accept, [JSON_TYPE, VC_TYPE]) : JSON_TYPE;
  return false;
}

/** The headers of a signed document, for the documentation. */
export const CACHING = {
  ETag: ETAG_HEADER,
  'Cache-Control': 'A minute.',
  Vary: 'Accept: `application/vc` is sent to clients that prefer it to `application/json`.',
};

/** Sets the headers of a JSON-LD context. @returns its text */
export function sendContext(headers: Headers, text: string): string {
  headers['content-type'] = 'application/ld+json';
  headers['cache-control'] = IMMUTABLE;
  headers['access-control-allow-origin'] = '*';
  return text;
}

/** The headers of a JSON-LD context, for the documentation. */
export const CONTEXT_HEADERS = {
  'Cache-Control': 'A year, immutable: this version never changes.',
  'Access-Control-Allow-Origin': '`*`',
};
