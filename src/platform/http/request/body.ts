import {
  escapesLoneSurrogate,
  isJsonObject,
  JsonError,
  type JsonValue,
  parseJson,
} from '../../../proof/encoding/json.ts';
import { withTimeout } from '../../time/timeout.ts';
import { Refusal } from '../errors/errors.ts';

/** 1 MiB. */
const MAX_BODY_BYTES = 1_048_576;
/**
 * Members and elements of a body, unless its route takes more. Parsing costs up to 1 ms a thousand, and every request waits for
 * it. Two free-form objects of 16 KiB, the most that a body carries, have fewer.
 */
export const MAX_BODY_ITEMS = 20_000;
/** How long a client may take to send its body. */
const READ_LIMIT_MS = 10_000;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws Refusal too_large when the client announces more than the limit: nothing of it is read. */
export function refuseLargeBody(request: Request, most = MAX_BODY_BYTES): void {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most);
}

/**
 * A request's body as it stands.
 * @throws Refusal too_large, overloaded when it takes too long, invalid_json when the client goes away before its end
 */
export async function readBody(request: Request, most: number): Promise<Uint8Array> {
  refuseLargeBody(request, most);
  return new Uint8Array(await withTimeout(readBytes(request, most), READ_LIMIT_MS, late));
}

/**
 * Reads a request's JSON body strictly: declared as application/json, UTF-8, at most 1 MiB, 64 levels and `maxItems` members
 * and elements, no member twice, nothing that has no canonical form (RFC 8785), and always an object. A body of more items is
 * refused before it is parsed.
 *
 * @returns null for an empty body; undefined would send the framework's own parser after it.
 * @throws Refusal media_type, too_large, invalid_json, invalid
 */
export async function readJson(request: Request, maxItems = MAX_BODY_ITEMS): Promise<JsonValue> {
  const bytes = await withTimeout(readBytes(request, MAX_BODY_BYTES), READ_LIMIT_MS, late);
  if (bytes.byteLength === 0) return null;
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '') || encoding !== 'identity') {
    throw new Refusal('media_type');
  }
  try {
    const text = utf8.decode(bytes);
    const value = parseJson(text, { maxItems });
    // The framework skips the schema of an optional body for what looks empty to it, such as [] and "".
    if (!isJsonObject(value)) throw new Refusal('invalid', { issues: { body: ['must be object'] } });
    // A lone surrogate can only arrive as an escape; whoever writes one pays for the second look.
    if (ESCAPED_SURROGATE.test(text) && escapesLoneSurrogate(text)) {
      throw new JsonError('invalid', 'a string holds a lone surrogate');
    }
    return value;
  } catch (error) {
    if (error instanceof JsonError && error.reason === 'too_many') throw tooManyItems(maxItems);
    if (error instanceof JsonError || error instanceof TypeError) {
      throw new Refusal('invalid_json', { message: `The body is not valid JSON: ${error.message}.` });
    }
    throw error;
  }
}

/** @throws Refusal invalid_json when the client goes away before its body's end */
async function readBytes(request: Request, most: number): Promise<ArrayBuffer | Uint8Array> {
  try {
    return await readAll(request, most);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw incomplete();
  }
}

async function readAll(request: Request, most: number): Promise<ArrayBuffer | Uint8Array> {
  if (request.body === null) return new Uint8Array(0);
  if (request.headers.has('content-length')) return request.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of request.body) {
    total += chunk.byteLength;
    if (total > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  // The runtime ends the body before it meets trailers; then it answers 400 itself and closes. Nothing may be done by then.
  await new Promise((resolve) => setImmediate(resolve));
  if (request.signal.aborted) throw incomplete();
  return Buffer.concat(chunks);
}

function incomplete(): Refusal {
  return new Refusal('invalid_json', { message: 'The request body is incomplete.' });
}

function late(): never {
  throw new Refusal('overloaded', { message: 'The body took longer than 10 s to arrive.' });
}

function tooManyItems(most: number): Refusal {
  const rule = `must have at most ${most} members and elements together`;
  const counting =
    'A member whose name begins with a digit or an escape counts as three, an empty object or array as one.';
  return new Refusal('invalid', { message: `The body ${rule}. ${counting}`, issues: { body: [rule] } });
}

function tooLarge(most: number): Refusal {
  return new Refusal('too_large', { message: `The body is larger than ${most} bytes.` });
}
