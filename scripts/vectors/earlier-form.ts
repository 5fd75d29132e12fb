import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { contentOf } from '../../src/proof/package/signed-document.ts';
import { type Operation, patchOf } from '../../test/support/json-patch.ts';
import { VECTORS } from '../../test/support/vectors.ts';

/**
 * A document that an earlier version signed: it has a content_hash. A running service makes no more of them,
 * so the files are kept as they are.
 */
export const EARLIER_FILE = 'earlier.json';

/** A row of cases.json. */
interface EarlierCase {
  name: string;
  file: string;
  patch: Operation[];
  keys_patch: [];
  at: string;
  verdict: string;
  problem: string | null;
  checks?: Record<string, string>;
}

/** Returns what no signature of these documents covers, for unsigned.json. */
export const unsignedEarlier = (page: string) => ({
  ...{ path: 'content_hash removed', page, says: 'it is the same document without it' },
  file: EARLIER_FILE,
});

/** Returns the text of the document of an earlier version in a directory. */
export const earlierText = (directory: string): string =>
  readFileSync(join(VECTORS, directory, EARLIER_FILE), 'utf8');

/** Returns the cases of the document of an earlier version in a directory. */
export function earlierCases(directory: string, at: string): EarlierCase[] {
  const genuine: JsonObject = JSON.parse(earlierText(directory));
  const changed: JsonObject = { ...genuine, another: 1 };
  const { content_hash: _hash, ...without } = genuine;
  const one = (
    name: string,
    document: JsonObject,
    verdict: string,
    problem: string | null,
    checks?: Record<string, string>,
  ): EarlierCase => ({
    ...{ name: `of an earlier version: ${name}`, file: EARLIER_FILE, patch: patchOf(genuine, document) },
    ...{ keys_patch: [], at, verdict, problem, ...(checks && { checks }) },
  });
  const { digest } = contentOf(nativePrimitives, changed);
  return [
    one('genuine', genuine, 'valid', null, { hash: 'ok', signature: 'ok' }),
    one('another member', changed, 'hash_mismatch', 'content_hash', { hash: 'mismatch', signature: 'bad' }),
    one(
      'another member and its content_hash',
      { ...changed, content_hash: digest },
      'bad_signature',
      'signature',
      {
        hash: 'ok',
      },
    ),
    one(
      'another content_hash',
      { ...genuine, content_hash: '00'.repeat(32) },
      'hash_mismatch',
      'content_hash',
      {
        ...{ hash: 'mismatch', signature: 'ok' },
      },
    ),
    one('null as content_hash', { ...genuine, content_hash: null }, 'hash_mismatch', 'content_hash'),
    one('no content_hash', without, 'valid', null),
  ];
}
