import { parseDecimal } from '../encoding/decimal.ts';

/** The number of hashes, or entries, in a full tile. */
export const TILE_WIDTH = 256;
/** The number of tree levels that a tile spans. */
export const TILE_HEIGHT = 8;
const MAX_LEVEL = 63;

/** One tile of a tree, or one bundle of its entries (C2SP tlog-tiles). */
export interface Tile {
  /**
   * Level 0 has the leaf hashes; each higher level has one hash for every full tile below. `entries` has the
   * entries.
   */
  level: number | 'entries';
  index: number;
  /** 1 to 255 for a partial tile, 256 for a full one. */
  width: number;
}

/**
 * Returns a tile's path below the prefix of its log: `tile/0/x001/x234/067`, or `tile/entries/000.p/5` for a
 * partial one.
 * @throws RangeError for an invalid level, index or width
 */
export function tilePath(level: number | 'entries', index: number, width = TILE_WIDTH): string {
  if (level !== 'entries' && !isWithin(level, 0, MAX_LEVEL))
    throw new RangeError(`no tile has level ${level}`);
  if (!isWithin(index, 0, Number.MAX_SAFE_INTEGER)) throw new RangeError(`no tile has index ${index}`);
  if (!isWithin(width, 1, TILE_WIDTH)) throw new RangeError(`no tile is ${width} wide`);
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  // All groups of digits except the last have an x, so that a file never has the name of a directory.
  const path = padded.replace(/\d{3}(?=\d)/g, 'x$&/');
  return `tile/${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

const TILE_PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/;

/**
 * Parses a tile's path. Returns null for every path that `tilePath` does not produce: a tile has exactly one
 * path.
 */
export function parseTilePath(path: string): Tile | null {
  const [, name = '', digits = '', partial] = TILE_PATH.exec(path) ?? [];
  const level = name === 'entries' ? name : parseDecimal(name);
  const index = Number(digits.replace(/[x/]/g, ''));
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  if (level === null || (level !== 'entries' && level > MAX_LEVEL)) return null;
  if (!Number.isSafeInteger(index) || !isWithin(width, 1, TILE_WIDTH)) return null;
  return tilePath(level, index, width) === path ? { level, index, width } : null;
}

/**
 * Yields the tiles of a tree of `size` leaves, also partial ones, level by level from the leaves up. With
 * `entries` it yields the entry bundles first. It is a generator because a large tree has millions of tiles.
 * @throws RangeError, at the first step of the iteration, unless 0 ≤ size ≤ 2^53 − 1
 */
export function* tilesOf(size: number, options: { entries?: boolean } = {}): Generator<Tile, void, void> {
  if (!isWithin(size, 0, Number.MAX_SAFE_INTEGER)) throw new RangeError(`${size} is no tree size`);
  if (options.entries === true) yield* tilesOfLevel('entries', size);
  for (let level = 0, hashes = size; hashes > 0; level++) {
    yield* tilesOfLevel(level, hashes);
    hashes = Math.floor(hashes / TILE_WIDTH);
  }
}

function* tilesOfLevel(level: number | 'entries', hashes: number): Generator<Tile, void, void> {
  const full = Math.floor(hashes / TILE_WIDTH);
  for (let index = 0; index < full; index++) yield { level, index, width: TILE_WIDTH };
  if (hashes % TILE_WIDTH > 0) yield { level, index: full, width: hashes % TILE_WIDTH };
}

const LENGTH_BYTES = 2;
const MAX_ENTRY_BYTES = 0xffff;

/**
 * Encodes a bundle: each entry with a length prefix of 16 bits, big-endian. @throws RangeError for an entry
 * of more than 65,535 bytes
 */
export function encodeEntries(entries: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY_BYTES) throw new RangeError('an entry has at most 65,535 bytes');
    length += LENGTH_BYTES + entry.length;
  }
  const bundle = new Uint8Array(length);
  const view = new DataView(bundle.buffer);
  let at = 0;
  for (const entry of entries) {
    view.setUint16(at, entry.length);
    bundle.set(entry, at + LENGTH_BYTES);
    at += LENGTH_BYTES + entry.length;
  }
  return bundle;
}

/**
 * Decodes a bundle; the entries are views of its bytes.
 * @param most the maximum number of entries: millions of empty ones fit into the bytes of a bundle, and would
 * fill the memory
 * @throws RangeError when the bundle ends within an entry, or has more of them
 */
export function decodeEntries(bundle: Uint8Array, most = Number.POSITIVE_INFINITY): Uint8Array[] {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bundle.length) {
    const start = at + LENGTH_BYTES;
    const end = start <= bundle.length ? start + view.getUint16(at) : Number.POSITIVE_INFINITY;
    if (end > bundle.length) throw new RangeError('the bundle ends within an entry');
    if (entries.length === most) throw new RangeError(`the bundle has more than ${most} entries`);
    entries.push(bundle.subarray(start, end));
    at = end;
  }
  return entries;
}

/** The range of an entry bundle: up to 256 consecutive entries of a log. */
export interface BundleRange {
  /** The index of the first entry. */
  start: number;
  /** The number of entries, 1 to 256. */
  width: number;
  /** `tile/entries/…`, relative to the log's prefix. */
  path: string;
}

/**
 * Yields the bundles of the first `size` entries of a log, from the bundle with entry `from` on; the last may
 * be partial.
 */
export function* bundleRanges(from: number, size: number): Generator<BundleRange, void, void> {
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    const start = index * TILE_WIDTH;
    const width = Math.min(TILE_WIDTH, size - start);
    yield { start, width, path: tilePath('entries', index, width) };
  }
}

/**
 * Returns the entries of a bundle, exactly `width` of them. @throws RangeError for any other number of
 * entries, or more bytes
 */
export function readBundle(bundle: Uint8Array, { width }: Pick<BundleRange, 'width'>): Uint8Array[] {
  const entries = decodeEntries(bundle, width);
  if (entries.length === width) return entries;
  throw new RangeError(`the bundle has ${entries.length} entries instead of ${width}`);
}

function isWithin(number: number, least: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= least && number <= most;
}
