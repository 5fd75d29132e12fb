import { plainObject, requireShallow, writeString, writeValue } from './canonical-json.ts';
import type { JsonValue } from './json.ts';
import type { Steps } from './steps.ts';

/** The weight of what is written in one step: one for each member and element. */
const STEP = 500;
/** The characters that weigh as much as one member. */
const CHARACTERS = 64;
/** The names that are sorted in one step. */
const NAMES = 1024;

/** Writes canonical JSON like `canonicalJson`, in steps of about a millisecond. @throws CanonicalJsonError */
export function* canonicalJsonSteps(value: JsonValue): Steps<string> {
  return (yield* piecesOf(value, true)).join('');
}

/** Writes JSON like JSON.stringify, in such steps. */
export function* jsonTextSteps(value: JsonValue): Steps<string> {
  return (yield* piecesOf(value, false)).join('');
}

/** Does the same, but returns the pieces: to join a megabyte takes long. */
export function jsonPieceSteps(value: JsonValue): Steps<string[]> {
  return piecesOf(value, false);
}

function* piecesOf(value: JsonValue, isCanonical: boolean): Steps<string[]> {
  const writer = new Writer(isCanonical);
  yield* writer.write(value, 0, '');
  return writer.end();
}

/** Writes a value as pieces of text. The end of a piece is the end of a step. */
class Writer {
  private readonly pieces: string[] = [];
  /** The parts of the next piece. */
  private parts: string[] = [];
  private weight = 0;

  constructor(private readonly isCanonical: boolean) {}

  /** @param depth the containers around the value @param before the text between it and the value before */
  *write(value: JsonValue | undefined, depth: number, before: string): Steps<void> {
    const weight = weightOf(value);
    if (weight <= STEP || typeof value !== 'object' || value === null) {
      this.writeSmall(value, depth, before);
      if (this.isStep(weight)) yield;
      return;
    }
    requireShallow(depth + 1);
    if (Array.isArray(value)) {
      yield* this.writeItems(value, depth, `${before}[`);
      this.parts.push(']');
    } else {
      yield* this.writeMembers(plainObject(value), depth, `${before}{`);
      this.parts.push('}');
    }
  }

  /** Returns the pieces. */
  end(): string[] {
    this.endPiece();
    return this.pieces;
  }

  private *writeItems(items: readonly JsonValue[], depth: number, before: string): Steps<void> {
    let separator = before;
    for (const item of items) {
      // A generator for each of the many small items would take most of the time.
      const weight = weightOf(item);
      if (weight <= STEP) {
        this.writeSmall(item, depth + 1, separator);
        if (this.isStep(weight)) yield;
      } else yield* this.write(item, depth + 1, separator);
      separator = ',';
    }
  }

  private *writeMembers(members: { [name: string]: JsonValue }, depth: number, before: string): Steps<void> {
    const names = Object.keys(members);
    let separator = before;
    for (const name of this.isCanonical ? yield* sorted(names) : names) {
      const value = members[name];
      // JSON.stringify leaves it out; canonical JSON refuses it.
      if (value === undefined && !this.isCanonical) continue;
      const start = `${separator}${this.isCanonical ? writeString(name) : JSON.stringify(name)}:`;
      const weight = weightOf(value);
      if (weight <= STEP) {
        this.writeSmall(value, depth + 1, start);
        if (this.isStep(weight)) yield;
      } else yield* this.write(value, depth + 1, start);
      separator = ',';
    }
  }

  private writeSmall(value: JsonValue | undefined, depth: number, before: string): void {
    this.parts.push(before, this.isCanonical ? writeValue(value, depth) : JSON.stringify(value));
  }

  /** Adds to the weight of the piece. @returns whether this was the end of a step */
  private isStep(weight: number): boolean {
    this.weight += weight;
    if (this.weight < STEP) return false;
    this.endPiece();
    return true;
  }

  /** Joins the parts now: a text that is only linked together is copied at once when somebody reads it. */
  private endPiece(): void {
    this.pieces.push(this.parts.join(''));
    this.parts = [];
    this.weight = 0;
  }
}

/** Returns the weight of a value; for a heavy one, any number above STEP. */
function weightOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS;
  if (typeof value !== 'object' || value === null) return 1;
  const nested = Array.isArray(value) ? value : Object.values(value);
  let weight = 1 + nested.length;
  for (const item of nested) {
    if (weight > STEP) break;
    if (typeof item === 'string' || (typeof item === 'object' && item !== null)) weight += weightOf(item);
  }
  return weight;
}

/** Sorts names by UTF-16 code units: parts of them, then merges the parts. */
function* sorted(names: string[]): Steps<string[]> {
  let runs: string[][] = [];
  for (let start = 0; start < names.length; start += NAMES) {
    runs.push(names.slice(start, start + NAMES).sort());
    yield;
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(yield* merged(runs[index] ?? [], runs[index + 1] ?? []));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged(left: readonly string[], right: readonly string[]): Steps<string[]> {
  const names: string[] = [];
  let index = 0;
  for (const name of left) {
    for (let other = right[index]; other !== undefined && other < name; other = right[++index]) {
      names.push(other);
      if (names.length % NAMES === 0) yield;
    }
    names.push(name);
    if (names.length % NAMES === 0) yield;
  }
  for (; index < right.length; index++) names.push(right[index] ?? '');
  return names;
}
