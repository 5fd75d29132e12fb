import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { FinalizedReceipts, finalizedTableIn } from '../../../../../src/tools/monitor/history/finalized.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-finalized-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

function opened(batchMax?: number, path = ':memory:') {
  const sqlite = new Database(path, { strict: true });
  sqlite.run(finalizedTableIn('main'));
  return { sqlite, finalized: new FinalizedReceipts(sqlite, batchMax) };
}

/** Adds receipts as entries from an index on. @returns which entries repeat which, as `later: first` */
function add(finalized: FinalizedReceipts, ids: readonly string[], from = 0): string[] {
  const repeated: string[] = [];
  const write = (): void => {
    for (const { receiptId, index, firstIndex } of finalized.write()) {
      expect(receiptId).toBe(ids[index - from] ?? '');
      repeated.push(`${index}: ${firstIndex}`);
    }
  };
  for (const [at, id] of ids.entries()) {
    finalized.add(id, from + at, at % 2 ** 23);
    if (finalized.isFull) write();
  }
  write();
  return repeated;
}

/** What `add` returns, by a map. */
function expectedOf(ids: readonly string[]): string[] {
  const first = new Map<string, number>();
  return ids.flatMap((id, index) => {
    const before = first.get(id);
    if (before !== undefined) return [`${index}: ${before}`];
    first.set(id, index);
    return [];
  });
}

const idOf = (hex: string): string => `rcpt_${hex}`;
const randomIds = (count: number): string[] =>
  Array.from({ length: count }, () =>
    idOf(Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')),
  );

describe('finalized receipts', () => {
  test('are the same by every digit of their ids', () => {
    const base = '0123456789abcdef'.repeat(2);
    const others = Array.from({ length: 32 }, (_, at) => {
      const digit = base[at] === 'f' ? 'e' : 'f';
      return idOf(`${base.slice(0, at)}${digit}${base.slice(at + 1)}`);
    });
    const ids = [idOf(base), ...others];
    const { finalized } = opened();
    expect(add(finalized, ids)).toEqual([]);
    expect(add(finalized, ids, 33)).toEqual(ids.map((_, at) => `${33 + at}: ${at}`));
  });

  test('are found in any order, in one batch or in several, as often as they are repeated', () => {
    // Few different ids, some of which differ only after the bits that sort a batch.
    const id = fc
      .integer({ min: 0, max: 60 })
      .map((n) => idOf(`${n % 3}`.padEnd(16, '0') + `${n}`.padStart(16, '0')));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 200 }), fc.integer({ min: 1, max: 90 }), (ids, batchMax) => {
        const { sqlite, finalized } = opened(batchMax);
        expect(add(finalized, ids)).toEqual(expectedOf(ids));
        sqlite.close();
      }),
      { numRuns: 200 },
    );
  });

  test('are found in a batch of the largest size, at its beginning and its end', () => {
    const ids = randomIds(2 ** 18 - 2);
    const [first = '', second = ''] = ids;
    const last = ids.at(-1) ?? '';
    const { finalized } = opened();
    expect(add(finalized, [...ids, second, first])).toEqual([`${2 ** 18 - 2}: 1`, `${2 ** 18 - 1}: 0`]);
    expect(add(finalized, [last], 2 ** 18)).toEqual([`${2 ** 18}: ${2 ** 18 - 3}`]);
  });

  test('that were forgotten do not count', () => {
    const { finalized } = opened();
    const [id = ''] = randomIds(1);
    finalized.add(id, 0, 0);
    finalized.forget();
    expect([finalized.pending, add(finalized, [id, id])]).toEqual([0, ['1: 0']]);
  });

  const uuidV7 = (count: number): string[] =>
    randomIds(count).map((id, at) => {
      // Finalized some time after they were issued, so that they are not quite in order.
      const time = 1_780_000_000_000 + 20 * at - ((at * 7919) % 60_000);
      return idOf(`${time.toString(16).padStart(12, '0')}7${id.slice(18)}`);
    });
  test.each<[string, (count: number) => string[]]>([
    ['in the order of their issue', uuidV7],
    ['in random order', randomIds],
  ])('take at most 32 bytes each, %s', (name, idsOf) => {
    const path = join(scratch, `${name}.db`);
    const { sqlite, finalized } = opened(2 ** 15, path);
    const count = 2 ** 17;
    sqlite.run('BEGIN');
    expect(add(finalized, idsOf(count))).toEqual([]);
    sqlite.run('COMMIT');
    sqlite.close();
    expect(statSync(path).size / count).toBeLessThan(32);
  });
});
