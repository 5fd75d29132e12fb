import { KIND, LOWEST_NPI } from '../../../../db/staffing/registry/schema.ts';
import { ownCopyOf } from '../../../platform/memory/own-copy.ts';
import type { Entry } from '../entry.ts';
import { fold, type NameKey } from '../vocabulary/names.ts';
import { Growing } from './growing.ts';
import { Interned } from './interned.ts';

const MOST_KNOWN_CITIES = 100_000;

/** The bits of a digest of a clinician. */
const DIGEST = 0xffff_ffff_ffffn;

/**
 * What is needed of clinicians to sort them and to write their lists, in typed arrays: about 45 bytes for
 * each. Clinicians have numbers in the order of `add`. Texts are kept by the caller.
 */
export class People {
  /** Without 10^9. */
  readonly npis = new Growing((length) => new Uint32Array(length));
  /** The number of the clinician's codes in `codes`. */
  readonly codesOf = new Growing((length) => new Uint32Array(length));
  /** The number of the state in `states`; likewise the following. 0 is none. */
  readonly stateOf = new Growing((length) => new Uint8Array(length));
  readonly cityOf = new Growing((length) => new Uint32Array(length));
  readonly postalOf = new Growing((length) => new Uint32Array(length));
  readonly firstOf = new Growing((length) => new Uint32Array(length));
  readonly surnameOf = new Growing((length) => new Uint32Array(length));
  readonly digestOf = new Growing((length) => new Float64Array(length));
  /**
   * The number of the first of the clinician's other names, which have numbers in the order of the
   * clinicians.
   */
  private readonly firstOther = new Growing((length) => new Uint32Array(length));
  /** The other names: their clinicians, names in `names`, and kinds. */
  readonly otherOwners = new Growing((length) => new Uint32Array(length));
  readonly otherNames = new Growing((length) => new Uint32Array(length));
  readonly otherKinds = new Growing((length) => new Uint8Array(length));

  readonly codes = new Interned();
  readonly states = interned();
  readonly cities = interned();
  readonly postals = interned();
  readonly firsts = new Interned();
  readonly names = new Interned();

  get count(): number {
    return this.npis.length;
  }

  private readonly knownCities = new Map<string, number>();

  /**
   * Returns the number of a city in `cities`. Folding the same cities millions of times takes longer than
   * looking them up.
   */
  private cityNumber(city: string): number {
    const known = this.knownCities.get(city);
    if (known !== undefined) return known;
    const number = this.cities.numberOf(fold(city));
    if (this.knownCities.size < MOST_KNOWN_CITIES) this.knownCities.set(ownCopyOf(city), number);
    return number;
  }

  /** Adds a clinician. `digested`: the text that tells whether the clinician changed. */
  add({ columns, names, firstKey }: Entry, digested: string): void {
    const [npi, , , , , , codes, city, state, postalCode] = columns;
    const owner = this.count;
    this.firstOther.push(this.otherOwners.length);
    this.npis.push(npi - LOWEST_NPI);
    this.codesOf.push(this.codes.numberOf(codes));
    this.stateOf.push(this.states.numberOf(state ?? ''));
    this.cityOf.push(this.cityNumber(city ?? ''));
    this.postalOf.push(this.postals.numberOf(postalCode ?? ''));
    this.firstOf.push(this.firsts.numberOf(firstKey));
    for (const { key, kind } of names) {
      const name = this.names.numberOf(key);
      if (kind === KIND.whole) {
        this.surnameOf.push(name);
        continue;
      }
      this.otherOwners.push(owner);
      this.otherNames.push(name);
      this.otherKinds.push(kind);
    }
    this.digestOf.push(digestOf(digestedText(digested, names)));
  }

  /** Returns the numbers of a clinician's other names. */
  othersOf(clinician: number): number[] {
    const from = this.firstOther.at(clinician);
    const to = clinician + 1 < this.count ? this.firstOther.at(clinician + 1) : this.otherOwners.length;
    return Array.from({ length: to - from }, (_, index) => from + index);
  }
}

/** Returns what the digest of a clinician is of. `record`: the public record. */
export function digestedText(record: string, names: readonly NameKey[]): string {
  let text = record;
  for (const { key, kind } of names) if (kind !== KIND.whole) text += `\n${kind}${key}`;
  return text;
}

/** Returns 48 bits of a digest that tells two versions of a clinician apart. */
export function digestOf(text: string): number {
  return Number(Bun.hash.wyhash(text, 0n) & DIGEST);
}

function interned(): Interned {
  const texts = new Interned();
  texts.numberOf('');
  return texts;
}
