import { describe, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import {
  bundleRanges,
  decodeEntries,
  encodeEntries,
  parseTilePath,
  readBundle,
  type Tile,
  tilePath,
  tilesOf,
} from '../../../../src/proof/log/tiles.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

describe('the path of a tile', () => {
  test.each<[string, Tile]>([
    ['tile/0/x001/x234/067', { level: 0, index: 1234067, width: 256 }],
    ['tile/0/000', { level: 0, index: 0, width: 256 }],
    ['tile/entries/000.p/5', { level: 'entries', index: 0, width: 5 }],
    ['tile/3/999.p/255', { level: 3, index: 999, width: 255 }],
    ['tile/63/x001/000.p/1', { level: 63, index: 1000, width: 1 }],
    ['tile/entries/x001/x000/000', { level: 'entries', index: 1_000_000, width: 256 }],
    ['tile/1/x009/x007/x199/x254/x740/991', { level: 1, index: LARGEST, width: 256 }],
  ])('%s is written and read', (path, tile) => {
    expect(tilePath(tile.level, tile.index, tile.width)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  test.each([
    '',
    'tile/0',
    'tile/0/',
    'tile/00/000',
    'tile/01/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/100/000',
    'tile/x/000',
    'tile/Entries/000',
    'tile/0/0',
    'tile/0/0000',
    'tile/0/x000/000',
    'tile/0/x000/x001/000',
    'tile/0/001/000',
    'tile/0/x001',
    'tile/0/x001/x000',
    'tile/0/X001/000',
    'tile/0/x001//000',
    'tile/0/x009/x007/x199/x254/x740/992',
    'tile/0/x001/x000/x000/x000/x000/x000/000',
    'tile/0/000.p/0',
    'tile/0/000.p/00',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/999',
    'tile/0/000.p/',
    'tile/0/000.p',
    'tile/0/000.P/1',
    'tile/0/000/p/1',
    'tile/0/000.p/1/',
    'tile/0/000\n',
    '/tile/0/000',
    'tile/0/../000',
    'tile/0/٠٠٠',
  ])('%j names no tile', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  test.each<[number | 'entries', number, number]>([
    [-1, 0, 256],
    [64, 0, 256],
    [0.5, 0, 256],
    [0, -1, 256],
    [0, 0.5, 256],
    [0, 2 ** 53, 256],
    ['entries', 0, 0],
    ['entries', 0, 257],
    ['entries', 0, 1.5],
  ])('is not written for level %p, index %p, width %p', (level, index, width) => {
    expect(() => tilePath(level, index, width)).toThrow(RangeError);
  });

  test('is read as it was written, and one tile has one path', () => {
    const level = fc.oneof(fc.nat(63), fc.constant<'entries'>('entries'));
    const written = fc.property(level, fc.maxSafeNat(), fc.integer({ min: 1, max: 256 }), (...tile) => {
      const [at, index, width] = tile;
      expect(parseTilePath(tilePath(at, index, width))).toEqual({ level: at, index, width });
    });
    fc.assert(written);
    const part = fc.constantFrom('tile', '0', 'x001', '000', '.p', '7', 'entries', '63', '64', 'x');
    const read = fc.property(
      fc.oneof(
        fc.array(part).map((parts) => parts.join('/')),
        fc.string(),
      ),
      (path) => {
        const tile = parseTilePath(path);
        if (tile !== null) expect(tilePath(tile.level, tile.index, tile.width)).toBe(path);
      },
    );
    fc.assert(read, { numRuns: 500 });
  });
});

describe('the tiles of a tree', () => {
  test('are those that C2SP counts for 70,000 and for 256 leaves', () => {
    const tiles = [...tilesOf(70_000)];
    const count = (level: number, full: boolean): number =>
      tiles.filter((tile) => tile.level === level && (tile.width === 256) === full).length;
    expect([count(0, true), count(0, false), count(1, true), count(1, false)]).toEqual([273, 1, 1, 1]);
    expect(tiles.filter(({ width }) => width < 256)).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
    expect(tiles).toHaveLength(273 + 1 + 1 + 1 + 1);
    expect([...tilesOf(256)]).toEqual([
      { level: 0, index: 0, width: 256 },
      { level: 1, index: 0, width: 1 },
    ]);
  });

  test('begin with the bundles of entries when these are asked for', () => {
    const bundles: Tile[] = [
      { level: 'entries', index: 0, width: 256 },
      { level: 'entries', index: 1, width: 44 },
    ];
    expect([...tilesOf(300, { entries: true })]).toEqual([...bundles, ...tilesOf(300)]);
    expect([...tilesOf(300, { entries: false })]).toEqual([...tilesOf(300)]);
  });

  test('are none for the empty tree, and come one by one for a vast one', () => {
    expect([...tilesOf(0, { entries: true })]).toEqual([]);
    expect(tilesOf(LARGEST).next().value).toEqual({ level: 0, index: 0, width: 256 });
    for (const size of [-1, 0.5, 2 ** 53]) expect(() => tilesOf(size).next()).toThrow(RangeError);
  });

  test('have, level by level, as many hashes as the definition says', () => {
    for (let size = 0; size <= 70_000; size += 997) {
      const widths = new Map<number | 'entries', number>();
      for (const { level, width } of tilesOf(size)) widths.set(level, (widths.get(level) ?? 0) + width);
      const expected = [0, 1, 2].map((level) => Math.floor(size / 256 ** level)).filter((sum) => sum > 0);
      expect([...widths.values()]).toEqual(expected);
    }
  });
});

describe('a bundle of entries', () => {
  test('has each entry behind its length', () => {
    const entries = [Uint8Array.of(7, 8), new Uint8Array(), new Uint8Array(0x102)];
    const bundle = encodeEntries(entries);
    expect([...bundle.subarray(0, 8)]).toEqual([0, 2, 7, 8, 0, 0, 1, 2]);
    expect(decodeEntries(bundle)).toEqual(entries);
    expect(decodeEntries(new Uint8Array())).toEqual([]);
  });

  test('has no entry of more than 65,535 bytes', () => {
    expect(encodeEntries([new Uint8Array(65_535)])).toHaveLength(65_537);
    expect(() => encodeEntries([new Uint8Array(65_536)])).toThrow(RangeError);
  });

  test.each([[[0]], [[0, 1]], [[0, 1, 9, 0]], [[0, 3, 1, 2]], [[255, 255]]])('%p is not whole', (bytes) => {
    expect(() => decodeEntries(Uint8Array.from(bytes))).toThrow(RangeError);
  });

  test('has as many entries as its place', () => {
    const bundle = encodeEntries([Uint8Array.of(1), Uint8Array.of(2)]);
    expect(readBundle(bundle, { width: 2 })).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
    for (const width of [1, 3]) expect(() => readBundle(bundle, { width })).toThrow(RangeError);
    expect(() => readBundle(bundle.subarray(0, -1), { width: 2 })).toThrow(RangeError);
  });

  test('reads no more entries than it has, however many empty ones follow', () => {
    const views = spyOn(Uint8Array.prototype, 'subarray');
    try {
      expect(() => readBundle(new Uint8Array(2 ** 20), { width: 256 })).toThrow('more than 256 entries');
      expect(views).toHaveBeenCalledTimes(256);
    } finally {
      views.mockRestore();
    }
  });

  test('lies where the first of its entries has a place', () => {
    const places = (from: number, size: number) => [...bundleRanges(from, size)];
    const [first, second] = places(0, 300);
    expect([first, second]).toEqual([
      { start: 0, width: 256, path: 'tile/entries/000' },
      { start: 256, width: 44, path: 'tile/entries/001.p/44' },
    ]);
    expect(places(255, 300)).toEqual(places(0, 300));
    expect(places(256, 300)).toEqual(places(0, 300).slice(1));
    expect(places(0, 256)).toHaveLength(1);
    expect(places(0, 0)).toEqual([]);
    expect(places(512, 300)).toEqual([]);
  });

  test('is read as it was written, also within other bytes', () => {
    const property = fc.property(fc.array(fc.uint8Array()), fc.uint8Array(), (entries, before) => {
      const bundle = encodeEntries(entries);
      expect(decodeEntries(bundle)).toEqual(entries);
      const within = Uint8Array.of(...before, ...bundle, 9, 9, 9);
      expect(decodeEntries(within.subarray(before.length, before.length + bundle.length))).toEqual(entries);
    });
    fc.assert(property);
    const any = fc.property(fc.uint8Array(), (bytes) => {
      try {
        expect(encodeEntries(decodeEntries(bytes))).toEqual(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    });
    fc.assert(any);
  });
});
