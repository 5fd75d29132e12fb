import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setHeld } from '../../../../../src/trust/payments/payouts/store.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { restoreProblems } from '../../../../../src/trust/service/restore-checks.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { payoutOf, queuePayout } from '../../../../support/payouts.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

test('a restore says how many withdrawals wait for a decision, because they may have been paid since the backup', async () => {
  const data = join(mkdtempSync(join(tmpdir(), 'countersign-restored-')), 'data');
  const app = await openTrustApp({}, null, data);
  const agent = await creditedAgent(app, { credits: { paid: 1000 } });
  const [first] = [await queuePayout(app, agent), await queuePayout(app, agent)];
  const { payout } = await payoutOf(app, first);
  await app.service.trust.store.writeAsService((tx) =>
    setHeld(tx, { payoutSeq: payout.payoutSeq, held: 'restored', updatedAt: payout.updatedAt }),
  );
  await app.close();
  expect(await restoreProblems(data, trustDatabase)).toEqual([
    {
      what: expect.stringMatching(
        /^1 withdrawal was not paid yet in the backup, and may have been paid since/,
      ),
      hint: expect.stringContaining('countersign payouts list'),
      next: `countersign payouts list --data ${data}`,
    },
  ]);
  rmSync(data, { recursive: true });
});
