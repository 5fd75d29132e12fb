import { randomUUID } from 'node:crypto';
import { creditFigures } from '../../src/trust/ledger/balances.ts';
import { client } from './client.ts';
import { type CreditedAgent, type Credits, creditedAgent } from './credits.ts';
import { evidencePath, signedEvidence } from './evidence.ts';
import { openTrustApp, type TrustApp } from './trust-app.ts';
import type { VirtualTime } from './virtual-time.ts';

export const ENGAGEMENTS = '/api/v1/passport/engagements';
export const ACP = '/api/v1/acp/task';
export const DELIVERABLE = 'ab'.repeat(32);
/** The service token of `openMarket`. */
export const SERVICE_TOKEN = `svc_${'12'.repeat(32)}`;

export type Agent = CreditedAgent;

/**
 * Opens the trust service for engagements: the worker of another operator than the hirer, which has credits.
 */
export async function openMarket(
  {
    credits = { promotional: 1000 } as Credits,
    settings = {} as Record<string, string>,
    data = ':memory:',
  } = {},
  time: VirtualTime | null = null,
) {
  const app = await openTrustApp({ service_token: SERVICE_TOKEN, ...settings }, time, data);
  const hirer = await creditedAgent(app, { credits });
  const worker = await creditedAgent(app, { sponsor: app.otherId });
  return { app, hirer, worker, ...marketOf(app) };
}

export type Market = Awaited<ReturnType<typeof openMarket>>;

/** Returns what tests do with engagements in a service with SERVICE_TOKEN. */
export function marketOf(app: TrustApp) {
  const { trust } = app.service;
  const service = client(app.fetch, 'http://localhost', SERVICE_TOKEN);
  /** Runs a task of the scheduler. */
  const runTask = async (name: string): Promise<void> => {
    const { tasks } = await app.service.background();
    const task = tasks.find((one) => one.name === name);
    if (task === undefined) throw new Error(`there is no task ${name}`);
    await task.run();
  };
  return {
    service,
    /** Hires by the first operator's key. @returns the task_id */
    async hire(hirer: Agent, worker: Agent, more: Record<string, unknown> = {}): Promise<string> {
      const task_id = `task-${randomUUID()}`;
      const request = {
        task_id,
        hirer_commitment: hirer.commitment,
        worker_commitment: worker.commitment,
        amount: 10,
        ...more,
      };
      const { status, body } = await app.own.post(ENGAGEMENTS, request);
      if (status !== 201) throw new Error(`it was not hired: ${JSON.stringify(body)}`);
      return request.task_id;
    },
    /** Anchors evidence of a task. @returns its event hash */
    async deliver(worker: Agent, task_id: string, more: Record<string, string> = {}): Promise<string> {
      const payload = { task_id, deliverable_digest: DELIVERABLE, ...more };
      const evidence = signedEvidence(worker, 'task_deliverable', payload);
      const { status, body } = await service.post(evidencePath(worker.commitment), evidence);
      if (status > 201) throw new Error(`it was not anchored: ${JSON.stringify(body)}`);
      return String(body.event_commitment_hash);
    },
    /** The engagement as it is now. */
    async read(task_id: string): Promise<Record<string, unknown>> {
      const { body } = await app.own.get(`${ENGAGEMENTS}/${task_id}`);
      return Object(body.engagement);
    },
    endDue: () => runTask('end due engagements'),
    refundInactive: () => runTask('follow engagements of inactive parties'),
    returnCredits: () => runTask('return credits of revoked agents'),
    figures: (agent: Pick<Agent, 'agent'>) =>
      trust.store.read((snapshot) => creditFigures(snapshot, agent.agent.agentSeq)),
  };
}
