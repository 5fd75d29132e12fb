import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTls } from '../../../../src/platform/network/tls.ts';
import { selfSigned } from '../../../support/certificate.ts';

let directory: string;
let one: { cert: string; key: string };
let other: { cert: string; key: string };
const hasOpenssl = Bun.which('openssl') !== null;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-tls-'));
  if (!hasOpenssl) return;
  one = selfSigned(directory, 'one');
  other = selfSigned(directory, 'other');
});
afterAll(() => rmSync(directory, { recursive: true }));

describe.skipIf(!hasOpenssl)('certificate and key', () => {
  test('that belong together are read', () => {
    const tls = readTls(one.cert, one.key);
    expect([tls?.cert.includes('CERTIFICATE'), tls?.key.includes('PRIVATE KEY')]).toEqual([true, true]);
    expect(readTls(null, null)).toBeNull();
  });

  test('are refused when one is missing, invalid, or of another pair', () => {
    expect(() => readTls(one.cert, null)).toThrow('tls_key is not set');
    expect(() => readTls(null, one.key)).toThrow('tls_cert is not set');
    expect(() => readTls(one.cert, other.key)).toThrow(`${other.key} does not belong to ${one.cert}`);
    expect(() => readTls(join(directory, 'gone'), one.key)).toThrow('gone cannot be read');
    const nonsense = join(directory, 'nonsense');
    writeFileSync(nonsense, 'nonsense', { mode: 0o600 });
    expect(() => readTls(nonsense, one.key)).toThrow('nonsense has no valid PEM');
    expect(() => readTls(one.cert, nonsense)).toThrow('nonsense has no valid PEM');
  });

  test('are refused if other users have access to the key', () => {
    chmodSync(one.key, 0o644);
    expect(() => readTls(one.cert, one.key)).toThrow('is accessible to other users');
    chmodSync(one.key, 0o640);
    expect(() => readTls(one.cert, one.key)).not.toThrow();
  });
});
