import { describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { decryptDocument, encryptDocument } from '../../../../src/platform/crypto/passphrase-encryption.ts';

const FORMAT = 'test';
const PASSPHRASE = 'correct horse battery';
const Document = Type.Object({ secret: Type.String() });
const sealed = encryptDocument(FORMAT, { secret: 'what nobody knows' }, PASSPHRASE);
const open = (text: string, passphrase = PASSPHRASE) => decryptDocument(FORMAT, Document, text, passphrase);
const changed = (change: (file: Record<string, unknown>) => void): string => {
  const file = JSON.parse(sealed);
  change(file);
  return JSON.stringify(file);
};

describe('an encrypted document', () => {
  test('is decrypted with its passphrase in any Unicode form, and reveals nothing', () => {
    expect(open(sealed)).toEqual({ secret: 'what nobody knows' });
    expect(sealed).not.toContain('nobody');
    expect(encryptDocument(FORMAT, { secret: 'what nobody knows' }, PASSPHRASE)).not.toBe(sealed);
    const composed = encryptDocument(FORMAT, { secret: 'x' }, 'caf\u00e9 au lait caf\u00e9');
    expect(open(composed, 'cafe\u0301 au lait cafe\u0301')).toEqual({ secret: 'x' });
  });

  test('stays shut to another passphrase, and when anything in it was changed', () => {
    expect(() => open(sealed, 'correct horse batterz')).toThrow(
      /passphrase is wrong, or the file was changed/,
    );
    const flip = (hex: unknown): string =>
      `${String(hex).startsWith('0') ? '1' : '0'}${String(hex).slice(1)}`;
    for (const change of [
      (file: Record<string, unknown>) => (file.ciphertext = flip(file.ciphertext)),
      (file: Record<string, unknown>) => (file.tag = flip(file.tag)),
      (file: Record<string, unknown>) => (file.note = 'added'),
      (file: Record<string, unknown>) => (Object(file.kdf).salt = flip(Object(file.kdf).salt)),
      (file: Record<string, unknown>) => (Object(file.cipher).nonce = flip(Object(file.cipher).nonce)),
    ]) {
      expect(() => open(changed(change))).toThrow(/passphrase is wrong, or the file was changed/);
    }
  });

  test('is refused where it is of another form, before any work is done for it', () => {
    for (const text of [
      '',
      'null',
      '{}',
      sealed.slice(0, -9),
      changed((file) => (file.version = 2)),
      changed((file) => (file.format = 'another')),
      // More memory than anyone has.
      changed((file) => (Object(file.kdf).N = 2 ** 40)),
      changed((file) => (file.tag = 'ab')),
    ]) {
      expect(() => open(text)).toThrow(/the file is not a test/);
    }
    const other = encryptDocument(FORMAT, { other: true }, PASSPHRASE);
    expect(() => open(other)).toThrow(/the file is not a test/);
  });

  test('wants a passphrase of 12 characters', () => {
    expect(() => encryptDocument(FORMAT, {}, 'eleven char')).toThrow(/at least 12/);
  });
});
