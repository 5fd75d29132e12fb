import { expect, test } from 'bun:test';
import { SLASHED_TRANCHES } from '../../../../db/trust/slashing-enums.ts';
import { newestOverride } from '../../../../src/trust/ledger/credits/store.ts';
import { movementsOf } from '../../../../src/trust/ledger/journal-store.ts';
import {
  accountState,
  agentAccounts,
  availableByCommitment,
  lockedState,
} from '../../../../src/trust/ledger/posting-store.ts';
import {
  agentCreditOf,
  balancesOf,
  newestMovementSeq,
  openingsOf,
} from '../../../../src/trust/ledger/store.ts';
import { centsTakenFor, slashesOf } from '../../../../src/trust/receipts/slashing/store.ts';
import { sqlPlan } from '../../../support/sql-plan.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

test('every query of the ledger, of tiers and of slashing reads a range of an index, and none scans or sorts', async () => {
  const app = await openTrustApp();
  const entries = { operatorSeq: 1, tranches: SLASHED_TRANCHES, before: undefined, limit: 50 };
  const plans = await app.service.trust.store.read((snapshot) =>
    sqlPlan(snapshot, async (asked) => {
      await accountState(asked, { kind: 'agent', ownerSeq: 1 });
      await agentAccounts(asked, 1);
      await availableByCommitment(asked, 'ab'.repeat(32));
      await newestMovementSeq(asked);
      await balancesOf(asked, { kind: 'pool', ownerSeq: 1 });
      await agentCreditOf(asked, 1);
      const filter = { kind: null, asset: null, reference: null, from: 0, to: 1000 };
      for (const kind of ['agent', 'pool'] as const)
        for (const before of [100, null])
          await movementsOf(asked, { kind, ownerSeq: 1 }, filter, { before, limit: 50, most: 2000 });
      await openingsOf(asked, { kind: 'pool', ownerSeq: 1 });
      await lockedState(asked, 1);
      await newestOverride(asked, 1);
      await slashesOf(asked, entries);
      await centsTakenFor(asked, 1);
    }),
  );
  // The list of an agent's movements is made row by row, then looked up.
  const own = /SCAN (?:list|CONSTANT ROW)/;
  expect(plans.filter((step) => /TEMP B-TREE|^SCAN/.test(step) && !own.test(step))).toEqual([]);
  for (const index of ['access_override_by_agent', 'slash_by_operator'])
    expect(plans.some((step) => step.includes(index))).toBe(true);
  await app.close();
});
