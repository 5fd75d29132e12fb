import { expect, test } from 'bun:test';
import { issueCredentialSkill } from '../../../../../src/trust/protocols/a2a/skills/issue-credential.ts';
import { fundPool } from '../../../../support/credits.ts';
import { openMarket } from '../../../../support/engagements.ts';
import { publishCheckpoints } from '../../../../support/published.ts';
import { doneWork } from '../../../../support/work.ts';

test('a metered credential is issued for an agent that works without a pause', async () => {
  const { app, worker } = await openMarket();
  const { trust, firstStart } = app.service;
  await fundPool(app, firstStart.operatorId, { promotional: 10 });
  await doneWork(app, worker.commitment, ['success']);
  await publishCheckpoints(app);
  const request = new Request('http://localhost/', { headers: { authorization: `Bearer ${app.apiKey}` } });
  const principal = await trust.principals.authenticate(request, 'any');
  const task = { taskId: trust.ids.newId('a2a_'), escrowSeq: null, createdAt: trust.clock.now() };
  const call = { trust, principal, text: '', task, mayPayIn: async () => true };
  const work = await issueCredentialSkill.run(call, { subject_commitment: worker.commitment, metered: true });
  if (typeof work !== 'function') throw new Error('it charges without a transaction');
  // The next leaf, which no checkpoint contains, comes before the transaction.
  await doneWork(app, worker.commitment, ['success']);
  const outcome = await trust.store.write(principal.authority, work);
  expect(outcome).toMatchObject({
    state: 'completed',
    data: {
      credential: { credentialSubject: { totals: { evidence_count: 1 } } },
      meter_receipt: { credits_charged: 10 },
    },
  });
  await app.close();
});
