import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { type AgentRow, isActiveAgent } from '../../agents/agents.ts';
import type { Delivery } from '../../evidence/deliverable.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { dueTime } from './standstill.ts';
import type { EscrowRow, EscrowState } from './store.ts';
import { termsDigestOf } from './terms.ts';

/** Returns whether the deadline of a HELD task is over. No deadline is over while the clock is wrong. */
export function isLate(
  { clock, clockWatch }: { clock: Clock; clockWatch: ClockWatch },
  state: EscrowState,
): boolean {
  const now = clock.now();
  const due = dueTime(state, now);
  return due !== null && due <= now && clockWatch.look() === null;
}

/** Returns whether evidence was anchored after the hire: what is older delivers no task. */
export function isYounger(
  { evidenceSeq, createdAt }: Pick<Delivery, 'evidenceSeq' | 'createdAt'>,
  { evidenceBefore, createdAt: hiredAt }: EscrowRow,
): boolean {
  return evidenceBefore === null ? Date.parse(createdAt) >= hiredAt : evidenceSeq > evidenceBefore;
}

/**
 * Returns whether a worker signed evidence for the terms of another hire, such as one of another installation
 * or of before a restore: it is no delivery of this one, whoever sends it.
 */
export function isForOtherTerms({ termsDigest }: Pick<Delivery, 'termsDigest'>, state: EscrowState): boolean {
  return termsDigest !== null && termsDigest !== termsDigestOf(state);
}

/**
 * Returns whether a task can be delivered: its worker can act, and its hirer is not revoked. A hire that
 * stands still can be delivered.
 * @param worker the worker of the task, as the transaction sees it
 */
export async function canDeliverIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  { hirerState }: EscrowState,
  worker: AgentRow,
): Promise<boolean> {
  return hirerState !== 'REVOKED' && isActiveAgent(worker, (seq) => principals.operatorIn(tx, seq));
}
