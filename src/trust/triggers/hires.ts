import { randomUUID } from 'node:crypto';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Trigger, TriggerKeys } from '../../platform/triggers/trigger.ts';
import { anchorBy, type DemoAgent } from '../demo/agents.ts';
import { named, newAgent } from './agents.ts';

const ENGAGEMENTS = '/api/v1/passport/engagements';

interface Hired {
  task_id: string;
  hirer: DemoAgent;
  worker: DemoAgent;
}

const held: Trigger = {
  summary: 'grants an agent a credit, with which it hires another',
  run: async (keys) => shown(await hire(keys)),
};

const delivered: Trigger = {
  summary: 'hires an agent, which delivers',
  run: async (keys) => shown(await deliver(keys, await hire(keys))),
};

const paid: Trigger = {
  summary: 'hires an agent, which delivers, and accepts',
  run: async (keys) => shown(await act(keys, await deliver(keys, await hire(keys)), 'accept')),
};

const cancelled: Trigger = {
  summary: 'hires an agent, and cancels',
  run: async (keys) => shown(await act(keys, await hire(keys), 'cancel')),
};

/** How events about engagements are made to happen. The pool of the key needs a credit. */
export const hireTriggers = {
  'engagement.held': held,
  'engagement.delivered': delivered,
  'engagement.paid': paid,
  'engagement.cancelled': cancelled,
};

async function hire(keys: TriggerKeys): Promise<Hired> {
  const { ask, apiKey: key } = keys;
  const [hirer, worker] = [await newAgent(keys), await newAgent(keys)];
  await ask('POST /api/v1/passport/credits/grants', {
    key,
    body: { subject_commitment: hirer.commitment, amount: 1 },
  });
  const task_id = `trigger-${randomUUID()}`;
  await ask(`POST ${ENGAGEMENTS}`, {
    key,
    body: { task_id, hirer_commitment: hirer.commitment, worker_commitment: worker.commitment, amount: 1 },
  });
  return { task_id, hirer, worker };
}

async function deliver({ ask, apiKey, serviceToken }: TriggerKeys, hired: Hired): Promise<Hired> {
  const { task_id, worker } = hired;
  const payload = { task_id, deliverable_digest: sha256Hex(task_id) };
  await anchorBy(ask, { key: apiKey, serviceToken: serviceToken ?? '' }, worker, 'task_deliverable', payload);
  return hired;
}

async function act(
  { ask, apiKey: key }: TriggerKeys,
  hired: Hired,
  action: 'accept' | 'cancel',
): Promise<Hired> {
  await ask(`POST ${ENGAGEMENTS}/${hired.task_id}/${action}`, { key });
  return hired;
}

const shown = ({ task_id, worker }: Hired) => ({ task_id, ...named(worker) });
