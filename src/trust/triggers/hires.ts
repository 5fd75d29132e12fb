import { randomUUID } from 'node:crypto';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { RequestRefused } from '../../platform/demo/api-client.ts';
import { Failure } from '../../platform/failure.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import type { Trigger, TriggerKeys } from '../../platform/triggers/trigger.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { anchorBy, type DemoAgent } from '../demo/agents.ts';
import { named, newAgent, serviceTime } from './agents.ts';

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

const declined: Trigger = {
  summary: 'hires an agent, which declines',
  run: async (keys) => shown(await act(keys, await hire(keys), 'decline')),
};

const disputed: Trigger = {
  summary: 'hires an agent, which delivers, and disputes the delivery',
  run: async (keys) => shown(await dispute(keys)),
};

const resolved: Trigger = {
  summary: 'hires an agent, disputes its delivery, and decides the dispute',
  run: async (keys) =>
    shown(await act(keys, await dispute(keys), 'resolve', { worker_amount: 1, note: 'A trigger' })),
};

const expired: Trigger = {
  summary: 'hires an agent, and waits until the deadline is over; a test clock advances to it',
  async run(keys) {
    const now = await serviceTime(keys);
    const hired = await hire(keys, { deadline: timestampOf(now + DEADLINE_MS) });
    await advanceClock(keys);
    await untilExpired(keys, hired);
    return shown(hired);
  },
};

/** How events about engagements are made to happen. The pool of the key needs a credit. */
export const hireTriggers = {
  'engagement.held': held,
  'engagement.delivered': delivered,
  'engagement.paid': paid,
  'engagement.cancelled': cancelled,
  'engagement.declined': declined,
  'engagement.disputed': disputed,
  'engagement.resolved': resolved,
  'engagement.expired': expired,
};

async function hire(keys: TriggerKeys, terms: { deadline?: string } = {}): Promise<Hired> {
  const { ask, apiKey: key } = keys;
  const [hirer, worker] = [await newAgent(keys), await newAgent(keys)];
  await ask('POST /api/v1/passport/credits/grants', {
    key,
    body: { subject_commitment: hirer.commitment, amount: 1 },
  });
  const task_id = `trigger-${randomUUID()}`;
  await ask(`POST ${ENGAGEMENTS}`, {
    key,
    body: {
      ...{ task_id, hirer_commitment: hirer.commitment, worker_commitment: worker.commitment, amount: 1 },
      ...terms,
    },
  });
  return { task_id, hirer, worker };
}

async function deliver({ ask, apiKey, serviceToken }: TriggerKeys, hired: Hired): Promise<Hired> {
  const { task_id, worker } = hired;
  const payload = { task_id, deliverable_digest: sha256Hex(task_id) };
  await anchorBy(ask, { key: apiKey, serviceToken: serviceToken ?? '' }, worker, 'task_deliverable', payload);
  return hired;
}

async function dispute(keys: TriggerKeys): Promise<Hired> {
  return act(keys, await deliver(keys, await hire(keys)), 'dispute', { reason: 'A trigger' });
}

async function act(
  { ask, apiKey: key }: TriggerKeys,
  hired: Hired,
  action: 'accept' | 'cancel' | 'decline' | 'dispute' | 'resolve',
  body?: JsonObject,
): Promise<Hired> {
  await ask(`POST ${ENGAGEMENTS}/${hired.task_id}/${action}`, {
    key,
    ...(body === undefined ? {} : { body }),
  });
  return hired;
}

/** The deadline of a hire that expires. */
const DEADLINE_MS = 2_000;
/** A running service looks for due engagements every five seconds. */
const [LOOK_EVERY_MS, LOOKS] = [250, 80];

/** Advances the clock of a test service over the deadline. Only there the route exists. */
async function advanceClock({ ask, apiKey: key }: TriggerKeys): Promise<void> {
  try {
    await ask('POST /_test/clock', { key, body: { advance: `${(2 * DEADLINE_MS) / 1000}s` } });
  } catch (error) {
    if (error instanceof RequestRefused && error.status === 404) return;
    throw error;
  }
}

/** @throws Failure if the service does not end the hire in 20 seconds */
async function untilExpired({ ask, apiKey: key }: TriggerKeys, { task_id }: Hired): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    const { engagement } = await ask(`GET ${ENGAGEMENTS}/${task_id}`, { key });
    if (Object(engagement).status === 'EXPIRED') return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Failure(
    `the engagement ${task_id} did not expire within 20 seconds`,
    'check the clock of the service: GET /api/health says if it is wrong',
  );
}

const shown = ({ task_id, worker }: Hired) => ({ task_id, ...named(worker) });
