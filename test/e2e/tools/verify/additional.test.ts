import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPrivateKey } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { formatVerifierKey, keyIdOf } from '../../../../src/proof/log/note.ts';
import { receiptShape } from '../../../../src/proof/receipt/receipt-shape.ts';
import { client } from '../../../support/client.ts';
import { finalized } from '../../../support/log.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';
import { signedReceipt } from '../../../support/small-log.ts';
import { eventually } from '../../../support/virtual-time.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
let server: Running;
let api: ReturnType<typeof client>;
/** Saved while the key that signed it was good. */
let receipt: JsonObject;
let other: JsonObject;
let pending: JsonObject;

const save = (name: string, content: unknown): string => {
  mkdirSync(dirname(file(name)), { recursive: true });
  writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content));
  return file(name);
};
const textAt = async (path: string): Promise<string> => (await fetch(`${server.url}${path}`)).text();
const saveKeys = async (name: string): Promise<JsonObject> => {
  const { body } = await api.get('/api/v1/transparency/keys');
  save(name, body);
  return JSON.parse(JSON.stringify(body));
};
const keyOf = (keys: JsonObject, purpose: string): JsonObject => {
  const rows: JsonObject[] = Object(keys.keys);
  return rows.find((row) => row.purpose === purpose && row.algorithm === 'Ed25519') ?? {};
};
const proofPath = (of: JsonObject): string => `/api/v1/receipts/${of.receipt_id}/proof`;
/** The newest proof, once a checkpoint covers the receipt. */
const proofText = async (of: JsonObject): Promise<string> => {
  await eventually(async () => (await fetch(`${server.url}${proofPath(of)}`)).ok);
  return textAt(proofPath(of));
};

async function verify(document: unknown, keys: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(['verify', '-', '--keys', file(keys), ...args], {
    stdin: typeof document === 'string' ? document : JSON.stringify(document),
  });
  // Of many receipts there are many lines, and their tests look at the outcome alone.
  const isOne = stdout.startsWith('{\n');
  return { code, stderr, result: isOne ? JSON.parse(stdout) : null };
}

/** Returns the log of revocations once it has `size` entries. */
async function copyOfRevocations(name: string, size: number): Promise<string> {
  const sizeIn = (note: string) => Number(note.split('\n')[1]);
  await eventually(async () => sizeIn(await textAt('/log/revocations/checkpoint')) === size);
  save(`${name}/revocations/checkpoint`, await textAt('/log/revocations/checkpoint'));
  const path = `revocations/tile/entries/000.p/${size}`;
  const bundle = await fetch(`${server.url}/log/${path}`);
  mkdirSync(dirname(file(`${name}/${path}`)), { recursive: true });
  if (size > 0) writeFileSync(file(`${name}/${path}`), await bundle.bytes());
  return file(name);
}

beforeAll(async () => {
  server = await serve(file('data'), { COUNTERSIGN_RATE_LIMITS: 'off' });
  api = client(fetch, server.url, server.apiKey);
  receipt = JSON.parse(JSON.stringify(await finalized(api)));
  other = JSON.parse(JSON.stringify(await finalized(api)));
  pending = JSON.parse(JSON.stringify((await api.issue()).body));
  await saveKeys('keys.json');
  save('proof', await proofText(receipt));
  save('manifest', await textAt(`/api/v1/receipts/${receipt.receipt_id}/public-manifest`));
  save('other-proof', await proofText(other));
  save('status', await textAt(`/api/v1/receipts/${receipt.receipt_id}/status`));
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

describe('verify with a proof from the log:', () => {
  test('one is taken by file in either form, and by URL', async () => {
    const sources = [
      file('proof'),
      file('manifest'),
      server.url,
      `${server.url}/`,
      server.url + proofPath(receipt),
      `${server.url}/api/v1/receipts/${receipt.receipt_id}/public-manifest`,
    ];
    for (const source of sources) {
      const { code, result, stderr } = await verify(receipt, 'keys.json', '--proof', source);
      expect([source, code, result.checks.proof, stderr.split('\n').length]).toEqual([source, 0, 'ok', 4]);
      expect(stderr).toMatch(/\n {2}log: 127\.0\.0\.1:\d+\/receipts has \d entr(?:y|ies), signed 2\S+Z\n$/);
      expect(result.position).toEqual({
        log: expect.stringMatching(/^127\.0\.0\.1:\d+\/receipts$/),
        index: 0,
      });
    }
  });

  test('one of another receipt, or tampered with in any line, is not in order', async () => {
    expect(await verify(receipt, 'keys.json', '--proof', file('other-proof'))).toMatchObject({
      code: 1,
      result: { verdict: 'valid', checks: { proof: 'mismatch' }, position: null },
      stderr: expect.stringMatching(
        /^not proven: The receipt itself is valid; .*\(proof\)\.\n {2}proof: it is a proof for another receipt\n {2}signer: .*\n {2}log: .*\n$/,
      ),
    });
    const lines = readFileSync(file('proof'), 'utf8').split('\n');
    // The last line but one is by ML-DSA-44.
    for (const [index, line] of lines.entries()) {
      if (line === '') continue;
      const at = line.length - 4;
      const spoilt = line.slice(0, at) + (line[at] === 'A' ? 'B' : 'A') + line.slice(at + 1);
      const { code, result } = await verify(
        receipt,
        'keys.json',
        '--proof',
        save('spoilt', lines.with(index, spoilt).join('\n')),
      );
      expect([line.slice(0, 20), code, result?.checks.proof ?? 'bad']).toEqual([line.slice(0, 20), 1, 'bad']);
    }
  });

  test('a file without the form of one is bad, and one that cannot be read is an error', async () => {
    for (const [source, message] of [
      [save('empty', ''), 'proof: it is empty: save the response of'],
      [file('keys.json'), 'proof: it is JSON without an inclusion_path or a proof, so it is neither'],
    ]) {
      const { code, result, stderr } = await verify(receipt, 'keys.json', '--proof', source ?? '');
      expect([code, result.verdict, result.checks.proof, result.position]).toEqual([1, 'valid', 'bad', null]);
      expect(stderr).toContain(message ?? '');
    }
    for (const [source, message] of [
      [file('missing'), 'missing cannot be read'],
      ['http://127.0.0.1:1', 'cannot be read'],
    ]) {
      const { code, result, stderr } = await verify(receipt, 'keys.json', '--proof', source ?? '');
      expect([code, result, stderr]).toEqual([1, null, expect.stringContaining(message ?? '')]);
    }
    const { code, stderr } = await verify(pending, 'keys.json', '--proof', server.url);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('returned status 404: The receipt is pending'),
    ]);
  });

  test('none is asked for where there is no receipt', async () => {
    const { code, result } = await verify('{}', 'keys.json', '--proof', 'http://127.0.0.1:1');
    expect([code, result.verdict]).toEqual([1, 'malformed']);
    expect((await verify('{', 'keys.json', '--status', 'http://127.0.0.1:1')).result.verdict).toBe(
      'malformed',
    );
  });

  test('one is trusted by the keys that are named, for their own log', async () => {
    const publicKey = hexToBytes(String(keyOf(await saveKeys('keys.json'), 'receipts-log').public_key));
    const vkey = (name: string, type = 1, key = publicKey) =>
      formatVerifierKey({ name, type, publicKey: key, keyId: keyIdOf(nativePrimitives, name, type, key) });
    const origin = readFileSync(file('proof'), 'utf8').split('\n\n')[1]?.split('\n')[0] ?? '';
    const by = (...keys: string[]) =>
      verify(receipt, 'keys.json', '--proof', file('proof'), ...keys.flatMap((key) => ['--log-key', key]));
    const stranger = hexToBytes(String(keyOf(await saveKeys('keys.json'), 'credentials').public_key));
    expect((await by(vkey(origin))).code).toBe(0);
    expect((await by(save('vkeys', `# ours\n\n${vkey('other')}\n${vkey(origin)}\n`))).code).toBe(0);
    for (const keys of [[vkey('other')], [vkey(`${origin}2`)], [vkey(origin, 1, stranger)]]) {
      expect(await by(...keys)).toMatchObject({
        code: 1,
        result: { verdict: 'valid', checks: { proof: 'bad' } },
        stderr: expect.stringContaining('no trusted key has signed the checkpoint'),
      });
    }
    expect((await by(save('policy', await textAt('/log/receipts/vkeys')))).code).toBe(0);
    for (const nonsense of ['nonsense', 'a+b+c']) {
      const { code, stderr } = await by(nonsense);
      expect([nonsense, code, stderr]).toEqual([nonsense, 2, expect.stringMatching(/verifier key.*\/vkeys/)]);
    }
    for (const wrong of [vkey(origin).replace('+', '+0'), vkey(origin).slice(0, -4), vkey(origin, 4)]) {
      expect((await by(save('wrong', wrong))).code).toBe(2);
    }
    expect((await verify(receipt, 'keys.json', '--log-key', vkey(origin))).code).toBe(2);
  });
});

describe('verify with a signed status:', () => {
  test('one is taken by file and by URL', async () => {
    for (const source of [file('status'), server.url]) {
      const { code, result } = await verify(receipt, 'keys.json', '--status', source);
      expect([code, result.checks.status]).toEqual([0, 'ok']);
    }
  });

  test('one that is old, of another receipt or version, or changed, is not in order', async () => {
    const late = new Date(Date.now() + 3_600_000).toISOString();
    const status = JSON.parse(readFileSync(file('status'), 'utf8'));
    const by = async (document: unknown, source: string, ...args: string[]) => {
      const { code, result } = await verify(document, 'keys.json', '--status', source, ...args);
      return [code, result.verdict, result.checks.status];
    };
    expect(await by(receipt, file('status'), '--at', late)).toEqual([1, 'valid', 'expired']);
    expect(await by(other, file('status'))).toEqual([1, 'valid', 'mismatch']);
    expect(await by(receipt, save('changed', { ...status, valid_until: late }))).toEqual([
      1,
      'valid',
      'bad_signature',
    ]);
    expect(await by(receipt, save('more', { ...status, note: 1 }))).toEqual([1, 'valid', 'malformed']);
    const copy = JSON.parse(JSON.stringify((await api.issue()).body));
    await api.finalize(copy.receipt_id, { status: 'null', refusal_reason: 'none' });
    expect(await by(copy, server.url)).toEqual([1, 'valid', 'superseded']);
    expect(await by(receipt, save('none', '{'))).toEqual([1, 'valid', 'malformed']);
  });
});

describe('a receipt that was revoked after it was copied', () => {
  let copy: JsonObject;
  let revoked: JsonObject;
  beforeAll(async () => {
    copy = JSON.parse(JSON.stringify(await finalized(api)));
    await proofText(copy);
    await copyOfRevocations('before', 0);
    revoked = JSON.parse(JSON.stringify((await api.revoke(copy.receipt_id)).body));
    await copyOfRevocations('after', 1);
  });

  test('is valid by itself and by the log, and revoked by its status and the log of revocations', async () => {
    expect((await verify(copy, 'keys.json', '--proof', server.url)).code).toBe(0);
    for (const args of [
      ['--status', server.url],
      ['--revocations', server.url],
      ['--revocations', file('after')],
    ]) {
      const { code, result, stderr } = await verify(copy, 'keys.json', ...args);
      expect([code, result.verdict, result.authentic]).toEqual([1, 'revoked', true]);
      expect(stderr).toMatch(
        /^revoked: .*\n {2}(?:status|revocations): .*(?:revoked|revocation of the receipt)\n {2}signer: .*\n(?: {2}log: .*\n)?$/,
      );
    }
  });

  test('is proven in its present version as it was finalized', async () => {
    const { result } = await verify(revoked, 'keys.json', '--proof', server.url);
    expect(result).toMatchObject({
      verdict: 'revoked',
      authentic: true,
      checks: { proof: 'ok' },
      position: null,
    });
  });

  test('is not in an earlier copy, which says nothing once it is stale', async () => {
    expect((await verify(copy, 'keys.json', '--revocations', file('before'))).code).toBe(0);
    const late = new Date(Date.now() + 3_600_000).toISOString();
    const { code, result, stderr } = await verify(
      copy,
      'keys.json',
      ...['--revocations', file('before'), '--at', late, '--status', file('status')],
    );
    expect([code, result.verdict, result.checks.revocation]).toEqual([1, 'valid', 'stale']);
    expect(stderr).toMatch(/^not proven: .*\(status, revocation\)\.\n/);
  });

  test('leaves the others valid', async () => {
    const { code, result } = await verify(receipt, 'keys.json', '--revocations', file('after'));
    expect([code, result.checks.revocation]).toEqual([0, 'ok']);
    const note = readFileSync(file('after/revocations/checkpoint'), 'utf8');
    cpSync(file('after'), file('undated'), { recursive: true });
    save('undated/revocations/checkpoint', `${note.split('\n').slice(0, 5).join('\n')}\n`);
    const undated = await verify(receipt, 'keys.json', '--revocations', file('undated'));
    expect([undated.code, undated.result.checks.revocation]).toEqual([1, 'undated']);
  });

  test('a copy that was tampered with, or is of another log, is not believed', async () => {
    const note = readFileSync(file('after/revocations/checkpoint'), 'utf8');
    const bundle = 'revocations/tile/entries/000.p/1';
    const entries = readFileSync(file(`after/${bundle}`), 'latin1');
    const spoilt = (name: string, checkpoint: string, content: string): string => {
      save(`${name}/revocations/checkpoint`, checkpoint);
      save(`${name}/${bundle}`, '');
      writeFileSync(file(`${name}/${bundle}`), Buffer.from(content, 'latin1'));
      return file(name);
    };
    const cases: [string, string][] = [
      [spoilt('a', note, entries.replace(/rcpt_./, 'rcpt_f')), 'do not hash to the root'],
      [
        spoilt('b', note, entries.replace('revoked_at', 'revoked_by')),
        'has an entry that is not a revocation',
      ],
      [spoilt('c', note, ''), 'has 0 entries'],
      [spoilt('d', note.replace('\n1\n', '\n0\n'), entries), 'is invalid'],
      [spoilt('e', await textAt('/log/keys/checkpoint'), entries), 'which is not a revocations log'],
      [spoilt('f', 'nothing', entries), 'cannot be trusted: the note has'],
      [file('nowhere'), 'cannot be read'],
    ];
    for (const [place, message] of cases) {
      const { code, result, stderr } = await verify(receipt, 'keys.json', '--revocations', place);
      expect([place, code, result, stderr]).toEqual([place, 1, null, expect.stringContaining(message)]);
    }
  });

  test('is named among many', async () => {
    const lines = [receipt, copy, other].map((line) => JSON.stringify(line)).join('\n');
    const many = await verify(`${lines}\n`, 'keys.json', '--revocations', server.url);
    expect([many.code, many.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^log: 127\.0\.0\.1:\d+\/revocations has 1 entry, signed 2\S+Z\nnot valid: 1 of 3 receipts \(1 revoked\)\.\n {2}signer: did:key:\S+, key \S+; log of keys: \S+\n$/,
      ),
    ]);
    const late = new Date(Date.now() + 3_600_000).toISOString();
    const stale = await verify(`${lines}\n`, 'keys.json', '--revocations', file('after'), '--at', late);
    expect([stale.code, stale.stderr]).toEqual([1, expect.stringContaining('more than 15 minutes old')]);
    for (const option of ['--proof', '--status']) {
      const refused = await verify(`${lines}\n`, 'keys.json', option, server.url);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('the input has many')]);
    }
    const twice = await verify(lines, 'keys.json', '--proof', '-');
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('can be read once')]);
  });
});

describe('a key that was stolen', () => {
  /** Signed with the stolen key by a thief, who can choose any date. */
  let forged: JsonObject;
  let keys: JsonObject;

  beforeAll(async () => {
    const kid = String(receipt.kid);
    const privateKey = createPrivateKey(readFileSync(file(`data/keys/${kid}.pem`)));
    const shape = receiptShape({ ...receipt, authority_scope: 'payments:write' });
    if (!('receipt' in shape)) throw new Error(shape.problems.join());
    const { content_hash: _, signature: __, kid: ___, ...payload } = shape.receipt;
    const stolen = { privateKey, algorithm: 'Ed25519' as const, public_key: '', kid };
    forged = JSON.parse(JSON.stringify(signedReceipt(stolen, payload)));
    expect((await verify(forged, 'keys.json')).result.verdict).toBe('valid');
    expect((await run(['keys', 'rotate', '--yes', '--data', file('data'), '--compromised', kid])).code).toBe(
      0,
    );
    keys = await saveKeys('after.json');
  });

  test('vouches for what stood in the log before, and for nothing without a proof', async () => {
    const proven = await verify(receipt, 'after.json', '--proof', file('proof'));
    expect([proven.code, proven.result.checks.key]).toEqual([0, 'trusted']);
    expect((await verify(receipt, 'after.json', '--proof', server.url)).code).toBe(0);
    for (const document of [receipt, pending, forged]) {
      const { code, result } = await verify(document, 'after.json');
      expect([code, result.verdict, result.authentic]).toEqual([1, 'key_compromised', false]);
    }
    for (const proof of ['proof', 'other-proof']) {
      const { code, result } = await verify(forged, 'after.json', '--proof', file(proof));
      expect([code, result.verdict, result.checks.proof]).toEqual([1, 'key_compromised', 'mismatch']);
    }
  });

  test('vouches for nothing that stands in the log later, or in another log', async () => {
    const rows: JsonObject[] = Object(keys.keys);
    const changed = (change: JsonObject): void => {
      const lost = rows.map((row) => (row.kid === receipt.kid ? { ...row, ...change } : row));
      save('changed.json', { ...keys, keys: lost });
    };
    const cases: [JsonObject, string][] = [
      [{ receipts_tree_size: 1 }, 'valid'],
      [{ receipts_tree_size: 0 }, 'key_compromised'],
      [{ receipts_logs: ['elsewhere/receipts'] }, 'key_compromised'],
      [{ receipts_logs: [], receipts_tree_size: null }, 'key_compromised'],
      [{ status: 'retired', receipts_tree_size: 0 }, 'key_retired'],
    ];
    for (const [change, verdict] of cases) {
      changed(change);
      const { result } = await verify(receipt, 'changed.json', '--proof', file('proof'));
      expect([change, result.verdict, result.checks.proof]).toEqual([change, verdict, 'ok']);
    }
  });

  test('has a successor, whose receipts are good', async () => {
    const next: JsonObject = JSON.parse(JSON.stringify(await finalized(api)));
    expect(next.kid).not.toBe(receipt.kid ?? null);
    save('next-proof', await proofText(next));
    expect(
      (await verify(next, 'after.json', '--proof', file('next-proof'), '--status', server.url)).code,
    ).toBe(0);
    // Whoever has the keys of before knows neither.
    expect((await verify(next, 'keys.json')).result.verdict).toBe('key_unknown');
  });

  test('of the log vouches for no proof, whoever names it', async () => {
    const { kid, public_key } = keyOf(keys, 'receipts-log');
    expect(
      (await run(['keys', 'rotate', '--yes', '--data', file('data'), '--compromised', String(kid)])).code,
    ).toBe(0);
    await saveKeys('log-after.json');
    const note = readFileSync(file('proof'), 'utf8');
    const classical = save('classical', note.slice(0, note.lastIndexOf('\n—') + 1));
    expect(await verify(other, 'keys.json', '--proof', file('other-proof'))).toMatchObject({ code: 0 });
    expect((await verify(receipt, 'keys.json', '--proof', classical)).code).toBe(0);
    const { code, result } = await verify(receipt, 'log-after.json', '--proof', classical);
    expect([code, result.verdict, result.checks.proof]).toEqual([1, 'key_compromised', 'bad']);
    const origin = note.split('\n\n')[1]?.split('\n')[0] ?? '';
    const publicKey = hexToBytes(String(public_key));
    const keyId = keyIdOf(nativePrimitives, origin, 1, publicKey);
    const vkey = formatVerifierKey({ name: origin, type: 1, publicKey, keyId });
    const named = await verify(receipt, 'log-after.json', '--proof', classical, '--log-key', vkey);
    expect([named.code, named.stderr]).toEqual([
      1,
      expect.stringContaining('has been reported as compromised'),
    ]);
    expect((await verify(receipt, 'log-after.json', '--proof', server.url)).code).toBe(0);
  });
});
