import { expect, test } from 'bun:test';
import { poolLevels } from '../../../../src/trust/ledger/pool-levels.ts';
import { operatorById } from '../../../../src/trust/operators/status.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { openTrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const HOUR = 3_600_000;

test('the credits of a pool at times are those after its movements, as far back as these are read', async () => {
  const time = new VirtualTime(Date.parse('2030-01-01T12:00:00Z'));
  const app = await openTrustApp({}, time);
  const { commitment } = await enrolledAgent(app);
  const { trust, firstStart } = app.service;
  const operator = await trust.store.read((snapshot) => operatorById(snapshot, firstStart.operatorId));
  if (operator === null) throw new Error('there is an operator');
  const start = time.now();
  const levels = (times: readonly number[]) =>
    trust.store.read((snapshot) => poolLevels(snapshot, operator, times));
  expect(await levels([start - HOUR, start])).toEqual([0, 1_000_000]);
  for (const amount of [100, 20, 3]) {
    time.advance(HOUR);
    const grant = { subject_commitment: commitment, amount };
    expect((await app.own.post('/api/v1/passport/credits/grants', grant)).status).toBe(201);
  }
  const times = [-1, 0, 0.5, 1, 2, 3, 9].map((hours) => start + hours * HOUR);
  expect(await levels(times)).toEqual([0, 1_000_000, 1_000_000, 999_900, 999_880, 999_877, 999_877]);
  const ofNewest = trust.store.read((snapshot) => poolLevels(snapshot, operator, times, 2));
  expect(await ofNewest).toEqual([null, null, null, null, 999_880, 999_877, 999_877]);
  await app.close();
});
