import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  FairScheduler,
  type ReceiverQueue,
} from '../../../../../src/trust/webhooks/delivery/fair-scheduler.ts';

interface Own extends ReceiverQueue {
  name: string;
  waiting: number;
}

function lines(turns: FairScheduler<Own>, count: number, more: Partial<Own> = {}): Own[] {
  return Array.from({ length: count }, (_, index) => {
    const receiver: Own = {
      name: `${index}`,
      operatorSeq: index,
      waiting: 100,
      running: 0,
      slow: false,
      ...more,
    };
    turns.update(receiver);
    return receiver;
  });
}

/** Begins all that may begin. */
function begun(turns: FairScheduler<Own>): { receiver: Own; over: () => void }[] {
  const all: { receiver: Own; over: () => void }[] = [];
  for (let turn = turns.next(); turn !== null; turn = turns.next()) {
    turn.receiver.waiting -= 1;
    all.push({ receiver: turn.receiver, over: turn.begin() });
  }
  return all;
}

test('one receiver has four concurrent attempts, one operator eight, all quick ones sixteen', () => {
  const alone = new FairScheduler<Own>();
  lines(alone, 1);
  expect(begun(alone)).toHaveLength(4);
  const ofOne = new FairScheduler<Own>();
  lines(ofOne, 9, { operatorSeq: 7 });
  expect(begun(ofOne)).toHaveLength(8);
  const many = new FairScheduler<Own>();
  lines(many, 100);
  expect(begun(many)).toHaveLength(16);
});

test('slow receivers have separate slots: two, four, and sixteen in all', () => {
  const alone = new FairScheduler<Own>();
  lines(alone, 1, { slow: true });
  expect(begun(alone)).toHaveLength(2);
  const ofOne = new FairScheduler<Own>();
  lines(ofOne, 9, { operatorSeq: 7, slow: true });
  expect(begun(ofOne)).toHaveLength(4);
  const many = new FairScheduler<Own>();
  lines(many, 100, { slow: true });
  expect(begun(many)).toHaveLength(16);
  const [quick] = lines(many, 1, { operatorSeq: 1000 });
  expect(begun(many).map(({ receiver }) => receiver)).toEqual(
    quick === undefined ? [] : [quick, quick, quick, quick],
  );
});

test('a receiver that turns out to be slow frees its slot', () => {
  const turns = new FairScheduler<Own>();
  const [dead] = lines(turns, 1, { name: 'dead' });
  const first = begun(turns);
  for (const { receiver, over } of first) {
    receiver.slow = true;
    over();
  }
  expect(begun(turns).map(({ receiver }) => receiver)).toEqual(dead === undefined ? [] : [dead, dead]);
  expect(dead?.running).toBe(2);
});

test('operators take turns, and the receivers of each', () => {
  const turns = new FairScheduler<Own>();
  const flood = lines(turns, 50, { operatorSeq: 1, name: 'flood' });
  lines(turns, 1, { operatorSeq: 2, name: 'single' });
  const names = begun(turns).map(({ receiver }) => receiver.name);
  expect(names.slice(0, 4)).toEqual(['flood', 'single', 'flood', 'single']);
  expect(flood.every(({ running }) => running <= 1)).toBe(true);
});

test('what waits no more has no turn', () => {
  const turns = new FairScheduler<Own>();
  const [receiver] = lines(turns, 1);
  if (receiver !== undefined) {
    receiver.waiting = 0;
    turns.update(receiver);
  }
  expect(turns.next()).toBeNull();
});

test('for any sequence of events the bounds hold, and finally every delivery was attempted', () => {
  const step = fc.oneof(
    fc.record({ add: fc.nat(11), count: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ end: fc.nat(), slow: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const turns = new FairScheduler<Own>();
      const all = Array.from(
        { length: 12 },
        (_, index): Own => ({
          name: `${index}`,
          operatorSeq: index % 5,
          waiting: 0,
          running: 0,
          slow: false,
        }),
      );
      const running: { receiver: Own; over: () => void }[] = [];
      let added = 0;
      let ended = 0;
      const end = (index: number, slow: boolean): void => {
        const [one] = running.splice(index % running.length, 1);
        if (one === undefined) return;
        one.receiver.slow = slow;
        one.over();
        ended += 1;
      };
      for (const one of steps) {
        if ('add' in one) {
          const receiver = all[one.add];
          if (receiver === undefined) continue;
          receiver.waiting += one.count;
          added += one.count;
          turns.update(receiver);
        } else if (running.length > 0) end(one.end, one.slow);
        running.push(...begun(turns));
        expect(running.length).toBeLessThanOrEqual(32);
        for (const receiver of all) {
          expect(receiver.running).toBe(running.filter((other) => other.receiver === receiver).length);
          expect(receiver.running).toBeLessThanOrEqual(4);
        }
      }
      while (running.length > 0) {
        end(0, false);
        running.push(...begun(turns));
      }
      expect(ended).toBe(added);
    }),
    { numRuns: 300 },
  );
});
