import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { accountEntryText } from '../../../../src/proof/log/log-entry.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { tamperings } from '../../../support/changed-document.ts';
import { comparable } from '../../../support/document-vectors.ts';
import {
  cosignedNote,
  FINAL,
  LeafWriter,
  OTHER,
  POLICY,
  pendingReceipt,
  REVOKED,
  version,
} from '../../../support/made-account.ts';
import { scratch } from '../../../support/process.ts';
import { hasPython, linkedJudgedByPython, runPython } from '../../../support/python.ts';
import { keyRow, leafOf, smallLog, testKey } from '../../../support/small-log.ts';

const place = scratch();
afterAll(() => place.dispose());

const AT = Date.now() - 60_000;
const pending = pendingReceipt(1, AT);
const final = version(pending, FINAL);
const revoked = version(final, REVOKED);
const writer = new LeafWriter();
writer.link('linked', AT);
writer.act('issued', pending, AT);
writer.act('finalized', final, AT);
writer.act('revoked', revoked, AT);
const texts = writer.entries.map(accountEntryText);
const keys: JsonObject = {
  keys: [
    keyRow(testKey(1), 'receipts'),
    keyRow(testKey(2), 'accounts-log'),
    keyRow(testKey(2), 'receipts-log'),
  ],
  log: { origin: 'made.example/keys' },
};

/** The members of a manifest, from a log whose checkpoint these witnesses cosigned. */
function proven(
  origin: string,
  entries: readonly string[],
  index: number,
  witnesses: readonly string[],
): JsonObject {
  const log = smallLog(origin, entries, [testKey(2)]);
  const checkpoint = cosignedNote(entries.length, log.root, AT + 1000, witnesses, origin);
  const { inclusion_path } = log.manifest(index);
  return { inclusion_path: { ...Object(inclusion_path), checkpoint } };
}

interface Kind {
  witnesses?: readonly string[];
  log?: string;
  entries?: readonly string[];
  of?: Receipt;
}

/** The public manifest with the leaves at these indexes, and the proof of the final receipt. */
function manifest(
  indexes: readonly number[],
  { witnesses = ['one', 'two'], log = 'made.example/accounts', entries = texts, of = final }: Kind = {},
): JsonObject {
  const receipts = ['x', leafOf(of, new Date(AT).toISOString())];
  return {
    ...proven('made.example/receipts', receipts, 1, witnesses),
    account_leaves: indexes.map((index) => proven(log, entries, index, witnesses)),
  };
}

interface Story {
  receipt: JsonValue | Receipt;
  manifest: JsonValue;
  policy?: string;
}

const later = new LeafWriter();
later.link('linked', AT);
later.act('issued', pending, AT + 1);
const whole = manifest([1, 2]);
const spoilt = (changes: JsonObject): JsonObject => ({
  ...whole,
  account_leaves: [
    { inclusion_path: { ...Object(manifest([1]).account_leaves)[0].inclusion_path, ...changes } },
  ],
});

const STORIES: Story[] = [
  // Which leaves there are.
  ...[[1], [], [0], [2], [1, 2], [1, 1], [0, 1]].map((indexes) => ({
    receipt: pending,
    manifest: manifest(indexes),
  })),
  ...[[1, 2], [1], [2], [2, 1], [1, 2, 2], [1, 2, 3], []].map((indexes) => ({
    receipt: final,
    manifest: manifest(indexes),
  })),
  ...[[1, 2, 3], [2, 3], [3], [1, 3], [1, 2]].map((indexes) => ({
    receipt: revoked,
    manifest: manifest(indexes),
  })),
  // Of what they are.
  ...[
    version(final, { output_hash: 'ff'.repeat(32) }),
    pendingReceipt(1, AT, { authority_scope: 'all' }),
    pendingReceipt(2, AT),
    pendingReceipt(1, AT, { operator_id: OTHER }),
    pendingReceipt(1, AT, { agent_id: 'x' }),
    { ...final, authority_scope: 'all' },
    { ...final, kid: 'another' },
    { ...final, signature: '01'.repeat(64) },
    version(final, { expiry: new Date(AT).toISOString() }),
    JSON.parse('{}'),
  ].map((receipt) => ({ receipt, manifest: whole })),
  { receipt: pending, manifest: manifest([1], { entries: later.entries.map(accountEntryText) }) },
  { receipt: pending, manifest: manifest([1], { log: 'made.example/receipts' }) },
  { receipt: pending, manifest: manifest([0], { entries: ['no leaf', 'x'] }) },
  { receipt: final, manifest: manifest([1, 2], { of: version(final, { output_hash: 'ee'.repeat(32) }) }) },
  // Who cosigned.
  ...[['one', 'two'], ['three'], []].flatMap((witnesses) =>
    [POLICY, 'quorum none\n'].flatMap((policy) => [
      { receipt: final, manifest: manifest([1, 2], { witnesses }), policy },
      { receipt: pending, manifest: manifest([1], { witnesses }), policy },
    ]),
  ),
  { receipt: final, manifest: { ...whole, inclusion_path: null }, policy: POLICY },
  {
    receipt: final,
    manifest: {
      ...manifest([1, 2], { witnesses: ['one'] }),
      ...proven('made.example/receipts', ['x', leafOf(final, new Date(AT).toISOString())], 1, ['one', 'two']),
    },
    policy: POLICY,
  },
  // What is no manifest, or one with something that its form does not have.
  ...[
    'no JSON',
    '',
    [],
    5,
    {},
    { account_leaves: null },
    { account_leaves: 0 },
    { account_leaves: [{}] },
  ].map((manifest) => ({ receipt: pending, manifest })),
  ...[
    ...[
      { leaf_index: 1.5 },
      { leaf_index: -1 },
      { leaf_index: 2 ** 53 },
      { leaf_index: true },
      { leaf_index: 9 },
    ],
    ...[
      { tree_size: true },
      { tree_size: '4' },
      { leaf_hash: 'AB' },
      { log: 'x' },
      { hashes: 5 },
      { hashes: [5] },
    ],
    ...[
      { hashes: ['AA=='] },
      { hashes: [] },
      { checkpoint: 'x' },
      { leaf_entry: 5 },
      { leaf_entry: '\ud800' },
    ],
  ].map((changes) => ({ receipt: pending, manifest: spoilt(changes) })),
  // Everything in a manifest changed, one thing at a time.
  ...tamperings(whole, 2).map(({ document }) => ({ receipt: final, manifest: document })),
];

const bytes = (value: unknown): Buffer =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

const file = (name: string, content: unknown): string => {
  const path = join(place.path, name);
  writeFileSync(path, bytes(content));
  return path;
};

/** What the program writes; null if it cannot say anything. */
async function judged({ receipt, manifest, policy }: Story): Promise<JsonValue> {
  let text = '';
  const options = {
    keys: file('keys.json', keys),
    proof: file('manifest.json', manifest),
    ...(policy !== undefined && { policy: file('policy.txt', policy) }),
  };
  try {
    await verify(
      file('receipt.json', receipt),
      { linked: true, ...options },
      {
        write: async (more) => {
          text += more;
        },
        say: () => undefined,
      },
    );
  } catch {
    return null;
  }
  return comparable(JSON.parse(text));
}

test.skipIf(!hasPython)(
  'src/tools/python/verify.py says the same of every receipt and its leaves',
  async () => {
    const said = await linkedJudgedByPython(
      STORIES.map(({ receipt, manifest, policy = null }) => ({
        document: bytes(receipt),
        manifest: bytes(manifest),
        ...{ keys, policy, now: Date.now() / 1000 },
      })),
    );
    const results = new Map<string, number>();
    const differences: unknown[] = [];
    for (const [index, story] of STORIES.entries()) {
      const ours = await judged(story);
      const answer = said[index] ?? null;
      const theirs = Object(answer).refused === undefined ? comparable(answer) : null;
      if (!Bun.deepEquals(ours, theirs)) differences.push([index, story.manifest, ours, answer]);
      const result = String(Object(Object(ours).checks).linked);
      results.set(result, (results.get(result) ?? 0) + 1);
    }
    expect(differences).toEqual([]);
    expect([...results.keys()].sort()).toEqual([
      ...['bad', 'issue_unproven', 'mismatch', 'missing', 'ok', 'undefined'],
    ]);
  },
  180_000,
);

test.skipIf(!hasPython)(
  'src/tools/python/verify.py --linked ends as `countersign verify --linked` does',
  () => {
    const ends = (...args: string[]) =>
      runPython(file('receipt.json', final), '--keys', file('keys.json', keys), '--linked', ...args).code;
    const proof = ['--proof', file('manifest.json', whole)];
    expect(ends(...proof, '--policy', file('policy.txt', POLICY))).toBe(0);
    expect(ends('--proof', file('other.json', manifest([1])))).toBe(1);
    expect(ends('--proof', file('none.json', 'no JSON'))).toBe(1);
    const unnamed = file('unnamed.json', { keys: keys.keys });
    const receipt = file('receipt.json', final);
    expect(runPython(receipt, '--keys', unnamed, '--linked', ...proof).code).toBe(1);
    expect(runPython(receipt, '--keys', unnamed, '--linked', ...proof, '--any-log').code).toBe(0);
    expect(ends()).toBe(2);
    expect(ends(...proof, '--at', '2026-06-01T12:00:00Z')).toBe(2);
  },
);
