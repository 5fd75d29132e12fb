import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TASK_STATES, type TaskState } from '../../../../../db/trust/a2a-enums.ts';
import {
  countTasks,
  type TaskFilter,
  type TaskPosition,
  tasksPage,
} from '../../../../../src/trust/protocols/a2a/list-store.ts';
import { taskById } from '../../../../../src/trust/protocols/a2a/store.ts';
import { a2aClient } from '../../../../support/a2a.ts';
import { sqlPlan } from '../../../../support/sql-plan.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

interface Row {
  operatorSeq: number;
  commitment: string | null;
  contextId: string;
  state: TaskState;
  updatedAt: number;
}

const ROWS = 500;
const AGENTS = ['11'.repeat(32), '22'.repeat(32)];
const CONTEXTS = ['one', 'two'];
/** Far fewer than rows, so that many rows share each. */
const LAST_TIME = 12;

const row: fc.Arbitrary<Row> = fc.record({
  operatorSeq: fc.constantFrom(1, 1, 1, 2),
  commitment: fc.constantFrom(null, ...AGENTS),
  contextId: fc.constantFrom(...CONTEXTS),
  state: fc.constantFrom(...TASK_STATES),
  updatedAt: fc.integer({ min: 1, max: LAST_TIME }),
});

let app: TrustApp;
let rows: Row[];
beforeAll(async () => {
  app = await openTrustApp();
  rows = fc.sample(row, { numRuns: ROWS, seed: 7 });
  await insert(app, rows);
});
afterAll(() => app.close());

function insert({ service }: TrustApp, tasks: readonly Row[]): Promise<void> {
  return service.trust.store.writeAsService(({ connection: { sqlite } }) => {
    const statement = sqlite.query(`INSERT INTO a2a_task
      (task_id, operator_seq, commitment, context_id, state, created_at, updated_at)
      VALUES (randomblob(16), $operatorSeq, unhex($commitment), $contextId, $state, $updatedAt, $updatedAt)`);
    for (const task of tasks) statement.run({ ...task });
  });
}

const filter: fc.Arbitrary<TaskFilter> = fc.record(
  {
    operatorSeq: fc.constantFrom(1, 2, 3),
    commitment: fc.constantFrom(...AGENTS, '33'.repeat(32)),
    contextId: fc.constantFrom(...CONTEXTS, 'nobody'),
    states: fc.uniqueArray(fc.constantFrom(...TASK_STATES), { minLength: 1 }),
    since: fc.integer({ min: 0, max: LAST_TIME + 1 }),
  },
  { requiredKeys: ['operatorSeq'] },
);

/** What a list is, said plainly: the numbers of its tasks. */
function expected({ operatorSeq, commitment, contextId, states, since }: TaskFilter): TaskPosition[] {
  return rows
    .map((task, index) => ({ ...task, position: [task.updatedAt, index + 1] as const }))
    .filter(
      (task) =>
        task.operatorSeq === operatorSeq &&
        (commitment === undefined || task.commitment === commitment) &&
        (contextId === undefined || task.contextId === contextId) &&
        (states === undefined || states.includes(task.state)) &&
        (since === undefined || task.updatedAt >= since),
    )
    .map(({ position }) => position)
    .toSorted(([leftTime, leftSeq], [rightTime, rightSeq]) => rightTime - leftTime || rightSeq - leftSeq);
}

describe('a list of tasks', () => {
  test('has in its pages and its total what a scan of all tasks finds', async () => {
    const { store } = app.service.trust;
    const size = fc.integer({ min: 1, max: 101 });
    await fc.assert(
      fc.asyncProperty(filter, size, async (asked, limit) => {
        const listed: TaskPosition[] = [];
        let after: TaskPosition | undefined;
        do {
          const page = await store.read((snapshot) => tasksPage(snapshot, asked, after, limit));
          listed.push(...page.map(({ updatedAt, taskSeq }) => [updatedAt, taskSeq] as const));
          after = page.length < limit ? undefined : listed.at(-1);
        } while (after !== undefined);
        expect(listed).toEqual(expected(asked));
        const count = await store.read((snapshot) => countTasks(snapshot, asked, limit));
        expect(count).toBe(Math.min(listed.length, limit));
      }),
      { numRuns: 300 },
    );
  });

  test('returns a task as it is read alone', async () => {
    await app.service.trust.store.read(async (snapshot) => {
      for (const listed of await tasksPage(snapshot, { operatorSeq: 1 }, undefined, 20))
        expect(await taskById(snapshot, listed.taskId)).toEqual(listed);
    });
  });

  const shapes = (['none', 'one', 'several'] as const).flatMap((states) =>
    Array.from({ length: 8 }, (_, bits) => ({
      operatorSeq: 1,
      ...(bits & 1 ? { commitment: '11'.repeat(32) } : {}),
      ...(bits & 2 ? { contextId: 'one' } : {}),
      ...(bits & 4 ? { since: 1 } : {}),
      ...(states === 'none' ? {} : { states: TASK_STATES.slice(0, states === 'one' ? 1 : 3) }),
    })),
  );
  test.each(shapes.map((shape) => [Object.keys(shape).join(), shape] as const))(
    'with the filters %s reads one range of an index for each state',
    async (_, shape: TaskFilter) => {
      const plan = (ask: Parameters<typeof sqlPlan>[1]) =>
        app.service.trust.store.read((snapshot) => sqlPlan(snapshot, ask));
      const page = await plan((snapshot) => tasksPage(snapshot, shape, [9, 9], 50));
      const count = await plan((snapshot) => countTasks(snapshot, shape, 1001));
      const terms = [
        'operator_seq=?',
        ...(shape.commitment === undefined ? [] : ['commitment=?']),
        ...(shape.contextId === undefined ? [] : ['context_id=?']),
        'state=?',
        'updated_at>?',
      ].join(' AND ');
      for (const [steps, range] of [
        [page, `(${terms} AND updated_at<?)`],
        [count, `(${terms})`],
      ] as const) {
        const searches = steps.filter((step) => /a2a_task/.test(step) && !/\(rowid=\?\)/.test(step));
        expect(searches.length).toBe((shape.states ?? TASK_STATES).length);
        for (const step of searches) expect(step).toEndWith(range);
        expect(steps.filter((step) => /^SCAN (?!\(subquery)/.test(step))).toEqual([]);
      }
      expect(count.join()).not.toContain('TEMP B-TREE');
      // It sorts the rows of the page, which it looks up by their numbers.
      expect(page.filter((step) => step.includes('TEMP B-TREE')).length).toBe(1);
    },
  );

  test('counts 1,000 tasks exactly, and says 1,001 for more', async () => {
    const many = await openTrustApp();
    const me = a2aClient(many.fetch, 'http://localhost', many.apiKey);
    const task: Row = { operatorSeq: 1, commitment: null, contextId: 'one', state: 'rejected', updatedAt: 1 };
    const total = async () => (await me.result('ListTasks', { pageSize: 1, contextId: 'one' })).totalSize;
    await insert(
      many,
      Array.from({ length: 1000 }, () => task),
    );
    expect(await total()).toBe(1000);
    for (const _ of [1, 2]) {
      await insert(many, [task]);
      expect(await total()).toBe(1001);
    }
    await many.close();
  });
});
