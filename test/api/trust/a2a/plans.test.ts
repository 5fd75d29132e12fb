import { expect, test } from 'bun:test';
import {
  countTasks,
  type TaskFilter,
  taskByClientId,
  taskById,
  taskByRepetition,
  tasksPage,
  writtenOf,
} from '../../../../src/trust/a2a/store.ts';
import { sqlPlan } from '../../../support/sql-plan.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

const FILTERS: Record<string, TaskFilter> = {
  a2a_task_by_operator: { operatorSeq: 1, since: 1 },
  a2a_task_by_state: { operatorSeq: 1, states: ['working'] },
  a2a_task_by_context: { operatorSeq: 1, contextId: 'context' },
  a2a_task_by_agent: { operatorSeq: 1, commitment: '00'.repeat(32) },
};

test('every query of tasks reads a range of an index, and none scans or sorts', async () => {
  const app = await openTrustApp();
  const { store } = app.service.trust;
  const plans = await store.read((snapshot) =>
    sqlPlan(snapshot, async (asked) => {
      await taskById(asked, `a2a_${'0'.repeat(32)}`);
      await taskByClientId(asked, 1, 'mine');
      await taskByRepetition(asked, '00'.repeat(32), 0);
      await writtenOf(asked, { taskSeq: 1, artifacts: 1 }, { limit: 10, withArtifacts: true });
    }),
  );
  expect(plans.filter((step) => /TEMP B-TREE|^SCAN/.test(step))).toEqual([]);
  for (const [index, filter] of Object.entries(FILTERS)) {
    const pages = await store.read((snapshot) =>
      sqlPlan(snapshot, async (asked) => {
        await tasksPage(asked, filter, undefined, 50);
        await tasksPage(asked, filter, [1, 1], 50);
        await countTasks(asked, filter, 10_000);
      }),
    );
    const steps = pages.filter((step) => step.includes('a2a_task') || step.includes('TEMP'));
    expect([index, steps.filter((step) => !step.includes(`INDEX ${index} (`))]).toEqual([index, []]);
  }
  await app.close();
});
