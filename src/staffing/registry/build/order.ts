import { KIND } from '../../../../db/staffing/registry/schema.ts';
import { RowMemory } from '../../../platform/memory/row-memory.ts';
import { Growing } from './growing.ts';
import type { People } from './people.ts';
import { sortedBy } from './sorting.ts';

/** The order of the entries of a pair of segments. */
export interface EntryOrder {
  /** The clinician of each entry of the even segment. */
  whole: Uint32Array;
  /** The number of the other name of each entry of the odd segment. */
  other: Uint32Array;
  /** The ordinal of each clinician in the even segment. */
  wholeOrdinals: Uint32Array;
  /** The ordinal of each other name in the odd segment. */
  otherOrdinals: Uint32Array;
  later: { whole: Later; other: Later };
}

/**
 * Entries whose clinician has a smaller name: their ordinals, ascending, and the merged ordinals of the
 * greatest smaller names.
 */
export interface Later {
  ordinals: Uint32Array;
  previous: Uint32Array;
}

/**
 * More than the names of a pair of segments. An ordinal times this plus a merged ordinal is one number, exact
 * and sorted by the ordinal.
 */
const MERGED = 2 ** 26;

/** Sorts the names of clinicians by name, first name and NPI. */
export function orderOf(people: People): EntryOrder {
  const nameRanks = people.names.ranks();
  const firstRanks = people.firsts.ranks();
  const rank = (ranks: Uint32Array, number: number): number => ranks[number] ?? 0;
  const npiOf = (clinician: number): number => people.npis.at(clinician);
  const firstOf = (clinician: number): number => rank(firstRanks, people.firstOf.at(clinician));
  const surnameOf = (clinician: number): number => rank(nameRanks, people.surnameOf.at(clinician));
  const ownerOf = (other: number): number => people.otherOwners.at(other);
  const otherNameOf = (other: number): number => rank(nameRanks, people.otherNames.at(other));

  const whole = sortedBy(people.count, [npiOf, firstOf, surnameOf]);
  const other = sortedBy(people.otherOwners.length, [
    (one) => npiOf(ownerOf(one)),
    (one) => firstOf(ownerOf(one)),
    otherNameOf,
  ]);
  const wholeOrdinals = inverse(whole);
  const otherOrdinals = inverse(other);

  // Merges both orders to number the names of the pair.
  const mergedWhole = new Uint32Array(whole.length);
  const mergedOther = new Uint32Array(other.length);
  const isBefore = (clinician: number, one: number): boolean => {
    const owner = ownerOf(one);
    const byName = surnameOf(clinician) - otherNameOf(one);
    const byFirst = byName === 0 ? firstOf(clinician) - firstOf(owner) : byName;
    return (byFirst === 0 ? npiOf(clinician) - npiOf(owner) : byFirst) < 0;
  };
  for (let left = 0, right = 0; left < whole.length || right < other.length; ) {
    const takesLeft =
      right === other.length || (left < whole.length && isBefore(whole[left] ?? 0, other[right] ?? 0));
    if (takesLeft) mergedWhole[left] = left++ + right;
    else mergedOther[right] = left + right++;
  }

  const laterWhole = new Growing((length) => new Float64Array(length));
  const laterOther = new Growing((length) => new Float64Array(length));
  const memory = new RowMemory();
  for (let first = 0; first < people.otherOwners.length; ) {
    const owner = ownerOf(first);
    const others = people.othersOf(owner);
    first += others.length;
    const ordinal = wholeOrdinals[owner] ?? 0;
    const names = [
      { list: laterWhole, ordinal, merged: mergedWhole[ordinal] ?? 0 },
      ...others
        .filter((one) => people.otherKinds.at(one) === KIND.other)
        .map((one) => ({
          list: laterOther,
          ordinal: otherOrdinals[one] ?? 0,
          merged: mergedOther[otherOrdinals[one] ?? 0] ?? 0,
        })),
    ].sort((left, right) => left.merged - right.merged);
    memory.used(1 + others.length);
    for (const [place, name] of names.entries()) {
      const previous = names[place - 1];
      if (previous !== undefined) name.list.push(name.ordinal * MERGED + previous.merged);
    }
  }
  return {
    whole,
    other,
    wholeOrdinals,
    otherOrdinals,
    later: { whole: sortedLater(laterWhole), other: sortedLater(laterOther) },
  };
}

function inverse(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) places[order[place] ?? 0] = place;
  return places;
}

function sortedLater(pairs: Growing<Float64Array>): Later {
  const sorted = new Float64Array(pairs.length);
  for (let index = 0; index < sorted.length; index++) sorted[index] = pairs.at(index);
  sorted.sort();
  const ordinals = new Uint32Array(sorted.length);
  const previous = new Uint32Array(sorted.length);
  for (let index = 0; index < sorted.length; index++) {
    const pair = sorted[index] ?? 0;
    ordinals[index] = Math.floor(pair / MERGED);
    previous[index] = pair % MERGED;
  }
  return { ordinals, previous };
}
