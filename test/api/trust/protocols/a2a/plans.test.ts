import { expect, test } from 'bun:test';
import {
  taskByClientId,
  taskById,
  taskByRepetition,
  writtenOf,
} from '../../../../../src/trust/protocols/a2a/store.ts';
import { sqlPlan } from '../../../../support/sql-plan.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

test('every query of a task reads a range of an index, and none scans or sorts', async () => {
  const app = await openTrustApp();
  const plans = await app.service.trust.store.read((snapshot) =>
    sqlPlan(snapshot, async (asked) => {
      await taskById(asked, `a2a_${'0'.repeat(32)}`);
      await taskByClientId(asked, { operatorSeq: 1, clientId: 'mine' });
      await taskByRepetition(asked, { repetition: '00'.repeat(32), after: 0 });
      await writtenOf(asked, { taskSeq: 1, artifacts: 1 }, { limit: 10, withArtifacts: true });
    }),
  );
  expect(plans.filter((step) => /TEMP B-TREE|^SCAN/.test(step))).toEqual([]);
  await app.close();
});
