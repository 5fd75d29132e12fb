import { AsyncLocalStorage } from 'node:async_hooks';
import type { Visit } from './visit.ts';

const visits = new AsyncLocalStorage<Visit>();

/** Runs what handles a request, so that all that follows from it knows the visit. */
export function inVisit<Value>(visit: Visit, handle: () => Value): Value {
  return visits.run(visit, handle);
}

/**
 * Waits for another turn of the request that runs, between two parts of its work that others need not wait
 * for. Work that is no request's, or goes on after its end, only gives the event loop back.
 */
export function anotherTurn(): Promise<void> {
  return visits.getStore()?.goOnLater() ?? new Promise((resolve) => setImmediate(resolve));
}

/**
 * Waits for what a client still sends. The request is not under way meanwhile, and takes another turn if
 * others were served in the meantime.
 */
export async function whileClientSends<Value>(sent: Promise<Value>): Promise<Value> {
  const visit = visits.getStore();
  if (visit === undefined) return sent;
  visit.pause();
  const value = await sent;
  visit.releaseBody();
  if (visit.isLate) await visit.resume();
  else visit.goOn();
  return value;
}
