import pino from 'pino';
import { Sender } from '../../src/platform/delivery/sender.ts';
import { outbox } from '../../src/platform/delivery/store.ts';
import { openStore, type Store } from '../../src/platform/store/store.ts';
import { systemClock, systemTimers } from '../../src/platform/time/clock.ts';

/** A store with a sender and the system's clock. It has only one receiver. */
export function openSender(file: string, url: string, secret: string): { store: Store; sender: Sender } {
  const store = openStore(file, 'disk', { failed: () => undefined, group: () => undefined });
  const sender = new Sender({
    store,
    outbox,
    endpoint: async () => ({ url, owner: 'somebody', secret }),
    attemptOptions: { targets: { allowPrivate: true, resolve: async () => [] }, timeoutMs: 5000 },
    clock: systemClock,
    timers: systemTimers,
    log: pino({ level: 'silent' }),
    random: Math.random,
  });
  return { store, sender };
}
