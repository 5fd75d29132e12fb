import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsistencyCase } from '../../../../scripts/vectors/consistency.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { decodeBase64 } from '../../../../src/proof/encoding/base64.ts';
import { bytesToHex } from '../../../../src/proof/encoding/hex.ts';
import { parseJsonBytes } from '../../../../src/proof/encoding/json.ts';
import { openTrusted, readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { verifyConsistency } from '../../../../src/proof/log/merkle.ts';
import { NoteError } from '../../../../src/proof/log/note.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import type { Primitives } from '../../../../src/proof/primitives.ts';
import { VECTORS } from '../../../support/vectors.ts';

const read = (name: string): Buffer => readFileSync(join(VECTORS, 'consistency', name));
const cases: ConsistencyCase[] = JSON.parse(read('answers.json').toString());

/** Does the steps of docs/verification/logs.md. */
function isProven(primitives: Primitives, { from, to, answer }: ConsistencyCase): boolean {
  const { trusted } = readLogKeys(primitives, parseJsonBytes(read('keys.json')));
  try {
    const [older, newer] = [from, to].map((name) => openTrusted(primitives, read(name), trusted));
    if (older === undefined || newer === undefined) return false;
    const agrees =
      [older, newer].every(({ origin }) => origin === answer.log) &&
      older.size === answer.from &&
      newer.size === answer.to &&
      bytesToHex(older.root) === answer.from_root &&
      bytesToHex(newer.root) === answer.to_root;
    const path = answer.hashes.map((hash) => decodeBase64(hash) ?? new Uint8Array());
    const sizes = { from: older.size, to: newer.size };
    return (
      agrees && verifyConsistency(primitives, { ...sizes, fromRoot: older.root, toRoot: newer.root, path })
    );
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return false;
  }
}

test.each(cases)('an answer proves the consistency of two checkpoints or not: $name', (one) => {
  const expected = one.verdict === 'valid';
  expect([isProven(nativePrimitives, one), isProven(noblePrimitives, one)]).toEqual([expected, expected]);
});
