import type { gunzip } from 'node:zlib';
import {
  escapesLoneSurrogate,
  isJsonObject,
  JsonError,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../proof/encoding/json.ts';
import { parseJsonSteps } from '../../../proof/encoding/json-pieces.ts';
import type { Steps } from '../../../proof/encoding/steps.ts';
import { withTimeout } from '../../time/timeout.ts';
import { slices } from '../../turns/slices.ts';
import { whileClientSends } from '../../turns/visits.ts';
import { Refusal } from '../errors/errors.ts';

/** The default limit of a body: 1 MiB. */
export const MAX_BODY_BYTES = 1_048_576;
/**
 * The maximum number of members and elements of a body, unless its route allows more. Parsing takes up to 1
 * ms per thousand, and every other request waits meanwhile. Two free-form objects of 16 KiB, the largest in
 * any body, have fewer.
 */
export const MAX_BODY_ITEMS = 20_000;
/** The time in which a client must send its body. */
const READ_LIMIT_MS = 10_000;
/** The bytes from which a body is parsed in slices, which takes a little longer in all. */
const LONG_BODY = 32_768;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What a route accepts as a JSON body, if it differs from other routes. */
export interface JsonBodyRules {
  /** The maximum number of members and elements. */
  maxItems?: number;
  /** Accepts `Content-Encoding: gzip`. The size limit then also applies to what is decompressed. */
  acceptsGzip?: boolean;
  /**
   * Accepts integers that a double cannot represent exactly, and rounds them. Only for bodies that nobody
   * signs.
   */
  roundsIntegers?: boolean;
  /** Another encoding of the same body. Its decoder is loaded with the first such body. */
  otherEncoding?: { mediaType: RegExp; decoder(): Promise<BodyDecoder> };
  /** The message for a body of another media type. */
  otherMediaType?: string;
  /** Receives the bytes of a body that is valid JSON, for the check of a signature over them. */
  received?(request: Request, bytes: Uint8Array): void;
}

/** Decodes a body that is not JSON into the JSON that says the same, in steps. @throws Refusal */
export type BodyDecoder = (bytes: Uint8Array, maxItems: number) => Steps<JsonObject>;

/** Refuses a body whose announced length is above the limit, before reading it. @throws Refusal too_large */
export function refuseLargeBody(request: Request, most = MAX_BODY_BYTES): void {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most);
}

/**
 * Reads a request's body as bytes.
 * @throws Refusal too_large, overloaded when it takes too long, invalid_json when the client disconnects
 * before its end
 */
export async function readBody(request: Request, most: number): Promise<Uint8Array> {
  refuseLargeBody(request, most);
  return new Uint8Array(await readBytes(request, most));
}

/**
 * Reads a request's JSON body strictly. It must be an object that is declared as application/json, in UTF-8,
 * with at most 1 MiB, 64 levels and a limited number of members and elements, no duplicate member, and a
 * canonical form (RFC 8785). Counts the items before parsing.
 *
 * @returns null for an empty body, undefined for a method without one
 * @throws Refusal media_type, too_large, invalid_json, invalid
 */
export async function readJson(request: Request, rules?: JsonBodyRules): Promise<JsonValue | undefined> {
  if (request.method === 'GET') return undefined;
  const value = await readJsonValue(request, rules);
  if (value !== undefined && !isJsonObject(value)) {
    throw new Refusal('invalid', { issues: { body: ['must be object'] } });
  }
  return value ?? null;
}

/**
 * Reads a request's JSON body like `readJson`, but any value. @returns undefined for an empty body @throws
 * Refusal like `readJson`
 */
export async function readJsonValue(
  request: Request,
  {
    maxItems = MAX_BODY_ITEMS,
    acceptsGzip = false,
    roundsIntegers = false,
    otherEncoding,
    otherMediaType,
    received,
  }: JsonBodyRules = {},
): Promise<JsonValue | undefined> {
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  const contentType = request.headers.get('content-type') ?? '';
  const isOther = otherEncoding?.mediaType.test(contentType) === true;
  // A message of protobuf without fields has no bytes.
  if (bytes.byteLength === 0 && !isOther) return undefined;
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  const isGzip = acceptsGzip && encoding === 'gzip';
  if (!(isOther || JSON_TYPE.test(contentType)) || !(isGzip || encoding === 'identity')) {
    throw new Refusal('media_type', otherMediaType === undefined ? {} : { message: otherMediaType });
  }
  const plain = isGzip ? await decompressed(new Uint8Array(bytes)) : bytes;
  if (isOther) {
    const decode = await otherEncoding.decoder();
    return slices.run(decode(new Uint8Array(plain), maxItems));
  }
  try {
    const isLong = plain.byteLength > LONG_BODY;
    if (isLong) await slices.pause();
    const text = utf8.decode(plain);
    const limits: JsonLimits = { maxItems, integers: roundsIntegers ? 'nearest' : 'exact' };
    if (isLong) await slices.pause();
    const value = isLong ? await slices.run(parseJsonSteps(text, limits)) : parseJson(text, limits);
    // A lone surrogate is possible only as an escape. Only bodies with one need the second check.
    if (ESCAPED_SURROGATE.test(text) && (await slices.run(escapesLoneSurrogate(text)))) {
      throw new JsonError('invalid', 'a string contains a lone surrogate');
    }
    received?.(request, new Uint8Array(bytes));
    if (isLong) await slices.pause();
    return value;
  } catch (error) {
    if (error instanceof JsonError && error.reason === 'too_many') throw tooManyItems(maxItems);
    if (error instanceof JsonError || error instanceof TypeError) {
      throw new Refusal('invalid_json', {
        message: `The body is not valid JSON: ${error.message.replace(/^not JSON: /, '')}.`,
      });
    }
    throw error;
  }
}

/**
 * Decompresses gzip (RFC 1952) outside of the main thread. Stops at the limit, because a short body can
 * describe gigabytes.
 * @throws Refusal too_large, invalid_json
 */
async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  // Loaded here, because few requests need it.
  const zlib = await import('node:zlib');
  return new Promise((resolve, reject) => {
    const done: Parameters<typeof gunzip>[2] = (error, result) => {
      if (error === null) resolve(result);
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(MAX_BODY_BYTES));
      else reject(new Refusal('invalid', { message: 'The body is not valid gzip.' }));
    };
    zlib.gunzip(bytes, { maxOutputLength: MAX_BODY_BYTES }, done);
  });
}

/**
 * Reads all bytes of a body.
 * @throws Refusal invalid_json when the client disconnects before its end, overloaded when it takes too long
 */
async function readBytes(request: Request, most: number): Promise<ArrayBuffer | Uint8Array> {
  try {
    return await withTimeout(whileClientSends(readAll(request, most)), READ_LIMIT_MS, late);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw incomplete();
  }
}

function readAll(request: Request, most: number): Promise<ArrayBuffer | Uint8Array> {
  // Before its body is looked at, which would make a stream of it.
  return request.headers.has('content-length') ? request.arrayBuffer() : readChunks(request, most);
}

async function readChunks(request: Request, most: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of request.body) {
    total += chunk.byteLength;
    if (total > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  // The runtime ends the body before it reads trailers. If there are some, it responds with 400 and closes
  // the connection; nothing may be done then.
  await new Promise((resolve) => setImmediate(resolve));
  if (request.signal.aborted) throw incomplete();
  return Buffer.concat(chunks);
}

function incomplete(): Refusal {
  return new Refusal('invalid_json', { message: 'The request body is incomplete.' });
}

function late(): never {
  throw new Refusal('overloaded', { message: 'The body took longer than 10 s to arrive.', isExpected: true });
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
