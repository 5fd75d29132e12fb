import type { Store } from '../../../platform/store/store.ts';

/** How the sender of each open service is started. */
const senders = new WeakMap<Store, (ms: number) => void>();

/** Registers how to start the sender of a service after some milliseconds. */
export function onWake(store: Store, runIn: (ms: number) => void): void {
  senders.set(store, runIn);
}

/** Starts the sender of a service at once, because an event was stored. */
export function wake(store: Store): void {
  senders.get(store)?.(0);
}
