import type { Logger } from 'pino';
import { makeMasterKey, openMasterKey } from '../../platform/crypto/master-key.ts';
import type { TargetRules } from '../../platform/delivery/target.ts';
import type { Figure } from '../../platform/monitoring/metrics.ts';
import type { Observer } from '../../platform/monitoring/recorder.ts';
import { systemTimers } from '../../platform/time/clock.ts';
import type { TrustContext } from '../context.ts';
import { Dispatcher } from './dispatcher.ts';
import { Recorder } from './recorder.ts';
import { hasWebhooks, type Switchboard, subscriptionsIn } from './service.ts';

/** One try, and what those under way get at the end. */
const DELIVERY_MS = 5000;
const GRACE_MS = 5000;

export interface Webhooks extends Switchboard {
  figures: readonly Figure[];
  /** Sends nothing more, and waits for what is under way. */
  stop(): Promise<void>;
}

interface Surroundings {
  /** Where they may go. */
  targets: TargetRules;
  log: Logger;
  observer: Observer;
}

/**
 * Opens the subscriptions and tells them of events from now on; where nothing is written, nothing is sent either.
 * @throws Failure when the master key is missing that opens their secrets, or is another
 */
export async function openWebhooks(
  {
    store,
    clock,
    directory,
    readOnly,
    events,
  }: Pick<TrustContext, 'store' | 'clock' | 'directory' | 'readOnly' | 'events'>,
  { targets, log, observer }: Surroundings,
): Promise<Webhooks> {
  const isKeyInUse = await store.read(hasWebhooks);
  if (!isKeyInUse && !readOnly) makeMasterKey(directory);
  const masterKey = openMasterKey(directory, isKeyInUse);
  const dispatcher = new Dispatcher({
    rules: { targets, timeoutMs: DELIVERY_MS },
    recorder: new Recorder(store, systemTimers, log),
    clock,
    log,
    observed: observer.webhook,
  });
  if (!readOnly) {
    for (const subscription of await store.read((snapshot) => subscriptionsIn(snapshot, masterKey))) {
      dispatcher.add(subscription);
    }
    events.listen((event) => dispatcher.tell(event));
  }
  return {
    targets,
    masterKey,
    dispatcher,
    figures: figuresOf(dispatcher),
    stop: () => dispatcher.stop(GRACE_MS),
  };
}

function figuresOf(dispatcher: Dispatcher): Figure[] {
  const figure = (name: string, help: string, of: keyof ReturnType<Dispatcher['standing']>): Figure => ({
    name,
    help,
    labels: [],
    read: async () => [{ labels: {}, value: dispatcher.standing()[of] }],
  });
  return [
    figure('countersign_webhooks', 'Webhooks that are told of events.', 'subscriptions'),
    figure('countersign_webhook_queue_length', 'Deliveries that wait for their try.', 'waiting'),
    figure('countersign_webhook_tries_running', 'Deliveries that are being tried.', 'running'),
  ];
}
