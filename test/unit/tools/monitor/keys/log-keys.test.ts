import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { generateKeyPair } from '../../../../../src/platform/crypto/key-files.ts';
import { hexToBytes } from '../../../../../src/proof/encoding/hex.ts';
import { formatVerifierKey, keyIdOf, SIGNATURE_TYPES } from '../../../../../src/proof/log/note.ts';
import { logKeysText, namedLogKeys, serviceLogKeys } from '../../../../../src/tools/monitor/keys/log-keys.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-log-keys-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const { publicKey } = generateKeyPair('Ed25519');
const other = generateKeyPair('Ed25519').publicKey;
function vkey(name: string, hex = publicKey, type: number = SIGNATURE_TYPES.ed25519): string {
  const raw = hexToBytes(hex);
  return formatVerifierKey({ name, keyId: keyIdOf(nativePrimitives, name, type, raw), type, publicKey: raw });
}

function written(text: string): string {
  const file = join(directory, 'written');
  writeFileSync(file, text);
  return file;
}

describe('keys that a reader names', () => {
  test('are wrong usage if a file has none, so that nothing else is trusted instead', async () => {
    await expect(namedLogKeys([vkey('acme.example/keys'), written('\n')])).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('GET /log/keys/vkeys'),
    });
  });

  test('speak for the log of their name, each once, from the command line or a file', async () => {
    const file = join(directory, 'keys');
    writeFileSync(
      file,
      `# ours\n\n  ${vkey('acme.example/keys')}  \n${vkey('acme.example/receipts', other)}\n`,
    );
    const trusted = await namedLogKeys([vkey('acme.example/receipts'), file]);
    expect(trusted).toEqual({
      origin: 'acme.example',
      keys: [
        { log: 'receipts', algorithm: 'Ed25519', publicKey },
        { log: 'keys', algorithm: 'Ed25519', publicKey },
        { log: 'receipts', algorithm: 'Ed25519', publicKey: other },
      ],
    });
    writeFileSync(file, logKeysText(trusted.keys, 'acme.example'));
    expect(await namedLogKeys([file])).toEqual(trusted);
    expect(await namedLogKeys([])).toEqual({ origin: null, keys: [] });
  });

  test.each([
    [
      'a key that is none',
      () => ['a+00000000+c'],
      /verifier key of a has type 115|base64 of the verifier key of a is damaged/,
    ],
    ['a name that no log has', () => [vkey('acme.example')], /is not the name of a log/],
    [
      "a witness's",
      () => [vkey('acme.example/receipts', publicKey, SIGNATURE_TYPES.cosignature)],
      /is the key of a witness/,
    ],
    [
      'two installations',
      () => [vkey('a.example/keys'), vkey('b.example/keys')],
      /belong to a\.example and b\.example/,
    ],
    ['a file that is not there', () => [join(directory, 'nothing')], /not a file that can be read/],
    ['an empty file', () => [written('')], /written has no log key$/],
    ['a file with comments only', () => [written('# none\n\n')], /written has no log key$/],
    ['a list of keys', () => [written('{"keys":[]}')], /written is JSON, and not a file with log keys$/],
    [
      'a line that is no key',
      () => [written('# log\nlog log x\n')],
      /written, line 2: .* and "log x" is not/,
    ],
    [
      'a damaged key',
      () => [written(`${vkey('acme.example/keys')}A`)],
      /line 1: the base64 of the verifier key of acme\.example\/keys is damaged$/,
    ],
  ])('are refused: %s', async (_name, given, reason) => {
    await expect(namedLogKeys(given())).rejects.toThrow(reason);
  });
});

describe('keys from the service', () => {
  const row = (changes: object = {}) => ({
    public_key: publicKey,
    algorithm: 'Ed25519',
    purpose: 'revocations-log',
    status: 'active',
    ...changes,
  });
  async function from(answer: () => Response) {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
    try {
      return await serviceLogKeys(`http://127.0.0.1:${server.port}`);
    } finally {
      await server.stop(true);
    }
  }

  test('are those of its log that were not compromised', async () => {
    const keys = [
      row(),
      row({ purpose: 'receipts' }),
      row({ public_key: other }),
      row({ public_key: other, purpose: 'receipts', status: 'compromised' }),
    ];
    expect(await from(() => Response.json({ keys, log: {} }))).toEqual({
      origin: null,
      keys: [{ log: 'revocations', algorithm: 'Ed25519', publicKey }],
    });
  });

  test.each([
    ['an error', () => new Response('', { status: 500 }), /status 500/],
    ['another document', () => Response.json({ keys: 7 }), /does not return log keys/],
    ['what is no JSON', () => new Response('<html>'), /does not return log keys/],
    ['nothing', () => new Response(null), /does not return log keys/],
    [
      'another algorithm',
      () => Response.json({ keys: [row({ algorithm: 'RSA' })] }),
      /unknown algorithm RSA/,
    ],
    [
      'a key that is none',
      () => Response.json({ keys: [row({ public_key: '00' })] }),
      /a log key that is not valid/,
    ],
    [
      'a key of small order',
      () => Response.json({ keys: [row({ public_key: '00'.repeat(32) })] }),
      /a log key that is not valid/,
    ],
  ])('are refused: %s', async (_name, answer, reason) => {
    await expect(from(answer)).rejects.toThrow(reason);
  });

  test('are not asked for in the clear, nor of nobody', async () => {
    await expect(serviceLogKeys('http://trust.example')).rejects.toThrow(/cannot be authenticated over http/);
    await expect(serviceLogKeys('http://127.0.0.1:1')).rejects.toThrow(/does not return log keys/);
  });
});
