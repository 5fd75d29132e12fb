import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { sha256Hex } from '../../../../src/platform/crypto.ts';
import { readCursor, writeCursor } from '../../../../src/platform/http/cursor.ts';

/** A cursor with a checksum that is right, as anybody can make one. */
const forged = (place: string, scope: string): string =>
  Buffer.from(`${sha256Hex(`${place}|${scope}`).slice(0, 16)}${place}`).toString('base64url');

describe('a cursor', () => {
  test('is read as it was written, in its own list alone', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 5 }), (place) => {
        const well = place.map((text) => text.toWellFormed());
        const cursor = writeCursor(well, 'a list');
        expect(readCursor(cursor, 'a list')).toEqual(well);
        expect(readCursor(cursor, 'another')).toBeNull();
      }),
    );
  });

  test.each(['', 'x', '7', 'null', '{"a":1}', '[1]', '["a",null]', '[', '"a"'])(
    'forged around %j is none',
    (place) => {
      expect(readCursor(forged(place, 'a list'), 'a list')).toBeNull();
    },
  );
});
