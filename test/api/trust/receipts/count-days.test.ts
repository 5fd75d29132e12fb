import { afterAll, beforeAll, expect, test } from 'bun:test';
import { operatorById } from '../../../../src/trust/operators/status.ts';
import { countIssuedIn } from '../../../../src/trust/receipts/count-days.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const DAY = 86_400_000;
const START = Date.parse('2030-01-01T00:00:00Z');
const STARTS = [0, 1, 2, 3].map((day) => START + day * DAY);

let app: TrustApp;
let operatorSeq: number;
beforeAll(async () => {
  const time = new VirtualTime(START);
  app = await openTrustApp({}, time);
  for (const [day, count] of [3, 0, 2, 1].entries()) {
    time.advance(START + day * DAY - time.now());
    for (let made = 0; made < count; made++) await app.own.issue();
    await app.other.issue();
  }
  const { trust, firstStart } = app.service;
  operatorSeq =
    (await trust.store.read((snapshot) => operatorById(snapshot, firstStart.operatorId)))?.operatorSeq ?? 0;
});
afterAll(() => app.close());

test.each<[string, number | undefined, (number | null)[]]>([
  ['counts those of each day', undefined, [3, 0, 2, 1]],
  ['counts all up to the limit', 6, [3, 0, 2, 1]],
  ['counts the newest days first', 5, [null, 0, 2, 1]],
  ['leaves out a day that is over the limit, and all before it', 2, [null, null, null, 1]],
  ['counts none with a limit of 0', 0, [null, null, null, null]],
])('the count of receipts of days %s', async (_name, most, counts) => {
  const { store } = app.service.trust;
  const read = store.read((snapshot) => countIssuedIn(snapshot, operatorSeq, STARTS, START + 4 * DAY, most));
  expect(await read).toEqual(counts);
});
