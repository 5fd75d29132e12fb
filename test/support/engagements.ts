import { randomUUID } from 'node:crypto';
import type { Once } from '../../src/platform/http/idempotency/once.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { freezeAgent, unfreezeAgent } from '../../src/trust/agents/freeze.ts';
import { creditFigures } from '../../src/trust/ledger/balances.ts';
import { LOCAL_ADMINISTRATOR } from '../../src/trust/operators/auth/actor.ts';
import { createOperator } from '../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../src/trust/pages/dashboard/set-account-status.ts';
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
  /** Anchors evidence of a task. @returns its event hash */
  const deliver = async (
    worker: Agent,
    task_id: string,
    more: Record<string, string> = {},
  ): Promise<string> => {
    const payload = { task_id, deliverable_digest: DELIVERABLE, ...more };
    const evidence = signedEvidence(worker, 'task_deliverable', payload);
    const { status, body } = await service.post(evidencePath(worker.commitment), evidence);
    if (status > 201) throw new Error(`it was not anchored: ${JSON.stringify(body)}`);
    return String(body.event_commitment_hash);
  };
  /** The engagement as it is now. */
  const read = async (task_id: string): Promise<Record<string, unknown>> => {
    const { body } = await app.own.get(`${ENGAGEMENTS}/${task_id}`);
    return Object(body.engagement);
  };
  /** Returns what a worker signs to deliver a task for its terms. */
  const signedDelivery = async (worker: Pick<Agent, 'sign'>, task_id: string, more: JsonObject = {}) => {
    const { terms_digest } = await read(task_id);
    const payload = {
      ...{ task_id, deliverable_digest: DELIVERABLE, terms_digest: String(terms_digest) },
      ...more,
    };
    return { payload, signature: worker.sign(payload) };
  };
  return {
    service,
    read,
    signedDelivery,
    /** Sends what the worker signs to deliver a task. */
    async deliverSigned(worker: Pick<Agent, 'sign'>, task_id: string, more: JsonObject = {}) {
      return app.anyone.post(
        `${ENGAGEMENTS}/${task_id}/deliver`,
        await signedDelivery(worker, task_id, more),
      );
    },
    /** Freezes an agent as the local administrator, or ends its freeze. */
    async freeze({ commitment }: Pick<Agent, 'commitment'>, isOn = true): Promise<void> {
      const once: Once = (_tx, act) => act();
      if (isOn) await freezeAgent(trust, LOCAL_ADMINISTRATOR, commitment, { reason: 'disputed' }, once);
      else await unfreezeAgent(trust, LOCAL_ADMINISTRATOR, commitment, once);
    },
    /** Enrolls an agent of an operator of its own. */
    async independentAgent() {
      const { operator_id, api_key } = await createOperator(trust, { name: 'third', admin: false });
      const key = client(app.fetch, 'http://localhost', api_key);
      return { ...(await creditedAgent(app, { sponsor: operator_id })), operatorId: operator_id, key };
    },
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
    deliver,
    /**
     * Anchors evidence of a task while the worker's sponsor, the second operator, is suspended: it delivers
     * nothing. @returns its event hash
     */
    async deliverSuspended(worker: Agent, task_id: string, more: Record<string, string> = {}) {
      await setAccountStatus(trust, app.otherId, 'SUSPENDED');
      const eventHash = await deliver(worker, task_id, more);
      await setAccountStatus(trust, app.otherId, 'ACTIVE');
      return eventHash;
    },
    endDue: () => runTask('end due engagements'),
    refundInactive: () => runTask('follow engagements of inactive parties'),
    returnCredits: () => runTask('return credits of revoked agents'),
    figures: (agent: Pick<Agent, 'agent'>) =>
      trust.store.read((snapshot) => creditFigures(snapshot, agent.agent.agentSeq)),
  };
}
