import { RowMemory } from '../../../platform/memory/row-memory.ts';

const RADIX = 65_536;

/**
 * Sorts the numbers 0 to `count` − 1 by several keys, the last one first in weight: a stable counting sort
 * for each 16 bits of each key (least significant digit first).
 *
 * @param keys from the least to the most significant
 */
export function sortedBy(count: number, keys: readonly ((index: number) => number)[]): Uint32Array {
  const memory = new RowMemory();
  let order = new Uint32Array(count);
  for (let index = 0; index < count; index++) order[index] = index;
  for (const key of keys) {
    const values = new Uint32Array(count);
    let highest = 0;
    for (let index = 0; index < count; index++) {
      const value = key(index);
      values[index] = value;
      if (value > highest) highest = value;
    }
    order = pass(order, values, 0);
    if (highest >= RADIX) order = pass(order, values, 16);
    memory.used(count);
  }
  return order;
}

function pass(order: Uint32Array<ArrayBuffer>, values: Uint32Array, shift: number): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(RADIX + 1);
  for (const value of values) {
    const digit = (value >>> shift) & 0xffff;
    starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
  }
  for (let digit = 0; digit < RADIX; digit++)
    starts[digit + 1] = (starts[digit + 1] ?? 0) + (starts[digit] ?? 0);
  const sorted = new Uint32Array(order.length);
  for (const index of order) {
    const digit = ((values[index] ?? 0) >>> shift) & 0xffff;
    const place = starts[digit] ?? 0;
    sorted[place] = index;
    starts[digit] = place + 1;
  }
  return sorted;
}
