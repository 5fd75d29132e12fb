import { expect, test } from 'bun:test';
import { HistoryStore } from '../../../../../src/tools/monitor/history/store.ts';
import { agentOf } from '../../../../support/evidence-entries.ts';

const headOf = (fill: number) => new Uint8Array(32).fill(fill);

test('heads are found after they were written to make room for others', () => {
  const store = HistoryStore.temporary({ headsMax: 2 });
  const expected = new Map<number, number>();
  for (const [at, agent] of [1, 2, 3, 1, 4, 5, 5, 2, 1].entries()) {
    store.setHead(agentOf(agent), { count: at + 1, head: headOf(at) });
    expected.set(agent, at);
    for (const [known, last] of expected)
      expect(store.headOf(agentOf(known))).toEqual({ count: last + 1, head: headOf(last) });
  }
  expect(store.headOf(agentOf(6))).toBeNull();
  store.close();
});

test('heads that were written to make room are forgotten by a rollback', () => {
  const store = HistoryStore.temporary({ headsMax: 2 });
  store.setHead(agentOf(1), { count: 1, head: headOf(1) });
  store.commit('evidence', { size: 1, root: headOf(9) });
  for (const agent of [1, 2, 3, 4]) store.setHead(agentOf(agent), { count: 7, head: headOf(7) });
  store.rollback();
  expect(store.headOf(agentOf(1))).toEqual({ count: 1, head: headOf(1) });
  for (const agent of [2, 3, 4]) expect(store.headOf(agentOf(agent))).toBeNull();
  store.close();
});
