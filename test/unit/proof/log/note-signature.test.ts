import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives as p } from '../../../../src/platform/crypto/crypto.ts';
import { CheckpointError, checkpointText } from '../../../../src/proof/log/checkpoint.ts';
import {
  formatNote,
  type Note,
  NoteError,
  type NoteSignature,
  parseNote,
  parseVerifierKey,
  type VerifierKey,
} from '../../../../src/proof/log/note.ts';
import {
  checkNote,
  cosignatureBytes,
  cosignatureTime,
  openCheckpoint,
  signedMessage,
} from '../../../../src/proof/log/note-signature.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { newNoteSigner } from './signed-notes.ts';

const utf8 = new TextEncoder();
const ORIGIN = 'log.example/receipts';
const root = new Uint8Array(32).fill(7);
const TEXT = checkpointText({ origin: ORIGIN, size: 2 ** 40 + 3, root });
const TIME = 1_700_000_000;

const log = newNoteSigner(ORIGIN, 'ed25519');
const pqLog = newNoteSigner(ORIGIN, 'mlDsa44');
const witness = newNoteSigner('witness.example/w1', 'cosignature');
const pqWitness = newNoteSigner('witness.example/w2', 'mlDsa44');
const ALL = [log, pqLog, witness, pqWitness];
const KEYS = ALL.map(({ key }) => key);
const SIGNED: Note = { text: TEXT, signatures: ALL.map((signer) => signer.sign(TEXT)) };

const open = (note: Note, keys: readonly VerifierKey[]) =>
  openCheckpoint(p, utf8.encode(formatNote(note)), keys);
const signedBy = (...signatures: NoteSignature[]): Note => ({ text: TEXT, signatures });
/** The same line with one bit of its signature flipped. */
function spoil(line: NoteSignature, at = 20): NoteSignature {
  return { ...line, signature: line.signature.with(at, (line.signature[at] ?? 0) ^ 4) };
}

describe('what is signed', () => {
  test('by Ed25519 is the text', () => {
    expect(signedMessage(1, 'any text\n', 'a', 0)).toEqual(utf8.encode('any text\n'));
  });

  test('by a cosigner is the time and the text (the example of C2SP)', () => {
    const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
    const message = `cosignature/v1\ntime 1679315147\n${text}`;
    expect(signedMessage(4, text, 'a', 1679315147)).toEqual(utf8.encode(message));
  });

  test('by ML-DSA-44 is the structure of a whole tree', () => {
    const hex = [
      Buffer.from('subtree/v1\n\0').toString('hex'),
      `02${Buffer.from('é').toString('hex')}`,
      '000000006553f100',
      `14${Buffer.from(ORIGIN).toString('hex')}`,
      '0000000000000000',
      '0000010000000003',
      '07'.repeat(32),
    ];
    expect(Buffer.from(signedMessage(6, TEXT, 'é', TIME)).toString('hex')).toBe(hex.join(''));
    expect(signedMessage(6, `${TEXT}extension\n`, 'é', TIME)).toEqual(signedMessage(6, TEXT, 'é', TIME));
  });

  test('has to be there', () => {
    expect(() => signedMessage(4, 'any text\n', 'a', TIME)).toThrow(CheckpointError);
    expect(() => signedMessage(6, 'any text\n', 'a', TIME)).toThrow(CheckpointError);
    expect(() => signedMessage(2, TEXT, 'a', TIME)).toThrow(NoteError);
    expect(() => signedMessage(6, TEXT, '', TIME)).toThrow('a name in an ML-DSA-44 signature');
    expect(() => signedMessage(6, TEXT, 'é'.repeat(128), TIME)).toThrow(NoteError);
    const longOrigin = checkpointText({ origin: 'a'.repeat(256), size: 1, root });
    expect(() => signedMessage(6, longOrigin, 'a', TIME)).toThrow('an origin in an ML-DSA-44 signature');
  });

  test.each([-1, 0.5, Number.NaN, 8_640_000_000_001, 2 ** 53])('is not of time %p', (time) => {
    expect(() => signedMessage(4, TEXT, 'a', time)).toThrow(RangeError);
    expect(() => signedMessage(6, TEXT, 'a', time)).toThrow(RangeError);
    expect(() => cosignatureBytes(time, new Uint8Array(64))).toThrow(RangeError);
  });

  test('states no time that is after the last date', () => {
    const stated = (seconds: bigint): number | null => {
      const bytes = new Uint8Array(72);
      new DataView(bytes.buffer).setBigUint64(0, seconds);
      return cosignatureTime(bytes);
    };
    expect(stated(8_640_000_000_000n)).toBe(8_640_000_000_000);
    for (const later of [8_640_000_000_001n, 2n ** 53n - 1n, 2n ** 64n - 1n])
      expect(stated(later)).toBeNull();
  });

  test('comes with its time in eight bytes', () => {
    expect(cosignatureBytes(2 ** 40 + 5, Uint8Array.of(9))).toEqual(Uint8Array.of(0, 0, 1, 0, 0, 0, 0, 5, 9));
  });
});

describe('checking a note', () => {
  test('verifies the example of C2SP', () => {
    const key = parseVerifierKey(p, 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    const text = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
    for (const primitives of [p, noblePrimitives]) {
      const checks = checkNote(primitives, parseNote(utf8.encode(text)), [key]);
      expect(checks).toEqual([{ key, verified: true, timestamp: null }]);
    }
  });

  test('finds every known key of every type', () => {
    const timestamps = [null, TIME, TIME, TIME];
    expect(checkNote(p, SIGNED, KEYS)).toEqual(
      KEYS.map((key, index) => ({ key, verified: true, timestamp: timestamps[index] ?? null })),
    );
  });

  test('ignores unknown keys, including those that share a name or an id with a known one', () => {
    const [line = log.sign(TEXT)] = SIGNED.signatures;
    expect(checkNote(p, SIGNED, [])).toEqual([]);
    expect(checkNote(p, signedBy({ ...line, keyId: line.keyId ^ 1 }), KEYS)).toEqual([]);
    expect(checkNote(p, signedBy({ ...line, name: 'other.example' }), KEYS)).toEqual([]);
    expect(checkNote(p, SIGNED, [{ ...log.key, type: 2 }])).toEqual([]);
  });

  test('ignores ML-DSA-44 without a verifier for it', () => {
    const checks = checkNote(noblePrimitives, SIGNED, KEYS);
    expect(checks.map(({ key }) => key)).toEqual([log.key, witness.key]);
    expect(checks.every(({ verified }) => verified)).toBe(true);
    const spoilt = signedBy(log.sign(TEXT), spoil(pqLog.sign(TEXT)));
    expect(checkNote(noblePrimitives, spoilt, KEYS).map(({ verified }) => verified)).toEqual([true]);
    expect(checkNote(p, spoilt, KEYS).map(({ verified }) => verified)).toEqual([true, false]);
  });

  test('checks several lines of one key separately', () => {
    const note = signedBy(witness.sign(TEXT, 5), spoil(witness.sign(TEXT, 6)), witness.sign(TEXT, 0));
    const checks = checkNote(p, note, KEYS);
    expect(checks.map(({ verified, timestamp }) => [verified, timestamp])).toEqual([
      [true, 5],
      [false, 6],
      [true, 0],
    ]);
  });

  test('tells two keys of one name and id apart by what they sign', () => {
    const twin = { ...newNoteSigner(ORIGIN, 'ed25519').key, keyId: log.key.keyId };
    const checks = checkNote(p, signedBy(log.sign(TEXT)), [twin, log.key]);
    expect(checks.map(({ verified }) => verified)).toEqual([false, true]);
  });

  test('never throws, and never verifies what has no message', () => {
    const plain: Note = { text: 'no checkpoint\n', signatures: SIGNED.signatures };
    expect(checkNote(p, plain, KEYS).some(({ verified }) => verified)).toBe(false);
    const longOrigin = checkpointText({ origin: 'a'.repeat(256), size: 1, root });
    expect(checkNote(p, { text: longOrigin, signatures: SIGNED.signatures }, KEYS)).toHaveLength(4);
    for (const length of [1, 7, 8, 63, 64, 71, 73, 2427, 2429]) {
      const cut = SIGNED.signatures.map((line) => ({ ...line, signature: new Uint8Array(length) }));
      expect(checkNote(p, signedBy(...cut), KEYS).some(({ verified }) => verified)).toBe(false);
    }
    const late = { ...witness.sign(TEXT), signature: new Uint8Array(72).fill(0xff) };
    expect(checkNote(p, signedBy(late), KEYS)).toEqual([
      { key: witness.key, verified: false, timestamp: null },
    ]);
  });

  test('never verifies a line after any change to the text or the signature', () => {
    const whole = utf8.encode(TEXT);
    const property = fc.property(fc.nat(), fc.nat(7), fc.constantFrom(...ALL.keys()), (at, bit, signer) => {
      const line = SIGNED.signatures[signer] ?? log.sign(TEXT);
      const place = at % line.signature.length;
      const signature = line.signature.with(place, (line.signature[place] ?? 0) ^ (1 << bit));
      expect(checkNote(p, signedBy({ ...line, signature }), KEYS).map((found) => found.verified)).toEqual([
        false,
      ]);
      const changed = whole.slice();
      changed[at % whole.length] = (whole[at % whole.length] ?? 0) ^ (1 << bit);
      const text = new TextDecoder().decode(changed);
      expect(checkNote(p, { text, signatures: [line] }, KEYS).map((found) => found.verified)).toEqual([
        false,
      ]);
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe('opening a checkpoint', () => {
  test('gives the checkpoint, its note and what was found', () => {
    const { checkpoint, note, checks } = open(SIGNED, KEYS);
    expect(checkpoint).toEqual({ origin: ORIGIN, size: 2 ** 40 + 3, root, extensions: [] });
    expect(note).toEqual(SIGNED);
    expect(checks.map(({ key }) => key)).toEqual(KEYS);
    expect(open(SIGNED, [pqLog.key]).checks).toHaveLength(1);
    expect(open(SIGNED, [log.key]).checks).toHaveLength(1);
  });

  test('needs a signature by a known key', () => {
    expect(() => open(SIGNED, [])).toThrow('no trusted key has signed the checkpoint');
    expect(() => open(signedBy(witness.sign(TEXT)), [log.key, pqLog.key])).toThrow(NoteError);
    const bytes = utf8.encode(formatNote(signedBy(pqLog.sign(TEXT))));
    expect(() => openCheckpoint(noblePrimitives, bytes, KEYS)).toThrow('no trusted key');
  });

  test('fails for one wrong signature by a known key among right ones', () => {
    for (const signer of ALL) {
      const note = signedBy(...ALL.filter((other) => other !== signer).map((other) => other.sign(TEXT)));
      note.signatures.push(spoil(signer.sign(TEXT)));
      expect(() => open(note, KEYS)).toThrow(`the signature by ${signer.key.name} is invalid`);
    }
  });

  test('lets a key of type 1 speak for the log of its name alone', () => {
    const other = newNoteSigner('log.example/keys', 'ed25519');
    expect(() => open(signedBy(other.sign(TEXT)), [other.key])).toThrow('no trusted key');
    const both = signedBy(log.sign(TEXT), spoil(other.sign(TEXT)));
    expect(open(both, [log.key, other.key]).checks).toHaveLength(1);
  });

  test('refuses extension lines that nobody signed', () => {
    const text = `${TEXT}extension\n`;
    const covered = { text, signatures: [log.sign(text), pqLog.sign(text)] };
    expect(open(covered, KEYS).checkpoint.extensions).toEqual(['extension']);
    expect(() => open(covered, [pqLog.key])).toThrow('no signature covers the extension lines');
  });

  test('refuses what is no note or no checkpoint', () => {
    expect(() => openCheckpoint(p, new Uint8Array(), KEYS)).toThrow(NoteError);
    const text = 'no checkpoint\n';
    expect(() => open({ text, signatures: [log.sign(text)] }, KEYS)).toThrow(CheckpointError);
  });
});
