import type { Logger } from 'pino';
import { type AttemptRules, attempt, type Outcome } from '../../platform/delivery/attempt.ts';
import { newId } from '../../platform/ids.ts';
import { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import type { Observer } from '../../platform/monitoring/recorder.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { within } from '../../platform/time/timeout.ts';
import type { Happened } from './events.ts';
import type { Recorder } from './recorder.ts';
import { type Subscription, Subscriptions } from './subscriptions.ts';
import { type Line, Turns } from './turns.ts';

/** So many deliveries wait for one receiver; what comes beyond is dropped. */
const MOST_WAITING = 1000;

/** From here on a receiver is slow. */
const SLOW_MS = 1000;

/** An event as it is sent, one for all who hear of it. */
interface Told {
  event: string;
  createdAt: string;
  body: string;
}

/** A subscription with what waits for it. */
interface Receiver extends Subscription, Line {
  queue: Told[];
  removed: boolean;
}

export interface DispatcherOptions {
  rules: AttemptRules;
  recorder: Recorder;
  clock: Clock;
  log: Logger;
  observed: Observer['webhook'];
}

/**
 * Tells receivers what happened: one try each, in no order, and nothing of it is kept over a restart. Whatever receivers do,
 * nobody else waits for it: telling only puts a note into their lines.
 */
export class Dispatcher {
  private readonly receivers = new Subscriptions<Receiver>();
  private readonly turns = new Turns<Receiver>();
  private readonly tasks = new Set<Promise<void>>();
  private readonly leaving = new AbortController();
  private stopped = false;
  private pumping = false;

  private readonly failures: LimitedLog;

  constructor(private readonly options: DispatcherOptions) {
    this.failures = new LimitedLog(options.log);
  }

  /** From now on the subscription is told. */
  add(subscription: Subscription): void {
    const queue: Told[] = [];
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
    this.turns.update(receiver);
  }

  /** Tells all whom an event concerns. Returns at once, and never throws. */
  tell(event: Happened): void {
    if (this.stopped) return;
    const concerned = this.receivers.concernedBy(event);
    if (concerned.length === 0) return;
    const { event: name, data, timestamp: createdAt } = event;
    const told = {
      event: name,
      createdAt,
      body: JSON.stringify({ event: name, data, timestamp: createdAt }),
    };
    for (const receiver of concerned) this.enqueue(receiver, told);
    this.pumpSoon();
  }

  /** How much there is of what. */
  standing(): { subscriptions: number; waiting: number; running: number } {
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
    await within(idle(), graceMs, () => this.leaving.abort());
    await idle();
    await recorder.flush();
  }

  private enqueue(receiver: Receiver, told: Told): void {
    if (receiver.queue.length >= MOST_WAITING) {
      this.options.observed(told.event, 'dropped', 1);
      this.options.recorder.drop(receiver.webhookId, told, `for ${MOST_WAITING} were waiting`);
      return;
    }
    receiver.queue.push(told);
    this.turns.update(receiver);
  }

  /** Not at once: who tells is in the midst of answering requests. */
  private pumpSoon(): void {
    if (this.pumping) return;
    this.pumping = true;
    setImmediate(() => {
      this.pumping = false;
      this.pump();
    });
  }

  private pump(): void {
    while (!this.stopped) {
      const turn = this.turns.next();
      const told = turn?.line.queue.shift();
      if (turn === null || told === undefined) return;
      const over = turn.begin();
      const task = this.deliver(turn.line, told)
        .catch((err: unknown) => this.failures.error(err, {}, 'a webhook could not be sent'))
        .finally(() => {
          over();
          this.tasks.delete(task);
          this.pumpSoon();
        });
      this.tasks.add(task);
    }
  }

  private async deliver(receiver: Receiver, { event, createdAt, body }: Told): Promise<void> {
    const { rules, recorder, clock, observed } = this.options;
    const { webhookId, operatorSeq, url, secret, signingSecret } = receiver;
    const headers = () => ({ 'x-service-event': event, 'x-service-signature': secret });
    const deliveryId = newId('msg_');
    const message = { id: deliveryId, timestamp: Math.floor(clock.now() / 1000), eventType: event, body };
    const since = performance.now();
    const endpoint = { url, owner: ownerOf(operatorSeq), secret: signingSecret, headers };
    const outcome = await attempt(endpoint, message, rules, this.leaving.signal);
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
export function ownerOf(operatorSeq: number): string {
  return `operator ${operatorSeq}`;
}

function resultOf(outcome: Outcome): { status: number | null; error: string | null } {
  if (outcome.result === 'interrupted') return { status: null, error: 'interrupted: the service ended' };
  return { status: outcome.status, error: outcome.result === 'failed' ? outcome.error : null };
}
