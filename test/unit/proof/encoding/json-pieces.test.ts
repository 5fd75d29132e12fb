import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonError, type JsonLimits, parseJson } from '../../../../src/proof/encoding/json.ts';
import { parseJsonSteps } from '../../../../src/proof/encoding/json-pieces.ts';
import { JsonScanner } from '../../../../src/proof/encoding/json-scanner.ts';
import { inOneGo } from '../../../../src/proof/encoding/steps.ts';

function outcome(parse: () => unknown): unknown {
  try {
    // As text, because toEqual does not compare the order of members.
    return JSON.stringify(parse());
  } catch (error) {
    if (error instanceof JsonError) return error.reason;
    throw error;
  }
}

/** Expects the same value or reason in pieces of any length. */
function expectSame(text: string, limits?: JsonLimits): void {
  const expected = outcome(() => parseJson(text, limits));
  for (const piece of [1, 7, 40]) {
    const found = outcome(() => inOneGo(parseJsonSteps(text, limits, piece)));
    expect([text, piece, found]).toEqual([text, piece, expected]);
  }
}

function stepsOf(text: string): number {
  let count = 0;
  const steps = parseJsonSteps(text);
  while (steps.next().done !== true) count++;
  return count;
}

const name = fc.constantFrom('a', 'b', 'long name', '__proto__', '7', '10', '\\"', ',', ']', '{"');
const { tree: value } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    fc.constantFrom(null, true, 0, -1.5, 1e21, '', 'x', 'a "quoted" \\ text, [with] {all}', {}, []),
    fc.array(tie('tree'), { maxLength: 6 }),
    fc.array(fc.tuple(name, tie('tree')), { maxLength: 6 }).map((members) => {
      const object: Record<string, unknown> = {};
      for (const [key, member] of members) {
        Object.defineProperty(object, key, {
          value: member,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return object;
    }),
  ),
}));
const text = fc.tuple(value, fc.constantFrom(0, 1)).map(([of, indent]) => JSON.stringify(of, null, indent));

describe('JSON in pieces', () => {
  test('has the value of the whole text', () => {
    fc.assert(
      fc.property(text, (json) => expectSame(json)),
      { numRuns: 300 },
    );
  });

  test('is refused for the same reasons after any change', () => {
    const change = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'[]{},:"\\ 1-', '"a":', '9'.repeat(17)));
    fc.assert(
      fc.property(text, fc.array(change, { maxLength: 3 }), (json, changes) => {
        let changed = json;
        for (const [at, removed, added] of changes) {
          const index = at % (changed.length + 1);
          changed = changed.slice(0, index) + added + changed.slice(index + removed);
        }
        expectSame(changed);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    '[1,2,3,]',
    '[1,2,,3]',
    '[,1,2]',
    '{"a":1,"b":2,}',
    '[[1,2,3] [4,5,6]]',
    '[[1,2,3],[4,5,6]',
    '[[1,2,3]]]',
    '[1,2,3][4,5,6]',
    '[1,2,3] x',
    'x [1,2,3]',
    '{"a":5[1,2,3]}',
    '{"a" [1,2,3]}',
    '{[1,2,3]:1}',
    '[1,"a":[1,2,3]]',
    '[1,2,3}',
    '{"a":[1,2,3}]',
    '[\u00a0[1,2,3]]',
  ])('%s is refused', (json) => {
    expect(outcome(() => parseJson(json))).toBe('invalid');
    expectSame(json);
  });

  test.each([
    ['{"a":1,"b":[1,2,3],"a":2}', {}],
    ['{"b":{"a":1,"c":3,"a":2},"c":1}', {}],
    ['[[[[1]]]]', { maxDepth: 3 }],
    ['[1,2,3,4,5]', { maxItems: 4 }],
    ['[1,9007199254740993]', {}],
    ['[1,9007199254740993]', { integers: 'nearest' }],
  ] as const)('%s with the limits %j', (json, limits) => {
    expectSame(json, limits);
  });

  test('takes many steps for many members, wherever they are', () => {
    const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name${index}`, index]));
    for (const document of [members, [[[members]]], { a: 1, nested: { members, z: [] } }]) {
      const json = JSON.stringify(document);
      expect(JSON.stringify(inOneGo(parseJsonSteps(json)))).toBe(json);
      expect(stepsOf(json)).toBeGreaterThan(30);
    }
  });

  test('takes many steps for a long string', () => {
    const json = JSON.stringify({ a: 'x "quoted"'.repeat(50_000) });
    expect(JSON.stringify(inOneGo(parseJsonSteps(json)))).toBe(json);
    expect(stepsOf(json)).toBeGreaterThan(10);
  });

  test('a scan that is interrupted anywhere finds the same', () => {
    const scan = (json: string, step: number) => {
      const scanner = new JsonScanner(json, { maxDepth: 5, maxItems: 40 });
      for (let end = step; !scanner.scan(end); ) end += step;
      return scanner.members;
    };
    const count = (run: () => number) => {
      try {
        return run();
      } catch (error) {
        return error instanceof JsonError ? error.reason : error;
      }
    };
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (json, step) => {
        expect(count(() => scan(json, step))).toEqual(count(() => scan(json, json.length + 1)));
      }),
      { numRuns: 500 },
    );
  });
});
