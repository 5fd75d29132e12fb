import type { PushForm } from '../../../../../db/trust/a2a-enums.ts';
import type { MasterKey } from '../../../../platform/crypto/master-key.ts';
import type { LimitedLog } from '../../../../platform/monitoring/log-limit.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import { taskChanges } from '../../../hires/escrow/changes.ts';
import { operatorBySeq } from '../../../operators/status.ts';
import type { Dispatcher } from '../../../webhooks/delivery/dispatcher.ts';
import { writeTask as writeTask03, writeTaskOfBoth } from '../codecs/v03.ts';
import { writeTask as writeTask10 } from '../codecs/v10.ts';
import { TASK_ID } from '../messages/message-params.ts';
import type { Task } from '../messages/task.ts';
import { taskById } from '../store.ts';
import { taskView } from '../tasks/view.ts';
import { MOST_OF_TASK, receiverId } from './push-configs.ts';
import { unseal } from './secrets.ts';
import { pushConfigsOf } from './store.ts';

/** The name of the event in the metrics of deliveries. */
const EVENT = 'a2a.task';

/** What a receiver is sent: 1.0 has a StreamResponse, the others the task. */
const BODIES: Readonly<Record<PushForm, (task: Task) => JsonObject>> = {
  '0.1': writeTaskOfBoth,
  '0.3': writeTask03,
  '1.0': (task) => ({ task: writeTask10(task) }),
};

interface SenderContext {
  store: Store;
  masterKey: MasterKey;
  failures: LimitedLog;
}

/**
 * Sends the tasks that change to the receivers of their push notifications, after the commit: the whole task
 * without messages, so that their order does not matter.
 */
export class PushSender {
  private readonly waiting = new Set<string>();
  private running: Promise<void> | null = null;
  private readonly forget: () => void;

  constructor(
    private readonly context: SenderContext,
    private readonly dispatcher: Pick<Dispatcher, 'send'>,
  ) {
    this.forget = taskChanges.listen((taskId) => {
      if (!TASK_ID.test(taskId)) return;
      this.waiting.add(taskId);
      this.running ??= this.run();
    });
  }

  /** Waits until what has changed was given to the dispatcher. */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  /** Stops listening. */
  async stop(): Promise<void> {
    this.forget();
    await this.idle();
  }

  private async run(): Promise<void> {
    // After the response to the request that made the change.
    await new Promise((resolve) => setImmediate(resolve));
    for (const taskId of this.waiting) {
      this.waiting.delete(taskId);
      try {
        await this.sendTask(taskId);
      } catch (err) {
        this.context.failures.error(err, { taskId }, 'cannot send the push notifications of an A2A task');
      }
    }
    this.running = null;
  }

  private async sendTask(taskId: string): Promise<void> {
    const { store, masterKey } = this.context;
    const read = await store.read(async (snapshot) => {
      const row = await taskById(snapshot, taskId);
      if (row === null) return null;
      const configs = await pushConfigsOf(snapshot, { taskSeq: row.taskSeq, limit: MOST_OF_TASK });
      if (configs.length === 0) return null;
      // Nobody can delete them any more, and the task of an agent that left goes on.
      if ((await operatorBySeq(snapshot, row.operatorSeq))?.accountStatus === 'CLOSED') return null;
      return { configs, task: await taskView(snapshot, row, { historyLength: 0, artifacts: true }) };
    });
    if (read === null) return;
    const bodies = new Map<PushForm, string>();
    for (const { configId, operatorSeq, url, form, scheme, secrets } of read.configs) {
      const body = bodies.get(form) ?? JSON.stringify(BODIES[form](read.task));
      bodies.set(form, body);
      const { token, credentials, signingSecret } = unseal(masterKey, { taskId, configId }, secrets);
      const headers = {
        ...(token === null ? {} : { 'x-a2a-notification-token': token }),
        ...(scheme === null || credentials === null ? {} : { authorization: `${scheme} ${credentials}` }),
      };
      const id = receiverId(taskId, configId);
      this.dispatcher.send({ id, operatorSeq, url, signingSecret, headers }, { event: EVENT, body });
    }
  }
}
