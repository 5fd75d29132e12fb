import { expect, test } from 'bun:test';
import { Queues } from '../../../../src/platform/delivery/queues.ts';

/** Begins every try that may begin now. @returns the endpoints, one for each try */
function beginAll(queues: Queues, next: () => number): string[] {
  const begun: string[] = [];
  for (let ready = queues.ready(0); ready !== null; ready = queues.ready(0)) {
    const { endpoint, free } = ready;
    for (let place = 0; place < free; place++) {
      queues.began(endpoint, next());
      begun.push(endpoint);
    }
  }
  return begun;
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}

test('any number of receivers that never respond take no slot of one that does', () => {
  const queues = new Queues();
  queues.answered('good', true);
  for (let hanging = 0; hanging < 60; hanging++) queues.due(`hanging ${hanging}`, 0);
  queues.due('good', 0);
  const begun = beginAll(queues, counter());
  expect(begun.filter((endpoint) => endpoint === 'good')).toHaveLength(2);
  expect(begun).toHaveLength(10);
});

test('a receiver that became slow frees its slots for others', () => {
  const queues = new Queues();
  const next = counter();
  for (const endpoint of ['a', 'b', 'c', 'd', 'e']) {
    queues.answered(endpoint, true);
    queues.due(endpoint, 0);
  }
  expect(beginAll(queues, next)).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']);
  for (const delivery of [1, 2]) {
    queues.answered('a', false);
    queues.ended('a', delivery, null);
  }
  queues.due('a', 0);
  // The one that waited takes the quick places, and the slow one has others.
  expect(beginAll(queues, next).sort()).toEqual(['a', 'a', 'e', 'e']);
});

test('slots return to their lane', () => {
  const queues = new Queues();
  const next = counter();
  for (let round = 0; round < 100; round++) {
    queues.due('one', 0);
    const begun = beginAll(queues, next);
    expect(begun).toEqual(['one', 'one']);
    queues.answered('one', round % 2 === 0);
    for (const delivery of [round * 2 + 1, round * 2 + 2]) queues.ended('one', delivery, null);
  }
  expect(queues.nextDue()).toBeNull();
});
