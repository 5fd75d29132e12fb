import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { base32nopad, base58 } from '@scure/base';
import type { Fetch } from './client.ts';

/** A stored private text, and the callers who may see it. */
export interface Canary {
  what: string;
  text: string;
  seenBy: readonly string[];
}

/** A caller, identified by the value of the Authorization header. */
export interface CanaryCaller {
  name: string;
  authorization: string | null;
}

/** Returns a unique text for a private field, in capital letters, because names are normalized to them. */
export function canaryText(field: string): string {
  return `CANARY${field.toUpperCase().replaceAll(/[^A-Z]/g, '')}ZQX`;
}

/** The maximum depth of nested encodings. */
const DEEPEST = 4;
/**
 * The maximum size of unpacked bytes, and how many are unpacked at a time: nearly all that is tried is not
 * packed, and by default each try would take 16 KiB.
 */
const SIZES = { maxOutputLength: 2 ** 20, chunkSize: 512 };
/** The formats of packed bytes, and which bytes can be of one by its header. The others have no header. */
const PACKINGS: [(bytes: Buffer, options: typeof SIZES) => Buffer, (bytes: Buffer) => boolean][] = [
  [gunzipSync, (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b],
  [
    inflateSync,
    (bytes) => ((bytes[0] ?? 0) & 15) === 8 && bytes.length > 1 && bytes.readUInt16BE() % 31 === 0,
  ],
  [inflateRawSync, isDeflated],
  [brotliDecompressSync, () => true],
  [zstdDecompressSync, (bytes) => bytes.length > 3 && isZstd(bytes.readUInt32LE())],
];

/**
 * Whether bytes can begin with a block of deflate (RFC 1951, 3.2.3): no block is of type 3, and one that is
 * stored has its length twice, once inverted.
 */
function isDeflated(bytes: Buffer): boolean {
  const type = ((bytes[0] ?? 0) >>> 1) & 3;
  if (type === 0) return bytes.length > 4 && (bytes.readUInt16LE(1) ^ bytes.readUInt16LE(3)) === 0xffff;
  return type !== 3;
}

/** Whether a frame of zstd, or one to skip, begins with this number. */
function isZstd(magic: number): boolean {
  return magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5;
}

/**
 * Finds canaries in the output of a service. Searches the same text only once for each caller, and decodes it
 * only once.
 */
export class CanaryWatch {
  private readonly clean = new Map<string, Set<string>>();
  private readonly decoded = new Map<string, readonly string[]>();

  constructor(private readonly canaries: readonly Canary[]) {}

  /**
   * Returns the canaries in a text, plain or encoded, that this caller may not see. Text that the caller sent
   * itself (`asked`) is not a leak.
   */
  leaksTo(caller: string, text: string, asked = ''): string[] {
    const forbidden = this.canaries.filter(({ seenBy }) => !seenBy.includes(caller));
    const hidden = forbidden.filter((canary) => !asked.includes(canary.text));
    const known = this.clean.get(caller) ?? new Set<string>();
    this.clean.set(caller, known);
    const seen = hidden.length === forbidden.length ? known : new Set<string>();
    const leaks = new Set<string>();
    const look = (some: string, depth: number): void => {
      if (some.length < 6 || seen.has(some)) return;
      seen.add(some);
      const upper = some.toUpperCase();
      for (const { what, text: canary } of hidden) {
        if (some.includes(canary) || upper.includes(canary)) leaks.add(what);
      }
      if (depth < DEEPEST) for (const decoded of this.decodingsOf(some)) look(decoded, depth + 1);
    };
    look(text, 0);
    return [...leaks];
  }

  private decodingsOf(text: string): readonly string[] {
    const known = this.decoded.get(text) ?? [...new Set(decodings(text))];
    this.decoded.set(text, known);
    return known;
  }
}

/** Yields every interpretation of a text: its JSON members, its words, and their decoded forms. */
function decodings(text: string): string[] {
  const words = text.split(/[^\w+/=%-]+/).filter((word) => word.length >= 6 && word !== text);
  const bytes = bytesOf(text).flatMap((some) => [some, ...unpacked(some)]);
  return [
    ...jsonStrings(text),
    ...words,
    ...attempt(() => [decodeURIComponent(text.replaceAll('+', ' '))]),
    ...bytes.flatMap((some) => [some.toString('utf8'), some.toString('latin1')]),
  ];
}

function bytesOf(text: string): Buffer[] {
  const all: Buffer[] = [];
  if (/^(?:[0-9a-f]{2}){3,}$/i.test(text)) all.push(Buffer.from(text, 'hex'));
  if (/^[\w+/-]{6,}={0,2}$/.test(text)) all.push(Buffer.from(text, 'base64'), Buffer.from(text, 'base64url'));
  all.push(...attempt(() => [Buffer.from(base32nopad.decode(text.toUpperCase()))]));
  if (text.length < 256) all.push(...attempt(() => [Buffer.from(base58.decode(text.replace(/^z/, '')))]));
  // Ids follow a prefix: rcpt_…, pp_….
  const [, behind] = /^[a-zA-Z]{1,8}_(.+)$/.exec(text) ?? [];
  return behind === undefined ? all : [...all, ...bytesOf(behind)];
}

function unpacked(bytes: Buffer): Buffer[] {
  return PACKINGS.flatMap(([unpack, canBe]) => (canBe(bytes) ? attempt(() => [unpack(bytes, SIZES)]) : []));
}

function jsonStrings(text: string): string[] {
  if (!/^\s*["[{]/.test(text)) return [];
  const strings: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') strings.push(value);
    else if (value !== null && typeof value === 'object') {
      for (const [name, member] of Object.entries(value)) {
        strings.push(name);
        collect(member);
      }
    }
  };
  return attempt(() => {
    collect(JSON.parse(text));
    return strings;
  });
}

/** Returns nothing for bytes in another encoding. */
function attempt<T>(decode: () => T[]): T[] {
  try {
    return decode();
  } catch {
    return [];
  }
}

/**
 * The requests to a service: each operation of its OpenAPI document with each of these words as path
 * parameters.
 */
export interface CanaryRound {
  fetch: Fetch;
  document: unknown;
  callers: readonly CanaryCaller[];
  /** Existing ids of all owners. */
  words: readonly string[];
  /** Additional query strings to try, by the operation's path. */
  queries: Readonly<Record<string, readonly string[]>>;
}

/**
 * Calls every operation as every caller, reads first, and follows the cursors of lists. Returns the private
 * texts that callers could see, and the number of responses.
 */
export async function askEverything(
  watch: CanaryWatch,
  { fetch, document, callers, words, queries }: CanaryRound,
): Promise<{ leaks: string[]; responses: number }> {
  const leaks = new Set<string>();
  let responses = 0;
  const ask = async (
    method: string,
    path: string,
    caller: CanaryCaller,
    body: string | null,
  ): Promise<void> => {
    const headers = new Headers({ 'content-type': 'application/json' });
    if (caller.authorization !== null) headers.set('authorization', caller.authorization);
    const init: RequestInit = { method, headers, ...(body === null ? {} : { body }) };
    const response = await fetch(new Request(`http://localhost${path}`, init));
    const text = await response.text();
    responses++;
    for (const part of [text, ...[...response.headers].map(([, value]) => value)]) {
      for (const what of watch.leaksTo(caller.name, part, new URL(path, 'http://localhost').pathname)) {
        leaks.add(`${what} in ${method} ${path} to ${caller.name}`);
      }
    }
    const cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1];
    // The cursor of a feed goes on for ever; its last page says that nothing follows.
    if (cursor === undefined || text.includes('"has_more":false') || method !== 'GET') return;
    const url = new URL(path, 'http://localhost');
    url.searchParams.set('cursor', cursor);
    await ask(method, `${url.pathname}${url.search}`, caller, null);
  };
  const operations = Object.entries(Object(Object(document).paths)).flatMap(([path, item]) =>
    Object.entries(Object(item)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const reads = operations.filter(({ method }) => method === 'GET');
  const writes = operations.filter(({ method }) => method !== 'GET');
  for (const { method, path, operation } of [...reads, ...writes]) {
    const { requestBody = {} } = Object(operation);
    const example = requestBody.content?.['application/json']?.example;
    const bodies = method === 'GET' ? [null] : ['{', '{}', JSON.stringify(example ?? {})];
    for (const caller of callers) {
      for (const asked of pathsOf(path, words)) {
        for (const query of ['', ...(queries[path] ?? [])]) {
          for (const body of bodies) await ask(method, asked + query, caller, body);
        }
      }
    }
  }
  return { leaks: [...leaks], responses };
}

/** Returns the path with each of the words as its first parameter and the last word as further ones. */
function pathsOf(path: string, words: readonly string[]): string[] {
  if (!path.includes('{')) return [path];
  return words.map((word) => {
    const first = path.replace(/\{[^}]*\}/, encodeURIComponent(word));
    return first.replaceAll(/\{[^}]*\}/g, encodeURIComponent(words.at(-1) ?? ''));
  });
}
