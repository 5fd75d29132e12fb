import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '../../../../src/proof/encoding/json.ts';
import { run, scratch } from '../../../support/process.ts';
import {
  CREDENTIALS_KEY,
  NOW,
  signedCredential,
  unsignedCredential,
  unsignedList,
  WEB_ISSUER,
} from '../../../support/signed-credential.ts';
import { keyRow, testKey } from '../../../support/small-log.ts';

const directory = scratch();
const save = (name: string, content: unknown): string => {
  const path = join(directory.path, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const GOOD = signedCredential(unsignedCredential());
const AT = new Date(NOW).toISOString();
let keys: string;
/** The service of the test: it serves the list, and counts requests. */
let requested: string[] = [];
const service = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url);
    requested.push(pathname);
    return pathname === '/api/v1/credentials/status/1'
      ? Response.json(signedCredential(unsignedList([9])))
      : Response.json({ error: 'no such list' }, { status: 404 });
  },
});

beforeAll(() => {
  keys = save('keys.json', {
    keys: [keyRow(CREDENTIALS_KEY, 'credentials'), keyRow(testKey(1), 'receipts')],
  });
});
afterAll(async () => {
  await service.stop(true);
  directory.dispose();
});

async function verify(document: JsonValue, ...args: string[]) {
  const { code, stdout, stderr } = await run(
    ['credential', 'verify', '-', '--keys', keys, '--at', AT, ...args],
    { stdin: typeof document === 'string' ? document : JSON.stringify(document) },
  );
  return { code, stderr, result: stdout === '' ? null : JSON.parse(stdout) };
}

describe('credential verify', () => {
  test('accepts a credential offline, and says that revocation was not checked', async () => {
    const { code, stderr, result } = await verify(GOOD);
    expect([code, result]).toMatchObject([
      0,
      {
        verdict: 'valid',
        revocation: 'not_checked',
        checks: { shape: true, issuer: true, proof: true, validity: true, status: null },
        problems: [],
        id: GOOD.id,
        type: 'AgentReputationCredential',
        issuer: WEB_ISSUER,
        subject: Object(GOOD.credentialSubject).id,
        valid_until: '2026-05-02T12:00:00.000Z',
      },
    ]);
    expect(stderr).toStartWith(
      'valid: The credential is authentic, unchanged and not expired. Not checked: whether it is revoked (--status).\n  signer: ',
    );
  });

  test.each<[string, JsonValue, string[], number, string]>([
    ['as a member of the response that paid for it', { credential: GOOD, meter_receipt: {} }, [], 0, 'valid'],
    ['as verifiableCredential', { verifiableCredential: GOOD }, ['--issuer', WEB_ISSUER], 0, 'valid'],
    ['of another issuer', GOOD, ['--issuer', 'did:web:other.example'], 1, 'issuer_unknown'],
    ['after its end', GOOD, ['--at', '2026-06-01T00:00:00Z'], 1, 'expired'],
    ['that was changed', { ...GOOD, id: 'urn:uuid:1' }, [], 1, 'bad_proof'],
    ['that lasts for years', { ...GOOD, validUntil: '2036-05-02T12:00:00.000Z' }, [], 1, 'malformed'],
    ['of a stranger', signedCredential(unsignedCredential(), { key: testKey(7) }), [], 1, 'key_unknown'],
    [
      'by the key for receipts',
      signedCredential(unsignedCredential(), { key: testKey(1) }),
      [],
      1,
      'key_unknown',
    ],
    ['with two proofs', { ...GOOD, proof: [GOOD.proof, GOOD.proof] }, [], 1, 'malformed'],
    ['that is not JSON', '{"credential": ', [], 1, 'malformed'],
    ['with a member twice', `{"id": "a", ${JSON.stringify(GOOD).slice(1)}`, [], 1, 'malformed'],
  ])('judges a credential %s', async (_, document, args, code, verdict) => {
    const { stderr, result, ...ended } = await verify(document, ...args);
    expect([ended.code, result.verdict]).toEqual([code, verdict]);
    expect(stderr).toStartWith(`${verdict}: `);
  });

  test.each([
    ['a type', { ...GOOD, type: ['VerifiableCredential', '\u009b1A\u009b2Kvalid\u202e'] }],
    ['an issuer', { ...GOOD, issuer: 'did:web:\u009b1A\u009b2Kvalid\u202e' }],
    ['a token that is no JSON', '{"type": \u001b[1Avalid}'],
  ])('escapes %s that a terminal would interpret', async (_, document) => {
    const file = save('terminal.json', document);
    const { stdout, stderr } = await run([
      'credential',
      'verify',
      file,
      '--keys',
      keys,
      '--issuer',
      WEB_ISSUER,
    ]);
    for (const text of [stdout, stderr]) expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_C}]/u);
    expect(JSON.parse(stdout).verdict).not.toBe('valid');
  });

  test.each<[string, JsonValue, number, string, boolean | null]>([
    ['in which it is not revoked', signedCredential(unsignedList([8])), 0, 'valid', true],
    ['in which it is revoked', signedCredential(unsignedList([9])), 1, 'revoked', false],
    ['that nobody signed', unsignedList([]), 1, 'status_unknown', null],
  ])('looks it up in a saved list %s', async (name, list, code, verdict, status) => {
    const saved = save(`${name.replaceAll(' ', '-')}.json`, list);
    const { result, ...ended } = await verify(GOOD, '--status', saved);
    expect([ended.code, result.verdict, result.checks.status]).toEqual([code, verdict, status]);
  });

  test('names the issuer that is not trusted, of a credential and of its list', async () => {
    const other = await verify(GOOD, '--issuer', 'did:web:other.example');
    const problem = `its issuer is "${WEB_ISSUER}", which is not trusted`;
    expect([other.result.problems, other.stderr]).toEqual([[problem], expect.stringContaining(problem)]);
    const list = signedCredential(unsignedList([], { issuer: 'did:key:z6MkStranger' }), { key: testKey(7) });
    const { result } = await verify(GOOD, '--status', save('of-another-issuer.json', list));
    expect(result.problems).toEqual([
      'status list: its issuer is "did:key:z6MkStranger", which is not trusted',
    ]);
  });

  test('asks the service for the list that an authentic credential names', async () => {
    requested = [];
    const url = `http://127.0.0.1:${service.port}`;
    for (const source of [url, `${url}/api/v1/credentials/status/1`]) {
      const { code, result } = await verify(GOOD, '--status', source);
      expect([code, result.verdict]).toEqual([1, 'revoked']);
    }
    expect(requested).toEqual(Array(2).fill('/api/v1/credentials/status/1'));
    const changed = await verify({ ...GOOD, id: 'urn:uuid:1' }, '--status', url);
    expect([changed.code, changed.result.verdict, requested.length]).toEqual([1, 'bad_proof', 2]);
  });

  test.each<[string, string[], RegExp]>([
    [
      'a list that does not exist',
      ['--status', `http://127.0.0.1:${service.port}/api/v1/credentials/status/7`],
      /status 404: no such list/,
    ],
    [
      'a list that is not JSON',
      ['--status', save('text', 'no')],
      /contains no status list: .*save the response of GET \/api\/v1\/credentials\/status/s,
    ],
    [
      'a list from standard input, as the credential is',
      ['--status', '-'],
      /standard input can be read once/,
    ],
    [
      'keys that are none',
      ['--keys', save('none.json', {})],
      /save the response of GET \/api\/v1\/transparency\/keys/,
    ],
    ['a time that does not exist', ['--at', 'noon'], /RFC 3339/],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr, result } = await verify(GOOD, ...args);
    expect([code === 1 || code === 2, result]).toEqual([true, null]);
    expect(stderr).toMatch(message);
  });

  test('refuses a status list of a status list', async () => {
    const list = signedCredential(unsignedList([9]));
    const { code, stderr } = await verify(list, '--status', save('its-list.json', list));
    expect(code).toBe(2);
    expect(stderr).toContain('--status is for credentials, but this is a status list');
  });

  test('needs keys', async () => {
    const { code, stderr } = await run(['credential', 'verify', save('credential.json', GOOD)]);
    expect(code).toBe(2);
    expect(stderr).toContain("required option '--keys <file|url>' not specified");
  });
});
