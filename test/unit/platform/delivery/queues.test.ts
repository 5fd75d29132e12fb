import { expect, test } from 'bun:test';
import { Queues } from '../../../../src/platform/delivery/queues.ts';

/** Starts every attempt that may start now. @returns the endpoints, one for each attempt */
function startAll(queues: Queues, next: () => number): string[] {
  const started: string[] = [];
  for (let ready = queues.ready(0); ready !== null; ready = queues.ready(0)) {
    const { endpoint, free } = ready;
    for (let slot = 0; slot < free; slot++) {
      queues.attemptStarted(endpoint, next());
      started.push(endpoint);
    }
  }
  return started;
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}

test('any number of receivers that never respond take no slot of one that does', () => {
  const queues = new Queues();
  queues.setQuick('good', true);
  for (let hanging = 0; hanging < 60; hanging++) queues.scheduleAt(`hanging ${hanging}`, 0);
  queues.scheduleAt('good', 0);
  const started = startAll(queues, counter());
  expect(started.filter((endpoint) => endpoint === 'good')).toHaveLength(2);
  expect(started).toHaveLength(10);
});

test('a receiver that became slow frees its slots for others', () => {
  const queues = new Queues();
  const next = counter();
  for (const endpoint of ['a', 'b', 'c', 'd', 'e']) {
    queues.setQuick(endpoint, true);
    queues.scheduleAt(endpoint, 0);
  }
  expect(startAll(queues, next)).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']);
  for (const delivery of [1, 2]) {
    queues.setQuick('a', false);
    queues.attemptEnded('a', delivery, null);
  }
  queues.scheduleAt('a', 0);
  // The one that waited takes the quick slots, and the slow one has others.
  expect(startAll(queues, next).sort()).toEqual(['a', 'a', 'e', 'e']);
});

test('slots return to their lane', () => {
  const queues = new Queues();
  const next = counter();
  for (let round = 0; round < 100; round++) {
    queues.scheduleAt('one', 0);
    const started = startAll(queues, next);
    expect(started).toEqual(['one', 'one']);
    queues.setQuick('one', round % 2 === 0);
    for (const delivery of [round * 2 + 1, round * 2 + 2]) queues.attemptEnded('one', delivery, null);
  }
  expect(queues.nextDue()).toBeNull();
});
