import { Database } from 'bun:sqlite';
import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { getClinician } from '../../../../src/staffing/clinicians/get.ts';
import { search } from '../../../../src/staffing/clinicians/search.ts';
import { currentRegistry } from '../../../../src/staffing/registry/current.ts';
import { RegistryHandle } from '../../../../src/staffing/registry/handle.ts';
import { npiCheckDigit } from '../../../../src/staffing/registry/vocabulary/npi.ts';
import { openTestRegistry, recordOf, refusalOf, type TestRegistry } from '../../../support/registry.ts';

/** NPIs in the order of the names that `damaged` gives their clinicians. */
const npiOf = (index: number): number => {
  const nine = String(200_000_000 + index);
  return Number(`${nine}${npiCheckDigit(nine)}`);
};

let served: TestRegistry | undefined;
afterEach(() => served?.close());

/**
 * A registry of so many clinicians, of whom some have rows that are no public records; and who is left out,
 * as it is reported.
 */
function damaged(count: number, isBad: (index: number) => boolean) {
  const name = (index: number) => `DOE${String(index).padStart(6, '0')}`;
  served = openTestRegistry(
    Array.from({ length: count }, (_, index) => recordOf({ npi: npiOf(index), lastName: name(index) })),
  );
  const file = new Database(join(served.directory, currentRegistry(served.directory) ?? ''));
  const spoil = file.query(
    `UPDATE entry SET tail = replace(tail, '"active"', '"active","age":44') WHERE npi = ?`,
  );
  for (let index = 0; index < count; index++) if (isBad(index)) spoil.run(npiOf(index));
  file.close();
  const reported: [number, boolean][] = [];
  const registry = new RegistryHandle(served.directory, (npi, isLast) => void reported.push([npi, isLast]));
  return { clinicians: { registry, cursors: served.cursors }, reported };
}

async function pagesOf(clinicians: Parameters<typeof search>[0], limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await search(clinicians, {
      limit: String(limit),
      ...(cursor === undefined ? {} : { cursor }),
    });
    pages.push(page.data.map(({ npi }) => npi));
    cursor = page.next_cursor;
  }
  return pages;
}

describe('a row of the registry that is not a public record', () => {
  test('is left out, and its page is filled up from behind it', async () => {
    const isBad = (index: number) => index % 3 === 1;
    const { clinicians } = damaged(40, isBad);
    const pages = await pagesOf(clinicians, 5);
    const good = Array.from({ length: 40 }, (_, index) => index).filter((index) => !isBad(index));
    expect(pages.flat()).toEqual(good.map((index) => String(npiOf(index))));
    expect(pages.slice(0, -1).every((page) => page.length === 5)).toBe(true);
    clinicians.registry.close();
  });

  test('is not found by its NPI', async () => {
    const { clinicians, reported } = damaged(2, (index) => index === 0);
    expect(await refusalOf(getClinician(clinicians, String(npiOf(0))))).toBe('NOT_FOUND');
    expect((await getClinician(clinicians, String(npiOf(1)))).npi).toBe(String(npiOf(1)));
    expect(reported).toEqual([[npiOf(0), false]]);
    clinicians.registry.close();
  });

  test('is reported once, and no more than ten of a file are', async () => {
    const { clinicians, reported } = damaged(30, (index) => index < 20);
    for (let asked = 0; asked < 3; asked++) {
      await search(clinicians, { limit: String(5 + asked) });
      await refusalOf(getClinician(clinicians, String(npiOf(asked))));
    }
    expect(reported).toEqual(Array.from({ length: 10 }, (_, index) => [npiOf(index), index === 9]));
    clinicians.registry.close();
  });

  test('among hundreds beside each other costs a page a bounded number of rows, and the cursor goes on', async () => {
    const { clinicians } = damaged(460, (index) => index >= 2 && index < 450);
    const pages = await pagesOf(clinicians, 10);
    expect(pages.flat().length).toBe(12);
    expect(pages.length).toBeLessThan(6);
    expect(pages[0]).toEqual([String(npiOf(0)), String(npiOf(1))]);
    clinicians.registry.close();
  });
});
