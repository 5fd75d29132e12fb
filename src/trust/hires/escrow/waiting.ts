import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { stillSince } from './standstill.ts';
import { parkedDeliveries } from './store.ts';
import { waitingDisputesProblem } from './waiting-disputes.ts';

/** Returns what health says of hires that wait for the administrator. */
export async function hireProblems(trust: { store: Store; clock: Clock }): Promise<string[]> {
  const problems = [await waitingHiresProblem(trust), await waitingDisputesProblem(trust)];
  return problems.filter((problem) => problem !== null);
}

/** For so long a delivered hire stands still before somebody has to look at it. */
const WAITING_MS = 24 * 3_600_000;
/** The most hires that are looked at, those that were due first. */
const MOST = 100;

/**
 * Returns what health says of delivered hires that would have been paid by now, but stand still for more than
 * 24 hours: only an administrator ends them. Null for none. Health is public, so it names no task.
 */
async function waitingHiresProblem({ store, clock }: { store: Store; clock: Clock }): Promise<string | null> {
  const now = clock.now();
  const parked = await store.read((snapshot) => parkedDeliveries(snapshot, { now, limit: MOST }));
  const count = parked.filter((state) => (stillSince(state) ?? now) <= now - WAITING_MS).length;
  if (count === 0) return null;
  const hires =
    count === 1
      ? '1 delivered engagement stands'
      : `${count === MOST ? 'At least ' : ''}${count} delivered engagements stand`;
  return `${hires} still for more than 24 hours, because the hirer is frozen or its sponsor suspended. The administrator decides: countersign engagements list, then accept or refund.`;
}
