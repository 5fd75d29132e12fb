import { expect, test } from 'bun:test';
import { Outcomes } from '../../../../../src/tools/capture/session/outcomes.ts';

test('outcomes wait for the next call, and are sent in order and once', () => {
  const sent: string[] = [];
  const outcomes = new Outcomes((id) => sent.push(id));
  outcomes.add('first');
  outcomes.add('second');
  expect(sent).toEqual([]);
  outcomes.sendAll();
  outcomes.sendAll();
  expect(sent).toEqual(['first', 'second']);
});

test('without another call, an outcome is sent soon', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  new Outcomes(resolve).add('last');
  expect(await promise).toBe('last');
});
