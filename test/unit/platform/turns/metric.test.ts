import { expect, test } from 'bun:test';
import { waitingMetric } from '../../../../src/platform/turns/metric.ts';
import { Turns } from '../../../../src/platform/turns/turns.ts';

test('the metric of waiting requests counts those that have not begun', async () => {
  let time = 0;
  const turns = new Turns({ now: () => (time += 1000), later: () => undefined });
  const { read } = waitingMetric(turns);
  const arrive = (id: string) => turns.arrived({ id, key: '', isFree: false }, 0);
  arrive('one');
  expect(await read()).toEqual([{ labels: {}, value: 0 }]);
  arrive('one');
  arrive('another');
  expect(await read()).toEqual([{ labels: {}, value: 2 }]);
});
