import { describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { Cursors, positionNumber, positionTime } from '../../../../../src/platform/http/pagination/cursor.ts';

const LIST = { name: 'a list', position: Type.Tuple([Type.String(), Type.String(), positionNumber]) };
const cursors = new Cursors(new Uint8Array(32).fill(1));
const others = new Cursors(new Uint8Array(32).fill(2));

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const position = fc.tuple(text, text, fc.maxSafeNat());
const filters = fc.array(fc.option(fc.oneof(fc.string(), fc.integer(), fc.boolean())), { maxLength: 3 });

describe('a cursor', () => {
  test('is readable only with its list, its filters and its key', () => {
    fc.assert(
      fc.property(position, filters, filters, (where, own, other) => {
        const cursor = cursors.of(LIST, own).write(where);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(cursors.of(LIST, own).read(cursor)).toEqual(where);
        expect(cursors.of(LIST, own).write(where)).toBe(cursor);
        if (JSON.stringify(own) !== JSON.stringify(other)) {
          expect(cursors.of(LIST, other).read(cursor)).toBeNull();
        }
        expect(cursors.of({ ...LIST, name: 'another list' }, own).read(cursor)).toBeNull();
        expect(others.of(LIST, own).read(cursor)).toBeNull();
      }),
    );
  });

  test('that was changed in any way is refused', () => {
    const alphabet = fc.constantFrom(...'ABCxyz019-_=+/. \n');
    const pages = cursors.of(LIST, []);
    fc.assert(
      fc.property(position, fc.nat(), fc.nat(2), alphabet, (where, at, remove, insert) => {
        const cursor = pages.write(where);
        const index = at % (cursor.length + 1);
        const changed = cursor.slice(0, index) + insert + cursor.slice(index + remove);
        if (changed !== cursor) expect(pages.read(changed)).toBeNull();
        expect(pages.read(cursor.slice(0, index % cursor.length))).toBeNull();
      }),
      { numRuns: 1000 },
    );
    for (const none of ['', '!', 'AAAA', 'A'.repeat(123), 'A'.repeat(5000)]) {
      expect(pages.read(none)).toBeNull();
    }
  });

  test('that was changed in one byte is refused, whichever it is', () => {
    const pages = cursors.of(LIST, []);
    const bytes = Buffer.from(pages.write(['WOOD', 'ANN', 2_000_000_002]), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(pages.read(changed.toString('base64url'))).toBeNull();
    }
  });

  test('of a position of another shape is refused, although it is authentic', () => {
    for (const [shape, where] of [
      [Type.Tuple([Type.String(), Type.String()]), ['x', 'x']],
      [Type.Tuple([Type.String()]), ['x']],
      [Type.Tuple([Type.String(), Type.String(), Type.Number()]), ['x', 'x', 1.5]],
      [Type.Tuple([Type.String(), Type.String(), Type.Number()]), ['x', 'x', -1]],
      [Type.Tuple([Type.String(), Type.String(), Type.Number()]), ['x', 'x', 1e300]],
    ] as const) {
      const foreign = cursors.of({ name: LIST.name, position: shape }, []);
      expect(cursors.of(LIST, []).read(foreign.write(Object(where)))).toBeNull();
    }
    const times = { name: 'times', position: Type.Tuple([positionTime]) };
    const anything = { name: 'times', position: Type.Tuple([Type.String()]) };
    const read = (time: string) => cursors.of(times, []).read(cursors.of(anything, []).write([time]));
    expect(read('2030-01-31T12:00:00.000Z')).toEqual(['2030-01-31T12:00:00.000Z']);
    expect([read('~'), read(''), read('2030-01-31')]).toEqual([null, null, null]);
  });

  test('reveals neither a name nor its length', () => {
    const pages = cursors.of(LIST, ['TX']);
    const lengths = new Set<number>();
    for (const name of ['LI', 'ABRICK', 'WOLFESCHLEGELSTEIN', 'X'.repeat(35)]) {
      const cursor = pages.write([name, 'THOMAS', 2_000_000_002]);
      lengths.add(cursor.length);
      for (const shown of [cursor, Buffer.from(cursor, 'base64url').toString('latin1')]) {
        expect(shown.toUpperCase()).not.toContain(name);
      }
    }
    expect(lengths.size).toBe(1);
  });
});

test('a cursor key has 32 bytes', () => {
  expect(() => new Cursors(new Uint8Array(31))).toThrow('32 bytes');
});
