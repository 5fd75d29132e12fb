import type { Snapshot } from '../../platform/store/transaction.ts';
import type { TrustContext } from '../context.ts';
import type { LedgerContext } from '../ledger/post.ts';
import { cancelUnableIn } from './escrow.ts';
import {
  advanceRefund,
  firstRefund,
  heldAfter,
  type RefundRow,
  removeRefund,
  sponsoredAgentsAfter,
} from './refund-store.ts';

/** The parts of the service that refunding uses. */
export type RefundContext = LedgerContext & Pick<TrustContext, 'store' | 'principals'>;

/** The agents that are looked at in one read. */
const AGENTS = 200;
/** The tasks of an agent that are read at once. */
const TASKS = 100;
/** The steps of one run, so that it ends soon. */
const STEPS = 50;

/**
 * Returns the credits of HELD tasks whose hirer or worker was revoked or suspended. Reads only the agents of parties that changed. The next
 * run continues where this one ends.
 */
export async function refundInactiveParties(trust: RefundContext): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    const refund = await trust.store.read(firstRefund);
    if (refund === null) return;
    await refundStep(trust, refund);
  }
}

/** Refunds an agent, or the next agents of an operator. */
async function refundStep({ store, ...trust }: RefundContext, refund: RefundRow): Promise<void> {
  const { refundSeq } = refund;
  const agents = await store.read((snapshot) => agentsOf(snapshot, refund));
  for (const agentSeq of agents) {
    for (let after = 0, more = true; more; ) {
      const held = await store.read((snapshot) => heldAfter(snapshot, agentSeq, after, TASKS));
      for (const escrowSeq of held) await store.writeAsService((tx) => cancelUnableIn(tx, trust, escrowSeq));
      after = held.at(-1) ?? after;
      more = held.length === TASKS;
    }
  }
  const last = agents.at(-1);
  const isDone = refund.operatorSeq === null || last === undefined;
  await store.writeAsService((tx) =>
    isDone ? removeRefund(tx, refundSeq) : advanceRefund(tx, refundSeq, last),
  );
}

async function agentsOf(
  snapshot: Snapshot,
  { agentSeq, operatorSeq, position }: RefundRow,
): Promise<number[]> {
  if (agentSeq !== null) return [agentSeq];
  return operatorSeq === null ? [] : sponsoredAgentsAfter(snapshot, operatorSeq, position, AGENTS);
}
