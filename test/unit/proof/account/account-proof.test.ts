import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { checkLinked, readAccountLeaves } from '../../../../src/proof/account/account-proof.ts';
import { accountEntryText } from '../../../../src/proof/log/log-entry.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import {
  FINAL,
  KEYS,
  LeafWriter,
  OTHER,
  pendingReceipt,
  REVOKED,
  version,
} from '../../../support/made-account.ts';
import { smallLog, testKey } from '../../../support/small-log.ts';

const AT = Date.parse('2026-06-01T12:00:00.000Z');
const keys = readLogKeys(nativePrimitives, JSON.parse(KEYS)).trusted;
const pending = pendingReceipt(1, AT);
const final = version(pending, FINAL);
const revoked = version(final, REVOKED);
const writer = new LeafWriter();
writer.link('linked', AT);
writer.act('issued', pending, AT);
writer.act('finalized', final, AT);
writer.act('revoked', revoked, AT);
const texts = writer.entries.map(accountEntryText);
const log = (origin = 'made.example/accounts', entries = texts) => smallLog(origin, entries, [testKey(2)]);

/** Returns the manifest with the leaves at these indexes. */
const manifest = (indexes: readonly number[], from = log()) =>
  Buffer.from(JSON.stringify({ account_leaves: indexes.map((index) => from.manifest(index)) }));
const check = (receipt: Receipt, indexes: readonly number[], from = log(), trusted = keys) =>
  checkLinked(nativePrimitives, receipt, readAccountLeaves(nativePrimitives, manifest(indexes, from)), {
    logKeys: trusted,
  }).check;

test('each act on a receipt needs its leaf, of the same version', () => {
  expect([check(pending, [1]), check(final, [1, 2]), check(revoked, [1, 2, 3])]).toEqual(['ok', 'ok', 'ok']);
  expect([check(final, [2]), check(revoked, [2, 3])]).toEqual(['issue_unproven', 'issue_unproven']);
  expect([check(pending, []), check(final, [1]), check(revoked, [1, 2]), check(revoked, [1, 3])]).toEqual(
    Array.from({ length: 4 }, () => 'missing'),
  );
  expect([check(pending, [1, 2]), check(final, [1, 2, 3])]).toEqual(['mismatch', 'mismatch']);
  expect(check(version(final, { output_hash: 'ff'.repeat(32) }), [1, 2])).toBe('mismatch');
  expect(check(pendingReceipt(1, AT, { authority_scope: 'all' }), [1])).toBe('mismatch');
  for (const other of [
    pendingReceipt(2, AT),
    pendingReceipt(1, AT, { operator_id: OTHER }),
    pendingReceipt(1, AT, { agent_id: 'x' }),
  ])
    expect(check(other, [1])).toBe('mismatch');
});

test('an act has one leaf, and the issue has the time of the receipt', () => {
  expect([check(pending, [1, 1]), check(final, [1, 2, 2])]).toEqual(['mismatch', 'mismatch']);
  const late = new LeafWriter();
  late.link('linked', AT);
  late.act('issued', pending, AT + 1);
  expect(check(pending, [1], log(undefined, late.entries.map(accountEntryText)))).toBe('mismatch');
});

test('a leaf is proven by a trusted log of accounts', () => {
  expect(check(pending, [1], log(), [])).toBe('bad');
  const elsewhere = keys.map((key) => ({ ...key, log: { origin: 'made.example/receipts' } }));
  expect(check(pending, [1], log('made.example/receipts'), elsewhere)).toBe('bad');
  expect(check(pending, [0])).toBe('bad');
  expect(check(pending, [0], log(undefined, ['no leaf', 'x']))).toBe('bad');
  const [proof] = readAccountLeaves(nativePrimitives, manifest([1]));
  if (proof === undefined) throw new Error('no proof');
  expect(checkLinked(nativePrimitives, pending, [{ ...proof, index: 2 }], { logKeys: keys }).check).toBe(
    'bad',
  );
  const broken = () => {
    throw new Error('broken');
  };
  expect(() =>
    checkLinked({ ...nativePrimitives, ed25519Verify: broken }, pending, [proof], { logKeys: keys }),
  ).toThrow('broken');
});

test('a manifest has a list of leaves, or none', () => {
  const read = (text: string) => () => readAccountLeaves(nativePrimitives, Buffer.from(text));
  expect(read('{}')()).toEqual([]);
  expect(read('{')).toThrow();
  expect(read('[]')).toThrow('it is no public manifest');
  expect(read('{"account_leaves":5}')).toThrow('it is no public manifest');
  expect(read('{"account_leaves":[{}]}')).toThrow('the inclusion_path of a leaf is not a JSON object');
  expect(read('{"account_leaves":[5]}')).toThrow('the inclusion_path of a leaf is not a JSON object');
});
