import type { Logger } from 'pino';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { TargetPolicy } from '../../platform/delivery/target.ts';
import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { MetricsRecorder } from '../../platform/monitoring/recorder.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { systemTimers } from '../../platform/time/clock.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import { isAdministered } from '../operators/status.ts';
import { DeliveryRecorder } from './delivery/delivery-recorder.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import type { Events } from './events.ts';
import { loadSubscriptions } from './load-subscriptions.ts';
import type { WebhookContext } from './webhook.ts';

/** Timeout of one attempt, and by default the grace period of running attempts at shutdown. */
const DELIVERY_MS = 5000;

export interface Webhooks extends WebhookContext {
  metrics: readonly Metric[];
  /** Records the results so far, which are otherwise collected for up to a second. */
  flush(): Promise<void>;
  /** Stops sending, and waits for running attempts. */
  stop(): Promise<void>;
}

interface WebhookOptions {
  /** The URLs that webhooks may have. */
  targets: TargetPolicy;
  log: Logger;
  recorder: MetricsRecorder;
  /** The grace period of running attempts at shutdown, in milliseconds. */
  graceMs?: number;
}

interface OpenContext {
  store: Store;
  clock: Clock;
  masterKey: MasterKey;
  readOnly: boolean;
  events: Events;
  principals: Principals;
}

/**
 * Loads the subscriptions and delivers events from now on. A read-only service delivers nothing.
 * @throws Failure when another master key encrypted their secrets
 */
export async function openWebhooks(
  { store, clock, masterKey, readOnly, events, principals }: OpenContext,
  { targets, log, recorder, graceMs = DELIVERY_MS }: WebhookOptions,
): Promise<Webhooks> {
  const results = new DeliveryRecorder(store, systemTimers, log);
  const dispatcher = new Dispatcher({
    rules: { targets, timeoutMs: DELIVERY_MS },
    recorder: results,
    clock,
    log,
    observed: recorder.webhook,
  });
  if (!readOnly) {
    for (const subscription of await store.read((snapshot) => loadSubscriptions(snapshot, masterKey))) {
      dispatcher.add(subscription);
    }
    await follow(store, principals, dispatcher, log);
    events.listen(
      (event) => dispatcher.notify(event),
      (event) => dispatcher.hears(event),
    );
  }
  return {
    targets,
    masterKey,
    dispatcher,
    metrics: webhookMetrics(dispatcher),
    flush: () => results.flush(),
    stop: () => dispatcher.stop(graceMs),
  };
}

/**
 * Tells the dispatcher, now and after each change of keys, which operators may receive the events of all
 * agents: those with an admin key. A webhook outlives the key that made it.
 */
async function follow(
  store: Store,
  principals: Principals,
  dispatcher: Dispatcher,
  log: Logger,
): Promise<void> {
  const look = () =>
    dispatcher.restrict((operatorSeq) => store.read((snapshot) => isAdministered(snapshot, operatorSeq)));
  await look();
  let looking = Promise.resolve();
  let isWaiting = false;
  principals.listen(() => {
    if (isWaiting) return;
    isWaiting = true;
    const lookAgain = () => {
      isWaiting = false;
      return look();
    };
    looking = looking.then(lookAgain).catch((err: unknown) => {
      log.error({ err }, 'cannot look which webhooks may receive the events of all agents');
    });
  });
}

function webhookMetrics(dispatcher: Dispatcher): Metric[] {
  const metric = (name: string, help: string, of: keyof ReturnType<Dispatcher['stats']>): Metric => ({
    name,
    help,
    labels: [],
    read: async () => [{ labels: {}, value: dispatcher.stats()[of] }],
  });
  return [
    metric('countersign_webhooks', 'Webhooks that are subscribed to events.', 'subscriptions'),
    metric('countersign_webhook_queue_length', 'Deliveries in the queue.', 'waiting'),
    metric('countersign_webhook_tries_running', 'Deliveries in progress.', 'running'),
  ];
}
