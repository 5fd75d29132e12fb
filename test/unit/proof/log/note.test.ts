import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives as p } from '../../../../src/platform/crypto/crypto.ts';
import {
  formatNote,
  formatVerifierKey,
  keyIdOf,
  type Note,
  NoteError,
  parseNote,
  parseSignatureLines,
  parseVerifierKey,
  SIGNATURE_TYPES,
  signatureLine,
} from '../../../../src/proof/log/note.ts';
import { newNoteSigner } from './signed-notes.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): Note => parseNote(bytes(text));

/** The example of C2SP signed-note. */
const EXAMPLE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const LINE = '— a AAAAAQI=\n';

describe('a note', () => {
  test('is read as the example of C2SP says', () => {
    const note = parse(EXAMPLE);
    expect(note.text).toBe('This is an example message.\n');
    expect(note.signatures).toHaveLength(1);
    expect(note.signatures[0]?.name).toBe('example.com/foo');
    expect(note.signatures[0]?.keyId).toBe(0x530d903a);
    expect(note.signatures[0]?.signature).toHaveLength(64);
    expect(formatNote(note)).toBe(EXAMPLE);
  });

  test('is split at its last empty line', () => {
    const text = 'Ognuno sta solo\n\ned è subito sera.\n\n';
    expect(parse(`${text}\n${LINE}${LINE}`)).toEqual({
      text,
      signatures: Array(2).fill({ name: 'a', keyId: 1, signature: Uint8Array.of(2) }),
    });
    expect(parse(`\n\n${LINE}`).text).toBe('\n');
  });

  test('may begin with a byte order mark, which is part of the text', () => {
    expect(parse(`\ufeffa\n\n${LINE}`).text).toBe('\ufeffa\n');
  });

  test.each<[string, string | Uint8Array, string]>([
    ['no byte', '', 'no empty line between'],
    ['no empty line', `text\n${LINE}`, 'no empty line between'],
    ['no text', `\n${LINE}`, 'no empty line between'],
    ['no signature', 'text\n\n', 'does not end with signature lines'],
    ['an end amid a line', `text\n\n${LINE.slice(0, -1)}`, 'does not end with signature lines'],
    ['a carriage return', `text\r\n\n${LINE}`, 'control character'],
    ['a tab', `te\txt\n\n${LINE}`, 'control character'],
    ['a null', `text\0\n\n${LINE}`, 'control character'],
    ['bytes that are not UTF-8', Uint8Array.of(0x61, 0xff, 0x0a, ...bytes(`\n${LINE}`)), 'UTF-8'],
    ['a surrogate in UTF-8', Uint8Array.of(0xed, 0xa0, 0x80, ...bytes(`\n\n${LINE}`)), 'UTF-8'],
    ['more than 1 MiB', `${'x'.repeat(1 << 20)}\n\n${LINE}`, '1 MiB'],
    ['65 signatures', `text\n\n${LINE.repeat(65)}`, 'at most 64 signatures'],
    ['a hyphen for the dash', 'text\n\n- a AAAAAQI=\n', 'an em dash, a key name and base64'],
    ['text below the signatures', `text\n\n${LINE}text\n`, 'an em dash, a key name and base64'],
    ['two spaces', 'text\n\n—  a AAAAAQI=\n', 'an em dash, a key name and base64'],
    ['no name', 'text\n\n—  AAAAAQI=\n', 'an em dash, a key name and base64'],
    ['a name with a plus', 'text\n\n— a+b AAAAAQI=\n', 'an em dash, a key name and base64'],
    ['a name with a no-break space', 'text\n\n— a\u00a0b AAAAAQI=\n', 'an em dash, a key name and base64'],
    ['a name with U+0085', 'text\n\n— a\u0085 AAAAAQI=\n', 'an em dash, a key name and base64'],
    ['a trailing space', 'text\n\n— a AAAAAQI= \n', 'an em dash, a key name and base64'],
    ['no base64', 'text\n\n— a\n', 'not base64 of a key id'],
    ['base64 of another alphabet', 'text\n\n— a AAAAAQ_-\n', 'not base64 of a key id'],
    ['base64 with stray bits', 'text\n\n— a AAAAAQJ=\n', 'not base64 of a key id'],
    ['base64 without padding', 'text\n\n— a AAAAAQI\n', 'not base64 of a key id'],
    ['a key id alone', 'text\n\n— a AAAAAQ==\n', 'not base64 of a key id'],
    ['one line of two that is none', `text\n\n${LINE}— b !\n`, 'not base64 of a key id'],
  ])('with %s is refused', (_, note, message) => {
    const read = () => parseNote(typeof note === 'string' ? bytes(note) : note);
    expect(read).toThrow(NoteError);
    expect(read).toThrow(message);
  });

  test('of exactly 64 signatures and 1 MiB is read', () => {
    expect(parse(`text\n\n${LINE.repeat(64)}`).signatures).toHaveLength(64);
    const rest = bytes(`\n\n${LINE}`).length;
    expect(parse(`${'x'.repeat((1 << 20) - rest)}\n\n${LINE}`).signatures).toHaveLength(1);
  });

  const good = { name: 'a', keyId: 1, signature: Uint8Array.of(2) };
  test.each<[string, Note]>([
    ['text without a newline', { text: 'text', signatures: [good] }],
    ['text that ends in signatures and no newline', { text: `text\n\n${LINE.trim()}`, signatures: [good] }],
    ['no text', { text: '', signatures: [good] }],
    ['a control character', { text: 'a\x1bb\n', signatures: [good] }],
    ['a lone surrogate', { text: 'a\ud800b\n', signatures: [good] }],
    ['no signature', { text: 'text\n', signatures: [] }],
    ['65 signatures', { text: 'text\n', signatures: Array(65).fill(good) }],
    ['more than 1 MiB', { text: `${'é'.repeat(1 << 19)}\n`, signatures: [good] }],
    ['a name of two lines', { text: 'text\n', signatures: [{ ...good, name: 'a\n\n— b' }] }],
    ['a name with a plus', { text: 'text\n', signatures: [{ ...good, name: 'a+b' }] }],
    ['an empty name', { text: 'text\n', signatures: [{ ...good, name: '' }] }],
    ['a name with a lone surrogate', { text: 'text\n', signatures: [{ ...good, name: '\udc00' }] }],
    ['an empty signature', { text: 'text\n', signatures: [{ ...good, signature: new Uint8Array() }] }],
    ['a key id of 33 bits', { text: 'text\n', signatures: [{ ...good, keyId: 2 ** 32 }] }],
    ['a negative key id', { text: 'text\n', signatures: [{ ...good, keyId: -1 }] }],
    ['half a key id', { text: 'text\n', signatures: [{ ...good, keyId: 0.5 }] }],
  ])('with %s is not written', (_, note) => {
    expect(() => formatNote(note)).toThrow(NoteError);
  });

  const anyText = fc.string({ unit: 'binary', maxLength: 40 });
  const noteText = fc.array(anyText).map((lines) => `${lines.join('\n').replace(/(?!\n)\p{Cc}/gu, '?')}\n`);
  const name = anyText.map((text) => text.replace(/[\p{White_Space}\p{Cc}+]/gu, '') || 'x');
  const signature = fc.record({
    name,
    keyId: fc.nat(0xffff_ffff),
    signature: fc.uint8Array({ minLength: 1, maxLength: 100 }),
  });
  const notes = fc.record({
    text: noteText,
    signatures: fc.array(signature, { minLength: 1, maxLength: 64 }),
  });

  test('is read as it was written', () => {
    fc.assert(fc.property(notes, (note) => expect(parse(formatNote(note))).toEqual(note)));
  });

  test('is refused by a NoteError or written as it was read, whatever the bytes', () => {
    const nearly = fc.tuple(notes, fc.nat(), fc.nat(255)).map(([note, at, byte]) => {
      const whole = bytes(formatNote(note));
      whole[at % whole.length] = byte;
      return whole;
    });
    const property = fc.property(fc.oneof(fc.uint8Array(), nearly), (input) => {
      const note = outcome(() => parseNote(input));
      if (note !== null) expect(bytes(formatNote(note))).toEqual(input);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

/** What was read, or null for a NoteError; any other error goes on. */
function outcome<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}

describe('signature lines by themselves', () => {
  test('are read one after the other', () => {
    const lines = [
      { name: 'a', keyId: 1, signature: Uint8Array.of(2) },
      { name: 'witness.example/w1', keyId: 0xffff_ffff, signature: Uint8Array.of(9, 8, 7) },
    ];
    expect(parseSignatureLines(lines.map(signatureLine).join(''))).toEqual(lines);
  });

  test.each(['', '\n', LINE.trim(), `${LINE}\n`, `\n${LINE}`, LINE.repeat(65), LINE.replace('\n', '\r\n')])(
    '%j are refused',
    (text) => {
      expect(() => parseSignatureLines(text)).toThrow(NoteError);
    },
  );

  test('of more than 1 MiB are refused', () => {
    const long = signatureLine({ name: 'a', keyId: 1, signature: new Uint8Array(1 << 20) });
    expect(() => parseSignatureLines(long)).toThrow('1 MiB');
  });
});

describe('a verifier key', () => {
  test('is read as the example of C2SP says', () => {
    const key = parseVerifierKey(p, EXAMPLE_KEY);
    expect(key.name).toBe('example.com/foo');
    expect(key.keyId).toBe(0x530d903a);
    expect(key.type).toBe(SIGNATURE_TYPES.ed25519);
    expect(key.publicKey).toHaveLength(32);
    expect(formatVerifierKey(key)).toBe(EXAMPLE_KEY);
  });

  test.each(['ed25519', 'cosignature', 'mlDsa44'] as const)(
    'of type %s is read as it was written',
    (type) => {
      const { key } = newNoteSigner('witness.example/w1', type);
      expect(parseVerifierKey(p, formatVerifierKey(key))).toEqual(key);
    },
  );

  const vkey = (name: string, type: number, publicKey: Uint8Array): string =>
    formatVerifierKey({ name, type, publicKey, keyId: keyIdOf(p, name, type, publicKey) });
  const { publicKey } = newNoteSigner('a', 'ed25519').key;
  const spelt = vkey('a', 1, publicKey);

  test.each<[string, string, string]>([
    ['nothing', '', 'a verifier key must be'],
    ['one plus', 'a+00000001', 'a verifier key must be'],
    ['no name', spelt.slice(1), 'a verifier key must be'],
    ['a name with a space', `a ${spelt}`, 'a verifier key must be'],
    ['a name with a control character', `\x07${spelt}`, 'a verifier key must be'],
    ['a short key id', spelt.replace(/\+[0-9a-f]/, '+'), 'a verifier key must be'],
    ['an upper-case key id', 'a+0000000A+AQ==', 'a verifier key must be'],
    ['a newline at its end', `${spelt}\n`, 'the base64 of the verifier key of a is damaged'],
    ['no base64', 'a+00000001+!', 'the base64 of the verifier key of a is damaged'],
    ['no type', 'a+00000001+', 'has type 0, and only types 1, 4 and 6 are supported'],
    ['type 2', vkey('a', 2, publicKey), 'has type 2, and only types 1, 4 and 6 are supported'],
    ['a key too short', vkey('a', 1, publicKey.subarray(1)), 'has 31 bytes instead of 32'],
    ['a key too long', vkey('a', 4, new Uint8Array(33)), 'has 33 bytes instead of 32'],
    ['a short key for ML-DSA-44', vkey('a', 6, publicKey), 'has 32 bytes instead of 1312'],
    ['a key of small order', vkey('a', 1, new Uint8Array(32)), 'not a canonical key'],
    ['a cosigner of small order', vkey('a', 4, new Uint8Array(32)), 'not a canonical key'],
    ['another name', spelt.replace('a', 'b'), 'does not match the verifier key'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => parseVerifierKey(p, text)).toThrow(NoteError);
    expect(() => parseVerifierKey(p, text)).toThrow(message);
  });

  test('is refused by a NoteError or written as it was read, whatever the text', () => {
    const nearly = fc
      .tuple(fc.nat(), fc.string({ unit: 'binary', maxLength: 2 }))
      .map(([at, text]) => EXAMPLE_KEY.slice(0, at % 60) + text + EXAMPLE_KEY.slice((at % 60) + 1));
    const property = fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearly), (text) => {
      const key = outcome(() => parseVerifierKey(p, text));
      if (key !== null) expect(formatVerifierKey(key)).toBe(text);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
