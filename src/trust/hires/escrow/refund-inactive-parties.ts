import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { operatorBySeq } from '../../operators/status.ts';
import { inGroups } from './groups.ts';
import {
  advanceRefund,
  firstRefund,
  heldAfter,
  type RefundRow,
  removeRefund,
  sponsoredAgentsAfter,
} from './refund-store.ts';
import { cancelUnableIn } from './unlock.ts';

/** The parts of the service that refunding uses. */
export type RefundContext = LedgerContext & { store: Store; principals: Principals };

/** The agents of one read. */
const AGENTS = 200;
/** The tasks of an agent that are read at once. */
const TASKS = 100;
/** The steps of one run, and the tasks that it ends, so that it ends soon. */
const STEPS = 50;
const MOST_TASKS = 2000;

/** One run: how many tasks it may still end, and the errors of tasks that could not be ended. */
interface Run {
  left: number;
  failures: unknown[];
}

/**
 * Returns the credits of HELD tasks whose hirer or worker was revoked or suspended. Reads only the agents of
 * parties that changed. The next run continues where this one ends. A task that cannot be ended does not stop
 * those of other parties; its own party stays queued.
 * @throws AggregateError with the errors of tasks that could not be ended
 */
export async function refundInactiveParties(trust: RefundContext): Promise<void> {
  const run: Run = { left: MOST_TASKS, failures: [] };
  let after = 0;
  for (let step = 0; step < STEPS && run.left > 0; step++) {
    const refund = await trust.store.read((snapshot) => firstRefund(snapshot, after));
    if (refund === null) break;
    const failed = run.failures.length;
    await refundStep(trust, refund, run);
    if (run.failures.length > failed) after = refund.refundSeq;
  }
  const { failures } = run;
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} engagements of inactive parties cannot be ended`);
}

/** Returns the time of the clock while a party is queued, if that is after `after`; else null. */
export async function nextRefundOf({ store, clock }: RefundContext, after: number): Promise<number | null> {
  const now = clock.now();
  if (now <= after) return null;
  return (await store.read((snapshot) => firstRefund(snapshot, 0))) === null ? null : now;
}

/** Refunds an agent, or the next agents of an operator. Records that they are done when they have no task. */
async function refundStep(trust: RefundContext, refund: RefundRow, run: Run): Promise<void> {
  const { store } = trust;
  const { refundSeq } = refund;
  const failed = run.failures.length;
  const agents = await store.read(async (snapshot) =>
    (await isActiveAgain(snapshot, refund)) ? [] : agentsOf(snapshot, refund),
  );
  for (const agentSeq of agents) {
    await refundAgent(trust, agentSeq, run);
    if (run.left <= 0) return;
  }
  if (run.failures.length > failed) return;
  const last = agents.at(-1);
  const isDone = refund.operatorSeq === null || last === undefined;
  await store.writeAsService((tx) =>
    isDone ? removeRefund(tx, refundSeq) : advanceRefund(tx, { refundSeq, position: last }),
  );
}

/** Refunds the HELD tasks of an agent, up to the number that the run has left. */
async function refundAgent({ store, ...trust }: RefundContext, agentSeq: number, run: Run): Promise<void> {
  for (let after = 0, more = true; more && run.left > 0; ) {
    const escrowSeqs = await store.read((snapshot) => heldAfter(snapshot, { agentSeq, after, limit: TASKS }));
    run.failures.push(
      ...(await inGroups(escrowSeqs, (escrowSeq) =>
        store.writeAsService((tx) => cancelUnableIn(tx, trust, escrowSeq)),
      )),
    );
    run.left -= escrowSeqs.length;
    after = escrowSeqs.at(-1) ?? after;
    more = escrowSeqs.length === TASKS;
  }
}

/** Returns whether an operator is active again. If it is suspended once more, it is queued once more. */
async function isActiveAgain(snapshot: Snapshot, { operatorSeq }: RefundRow): Promise<boolean> {
  if (operatorSeq === null) return false;
  return (await operatorBySeq(snapshot, operatorSeq))?.accountStatus === 'ACTIVE';
}

async function agentsOf(
  snapshot: Snapshot,
  { agentSeq, operatorSeq, position }: RefundRow,
): Promise<number[]> {
  if (agentSeq !== null) return [agentSeq];
  if (operatorSeq === null) return [];
  return sponsoredAgentsAfter(snapshot, { sponsorSeq: operatorSeq, after: position, limit: AGENTS });
}
