import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { parseJson } from '../../../../src/proof/encoding/json.ts';
import { isHeadProof, noteInHeadProof } from '../../../../src/proof/ledger/head-verdict.ts';
import { checkJournal } from '../../../../src/proof/verifier/judge/head-in-journal.ts';

const VECTORS = join(import.meta.dir, '../../../vectors');
const read = (file: string) => readFileSync(join(VECTORS, file));

test('the note in a proof of a head is that of its checkpoint, and a malformed proof has none', () => {
  const proof = Object(parseJson(read('journal-head-proof/agent.json').toString()));
  expect(isHeadProof(proof)).toBe(true);
  expect(noteInHeadProof(nativePrimitives, proof)).toStartWith('receipts.example/accounts\n');
  expect(noteInHeadProof(nativePrimitives, { ...proof, proof: null })).toBeNull();
  expect(noteInHeadProof(nativePrimitives, { ...proof, more: 1 })).toBeNull();
  expect(isHeadProof({ ...proof, type: 'receipt' })).toBe(false);
});

test('a head that has another number in the journal than when it was recorded is named', () => {
  const journal = read('journal/1.ndjson');
  const { subject_commitment: account, length, head } = JSON.parse(journal.toString().split('\n')[0] ?? '');
  const check = (entries: number) => checkJournal(nativePrimitives, journal, { account, entries, head });
  expect(check(length)).toEqual({ check: 'ok', problems: [] });
  expect(check(length - 1)).toEqual({
    check: 'bad',
    problems: [`journal: the head is entry ${length} of the journal, and was entry ${length - 1}`],
  });
});
