import { expect, test } from 'bun:test';
import { ESCROW_STATUSES, ESCROW_STEPS } from '../../../../../db/trust/escrow-enums.ts';
import {
  creditReturnsAfter,
  returningAgent,
} from '../../../../../src/trust/hires/escrow/credit-return-store.ts';
import {
  escrowOfStep,
  firstStep,
  sponsoredAgentsAfter,
} from '../../../../../src/trust/hires/escrow/step-store.ts';
import {
  allEscrowBefore,
  dueEscrow,
  escrowByTask,
  escrowOfAgentBefore,
  undatedEscrow,
} from '../../../../../src/trust/hires/escrow/store.ts';
import { openMarket } from '../../../../support/engagements.ts';
import { sqlPlan } from '../../../../support/sql-plan.ts';

test('every query of escrow reads a range of an index, and none scans or sorts', async () => {
  const { app } = await openMarket();
  const both = { roles: ['hirer', 'worker'], statuses: ESCROW_STATUSES } as const;
  const start = { due: -1, escrowSeq: 0 };
  const plans = await app.service.trust.store.read((snapshot) =>
    sqlPlan(snapshot, async (asked) => {
      await escrowByTask(asked, 'task');
      await dueEscrow(asked, 'HELD', 1, start, 100);
      await dueEscrow(asked, 'DELIVERED', 1, start, 100);
      await undatedEscrow(asked, 100);
      await allEscrowBefore(asked, { before: 100, limit: 50 });
      await escrowOfAgentBefore(asked, 1, both, 100, 50);
      for (const step of ESCROW_STEPS) {
        await firstStep(asked, { step, until: 1, afterBegan: -1, afterSeq: 0 });
        await escrowOfStep(asked, step, { agentSeq: 1, after: 0, limit: 100 });
      }
      await sponsoredAgentsAfter(asked, { sponsorSeq: 1, after: 0, limit: 100 });
      await creditReturnsAfter(asked, { after: 0, limit: 100 });
      await returningAgent(asked, 1);
    }),
  );
  expect(plans.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
  expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  for (const index of [
    'escrow_by_due',
    'escrow_by_accept_by',
    'escrow_by_hirer',
    'escrow_by_worker',
    'escrow_step_by_begin',
  ])
    expect(plans.some((step) => step.includes(index))).toBe(true);
  await app.close();
});
