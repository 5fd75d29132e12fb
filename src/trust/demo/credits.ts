import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { ApiCall } from '../../platform/demo/api-client.ts';
import {
  DEMO_ACP_TASKS,
  DEMO_API_KEY,
  DEMO_DELIVERABLE,
  DEMO_ENGAGEMENTS,
  DEMO_TRANSACTION_ID,
} from '../http/example-ids.ts';
import { anchor, type DemoAgent, signed } from './agents.ts';
import type { DemoClient } from './receipts.ts';

/** The agents of the demonstration's engagements. */
export interface Parties {
  hirer: DemoAgent;
  worker: DemoAgent;
  /** Another operator's agent, which decides about disputes. */
  arbiter: DemoAgent;
}

const operatorKey = { key: DEMO_API_KEY };

/** Grants credits to the agents, and has one pay another. */
export async function moveCredits(
  ask: ApiCall,
  { hirer, worker }: Omit<Parties, 'arbiter'>,
  other: DemoAgent,
): Promise<void> {
  const grant = (agent: DemoAgent, amount: number, memo: string) =>
    ask('POST /api/v1/passport/credits/grants', {
      ...operatorKey,
      body: { subject_commitment: agent.commitment, amount, memo },
    });
  await grant(hirer, 2000, 'budget of the quarter');
  await grant(worker, 20, 'starting credits');
  await grant(other, 5, 'starting credits');
  await ask('POST /api/v1/passport/credits/transfers', {
    ...operatorKey,
    body: {
      from_commitment: hirer.commitment,
      to_commitment: other.commitment,
      amount: 30,
      kind: 'PEER_GIFT',
      memo: 'thanks for the forms',
    },
  });
}

/** Hires the worker in every way, as engagements and as tasks of ACP, up to every status of an example. */
export async function hire(
  { ask, ids }: Pick<DemoClient, 'ask' | 'ids'>,
  { hirer, worker, arbiter }: Parties,
): Promise<void> {
  // The credits of the first task are locked.
  ids.reserve(DEMO_TRANSACTION_ID);
  const parties = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment };
  // First, so that the hash of its evidence is known: it is the worker's first item.
  for (const [task_id, digest] of [
    [DEMO_ACP_TASKS.delivered, DEMO_DELIVERABLE],
    [DEMO_ACP_TASKS.acceptable, sha256Hex(DEMO_ACP_TASKS.acceptable)],
  ] as const) {
    await ask('POST /api/v1/acp/task', {
      ...operatorKey,
      body: { ...parties, task_id, amount: 40, description: 'Check the postings of a week' },
    });
    await deliver(ask, worker, task_id, digest);
  }
  for (const [status, task_id] of Object.entries(DEMO_ENGAGEMENTS)) {
    const { engagement } = await ask('POST /api/v1/passport/engagements', {
      ...operatorKey,
      body: { ...parties, task_id, amount: 120, description: 'Audit the invoices of a month' },
    });
    if (status === 'arbitrated')
      await deliverSigned(ask, { worker, arbiter }, task_id, String(Object(engagement).terms_digest));
    else if (!UNDELIVERED.has(status)) await deliver(ask, worker, task_id, sha256Hex(task_id));
  }
  await ask(`POST /api/v1/passport/engagements/${DEMO_ENGAGEMENTS.paid}/accept`, operatorKey);
  await ask(`POST /api/v1/passport/engagements/${DEMO_ENGAGEMENTS.disputed}/dispute`, {
    ...operatorKey,
    body: { reason: 'The invoices of the last week are missing.' },
  });
}

/** The engagements that nobody has delivered. */
const UNDELIVERED: ReadonlySet<string> = new Set(['held', 'declinable']);

/** Delivers an engagement as its worker does itself, which names an arbiter. */
async function deliverSigned(
  ask: ApiCall,
  { worker, arbiter }: Pick<Parties, 'worker' | 'arbiter'>,
  task_id: string,
  terms_digest: string,
): Promise<void> {
  const payload = {
    ...{ task_id, deliverable_digest: sha256Hex(task_id), terms_digest },
    arbiter_commitment: arbiter.commitment,
  };
  await ask(`POST /api/v1/passport/engagements/${task_id}/deliver`, {
    body: { payload, signature: signed(worker, payload) },
  });
}

function deliver(
  ask: ApiCall,
  worker: DemoAgent,
  task_id: string,
  deliverable_digest: string,
): ReturnType<ApiCall> {
  return anchor(ask, DEMO_API_KEY, worker, 'task_deliverable', { task_id, deliverable_digest });
}
