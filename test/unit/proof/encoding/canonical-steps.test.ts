import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CanonicalJsonError, canonicalJson } from '../../../../src/proof/encoding/canonical-json.ts';
import {
  canonicalJsonSteps,
  jsonPieceSteps,
  jsonTextSteps,
} from '../../../../src/proof/encoding/canonical-steps.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../../../src/proof/encoding/json.ts';
import { inOneGo, type Steps } from '../../../../src/proof/encoding/steps.ts';

function stepsOf(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count++;
  return count;
}

/** Values in which lists and objects repeat until they are too heavy for one step. */
const heavy = fc
  .tuple(fc.jsonValue({ depthSize: 'large' }), fc.integer({ min: 1, max: 1500 }))
  .map(([value, count]) => {
    const json = JSON.stringify(value);
    const members = Array.from({ length: count }, (_, index) => `"n${(index * 7919) % count}é":${json}`);
    return parseJson(`[${json},{"z":{${members.join(',')}},"a":[${Array(count).fill(json).join(',')}]}]`, {
      integers: 'nearest',
    });
  });

describe('Canonical JSON in steps', () => {
  test('is the same text as in one go', () => {
    fc.assert(
      fc.property(fc.oneof(heavy, fc.jsonValue()), (json) => {
        const value = parseJson(JSON.stringify(json), { integers: 'nearest' });
        expect(inOneGo(canonicalJsonSteps(value))).toBe(canonicalJson(value));
        expect(inOneGo(jsonTextSteps(value))).toBe(JSON.stringify(value));
      }),
      { numRuns: 60 },
    );
  });

  test('leaves out what is undefined, as JSON.stringify does', () => {
    const parsed = parseJson(`{"z":[${'1,'.repeat(2000)}1],"a":1,"y":2}`);
    const value: JsonValue = Object.assign(parsed ?? {}, { a: undefined });
    expect(inOneGo(jsonTextSteps(value))).toBe(JSON.stringify(value));
    expect(inOneGo(jsonPieceSteps(value)).join('')).toBe(JSON.stringify(value));
    expect(() => inOneGo(canonicalJsonSteps(value))).toThrow(CanonicalJsonError);
  });

  test('sorts many names by UTF-16 code units', () => {
    const names = Array.from({ length: 5000 }, (_, index) =>
      `${1000 + ((index * 2654435761) % 5000)}\u{1f600}\uff61`.slice(index % 3),
    );
    const value = Object.fromEntries(names.map((name, index) => [name, index]));
    const text = inOneGo(canonicalJsonSteps(value));
    expect(text).toBe(canonicalJson(value));
    expect(stepsOf(canonicalJsonSteps(value))).toBeGreaterThan(10);
  });

  test('takes many steps for many items, wherever they are', () => {
    const items: JsonValue = Array.from({ length: 20_000 }, (_, index) => ({ b: index, a: [] }));
    for (const value of [items, { nested: [[items]] }]) {
      expect(inOneGo(canonicalJsonSteps(value))).toBe(canonicalJson(value));
      expect(stepsOf(canonicalJsonSteps(value))).toBeGreaterThan(30);
    }
  });

  test('refuses what has no canonical form, in small and in large values', () => {
    const many: JsonValue[] = Array(5000).fill(1);
    for (const broken of ['\ud800', Number.NaN, { '\udc00': 1 }]) {
      for (const value of [broken, [...many, broken], { many, broken }]) {
        expect(() => inOneGo(canonicalJsonSteps(value))).toThrow(CanonicalJsonError);
      }
    }
  });

  test('refuses a large value that is nested too deeply', () => {
    let value: JsonValue = Array(5000).fill(1);
    for (let level = 0; level < 1100; level++) value = [value];
    expect(() => inOneGo(canonicalJsonSteps(value))).toThrow('nested more than 1024 levels deep');
  });

  test('keeps a member with the name __proto__', () => {
    const value = parseJson(`{"z":[${'1,'.repeat(2000)}1],"__proto__":{"a":1}}`);
    expect(isJsonObject(value)).toBe(true);
    expect(inOneGo(canonicalJsonSteps(value))).toStartWith('{"__proto__":{"a":1},"z":[1');
  });
});
