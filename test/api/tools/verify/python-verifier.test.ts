import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys, TrustedKeysError } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { formatNote, parseNote } from '../../../../src/proof/log/note.ts';
import { type LogProof, LogProofError, readLogProof } from '../../../../src/proof/receipt/inclusion.ts';
import { judgeBytes } from '../../../../src/proof/receipt/verdict.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { finalized } from '../../../support/log.ts';
import { scratch } from '../../../support/process.ts';
import { hasPython, judgedByPython, type PythonCase, runPython } from '../../../support/python.ts';
import { keyRow, leafOf, smallLog, type TestKey, testKey, verifierOf } from '../../../support/small-log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';
import { example } from '../../../support/worked-example.ts';
import { blocks } from '../../../support/worked-page.ts';

/** At the ends of what RFC 3339 can say; the year 0 was a leap year, and 1900 none. */
const YEARS = [
  '0000-01-01T00:00:00Z',
  '0000-02-29T23:59:59.999+23:59',
  '0000-02-30T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '9999-12-31T23:59:59.999-23:59',
  '10000-01-01T00:00:00Z',
];

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
let revoked: JsonObject;

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
  revoked = plain((await app.own.revoke((await finalized(app.own)).receipt_id)).body);
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

/**
 * What the program says, of the kind that src/tools/python/verify.py says. Null where it does not take the keys.
 */
function expected({ receipt, keys: document, now: seconds, proof, status }: PythonCase) {
  const keys = keysIn(document);
  if (keys === null) return null;
  const read = proof === undefined ? undefined : proofIn(proof);
  const { verdict, revocation, checks } = judgeBytes(nativePrimitives, receipt, {
    keys: keys.trusted,
    now: seconds * 1000,
    proof: read === null || read === undefined ? undefined : { proof: read, keys: keys.logKeys },
    status: status === undefined ? undefined : valueIn(status),
  });
  if (verdict === 'malformed')
    return { verdict, revocation, checks: { hash: 'unchecked', signature: 'unchecked', key: 'unchecked' } };
  return { verdict, revocation, checks: { ...checks, ...(read === null ? { proof: 'bad' } : {}) } };
}

function keysIn(given: PythonCase['keys']) {
  try {
    const document = given instanceof Uint8Array ? parseJsonBytes(given) : given;
    const logKeys = readLogKeys(nativePrimitives, document).trusted;
    return { trusted: readTrustedKeys(nativePrimitives, document), logKeys };
  } catch (error) {
    if (error instanceof TrustedKeysError || error instanceof JsonError) return null;
    throw error;
  }
}

function proofIn(text: Uint8Array): LogProof | null {
  try {
    return readLogProof(nativePrimitives, text);
  } catch (error) {
    if (error instanceof LogProofError) return null;
    throw error;
  }
}

/** Of what is no JSON, something that is no status. */
function valueIn(text: Uint8Array): JsonValue {
  try {
    return parseJsonBytes(text);
  } catch {
    return null;
  }
}

/** That both say the same of every case. @returns how often which verdict and check was given */
async function agree(cases: readonly PythonCase[]): Promise<Map<string, number>> {
  const said = await judgedByPython(cases);
  const given = new Map<string, number>();
  for (const [index, one] of cases.entries()) {
    const answer = said[index];
    const { problem: _, ...judged } = isJsonObject(answer) ? answer : {};
    const ours = expected(one);
    if (ours === null) {
      expect([shownKeys(one.keys), Object.keys(judged)]).toEqual([shownKeys(one.keys), ['refused']]);
      given.set('refused', (given.get('refused') ?? 0) + 1);
      continue;
    }
    expect({
      keys: shownKeys(one.keys),
      receipt: shown(one.receipt),
      proof: shown(one.proof),
      status: shown(one.status),
      ...judged,
    }).toEqual({
      keys: shownKeys(one.keys),
      receipt: shown(one.receipt),
      proof: shown(one.proof),
      status: shown(one.status),
      ...plain(ours),
    });
    for (const word of [
      ours.verdict,
      ...Object.entries(ours.checks).map(([name, check]) => `${name} ${check}`),
    ]) {
      given.set(word, (given.get(word) ?? 0) + 1);
    }
  }
  return given;
}

/** Of the keys only what a test spoilt as text: the others are long and the same. */
const shownKeys = (keys: PythonCase['keys']) => (keys instanceof Uint8Array ? shown(keys) : null);
const shown = (text: Uint8Array | undefined) => (text === undefined ? null : Buffer.from(text).toString());

/** A proof whose checkpoint of one leaf says another size, and is signed so. */
function signedWith(key: TestKey, origin: string, proof: string, { size }: { size: string }): string {
  const at = proof.indexOf('\n\n') + 2;
  const { text } = parseNote(Buffer.from(proof.slice(at)));
  const changed = text.replace('\n1\n', `\n${size}\n`);
  const { name, keyId } = verifierOf(key, origin);
  const signature = new Uint8Array(signEd25519(key.privateKey, Buffer.from(changed)));
  return proof.slice(0, at) + formatNote({ text: changed, signatures: [{ name, keyId, signature }] });
}

/**
 * Texts with one thing changed at several places: another character, one less, one more, a control character,
 * no UTF-8.
 */
function spoilt(text: string, places: number): Uint8Array[] {
  const changes = ['0', 'a', 'Z', ' ', '\n', '"', '', '\u0000', 'é', 'AA', '='];
  return Array.from({ length: places }, (_, index) => {
    const at = Math.floor((index * text.length) / places);
    const change = changes[index % changes.length] ?? '';
    if (index % 23 === 22)
      return Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.of(0xff), Buffer.from(text.slice(at))]);
    return Buffer.from(text.slice(0, at) + change + text.slice(at + 1));
  });
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
const sizes = ['0', '1', '2', '01', '-1', '1.0', '9007199254740991', '9007199254740992', '9999999999999999'];
const first = () => {
  const [one] = logged;
  if (one === undefined) throw new Error('there are receipts');
  return one;
};

test.skipIf(!hasPython)(
  'src/tools/python/verify.py takes what the service says, and the example',
  async () => {
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
  },
);

test.skipIf(!hasPython)(
  'src/tools/python/verify.py agrees about every receipt that was tampered with',
  async () => {
    const cases: PythonCase[] = [];
    const add = (receipt: Uint8Array): void => {
      cases.push({ receipt, keys, now: now / 1000 });
    };
    for (const { receipt } of [...logged, { receipt: pending }]) {
      for (const [member, value] of Object.entries(receipt)) {
        const text = String(value);
        const { [member]: _, ...less } = receipt;
        add(bytes(less));
        for (const change of [
          text.slice(0, -1),
          `${text}0`,
          text.toUpperCase(),
          '',
          '0'.repeat(64),
          '01'.repeat(64),
          7,
          null,
          [text],
        ]) {
          if (change !== value) add(bytes({ ...receipt, [member]: change }));
        }
      }
    }
    const { receipt } = first();
    for (const member of [
      'note',
      'blind_salt',
      'refusal_reason',
      'terminal_reason',
      'domain_commitment',
      'prev_receipt_hash',
    ]) {
      add(bytes({ ...receipt, [member]: 'ab'.repeat(32) }));
    }
    const text = JSON.stringify(receipt);
    for (const change of spoilt(text, 60)) add(change);
    for (const whole of [
      `\ufeff${text}`,
      ` ${text}\n`,
      `[${text}]`,
      text + text,
      text.replace('{', '{"kid":"a",'),
      '',
      '[',
      'NaN',
    ])
      add(bytes(whole));
    add(bytes('['.repeat(5000)));
    add(bytes(text.replace('"agent-7"', '"\\ud800"')));
    add(bytes(text.replace('"agent-7"', '"\\u0061gent-7"')));
    for (const when of [
      '2026-02-30T00:00:00Z',
      '2036-01-31t12:00:00z',
      '2036-01-31T12:00:60Z',
      '2036-01-31T12:00:00+24:00',
      '1970-01-01T00:00:00Z',
      ...YEARS,
    ]) {
      add(bytes({ ...receipt, expiry: when }));
      add(bytes({ ...receipt, issued_at: when }));
    }
    const words = await agree(cases);
    expect([...words.keys()].filter((word) => !word.includes(' ')).sort()).toEqual([
      'bad_signature',
      'expired',
      'hash_mismatch',
      'key_unknown',
      'malformed',
      'revoked',
      'valid',
    ]);
    // White space, another spelling of a letter, no kid, no salt.
    expect(words.get('valid')).toBeLessThan(15);
  },
);

test.skipIf(!hasPython)(
  'src/tools/python/verify.py agrees about every proof that was tampered with',
  async () => {
    const one = first();
    const texts: Uint8Array[] = [];
    const lines = one.proof.split('\n');
    // The last two lines are an ML-DSA-44 signature, which is long, and what follows the last newline.
    const until = lines.slice(0, -2).join('\n').length;
    const [before, after] = [one.proof.slice(0, until), one.proof.slice(until)];
    texts.push(...spoilt(before, 230).map((text) => Buffer.concat([text, Buffer.from(after)])));
    texts.push(...spoilt(after, 70).map((text) => Buffer.concat([Buffer.from(before), text])));
    for (const index of lines.keys()) {
      texts.push(
        bytes(lines.toSpliced(index, 1).join('\n')),
        bytes(lines.toSpliced(index, 0, lines[index] ?? '').join('\n')),
      );
    }
    texts.push(
      bytes(lines.slice(0, -2).concat('').join('\n')),
      bytes(''),
      bytes('\n\n'),
      bytes('a\n\nb\n\nc\n'),
    );
    for (const other of logged) texts.push(bytes(other.proof));
    // Good trees, of leaves that are none, and of nobody's.
    const origin = 'localhost:3000/receipts';
    const leaf = leafOf(JSON.parse(JSON.stringify(one.receipt)), '2026-05-01T12:00:00.000Z');
    const own = testKey(7);
    const trusting = {
      ...keys,
      keys: [...(Array.isArray(keys.keys) ? keys.keys : []), keyRow(own, 'receipts-log')],
    };
    const crafted = [
      leaf,
      ...['2026-05-01T12:00:00Z', '2026-05-01T12:00:00.000+00:00', ...YEARS].map((when) =>
        leaf.replace('2026-05-01T12:00:00.000Z', when),
      ),
      leaf.replace('2026-05-01T12:00:00.000Z', '0000-02-29T12:00:00.000Z'),
      `${leaf} `,
      leaf.replace('"v":1', '"v":1.0'),
      leaf.replace('finalized_at', 'revoked_at'),
      leaf.replace('"v":1', '"v":1,"w":1'),
      '[]',
      '7',
      leaf.replace('"v":1', '"v":true'),
    ].flatMap((entry) =>
      [1, 2, 3, 6].map((size) => {
        const entries = Array.from({ length: size }, (_, index) =>
          index === size - 1 ? entry : `other ${index}`,
        );
        return bytes(smallLog(origin, entries, [own]).proof(size - 1));
      }),
    );
    const sole = smallLog(origin, [leaf], [own]);
    // A key of the log of receipts does not count for logs of other names.
    for (const other of [
      'localhost:3000/revocations',
      'localhost:3000',
      'x/receipts',
      '/receipts',
      'receipts',
    ])
      crafted.push(bytes(smallLog(other, [leaf], [own]).proof(0)));
    const foreign = `— elsewhere ${Buffer.alloc(8).toString('base64')}\n`;
    crafted.push(
      ...sizes.map((size) => bytes(signedWith(own, origin, sole.proof(0), { size }))),
      ...sizes.map((index) => bytes(sole.proof(0).replace('index 0', `index ${index}`))),
      ...[62, 63, 64, 200].map((lines) => bytes(sole.proof(0) + foreign.repeat(lines))),
      ...[700_000, 800_000, 1_600_000].map((length) =>
        bytes(`${sole.proof(0)}— elsewhere ${Buffer.alloc(length).toString('base64')}\n`),
      ),
      bytes(sole.proof(0) + foreign.replace('elsewhere', 'else+where')),
      bytes(sole.proof(0) + foreign.replace('elsewhere', 'else\u2003where')),
    );
    const cases = [
      ...texts.map((proof) => ({ ...given(one), status: undefined, proof })),
      ...crafted.flatMap((proof) =>
        [trusting, keys].map((document) => ({ ...given(one, document), status: undefined, proof })),
      ),
    ];
    const words = await agree(cases);
    for (const word of ['proof bad', 'proof mismatch', 'proof ok'])
      expect([word, words.get(word) ?? 0]).not.toEqual([word, 0]);
    // What was changed and still holds: signature lines of keys that it does not know, which may also be
    // missing or twice.
    expect(words.get('proof ok')).toBeLessThan(40);
  },
);

test.skipIf(!hasPython)(
  'src/tools/python/verify.py agrees about every status that was tampered with',
  async () => {
    const one = first();
    const cases: PythonCase[] = [];
    const add = (status: Uint8Array): void => {
      cases.push({ ...given(one), proof: undefined, status });
    };
    for (const [member, value] of Object.entries(one.status)) {
      const { [member]: _, ...less } = one.status;
      add(bytes(less));
      for (const change of [`${String(value).slice(0, -1)}0`, `${value}0`, '', 7, null])
        add(bytes({ ...one.status, [member]: change }));
    }
    for (const text of spoilt(JSON.stringify(one.status), 60)) add(text);
    for (const other of logged) add(bytes(other.status));
    const text = JSON.stringify(one.status);
    add(bytes(`\ufeff${text}`));
    for (const length of [127, 128, 129]) add(bytes({ ...one.status, kid: '🙂'.repeat(length) }));
    for (const when of YEARS) {
      add(bytes({ ...one.status, checked_at: when }));
      add(bytes({ ...one.status, valid_until: when }));
    }
    add(bytes({ ...one.status, note: 1 }));
    const words = await agree(cases);
    for (const word of ['malformed', 'bad_signature', 'key_unknown', 'mismatch']) {
      expect([word, words.get(`status ${word}`) ?? 0]).not.toEqual([word, 0]);
    }
  },
);

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

/** Some that a double holds exactly, and some that none does. */
const INTEGERS = [
  ...[
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1152921504606846976',
    '1152921504606847000',
  ],
  ...[
    '100000000000000000000',
    '9007199254740993.0',
    '18446744073709551615',
    '9'.repeat(309),
    `${2n ** 1023n}`,
  ],
];

test.skipIf(!hasPython)(
  'src/tools/python/verify.py agrees about key documents that are not in order',
  async () => {
    const rows: JsonObject[] = JSON.parse(JSON.stringify(keys.keys));
    const values: JsonValue[] = [
      ...[null, true, 7, '', 'x', 'retired', 'compromised', 'ED25519', '00'.repeat(32), [], ['x'], [7], {}],
      ...[0, 1.5, -1, 2 ** 53 - 1, 2 ** 53, ...YEARS],
    ];
    const cases: PythonCase[] = [];
    const add = (document: PythonCase['keys']): void => {
      cases.push({ ...given(first(), keys), keys: document, proof: undefined, status: undefined });
    };
    const noRows: JsonValue[] = [null, [], 'x', {}];
    const members = ['kid', 'public_key', 'algorithm', 'purpose', 'status', 'valid_from', 'valid_until'];
    for (const [at, row] of rows.entries()) {
      for (const member of [...members, 'receipts_logs', 'receipts_tree_size', 'log_index', 'note']) {
        const { [member]: _, ...less } = row;
        add({ ...keys, keys: rows.with(at, less) });
        for (const value of values) add({ ...keys, keys: rows.with(at, { ...row, [member]: value }) });
      }
      const hex = String(row.public_key);
      for (const other of [hex.toUpperCase(), ` ${hex.slice(1)}`, `${hex}00`, hex.slice(2)])
        add({ ...keys, keys: rows.with(at, { ...row, public_key: other }) });
      for (const other of noRows) add({ ...keys, keys: [...rows, other] });
    }
    const lists: JsonValue[] = [null, [], {}, 'x', rows[0] ?? {}];
    for (const other of lists) add({ ...keys, keys: other });
    for (const other of [null, 7, 'keys', rows]) add(other);
    const text = JSON.stringify(keys);
    const sized = (size: string) => text.replace('"receipts_tree_size":null', `"receipts_tree_size":${size}`);
    const noted = (value: string) => text.replace('{', `{"note":${value},`);
    for (const size of ['5.0', '5e0', '5e-1', '-0', '1e999', '9007199254740991.0', '9007199254740993'])
      add(bytes(sized(size)));
    for (const value of [
      'NaN',
      'Infinity',
      '-Infinity',
      '1'.repeat(5000),
      '1e999',
      '"\\ud800"',
      '01',
      '"\t"',
      ...INTEGERS,
    ])
      add(bytes(noted(value)));
    for (const levels of [62, 63, 64, 900, 100_000])
      add(bytes(noted(`${'['.repeat(levels)}${']'.repeat(levels)}`)));
    for (const whole of [`\ufeff${text}`, ` ${text}\n`, '', '[', noted('1').replace('{', '{"note":2,')])
      add(bytes(whole));
    add(Buffer.concat([bytes(noted('"').slice(0, 9)), Buffer.of(0xff), bytes(text.replace('{', '",'))]));
    const words = await agree(cases);
    for (const word of ['refused', 'valid', 'key_unknown', 'key_retired', 'key_compromised'])
      expect([word, words.get(word) ?? 0]).not.toEqual([word, 0]);
  },
);

test.skipIf(!hasPython)('src/tools/python/verify.py answers by exit code as the page says', () => {
  const { path, dispose } = scratch();
  try {
    const file = (name: string): string => join(path, name);
    for (const [name, text] of blocks) writeFileSync(file(name), text);
    const by = (...args: string[]) =>
      runPython(file('receipt.json'), '--keys', file('keys.json'), '--at', example.at, ...args);
    const proof = ['--proof', file('receipt.tlog-proof')];
    const good = by(...proof, '--status', file('status.json'), '--log-key', example.logKey);
    expect([good.code, JSON.parse(good.stdout)]).toMatchObject([
      0,
      { verdict: 'valid', checks: { proof: 'ok', status: 'ok' } },
    ]);
    expect(by(...proof).code).toBe(0);
    expect(by('--at', '2036-05-01T12:00:00Z').code).toBe(1);
    expect(by('--status', file('status.json'), '--at', '2026-06-01T12:05:00.001Z').code).toBe(1);
    for (const wrong of [
      example.logKey.replace('receipts.example', 'other.example'),
      example.logKey.replace('+', '+0'),
      'x',
    ]) {
      const { code, stdout, stderr } = by(...proof, '--log-key', wrong);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('verify.py: error: ')]);
    }
    const smallOrder = (blocks.get('keys.json') ?? '').replace(
      /"public_key": "\w+"/,
      `"public_key": "${'00'.repeat(32)}"`,
    );
    for (const [name, text] of [
      ['small', smallOrder],
      ['none', '{}'],
      ['text', 'keys'],
    ] as const) {
      writeFileSync(file(name), text);
      const { code, stdout, stderr } = by('--keys', file(name));
      expect([name, code, stdout, stderr]).toEqual([
        name,
        1,
        '',
        expect.stringContaining('verify.py: error: '),
      ]);
    }
    writeFileSync(file('receipt.json'), '{');
    expect(by(...proof)).toMatchObject({ code: 1, stdout: expect.stringContaining('malformed') });
  } finally {
    dispose();
  }
});
