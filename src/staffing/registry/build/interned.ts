import { ownCopyOf } from '../../../platform/memory/own-copy.ts';
import { Growing } from './growing.ts';

/** The bytes of a chunk are 2^16. No text is in two chunks. */
const CHUNK_BITS = 16;
const CHUNK = 2 ** CHUNK_BITS;
/** The first texts are kept as strings too, because a frequent text comes early. */
const MOST_STRINGS = 16_384;
const FEWEST_SLOTS = 256;
/** The bytes of a text that are compared at once, as one number that is exact. */
const PREFIX = 6;
/** FNV-1a, 32 bits. */
const HASH_BASIS = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/**
 * Numbers distinct texts 0, 1, 2… in the order of their first use. A file has a million distinct names and
 * sets of codes: as UTF-8 with a hash table each takes 15 bytes and its own, as a string in a Map 150.
 */
export class Interned {
  private readonly chunks: Buffer[] = [];
  /** The bytes that are used of the last chunk. */
  private used = CHUNK;
  /** The place of each text: its chunk times the size of a chunk, plus its first byte there. */
  private readonly places = new Growing((length) => new Uint32Array(length));
  private readonly lengths = new Growing((length) => new Uint16Array(length));
  /** Numbers plus 1 at the places of their hashes; 0 is free. Its length is a power of two. */
  private slots = new Uint32Array(FEWEST_SLOTS);
  private readonly strings: string[] = [];
  private readonly numbersOfStrings = new Map<string, number>();
  private scratch = Buffer.allocUnsafe(1024);

  /** How many distinct texts there are. */
  get size(): number {
    return this.places.length;
  }

  /** Returns the number of a text. @throws RangeError for a text of more than 65,535 bytes */
  numberOf(text: string): number {
    const known = this.numbersOfStrings.get(text);
    if (known !== undefined) return known;
    if (this.scratch.length < text.length * 3) this.scratch = Buffer.allocUnsafe(text.length * 3);
    const length = this.scratch.write(text);
    const slot = this.slotOf(this.scratch, length);
    const taken = this.slots[slot] ?? 0;
    return taken > 0 ? taken - 1 : this.add(text, length, slot);
  }

  /** Returns the text with a number; empty for a number that is not used. */
  textOf(number: number): string {
    const known = this.strings[number];
    if (known !== undefined) return known;
    const place = this.places.at(number);
    const start = place % CHUNK;
    return this.chunkOf(place).toString('utf8', start, start + this.lengths.at(number));
  }

  /** Returns the rank of each text in the order of its UTF-8 bytes, which is SQLite's, by number. */
  ranks(): Uint32Array {
    const { size } = this;
    const prefixes = new Float64Array(size);
    const order = new Uint32Array(size);
    for (let number = 0; number < size; number++) {
      prefixes[number] = this.prefixOf(number);
      order[number] = number;
    }
    order.sort(
      (left, right) => (prefixes[left] ?? 0) - (prefixes[right] ?? 0) || this.compareRest(left, right),
    );
    const ranks = new Uint32Array(size);
    for (let rank = 0; rank < size; rank++) ranks[order[rank] ?? 0] = rank;
    return ranks;
  }

  private add(text: string, length: number, slot: number): number {
    if (length >= CHUNK) throw new RangeError(`a text of ${length} bytes is too long`);
    const number = this.size;
    if (this.used + length >= CHUNK) {
      this.chunks.push(Buffer.allocUnsafeSlow(CHUNK));
      this.used = 0;
    }
    const place = (this.chunks.length - 1) * CHUNK + this.used;
    this.scratch.copy(this.chunkOf(place), this.used, 0, length);
    this.used += length;
    this.places.push(place);
    this.lengths.push(length);
    this.slots[slot] = number + 1;
    if (number < MOST_STRINGS) {
      const kept = ownCopyOf(text);
      this.strings.push(kept);
      this.numbersOfStrings.set(kept, number);
    }
    if (2 * this.size > this.slots.length) this.growSlots();
    return number;
  }

  /** Returns the slot of the text of these bytes, or the free one where it belongs. */
  private slotOf(bytes: Buffer, length: number): number {
    const { slots } = this;
    const last = slots.length - 1;
    let slot = hashOf(bytes, 0, length) & last;
    while (true) {
      const taken = slots[slot] ?? 0;
      if (taken === 0 || this.isText(taken - 1, bytes, length)) return slot;
      slot = (slot + 1) & last;
    }
  }

  private isText(number: number, bytes: Buffer, length: number): boolean {
    if (this.lengths.at(number) !== length) return false;
    const place = this.places.at(number);
    const chunk = this.chunkOf(place);
    const start = place % CHUNK;
    for (let at = 0; at < length; at++) if (chunk[start + at] !== bytes[at]) return false;
    return true;
  }

  private growSlots(): void {
    const slots = new Uint32Array(2 * this.slots.length);
    const last = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      const place = this.places.at(number);
      let slot = hashOf(this.chunkOf(place), place % CHUNK, this.lengths.at(number)) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }

  private prefixOf(number: number): number {
    const place = this.places.at(number);
    const chunk = this.chunkOf(place);
    const length = this.lengths.at(number);
    let prefix = 0;
    for (let at = 0; at < PREFIX; at++) {
      prefix = prefix * 256 + (at < length ? (chunk[(place % CHUNK) + at] ?? 0) : 0);
    }
    return prefix;
  }

  private compareRest(left: number, right: number): number {
    const [leftPlace, rightPlace] = [this.places.at(left), this.places.at(right)];
    const [leftChunk, rightChunk] = [this.chunkOf(leftPlace), this.chunkOf(rightPlace)];
    const [leftLength, rightLength] = [this.lengths.at(left), this.lengths.at(right)];
    const length = Math.min(leftLength, rightLength);
    for (let at = PREFIX; at < length; at++) {
      const leftByte = leftChunk[(leftPlace % CHUNK) + at] ?? 0;
      const rightByte = rightChunk[(rightPlace % CHUNK) + at] ?? 0;
      if (leftByte !== rightByte) return leftByte - rightByte;
    }
    return leftLength - rightLength;
  }

  private chunkOf(place: number): Buffer {
    const chunk = this.chunks[Math.floor(place / CHUNK)];
    if (chunk === undefined) throw new RangeError('there is no text with this number');
    return chunk;
  }
}

function hashOf(bytes: Buffer, start: number, length: number): number {
  let hash = HASH_BASIS;
  for (let at = start; at < start + length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_PRIME);
  return (hash ^ (hash >>> 15)) >>> 0;
}
