import type { PushForm } from '../../../../../db/trust/a2a-enums.ts';
import type { MasterKey } from '../../../../platform/crypto/master-key.ts';
import { newWebhookSecret } from '../../../../platform/delivery/signature.ts';
import { checkTarget, type TargetPolicy, TargetRefused } from '../../../../platform/delivery/target.ts';
import type { Ids } from '../../../../platform/ids.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import { operatorPayer } from '../../../operators/quotas/authorities.ts';
import type { Quotas } from '../../../operators/quotas/quotas.ts';
import { type Dispatcher, resolverOwnerOf } from '../../../webhooks/delivery/dispatcher.ts';
import type { AttachPush, PushConfig } from '../messages/push-config.ts';
import type { PushConfigRef, PushRequest } from '../messages/push-params.ts';
import { RpcError } from '../messages/rpc-error.ts';
import type { TaskRow } from '../store.ts';
import { findOwnTask, unknownTask } from '../tasks/find.ts';
import { seal } from './secrets.ts';
import {
  countPushConfigs,
  deleteEndedPushConfigs,
  deletePushConfig,
  insertPushConfig,
  type PushRow,
  pushConfigOf,
  pushConfigsOf,
} from './store.ts';

export { hasPushConfigs } from './store.ts';

/** The most configurations of a task. */
export const MOST_OF_TASK = 10;
/** The configurations of an operator for each webhook that it may have. */
const PER_WEBHOOK = 10;

export interface PushContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  quotas: Quotas;
  masterKey: MasterKey;
  /** The URLs that they may have: those of webhooks. */
  targets: TargetPolicy;
  dispatcher: Dispatcher;
}

/** The configurations of push notifications of tasks. Only the owner of a task sees them. */
export class PushConfigs {
  constructor(private readonly context: PushContext) {}

  /**
   * Checks a configuration before the transaction that stores it.
   * @throws RpcError params for a URL that no webhook may have
   */
  async prepare(principal: Principal, push: PushRequest, form: PushForm): Promise<AttachPush> {
    const { targets, clock, ids, quotas, masterKey, dispatcher } = this.context;
    const { operatorSeq } = principal;
    const url = await checkedUrl(push.url, targets, operatorSeq);
    const limit = quotas.quotaOf(operatorPayer(principal)).webhooks * PER_WEBHOOK;
    const madeId = ids.newId('push_');
    const signingSecret = newWebhookSecret(ids);
    const { token, scheme, credentials } = push;
    return async (tx, { taskSeq, taskId, clientId }) => {
      await deleteEndedPushConfigs(tx, operatorSeq);
      // Clients of 0.1 to 0.3 that name none look for it by the id of the task.
      const configId = push.id ?? (form === '1.0' ? madeId : (clientId ?? taskId));
      // A configuration with the same id is replaced.
      if ((await deletePushConfig(tx, { taskSeq, configId })) > 0)
        tx.afterCommit(() => dispatcher.forget(receiverId(taskId, configId)));
      if ((await pushConfigsOf(tx, { taskSeq, limit: MOST_OF_TASK })).length >= MOST_OF_TASK)
        throw new RpcError(
          'refused',
          `the task has ${MOST_OF_TASK} push notification configurations, its limit.`,
        );
      if ((await countPushConfigs(tx, operatorSeq)) >= limit) {
        const details = `the operator has ${limit} push notification configurations of open tasks, its limit.`;
        throw new RpcError('refused', `${details} Delete one first.`);
      }
      const secrets = seal(masterKey, { taskId, configId }, { token, credentials, signingSecret });
      const createdAt = clock.now();
      await insertPushConfig(tx, { taskSeq, operatorSeq, configId, url, form, scheme, secrets, createdAt });
      const made = { token, credentials, signingSecret };
      return { id: configId, taskId: clientId ?? taskId, url, scheme, made };
    };
  }

  /** Adds a configuration to a task, or replaces it. @throws RpcError */
  async set(principal: Principal, taskId: string, push: PushRequest, form: PushForm): Promise<PushConfig> {
    const attachIn = await this.prepare(principal, push, form);
    return this.context.store.write(principal.authority, async (tx) =>
      attachIn(tx, await ownTaskIn(tx, principal, taskId)),
    );
  }

  /** Returns a configuration; without an id the first one. @throws RpcError for an unknown one */
  get(principal: Principal, { taskId, configId }: PushConfigRef): Promise<PushConfig> {
    return this.context.store.read(async (snapshot) => {
      const task = await ownTaskIn(snapshot, principal, taskId);
      const { taskSeq } = task;
      const [row = null] =
        configId === null
          ? await pushConfigsOf(snapshot, { taskSeq, limit: 1 })
          : [await pushConfigOf(snapshot, { taskSeq, configId })];
      if (row !== null) return viewOf(task, row);
      throw new RpcError('task', 'the task has no push notification configuration with this id. List them.', {
        metadata: { taskId },
      });
    });
  }

  /** Returns the configurations of a task. @throws RpcError for an unknown task */
  list(principal: Principal, taskId: string): Promise<PushConfig[]> {
    return this.context.store.read(async (snapshot) => {
      const task = await ownTaskIn(snapshot, principal, taskId);
      const rows = await pushConfigsOf(snapshot, { taskSeq: task.taskSeq, limit: MOST_OF_TASK });
      return rows.map((row) => viewOf(task, row));
    });
  }

  /**
   * Deletes a configuration, and what waits for it. One that is not there is deleted already.
   * @throws RpcError for an unknown task
   */
  remove(principal: Principal, { taskId, configId }: PushConfigRef): Promise<void> {
    const { store, dispatcher } = this.context;
    return store.write(principal.authority.neverRefused, async (tx) => {
      const task = await ownTaskIn(tx, principal, taskId);
      const { taskSeq } = task;
      const [first] = configId === null ? await pushConfigsOf(tx, { taskSeq, limit: 1 }) : [];
      const id = configId ?? first?.configId;
      if (id === undefined) return;
      await deletePushConfig(tx, { taskSeq, configId: id });
      tx.afterCommit(() => dispatcher.forget(receiverId(task.taskId, id)));
    });
  }
}

/** Identifies a receiver for the dispatcher. */
export function receiverId(taskId: string, configId: string): string {
  return `${taskId} ${configId}`;
}

async function checkedUrl(url: string, targets: TargetPolicy, operatorSeq: number): Promise<string> {
  try {
    return await checkTarget(url, targets, resolverOwnerOf(operatorSeq));
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw new RpcError('params', `url ${error.message}.`, {
      violations: [{ field: 'url', description: error.message }],
    });
  }
}

async function ownTaskIn(snapshot: Snapshot, principal: Principal, taskId: string): Promise<TaskRow> {
  const row = await findOwnTask(snapshot, principal, taskId);
  if (row === null) throw unknownTask(taskId);
  return row;
}

function viewOf({ taskId, clientId }: TaskRow, { configId, url, scheme }: PushRow): PushConfig {
  return { id: configId, taskId: clientId ?? taskId, url, scheme, made: null };
}
