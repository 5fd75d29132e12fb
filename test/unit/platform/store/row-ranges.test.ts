import { expect, test } from 'bun:test';
import { type RowRange, readInRanges } from '../../../../src/platform/store/row-ranges.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

test('a table is read in ranges that do not overlap, and other work is done between them', async () => {
  const { service, close } = await openTrustApp();
  const { store } = service.trust;
  const turns: string[] = [];
  const ranges = await readInRanges(store, 25, 10, async (_, range): Promise<RowRange[]> => {
    turns.push('range');
    setImmediate(() => turns.push('other'));
    return [range];
  });
  expect(ranges).toEqual([
    { after: 0, through: 10 },
    { after: 10, through: 20 },
    { after: 20, through: 25 },
  ]);
  expect(turns).toEqual(['range', 'other', 'range', 'other', 'range']);
  expect(await readInRanges(store, 0, 10, async () => ['none'])).toEqual([]);
  await close();
});
