import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Failure } from '../../../../../src/platform/failure.ts';
import { strictObject } from '../../../../../src/platform/http/schema.ts';
import { LABEL } from '../../../../../src/platform/test-service/seed/names.ts';
import { parseSeed } from '../../../../../src/platform/test-service/seed/read-seed.ts';
import { earliestTime, SeedTime, timeOf } from '../../../../../src/platform/test-service/seed/times.ts';
import { seedFile } from '../../../../../src/platform/test-service/settings.ts';

const Thing = strictObject({ count: Type.Optional(Type.Integer()), at: Type.Optional(SeedTime) });
const Schema = strictObject({
  things: Type.Optional(Type.Record(Type.String({ pattern: LABEL }), Thing, { additionalProperties: false })),
  list: Type.Optional(Type.Array(Thing)),
  note: Type.Optional(Type.String()),
});

/** Returns the message with which a text is refused, and fails if it is accepted. */
function refusalOf(text: string): string {
  try {
    parseSeed('seed.yaml', text, Schema);
  } catch (error) {
    if (error instanceof Failure && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error(`${text} is accepted`);
}

describe('a seed', () => {
  test('is YAML or JSON', () => {
    const expected = { things: { a: { count: 1 } }, note: 'yes' };
    const texts = [
      'things:\n  a: { count: 1 }\nnote: yes\n',
      '{"things": {"a": {"count": 1}}, "note": "yes"}',
      '{\n\t"things":\n\t\t{"a": {"count": 1}},\n\t"note": "y\\u0065s"\n}',
    ];
    for (const text of texts) expect(parseSeed('seed', text, Schema).content).toEqual(expected);
  });

  test('names file, line and place of every problem of its form', () => {
    expect(refusalOf('things:\n  a:\n    count: one\n  b: { size: 1 }\nlist:\n  - at: tomorrow\n')).toBe(
      [
        'seed.yaml:3: things.a.count must be integer',
        'seed.yaml:4: things.b.size is not a known field',
        'seed.yaml:6: list[0].at must be now, a distance such as -30d or +90m, or an RFC 3339 date-time',
      ].join('\n'),
    );
  });

  test('names the place of a later problem, and of an absent member what should contain it', () => {
    const { problemAt } = parseSeed('seed.yaml', 'note: x\nlist:\n  - count: 1\n  - count: 2\n', Schema);
    expect(problemAt(['list', 1, 'count'], 'is 2').message).toBe('seed.yaml:4: list[1].count is 2');
    expect(problemAt(['list', 1, 'at'], 'is absent').message).toBe('seed.yaml:4: list[1].at is absent');
    expect(problemAt([], 'is odd').message).toBe('seed.yaml:1: the seed is odd');
  });

  const refused: [string, string, string][] = [
    ['a name that appears twice', 'things: {}\nthings: {}', 'seed.yaml:2: a name appears twice in one place'],
    ['a name that appears twice in JSON', '{"note":"a","note":"b"}', 'a name appears twice in one place'],
    ['an alias', 'note: &n x\nthings: *n', 'seed.yaml:2: *n is an alias; write the value itself'],
    [
      'aliases of aliases',
      `a0: &a0 [x]\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(20)}]`).join('\n')}`,
      'is an alias',
    ],
    ['a merge', '<<: { note: x }', '<< is not a known field'],
    ['a tag', 'note: !!js/function x', 'a tag is not allowed'],
    ['several documents', 'note: x\n---\nnote: y', 'contains several documents'],
    ['an empty file', '# nothing\n', 'is empty'],
    ['null', 'null', 'the seed must be object'],
    ['a list', '[]', 'the seed must be object'],
    ['a name that is no text', '? [a]\n: b', 'a name must be text'],
    ['a prototype', 'things: { __proto__: { count: 1 } }', 'things.__proto__ is not a known field'],
    ['100,000 levels', '['.repeat(100_000), 'nested too deeply'],
    ['an incomplete list', 'list: [1', 'seed.yaml:1: '],
    ['an infinite number', 'list: [{ count: .inf }]', 'list[0].count must be integer'],
  ];
  test.each(refused)('with %s is refused', (_, text, message) => {
    expect(refusalOf(text)).toContain(message);
  });

  test('of more than 8 MiB is refused', () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-seed-'));
    try {
      const path = join(directory, 'seed.yaml');
      writeFileSync(path, `note: ${'x'.repeat(8 * 2 ** 20)}`);
      expect(() => seedFile(path)).toThrow('seed.yaml');
      expect(() => seedFile(join(directory, 'absent.yaml'))).toThrow('absent.yaml cannot be read');
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('a time of a seed', () => {
  const NOW = Date.parse('2026-01-01T00:00:00Z');
  const times: [string, string | null][] = [
    ['now', '2026-01-01T00:00:00.000Z'],
    ['-30d', '2025-12-02T00:00:00.000Z'],
    ['-1d12h', '2025-12-30T12:00:00.000Z'],
    ['+90m', '2026-01-01T01:30:00.000Z'],
    ['-5s', '2025-12-31T23:59:55.000Z'],
    ['2025-01-31T12:00:00Z', '2025-01-31T12:00:00.000Z'],
    ['-', null],
    ['-d', null],
    ['-1h1d', null],
    ['30d', null],
    ['-1.5d', null],
    ['-999999d', null],
    ['2025-02-30T12:00:00Z', null],
    ['2025-01-31', null],
    ['1969-12-31T23:59:59Z', null],
    ['-30000d', null],
  ];
  test.each(times)('%s is %s', (text, expected) => {
    const time = timeOf(text, NOW);
    expect(time === null ? null : new Date(time).toISOString()).toBe(expected);
  });

  test('that is the earliest is where the clock of the service begins', () => {
    const content = {
      things: { a: { at: '-2d' }, b: {} },
      list: [{ at: '-3d' }, { at: '+9d' }],
      note: '-9d',
    };
    expect(earliestTime(Schema, content, NOW)).toBe(NOW - 3 * 86_400_000);
    expect(earliestTime(Schema, {}, NOW)).toBe(NOW);
  });
});
