import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { findAgentIn, isActiveAgent } from '../../agents/agents.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import type { EscrowState } from './store.ts';

/** Returns whether the deadline of a task is over. No deadline is over while the clock is wrong. */
export function isLate(
  { clock, clockWatch }: { clock: Clock; clockWatch: ClockWatch },
  { escrow: { deadline } }: EscrowState,
): boolean {
  return deadline !== null && deadline <= clock.now() && clockWatch.look() === null;
}

/** Returns whether a delivered task is paid without an acceptance. None is paid while the clock is wrong. */
export function isPayable(
  { clock, clockWatch }: { clock: Clock; clockWatch: ClockWatch },
  { escrow: { acceptBy } }: EscrowState,
): boolean {
  return acceptBy !== null && acceptBy <= clock.now() && clockWatch.look() === null;
}

/** Returns whether both parties can act: neither is revoked, and their sponsors are ACTIVE. */
export async function areActiveIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  { hirer, worker }: EscrowState,
): Promise<boolean> {
  for (const commitment of [hirer, worker]) {
    const agent = await findAgentIn(tx, commitment);
    if (agent === null) return false;
    if (!(await isActiveAgent(agent, (seq) => principals.operatorIn(tx, seq)))) return false;
  }
  return true;
}
