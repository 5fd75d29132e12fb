import type { Logger } from 'pino';
import { type AttemptOptions, attempt, type Outcome } from '../../../platform/delivery/attempt.ts';
import { newId } from '../../../platform/ids.ts';
import { LimitedLog } from '../../../platform/monitoring/log-limit.ts';
import type { MetricsRecorder } from '../../../platform/monitoring/recorder.ts';
import { type Clock, signatureTime, timestamp } from '../../../platform/time/clock.ts';
import { withTimeout } from '../../../platform/time/timeout.ts';
import type { EmittedEvent } from '../events.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import { FairScheduler, type ReceiverQueue } from './fair-scheduler.ts';
import { type Subscription, Subscriptions } from './subscriptions.ts';

/** Longest queue of one receiver; further deliveries are dropped. */
const MAX_QUEUED = 1000;

/**
 * The events that are dropped before others when a queue is full, in this order: most services send very many
 * receipts, and any agent can send proposals. So neither can displace what is about money.
 */
const DROPPED_FIRST = ['receipt.finalized', 'agora.proposal'];

/**
 * Longest queue of a receiver that is no webhook. Each message has all that the one before has, so the oldest
 * are dropped.
 */
const MAX_DIRECT_QUEUED = 16;

/** A receiver whose attempt takes longer counts as slow. */
const SLOW_MS = 1000;

/** An event serialized once for all its receivers. */
interface Notification {
  event: string;
  createdAt: string;
  body: string;
}

/** A receiver with its queue. */
interface Receiver extends ReceiverQueue {
  /** Of the webhook, or of the receiver that is none. */
  id: string;
  url: string;
  signingSecret: string;
  /** Returns the headers beside those of the signature. */
  headers(event: string): Record<string, string>;
  queue: Notification[];
  removed: boolean;
  /** True for one that is no webhook. */
  isDirect: boolean;
}

/** A subscription with its queue. */
type SubscribedReceiver = Subscription & Receiver;

/** A receiver that is no webhook: it is sent what is for it only, and its results are not recorded. */
export interface DirectReceiver {
  id: string;
  operatorSeq: number;
  url: string;
  /** The key of the Standard Webhooks signature: `whsec_…` */
  signingSecret: string;
  headers: Record<string, string>;
}

export interface DispatcherOptions {
  rules: AttemptOptions;
  recorder: DeliveryRecorder;
  clock: Clock;
  log: Logger;
  observed: MetricsRecorder['webhook'];
}

/**
 * Delivers events to receivers: one attempt per receiver, in no order, with queues in memory that a restart
 * loses. `notify` only appends to queues, so a slow receiver never delays the caller.
 */
export class Dispatcher {
  private readonly receivers = new Subscriptions<SubscribedReceiver>();
  /** The receivers that are no webhooks, while something waits for them or is on its way. */
  private readonly direct = new Map<string, Receiver>();
  private readonly scheduler = new FairScheduler<Receiver>();
  private readonly tasks = new Set<Promise<void>>();
  private readonly shutdown = new AbortController();
  private stopped = false;
  private scheduled = false;

  private readonly failures: LimitedLog;

  constructor(private readonly options: DispatcherOptions) {
    this.failures = new LimitedLog(options.log);
  }

  /** Adds a subscription, which receives events from now on. */
  add(subscription: Subscription): void {
    const { webhookId, secret } = subscription;
    const headers = (event: string) => ({ 'x-service-event': event, 'x-service-signature': secret });
    this.receivers.add(withQueue({ ...subscription, id: webhookId, headers, isDirect: false }));
  }

  /** Removes a subscription and drops its queue. */
  remove(webhookId: string): void {
    const receiver = this.receivers.remove(webhookId);
    if (receiver !== null) this.drop(receiver);
  }

  /**
   * Looks again which operators may receive the events of all agents.
   * @param mayReadAll returns whether an operator has an admin key
   */
  async restrict(mayReadAll: (operatorSeq: number) => Promise<boolean>): Promise<void> {
    const restricted = new Set<number>();
    for (const operatorSeq of this.receivers.operatorsOfAll())
      if (!(await mayReadAll(operatorSeq))) restricted.add(operatorSeq);
    this.receivers.restrict(restricted);
  }

  /** Queues a message for a receiver that is no webhook. Returns at once and never throws. */
  send({ headers, ...receiver }: DirectReceiver, { event, body }: { event: string; body: string }): void {
    if (this.stopped) return;
    const known =
      this.direct.get(receiver.id) ?? withQueue({ ...receiver, headers: () => headers, isDirect: true });
    this.direct.set(known.id, known);
    this.enqueue(known, { event, createdAt: timestamp(this.options.clock), body });
    this.scheduleDeliveries();
  }

  /** Drops what waits for a receiver that is no webhook. */
  forget(id: string): void {
    const receiver = this.direct.get(id);
    this.direct.delete(id);
    if (receiver !== undefined) this.drop(receiver);
  }

  /** Returns whether a webhook is subscribed to an event. */
  hears(event: string): boolean {
    return !this.stopped && this.receivers.hears(event);
  }

  /** Queues an event for all its receivers. Returns at once and never throws. */
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

  /** Waits until no delivery is queued or running, and all results are written. */
  async idle(): Promise<void> {
    for (
      let { waiting, running } = this.stats();
      waiting + running > 0;
      { waiting, running } = this.stats()
    ) {
      // The first deliveries of a queue start in a later turn of the event loop.
      if (running === 0) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.race(this.tasks);
    }
    await this.options.recorder.flush();
  }

  /** Returns the number of subscriptions, of queued deliveries, and of running attempts. */
  stats(): { subscriptions: number; waiting: number; running: number } {
    let waiting = 0;
    for (const { queue } of this.all()) waiting += queue.length;
    return { subscriptions: this.receivers.size, waiting, running: this.tasks.size };
  }

  /**
   * Drops queued deliveries, aborts running attempts after `graceMs` milliseconds, and records all results.
   */
  async stop(graceMs: number): Promise<void> {
    const { recorder, observed } = this.options;
    this.stopped = true;
    for (const { id, queue, isDirect } of this.all()) {
      for (const { event } of queue) observed(event, 'dropped', 1);
      const newest = queue.at(-1);
      if (newest !== undefined && !isDirect)
        recorder.drop(id, newest, 'because the service stopped', queue.length);
      queue.length = 0;
    }
    const idle = () => Promise.all(this.tasks).then(() => undefined);
    await withTimeout(idle(), graceMs, () => this.shutdown.abort());
    await idle();
    await recorder.flush();
  }

  private all(): Receiver[] {
    return [...this.receivers.all(), ...this.direct.values()];
  }

  private drop(receiver: Receiver): void {
    receiver.removed = true;
    receiver.queue.length = 0;
    this.scheduler.update(receiver);
  }

  private enqueue(receiver: Receiver, notification: Notification): void {
    const { queue } = receiver;
    if (receiver.isDirect && queue.length >= MAX_DIRECT_QUEUED) {
      queue.shift();
      this.options.observed(notification.event, 'dropped', 1);
    }
    if (queue.length >= MAX_QUEUED) {
      const dropped = this.droppedFor(queue, notification);
      this.options.observed(dropped.event, 'dropped', 1);
      this.options.recorder.drop(receiver.id, dropped, `because ${MAX_QUEUED} were waiting`);
      if (dropped === notification) return;
    }
    queue.push(notification);
    this.scheduler.update(receiver);
  }

  /**
   * Makes room in a full queue for an event, if another one that is dropped first waits in it.
   * @returns the dropped one: that other, or the event itself
   */
  private droppedFor(queue: Notification[], notification: Notification): Notification {
    for (const first of DROPPED_FIRST) {
      if (notification.event === first) return notification;
      const index = queue.findLastIndex(({ event }) => event === first);
      if (index >= 0) return queue.splice(index, 1)[0] ?? notification;
    }
    return notification;
  }

  /** Starts deliveries in a later turn of the event loop: the caller is handling a request. */
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
      const notification = turn?.receiver.queue.shift();
      if (turn === null || notification === undefined) return;
      const end = turn.begin();
      const task = this.deliver(turn.receiver, notification)
        .catch((err: unknown) => this.failures.error(err, {}, 'cannot send a webhook'))
        .finally(() => {
          end();
          this.tasks.delete(task);
          this.forgetIdle(turn.receiver);
          this.scheduleDeliveries();
        });
      this.tasks.add(task);
    }
  }

  private forgetIdle(receiver: Receiver): void {
    const { id, waiting, running } = receiver;
    // Another one may have its id by now.
    if (waiting === 0 && running === 0 && this.direct.get(id) === receiver) this.direct.delete(id);
  }

  private async deliver(receiver: Receiver, { event, createdAt, body }: Notification): Promise<void> {
    const { rules, recorder, clock, observed } = this.options;
    const { id, operatorSeq, url, signingSecret } = receiver;
    const headers = () => receiver.headers(event);
    const deliveryId = newId('msg_');
    const signedAt = Math.floor(signatureTime(clock) / 1000);
    const message = { id: deliveryId, timestamp: signedAt, eventType: event, body };
    const since = performance.now();
    const endpoint = { url, owner: resolverOwnerOf(operatorSeq), secret: signingSecret, headers };
    const outcome = await attempt(endpoint, message, rules, this.shutdown.signal);
    receiver.slow = performance.now() - since > SLOW_MS;
    observed(event, outcome.result, 1);
    if (receiver.removed || receiver.isDirect) return;
    recorder.add(id, {
      deliveryId,
      event,
      createdAt,
      endedAt: timestamp(clock),
      ...resultOf(outcome),
    });
  }
}

/** Returns a receiver with an empty queue. */
function withQueue<Of extends object>(
  receiver: Of,
): Of & Pick<Receiver, 'queue' | 'waiting' | 'running' | 'slow' | 'removed'> {
  const queue: Notification[] = [];
  return {
    ...receiver,
    queue,
    get waiting() {
      return queue.length;
    },
    running: 0,
    // Its first response shows how fast it is. Until then it must not delay the fast receivers.
    slow: true,
    removed: false,
  };
}

/** Returns the owner under which the name resolver limits look-ups for an operator's receivers. */
export function resolverOwnerOf(operatorSeq: number): string {
  return `operator ${operatorSeq}`;
}

function resultOf(outcome: Outcome): { status: number | null; error: string | null } {
  if (outcome.result === 'interrupted') return { status: null, error: 'interrupted: the service stopped' };
  return { status: outcome.status, error: outcome.result === 'failed' ? outcome.error : null };
}
