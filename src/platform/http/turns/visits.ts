import { slices } from '../../workers/slices.ts';
import type { Visit } from './turns.ts';

const visits = new WeakMap<Request, Visit>();

/** Remembers the visit of a request, for the code that handles it. */
export function setVisit(request: Request, visit: Visit): void {
  visits.set(request, visit);
}

/**
 * Waits for another turn of a request, between two parts of its work that others need not wait for. One that
 * came through no listener only gives the event loop back.
 */
export function anotherTurn(request: Request): Promise<void> {
  return visits.get(request)?.resume() ?? slices.turn();
}

/**
 * Waits for what a client still sends. The request is not under way meanwhile, and takes another turn if
 * others were served in the meantime.
 */
export async function whileClientSends<Value>(request: Request, sent: Promise<Value>): Promise<Value> {
  const visit = visits.get(request);
  if (visit === undefined) return sent;
  visit.pause();
  const value = await sent;
  if (visit.isLate) await visit.resume();
  else visit.goOn();
  return value;
}
