import { sha256Hex } from '../../src/platform/crypto/crypto.ts';
import { anchor } from '../../src/trust/demo/agents.ts';
import { ACP } from '../../test/support/engagements.ts';
import { type Market, ODD_TEXTS, type Party } from '../../test/support/recorded/market.ts';
import { type Session, until } from '../../test/support/recorded/session.ts';

const FAR = '2999-12-31T23:59:59Z';

/**
 * Hires in every way, up to every state that can be reached without waiting for days.
 * @param when becomes part of the task_ids, since a task_id can be used only once
 */
export async function hireInEveryState(
  market: Market,
  hirer: Party,
  worker: Party,
  when: string,
): Promise<void> {
  const hire = (name: string, more = {}) => market.hire(hirer, worker, `${when} ${name}`, more);
  await hire('held');
  await hire('held until far', { deadline: FAR, description: 'What is to be done.\nIn two lines.' });
  const failed = await hire('held after a failure');
  await market.deliver(worker, failed, { outcome: 'failure' });
  await market.deliver(worker, await hire('delivered', { deadline: FAR }));
  const paid = await hire('paid');
  await market.deliver(worker, paid);
  await market.end('accept', hirer, paid);
  await market.end('cancel', hirer, await hire('cancelled by the hirer'));
  const refunded = await hire('refunded by the worker');
  await market.deliver(worker, refunded);
  await market.end('refund', worker, refunded);

  const acp = await market.hireByAcp(hirer, worker, { input_digest: sha256Hex(`${when} input`) });
  await market.deliver(worker, acp);
  await market.hireByAcp(hirer, worker, { task_id: `${when} acp held` });
  const acpPaid = await market.hireByAcp(hirer, worker, { task_id: `${when} acp paid` });
  await market.deliver(worker, acpPaid);
  await market.ask(`POST ${ACP}/${encodeURIComponent(acpPaid)}/accept`, { key: hirer.key });
  await deliveredByOlderEvidence(market, hirer, worker, `${when} delivered by older evidence`);
  await market.authorized(hirer, 'POST /api/v1/passport/engagements', {
    task_id: `${when} authorized by the agent`,
    hirer_commitment: hirer.agent.commitment,
    worker_commitment: worker.agent.commitment,
    amount: 1,
  });

  // The deadline is later than what follows, so that a slow machine hires before it.
  const deadline = new Date(Date.now() + 5000).toISOString();
  const expired = await hire('expired', { deadline });
  await until('the deadline passes', async () => (await market.statusOf(expired)) === 'expired');
}

/** The worker's evidence is older than the engagement that it delivers. */
async function deliveredByOlderEvidence(market: Market, hirer: Party, worker: Party, task_id: string) {
  const payload = { task_id, deliverable_digest: sha256Hex(task_id) };
  await anchor(market.ask, worker.key, worker.agent, 'task_deliverable', payload);
  const { evidence } = await market.ask(
    `GET /api/v1/passport/agents/${worker.agent.commitment}/evidence?limit=1`,
    { key: worker.key },
  );
  const [newest] = Array.isArray(evidence) ? evidence : [];
  await market.hire(hirer, worker, task_id);
  await market.ask(`POST ${ACP}/${encodeURIComponent(task_id)}/deliver`, {
    body: {
      deliverable_digest: payload.deliverable_digest,
      evidence_event_hash: Object(newest).event_commitment_hash,
    },
  });
}

/** Hires with odd names, of which every fourth is held, delivered, paid and cancelled. */
export async function hireWithOddNames(market: Market, hirer: Party, worker: Party): Promise<void> {
  for (const [index, text] of ODD_TEXTS.entries()) {
    const task_id = await market.hire(hirer, worker, text, { amount: 1, description: text });
    if (index % 4 === 1 || index % 4 === 2) await market.deliver(worker, task_id);
    if (index % 4 === 2) await market.end('accept', hirer, task_id);
    if (index % 4 === 3) await market.end('cancel', hirer, task_id);
  }
}

/**
 * Hires that end because a party is revoked or its sponsor suspended, and hires of agents without a sponsor.
 */
export async function endByOthers(
  { command }: Session,
  market: Market,
  parties: {
    hirer: Party;
    worker: Party;
    revoked: Party;
    suspended: Party;
    suspendedOperator: string;
    lone: Party;
  },
): Promise<void> {
  const { hirer, worker, revoked, suspended, suspendedOperator, lone } = parties;
  const ended: string[] = [];
  for (const [name, party] of Object.entries({ revoked, suspended })) {
    ended.push(await market.hire(party, worker, `held when the hirer was ${name}`));
    ended.push(await market.hire(hirer, party, `held when the worker was ${name}`));
    const delivered = await market.hire(hirer, party, `delivered when the worker was ${name}`);
    await market.deliver(party, delivered);
  }
  const { commitment } = revoked.agent;
  await market.ask(`POST /api/v1/passport/agents/${commitment}/revoke`, {
    key: revoked.key,
    body: { reason: 'Its key was lost.' },
  });
  await command('operators', 'suspend', suspendedOperator);
  await until('the service ends them', async () =>
    (await Promise.all(ended.map((task) => market.statusOf(task)))).every((status) => status === 'cancelled'),
  );

  const hireAlone = async (task: string) => {
    await command('engagements', 'hire', '--yes', task, lone.agent.commitment, worker.agent.commitment, '3');
    return task;
  };
  await hireAlone('held for an agent without a sponsor');
  await command('engagements', 'cancel', '--yes', await hireAlone('cancelled by the administrator'));
  const accepted = await hireAlone('accepted by the administrator');
  await market.deliver(worker, accepted);
  await command('engagements', 'accept', '--yes', accepted);
}
