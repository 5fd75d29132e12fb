import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import { createAgentIn } from '../../../../src/trust/agents/create-agent.ts';
import { createOperatorIn } from '../../../../src/trust/operators/create-operator.ts';
import { enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

test('an agent and an operator that were rolled back are in no cache, and nobody else is taken for them', async () => {
  const app = await openTrustApp();
  const { trust } = app.service;
  const { store, agentCache, principals } = trust;
  const identity = {
    publicKey: newAgentKey().publicKey,
    context: DEFAULT_CONTEXT,
    name: null,
    sponsorSeq: 1,
  };
  let lost = { commitment: '', agentSeq: 0, operatorSeq: 0 };
  const failing = store.writeAsService(async (tx) => {
    const { subjectCommitment: commitment, agentSeq } = await createAgentIn(tx, trust, identity);
    const { operatorSeq } = await createOperatorIn(tx, trust, { name: null });
    expect((await agentCache.enrolledIn(tx, commitment)).agentSeq).toBe(agentSeq);
    expect((await principals.operatorIn(tx, operatorSeq))?.operatorSeq).toBe(operatorSeq);
    lost = { commitment, agentSeq, operatorSeq };
    throw new Error('rolled back');
  });
  expect(await failing.then(() => null, String)).toContain('rolled back');
  expect(await store.writeAsService((tx) => principals.operatorIn(tx, lost.operatorSeq))).toBeNull();
  const next = await store.writeAsService((tx) => createOperatorIn(tx, trust, { name: null }));
  expect(next.operatorSeq).toBe(lost.operatorSeq);
  expect((await store.writeAsService((tx) => principals.operatorIn(tx, lost.operatorSeq)))?.operatorId).toBe(
    next.operatorId,
  );
  // The next agent gets the number of the lost one, and with it the accounts.
  expect((await enrolledAgent(app)).agent.agentSeq).toBe(lost.agentSeq);
  const found = store.writeAsService((tx) => agentCache.enrolledIn(tx, lost.commitment));
  expect(await found.then(() => null, String)).toContain('has not completed enrollment');
  await app.close();
});

test('an agent that was requested before it enrolled can act once it is enrolled', async () => {
  const app = await openTrustApp();
  const { trust } = app.service;
  const { store, agentCache } = trust;
  const { publicKey } = newAgentKey();
  const commitment = subjectCommitment(nativePrimitives, publicKey, DEFAULT_CONTEXT);
  const refused = agentCache.enrolled(commitment);
  expect(await refused.then(() => null, String)).toContain('has not completed enrollment');
  const identity = { publicKey, context: DEFAULT_CONTEXT, name: null, sponsorSeq: 1 };
  const { agentSeq } = await store.writeAsService((tx) => createAgentIn(tx, trust, identity));
  expect((await agentCache.enrolled(commitment)).agentSeq).toBe(agentSeq);
  await app.close();
});
