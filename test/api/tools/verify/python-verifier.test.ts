import { afterAll, beforeAll, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { readLogProof } from '../../../../src/proof/log/log-proof.ts';
import { judgeBytes } from '../../../../src/proof/receipt/verdict.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { finalized } from '../../../support/log.ts';
import { hasPython, judgedByPython, type PythonCase } from '../../../support/python.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const bytes = (value: JsonValue): Uint8Array =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));

let app: TrustApp;
let time: VirtualTime;
/** Receipts of every kind, with what the service says of each. */
const logged: { receipt: JsonObject; proof: string; status: JsonObject }[] = [];
let keys: JsonObject;
let now: number;
let pending: JsonObject;

const textAt = async (path: string) => (await app.fetch(new Request(`http://localhost${path}`))).text();

beforeAll(async () => {
  time = new VirtualTime();
  app = await openTrustApp({ 'keys.publish_ahead_seconds': '0' }, time);
  const receipts: JsonObject[] = [];
  const finish = async (outcome: JsonObject, changes: JsonObject = {}): Promise<void> => {
    const { body } = await app.own.issue(changes);
    const finished = await app.own.finalize(body.receipt_id, outcome);
    expect([outcome, finished.status]).toEqual([outcome, 200]);
    receipts.push(plain(finished.body));
  };
  await finish({ status: 'success', output_hash: 'ab'.repeat(32) });
  await finish(
    { status: 'refusal', refusal_reason: 'Zu gefährlich: "…"\n\t🙂\u2028', error_tranche: 'SLA_BREACH' },
    { agent_id: 'Ä 7\\/' },
  );
  await finish({ status: 'timeout', terminal_reason: 'too slow' }, { blind: true });
  await finish(
    { status: 'null', refusal_reason: 'é\u0301' },
    { prev_receipt_hash: String(receipts[0]?.content_hash) },
  );
  pending = plain((await app.own.issue()).body);
  const revoked = plain((await app.own.revoke((await finalized(app.own)).receipt_id)).body);
  await app.service.trust.log.publisher.publish();
  keys = plain((await app.anyone.get('/api/v1/transparency/keys')).body);
  for (const receipt of [...receipts, revoked]) {
    logged.push({
      receipt,
      proof: await textAt(`/api/v1/receipts/${receipt.receipt_id}/proof`),
      status: plain((await app.anyone.get(`/api/v1/receipts/${receipt.receipt_id}/status`)).body),
    });
  }
  now = time.now();
});
afterAll(() => app.close());

/** What the program says, of the kind that src/tools/python/verify.py says. */
function expected({ receipt, keys, now: seconds, proof, status }: PythonCase) {
  const { verdict, revocation, checks, trees } = judgeBytes(nativePrimitives, receipt, {
    keys: readTrustedKeys(nativePrimitives, keys),
    now: seconds * 1000,
    proof: proof && {
      proof: readLogProof(nativePrimitives, proof),
      keys: readLogKeys(nativePrimitives, keys).trusted,
    },
    status: status && parseJsonBytes(status),
  });
  return { verdict, revocation, checks, trees };
}

/** Compares what both say of every case. @returns how often which verdict and check was given */
async function agree(cases: readonly PythonCase[]): Promise<Map<string, number>> {
  const said = await judgedByPython(cases);
  const given = new Map<string, number>();
  for (const [index, one] of cases.entries()) {
    const answer = said[index];
    const { problem: _, problems: __, ...judged } = isJsonObject(answer) ? answer : {};
    const ours = expected(one);
    const receipt = Buffer.from(one.receipt).toString();
    expect({ receipt, ...judged }).toEqual({ receipt, ...plain(ours) });
    const checks = Object.entries(ours.checks).map(([name, check]) => `${name} ${check}`);
    for (const word of [ours.verdict, ...checks]) given.set(word, (given.get(word) ?? 0) + 1);
  }
  return given;
}

const given = (
  one: { receipt: JsonObject; proof: string; status: JsonObject },
  document: JsonObject = keys,
): PythonCase => ({
  receipt: bytes(one.receipt),
  keys: document,
  now: now / 1000,
  proof: bytes(one.proof),
  status: bytes(one.status),
});
const first = () => {
  const [one] = logged;
  if (one === undefined) throw new Error('there are receipts');
  return one;
};

test.skipIf(!hasPython)('src/tools/python/verify.py takes what the service says', async () => {
  const cases = logged.map((one) => given(one));
  const words = await agree([...cases, { receipt: bytes(pending), keys, now: now / 1000 }]);
  expect([words.get('valid'), words.get('revoked'), words.get('proof ok')]).toEqual([5, 1, 5]);
  expect(await agree([{ ...given(first()), now: now / 1000 + 301 }])).toEqual(
    new Map(
      ['valid', 'hash ok', 'signature ok', 'key trusted', 'proof ok', 'status expired'].map((word) => [
        word,
        1,
      ]),
    ),
  );
  const checked = Date.parse(String(first().status.checked_at));
  for (const [ahead, word] of [
    [60_000, 'status ok'],
    [60_001, 'status future'],
  ] as const) {
    const words = await agree([{ ...given(first()), now: (checked - ahead) / 1000 }]);
    expect([...words.keys()]).toContain(word);
  }
});

test.skipIf(!hasPython)(
  'src/tools/python/verify.py agrees about keys that were rotated and stolen',
  async () => {
    const before = logged.slice(0, 2);
    const { trust } = app.service;
    time.advance(1000);
    await rotate(trust, 'receipts');
    const later = plain(await finalized(app.own));
    await reportCompromised(trust, String(later.kid));
    const last = plain(await finalized(app.own));
    await rotate(trust, 'credentials');
    await rotate(trust, 'receipts-log');
    await trust.log.publisher.publish();
    const document = plain((await app.anyone.get('/api/v1/transparency/keys')).body);
    const fresh = await Promise.all(
      [later, last].map(async (receipt) => ({
        receipt,
        proof: await textAt(`/api/v1/receipts/${receipt.receipt_id}/proof`),
        status: plain((await app.anyone.get(`/api/v1/receipts/${receipt.receipt_id}/status`)).body),
      })),
    );
    const rows: JsonObject[] = JSON.parse(JSON.stringify(document.keys));
    const changed = (purpose: string, change: JsonObject): JsonObject => ({
      ...document,
      keys: rows.map((row) =>
        row.purpose === purpose && row.algorithm === 'Ed25519' ? { ...row, ...change } : row,
      ),
    });
    const past = '2020-01-01T00:00:00.000Z';
    const both = (change: JsonObject): JsonObject => ({
      ...document,
      keys: rows.map((row) => (row.purpose === 'receipts-log' ? { ...row, ...change } : row)),
    });
    const documents = [
      document,
      ...['retired', 'compromised'].flatMap((status) =>
        [0, 1, 2, 3, null].map((size) =>
          changed('receipts', {
            status,
            valid_until: past,
            receipts_logs: ['localhost:3000/receipts'],
            receipts_tree_size: size,
          }),
        ),
      ),
      changed('receipts', {
        status: 'compromised',
        receipts_logs: ['elsewhere/receipts'],
        receipts_tree_size: 99,
      }),
      changed('receipts', { status: 'active', valid_until: past }),
      changed('receipts-log', { status: 'compromised' }),
      changed('receipts-log', { status: 'retired', valid_until: past }),
      ...['keys-log', 'revocations-log', 'log', 'receipts'].map((purpose) =>
        changed('receipts-log', { purpose }),
      ),
      both({ status: 'compromised' }),
      both({ status: 'retired', valid_until: past }),
      both({ status: 'retired', valid_until: '2999-01-01T00:00:00.000Z' }),
      changed('revocations-log', { purpose: 'receipts-log' }),
      changed('revocations-log', { status: 'compromised' }),
      changed('credentials', { status: 'compromised' }),
      changed('credentials', { status: 'retired', valid_until: past }),
    ];
    const cases = [...before, ...fresh].flatMap((one) =>
      documents.flatMap((keysThen) => {
        const { kid: _, ...unnamed } = one.receipt;
        const all = given(one, keysThen);
        return [all, { ...all, proof: undefined }, { ...all, receipt: bytes(unnamed) }];
      }),
    );
    const words = await agree(cases);
    for (const word of [
      'valid',
      'key_retired',
      'key_compromised',
      'proof bad',
      'status key_retired',
      'status key_compromised',
    ]) {
      expect([word, words.get(word) ?? 0]).not.toEqual([word, 0]);
    }
  },
);
