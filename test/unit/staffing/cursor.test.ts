import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readCursor, writeCursor } from '../../../src/staffing/cursor.ts';

const key = new Uint8Array(32).fill(1);
const place = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 });

test('a cursor gives back its place, to its key and its scope alone', () => {
  fc.assert(
    fc.property(place, fc.string(), fc.string(), (where, scope, other) => {
      const cursor = writeCursor(key, where, scope);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(readCursor(key, cursor, scope)).toEqual(where);
      if (other !== scope) expect(readCursor(key, cursor, other)).toBeNull();
      expect(readCursor(new Uint8Array(32), cursor, scope)).toBeNull();
    }),
  );
});

test('a cursor that was changed in any way is none', () => {
  const alphabet = fc.constantFrom(...'ABCxyz019-_=+/. \n');
  fc.assert(
    fc.property(place, fc.nat(), fc.nat(2), alphabet, (where, at, remove, insert) => {
      const cursor = writeCursor(key, where, 'scope');
      const index = at % (cursor.length + 1);
      const changed = cursor.slice(0, index) + insert + cursor.slice(index + remove);
      if (changed !== cursor) expect(readCursor(key, changed, 'scope')).toBeNull();
      expect(readCursor(key, cursor.slice(0, index % cursor.length), 'scope')).toBeNull();
    }),
    { numRuns: 1000 },
  );
  for (const none of ['', '!', 'AAAA', 'A'.repeat(5000)]) expect(readCursor(key, none, 'scope')).toBeNull();
});
