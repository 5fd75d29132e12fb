import { afterAll, beforeAll, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { type JsonObject, parseJson } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { readLogProof } from '../../../../src/proof/log/log-proof.ts';
import { judge } from '../../../../src/proof/receipt/verdict.ts';
import { finalized } from '../../../support/log.ts';
import { hasPython, judgedByPython } from '../../../support/python.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const NOON = Date.parse('2026-05-01T12:00:00.000Z');
const ORIGIN = 'localhost:3000/receipts';
let app: TrustApp;
/** A receipt that the log has at index 2, with its proof in a tree of three that the log signed at noon. */
let receipt: Record<string, unknown>;
let proof: Uint8Array;
let list: JsonObject;

beforeAll(async () => {
  app = await openTrustApp({}, new VirtualTime(NOON));
  for (let index = 0; index < 3; index++) receipt = await finalized(app.own);
  await app.service.trust.log.publisher.publish();
  const path = `http://localhost/api/v1/receipts/${receipt.receipt_id}/proof`;
  proof = new Uint8Array(await (await app.fetch(new Request(path))).arrayBuffer());
  list = Object((await app.anyone.get('/api/v1/transparency/keys')).body);
});
afterAll(() => app.close());

const before = (ms: number): string => new Date(NOON - ms).toISOString();

/** The list of keys, which says that the key of the receipt ended. */
function listOf(status: string, valid_until: string, receipts_tree_size: number): JsonObject {
  const rows: JsonObject[] = Object(list.keys);
  const ended = { status, valid_until, receipts_tree_size, receipts_logs: [ORIGIN] };
  return {
    ...list,
    keys: rows.map((row) => (row.kid === receipt.kid ? { ...row, ...ended } : row)),
  };
}

test.each<
  [what: string, list: [status: string, until: string, size: number], verdict: string, noted: boolean]
>([
  ['what the log had at the end', ['compromised', before(0), 3], 'valid', false],
  ['less than the log had before the end', ['compromised', before(-60_001), 0], 'valid', true],
  ['less than the log had about the end', ['compromised', before(-60_000), 0], 'key_compromised', false],
  ['less than the log has after the end', ['compromised', before(60_001), 2], 'key_compromised', false],
  ['more than the log had after the end', ['compromised', before(60_001), 1000], 'key_compromised', true],
  ['more than the log had after the end, retired', ['retired', before(60_001), 1000], 'key_retired', true],
  ['more than the log had about the end', ['compromised', before(60_000), 1000], 'valid', false],
  ['more than the log had before the end', ['compromised', before(-60_001), 1000], 'valid', false],
])('a list of keys that states %s', async (_, stated, verdict, noted) => {
  const keys = parseJson(JSON.stringify(listOf(...stated)));
  const now = NOON + 3_600_000;
  const result = judge(nativePrimitives, parseJson(JSON.stringify(receipt)), {
    keys: readTrustedKeys(nativePrimitives, keys),
    now,
    proof: {
      proof: readLogProof(nativePrimitives, proof),
      keys: readLogKeys(nativePrimitives, keys).trusted,
    },
  });
  const note = [expect.stringContaining('tree_size_contradicted: ')];
  const judged: unknown[] = [result.verdict, result.notes];
  expect(judged).toEqual([verdict, noted ? note : undefined]);
  if (!hasPython) return;
  const [said] = await judgedByPython([
    { receipt: Buffer.from(JSON.stringify(receipt)), keys, now: now / 1000, proof },
  ]);
  expect([Object(said).verdict, Object(said).notes]).toEqual([verdict, noted ? note : undefined]);
});
