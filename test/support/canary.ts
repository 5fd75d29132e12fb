import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { base32nopad, base58 } from '@scure/base';
import type { Fetch } from './client.ts';

/** A private text that was stored, and the callers who may be shown it. */
export interface Canary {
  what: string;
  text: string;
  seenBy: readonly string[];
}

/** Someone who calls, by the value of the Authorization header. */
export interface CanaryCaller {
  name: string;
  authorization: string | null;
}

/** A text of some private field that nothing else contains, in capital letters, since names are folded to them. */
export function canaryText(field: string): string {
  return `CANARY${field.toUpperCase().replaceAll(/[^A-Z]/g, '')}ZQX`;
}

/** Encodings within encodings are opened so deep. */
const DEEPEST = 4;
/** No bytes are unpacked to more than this. */
const LARGEST = 2 ** 20;
const PACKINGS = [gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync, zstdDecompressSync];

/** Finds canaries in whatever a service gives away. What was looked at before is not looked at again. */
export class CanaryWatch {
  private readonly clean = new Map<string, Set<string>>();

  constructor(private readonly canaries: readonly Canary[]) {}

  /**
   * Returns the canaries that this caller may not see, in the text as it is or as it can be decoded. What the caller said itself
   * (`asked`) is no leak.
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
      if (depth < DEEPEST) for (const decoded of decodings(some)) look(decoded, depth + 1);
    };
    look(text, 0);
    return [...leaks];
  }
}

/** Everything that a text can be read as: its JSON members, its words, and what these decode to. */
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
  // Ids stand behind a prefix: rcpt_…, pp_….
  const [, behind] = /^[a-zA-Z]{1,8}_(.+)$/.exec(text) ?? [];
  return behind === undefined ? all : [...all, ...bytesOf(behind)];
}

function unpacked(bytes: Buffer): Buffer[] {
  return PACKINGS.flatMap((unpack) => attempt(() => [unpack(bytes, { maxOutputLength: LARGEST })]));
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

/** What is no such encoding gives nothing. */
function attempt<T>(decode: () => T[]): T[] {
  try {
    return decode();
  } catch {
    return [];
  }
}

/** What a service is asked: each operation of its OpenAPI document with each of these words for the parameters of its path. */
export interface CanaryRound {
  fetch: Fetch;
  document: unknown;
  callers: readonly CanaryCaller[];
  /** Ids that exist, of everybody. */
  words: readonly string[];
  /** Query strings to try beside none, by the operation's path. */
  queries: Readonly<Record<string, readonly string[]>>;
}

/**
 * Asks every operation as every caller, reads first, and follows the cursors of lists. Returns what a caller was shown and may
 * not see, and how many answers there were.
 */
export async function askEverything(
  watch: CanaryWatch,
  { fetch, document, callers, words, queries }: CanaryRound,
): Promise<{ leaks: string[]; answers: number }> {
  const leaks = new Set<string>();
  let answers = 0;
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
    answers++;
    for (const part of [text, ...[...response.headers].map(([, value]) => value)]) {
      for (const what of watch.leaksTo(caller.name, part, new URL(path, 'http://localhost').pathname)) {
        leaks.add(`${what} in ${method} ${path} to ${caller.name}`);
      }
    }
    const cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1];
    if (cursor === undefined || method !== 'GET') return;
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
  return { leaks: [...leaks], answers };
}

/** The path with each of the words for its first parameter; further ones are the last word. */
function pathsOf(path: string, words: readonly string[]): string[] {
  if (!path.includes('{')) return [path];
  return words.map((word) => {
    const first = path.replace(/\{[^}]*\}/, encodeURIComponent(word));
    return first.replaceAll(/\{[^}]*\}/g, encodeURIComponent(words.at(-1) ?? ''));
  });
}
