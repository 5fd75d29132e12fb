import type { Logger } from 'pino';
import { type AttemptOptions, attempt, type Outcome } from '../../../platform/delivery/attempt.ts';
import { newId } from '../../../platform/ids.ts';
import { LimitedLog } from '../../../platform/monitoring/log-limit.ts';
import type { MetricsRecorder } from '../../../platform/monitoring/recorder.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { withTimeout } from '../../../platform/time/timeout.ts';
import type { EmittedEvent } from '../events.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import { FairScheduler, type ReceiverQueue } from './fair-scheduler.ts';
import { type Subscription, Subscriptions } from './subscriptions.ts';

/** So many deliveries wait for one receiver; what comes beyond is dropped. */
const MAX_QUEUED = 1000;

/** From here on a receiver is slow. */
const SLOW_MS = 1000;

/** An event as it is sent, one for all who hear of it. */
interface Notification {
  event: string;
  createdAt: string;
  body: string;
}

/** A subscription with what waits for it. */
interface Receiver extends Subscription, ReceiverQueue {
  queue: Notification[];
  removed: boolean;
}

export interface DispatcherOptions {
  rules: AttemptOptions;
  recorder: DeliveryRecorder;
  clock: Clock;
  log: Logger;
  observed: MetricsRecorder['webhook'];
}

/**
 * Tells receivers what happened: one try each, in no order, and nothing of it is kept over a restart. Whatever receivers do,
 * nobody else waits for it: telling only puts a note into their lines.
 */
export class Dispatcher {
  private readonly receivers = new Subscriptions<Receiver>();
  private readonly scheduler = new FairScheduler<Receiver>();
  private readonly tasks = new Set<Promise<void>>();
  private readonly shutdown = new AbortController();
  private stopped = false;
  private scheduled = false;

  private readonly failures: LimitedLog;

  constructor(private readonly options: DispatcherOptions) {
    this.failures = new LimitedLog(options.log);
  }

  /** From now on the subscription is told. */
  add(subscription: Subscription): void {
    const queue: Notification[] = [];
    this.receivers.add({
      ...subscription,
      queue,
      get waiting() {
        return queue.length;
      },
      running: 0,
      // It shows by its first answer whether it is there: until then, nothing that is hangs on it.
      slow: true,
      removed: false,
    });
  }

  /** A subscription is no more: what waits for it is not sent. */
  remove(webhookId: string): void {
    const receiver = this.receivers.remove(webhookId);
    if (receiver === undefined) return;
    receiver.removed = true;
    receiver.queue.length = 0;
    this.scheduler.update(receiver);
  }

  /** Tells all whom an event concerns. Returns at once, and never throws. */
  notify(event: EmittedEvent): void {
    if (this.stopped) return;
    const receivers = this.receivers.subscribersOf(event);
    if (receivers.length === 0) return;
    const { event: name, data, timestamp: createdAt } = event;
    const notification = {
      event: name,
      createdAt,
      body: JSON.stringify({ event: name, data, timestamp: createdAt }),
    };
    for (const receiver of receivers) this.enqueue(receiver, notification);
    this.scheduleDeliveries();
  }

  /** How much there is of what. */
  stats(): { subscriptions: number; waiting: number; running: number } {
    let waiting = 0;
    for (const { queue } of this.receivers.all()) waiting += queue.length;
    return { subscriptions: this.receivers.size, waiting, running: this.tasks.size };
  }

  /** Drops what waits, gives what is under way `graceMs` to end, and writes down what became of all. */
  async stop(graceMs: number): Promise<void> {
    const { recorder, observed } = this.options;
    this.stopped = true;
    for (const { webhookId, queue } of this.receivers.all()) {
      for (const { event } of queue) observed(event, 'dropped', 1);
      const newest = queue.at(-1);
      if (newest !== undefined) recorder.drop(webhookId, newest, 'for the service ended', queue.length);
      queue.length = 0;
    }
    const idle = () => Promise.all(this.tasks).then(() => undefined);
    await withTimeout(idle(), graceMs, () => this.shutdown.abort());
    await idle();
    await recorder.flush();
  }

  private enqueue(receiver: Receiver, notification: Notification): void {
    if (receiver.queue.length >= MAX_QUEUED) {
      this.options.observed(notification.event, 'dropped', 1);
      this.options.recorder.drop(receiver.webhookId, notification, `for ${MAX_QUEUED} were waiting`);
      return;
    }
    receiver.queue.push(notification);
    this.scheduler.update(receiver);
  }

  /** Not at once: who tells is in the midst of answering requests. */
  private scheduleDeliveries(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.startDeliveries();
    });
  }

  private startDeliveries(): void {
    while (!this.stopped) {
      const turn = this.scheduler.next();
      const notification = turn?.line.queue.shift();
      if (turn === null || notification === undefined) return;
      const over = turn.begin();
      const task = this.deliver(turn.line, notification)
        .catch((err: unknown) => this.failures.error(err, {}, 'a webhook could not be sent'))
        .finally(() => {
          over();
          this.tasks.delete(task);
          this.scheduleDeliveries();
        });
      this.tasks.add(task);
    }
  }

  private async deliver(receiver: Receiver, { event, createdAt, body }: Notification): Promise<void> {
    const { rules, recorder, clock, observed } = this.options;
    const { webhookId, operatorSeq, url, secret, signingSecret } = receiver;
    const headers = () => ({ 'x-service-event': event, 'x-service-signature': secret });
    const deliveryId = newId('msg_');
    const message = { id: deliveryId, timestamp: Math.floor(clock.now() / 1000), eventType: event, body };
    const since = performance.now();
    const endpoint = { url, owner: resolverOwnerOf(operatorSeq), secret: signingSecret, headers };
    const outcome = await attempt(endpoint, message, rules, this.shutdown.signal);
    receiver.slow = performance.now() - since > SLOW_MS;
    observed(event, outcome.result, 1);
    if (receiver.removed) return;
    recorder.add(webhookId, {
      deliveryId,
      event,
      createdAt,
      endedAt: timestamp(clock),
      ...resultOf(outcome),
    });
  }
}

/** On whose behalf the names of an operator's receivers are resolved. */
export function resolverOwnerOf(operatorSeq: number): string {
  return `operator ${operatorSeq}`;
}

function resultOf(outcome: Outcome): { status: number | null; error: string | null } {
  if (outcome.result === 'interrupted') return { status: null, error: 'interrupted: the service ended' };
  return { status: outcome.status, error: outcome.result === 'failed' ? outcome.error : null };
}
