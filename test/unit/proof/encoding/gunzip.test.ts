import { describe, expect, test } from 'bun:test';
import { constants, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { gunzip } from '../../../../src/proof/encoding/gunzip.ts';

const MAX = 2 ** 16;
const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * index) % 251);
const hex = (text: string): Uint8Array => Uint8Array.fromHex(text.replaceAll(' ', ''));

/** What zlib says of bytes: the result, or null. Trailing bytes that are no member it ignores; we do not. */
function byZlib(bytes: Uint8Array): Uint8Array | null {
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: MAX }));
  } catch {
    return null;
  }
}

function ours(bytes: Uint8Array): Uint8Array | null {
  try {
    return gunzip(bytes, MAX);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

const strategies = fc.constantFrom(
  ...[constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE],
);

test('what zlib compresses is decompressed, with each of its strategies and levels', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 5000 }),
      fc.integer({ min: 0, max: 9 }),
      strategies,
      (bytes, level, strategy) => {
        const large = new Uint8Array([...bytes, ...bytesOf(300), ...bytes]);
        for (const one of [bytes, large])
          expect(gunzip(gzipSync(one, { level, strategy }), MAX)).toEqual(new Uint8Array(one));
      },
    ),
    { numRuns: 100 },
  );
});

test('changed bytes are decompressed or refused as by zlib', () => {
  const bodies = [0, 1, 6].map((level) => deflateRawSync(bytesOf(600), { level }));
  bodies.push(deflateRawSync(bytesOf(600), { strategy: constants.Z_FIXED }));
  let refused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...bodies),
      fc.integer({ min: 0, max: 599 }),
      fc.integer({ min: 1, max: 255 }),
      (body, at, flip) => {
        const changed = Uint8Array.from(body);
        changed[at % body.length] = (body[at % body.length] ?? 0) ^ flip;
        const zipped = new Uint8Array([
          ...hex('1f8b0800000000000003'),
          ...changed,
          ...gzipSync(bytesOf(600)).subarray(-8),
        ]);
        const [zlib, own] = [byZlib(zipped), ours(zipped)];
        if (zlib === null) refused++;
        // zlib ignores what follows the end of a member that came too early.
        if (own !== null || zlib === null) expect(own).toEqual(zlib);
      },
    ),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(100);
});

test('a header with a name, a comment, extra bytes and a checksum is read', () => {
  const zipped = gzipSync(bytesOf(100));
  const head = hex('1f8b 08 1e 00000000 00 03 0200 6162 6e00 6300');
  const checksum = new Uint8Array(new Uint16Array([Bun.hash.crc32(head) & 0xffff]).buffer);
  const whole = new Uint8Array([...head, ...checksum, ...zipped.subarray(10)]);
  expect(gunzip(whole, MAX)).toEqual(bytesOf(100));
  expect(byZlib(whole)).toEqual(bytesOf(100));
  expect(() => gunzip(new Uint8Array([...head, 1, 2, ...zipped.subarray(10)]), MAX)).toThrow(
    'header crc mismatch',
  );
});

test('several members are one text, and each has its own window', () => {
  const [one, two] = [gzipSync(bytesOf(3)), gzipSync(bytesOf(500))];
  expect(gunzip(new Uint8Array([...one, ...two]), MAX)).toEqual(
    new Uint8Array([...bytesOf(3), ...bytesOf(500)]),
  );
  // A repetition of the byte of the first member: symbol 257, distance 1.
  const backwards = new Uint8Array([
    ...gzipSync(bytesOf(1)),
    ...hex('1f8b0800000000000003 030200'),
    ...new Uint8Array(8),
  ]);
  expect(ours(backwards)).toBeNull();
});

test('a bomb is refused where it exceeds what the caller allows', () => {
  const bomb = gzipSync(new Uint8Array(2 ** 24));
  expect(() => gunzip(bomb, 2 ** 20)).toThrow('the result is too long');
  expect(() => gunzip(gzipSync(new Uint8Array(101), { level: 0 }), 100)).toThrow('the result is too long');
  expect(gunzip(gzipSync(new Uint8Array(100)), 100)).toHaveLength(100);
});

const HEAD = '1f8b0800000000000003';

describe('is refused', () => {
  test.each<[what: string, bytes: Uint8Array, message: string]>([
    ['nothing', new Uint8Array(), 'the gzip is cut'],
    ['another form', hex('78da030000000001'), 'incorrect header check'],
    ['reserved flags', hex('1f8b08e00000000000030300'), 'unknown header flags set'],
    ['a cut extra field', hex('1f8b0804000000000003 01'), 'the gzip is cut'],
    ['a header without data', hex(HEAD), 'the gzip is cut'],
    ['a cut trailer', gzipSync(bytesOf(9)).subarray(0, -1), 'the gzip is cut'],
    ['a wrong checksum', hex(`${HEAD}0300 01000000 00000000`), 'incorrect data check'],
    ['a wrong length', hex(`${HEAD}0300 00000000 01000000`), 'incorrect length check'],
    ['something after it', new Uint8Array([...gzipSync(bytesOf(9)), 0]), 'the gzip is cut'],
    ['an unknown type of block', hex(`${HEAD}07`), 'invalid block type'],
    ['a stored block with a wrong length', hex(`${HEAD}01 0100 0000`), 'invalid stored block lengths'],
    ['a distance before the beginning', hex(`${HEAD}030200`), 'too far back'],
  ])('%s', (what, bytes, message) => {
    expect(() => gunzip(bytes, MAX)).toThrow(message);
    if (what !== 'something after it') expect(byZlib(bytes)).toBeNull();
  });
});
