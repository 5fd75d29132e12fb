import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { taskChanges } from './changes.ts';
import { inGroups } from './groups.ts';
import type { EscrowPolicy } from './settings.ts';
import { stillMark } from './standstill.ts';
import type { ChangeContext } from './state.ts';
import {
  type DuePosition,
  dueEscrow,
  escrowBySeq,
  type OpenStatus,
  setAcceptBy,
  setDisputeUntil,
  undatedDisputes,
  undatedEscrow,
} from './store.ts';

/** The parts of the service that ending by date uses. */
export type DueContext = LedgerContext &
  ChangeContext & { store: Store; clockWatch: ClockWatch; policy: EscrowPolicy };

/** Ends a task that is due, in its transaction. */
type EndIn = (tx: Transaction, escrowSeq: number) => Promise<unknown>;

/** The tasks that are read at once. */
const BATCH = 100;
/** The batches of one run, so that it ends soon. */
const BATCHES = 20;

/**
 * Ends tasks that are due: HELD ones whose deadline is over expire, DELIVERED ones are paid after accept_by,
 * and DISPUTED ones end as the setting says. Does nothing while the clock is wrong. A task that cannot be
 * ended does not stop the others.
 * @param expireIn ends a HELD task in its transaction, unless another request has ended it
 * @param endDeliveredIn pays a DELIVERED task, or ends a DISPUTED one, in the same way
 * @throws AggregateError with the errors of tasks that could not be ended
 */
export async function endDue(
  trust: DueContext,
  { expireIn, endDeliveredIn }: Readonly<Record<'expireIn' | 'endDeliveredIn', EndIn>>,
): Promise<void> {
  if (trust.clockWatch.look() !== null) return;
  await dateDeliveries(trust);
  const failures = [
    ...(await endEach(trust, 'HELD', expireIn)),
    ...(await endEach(trust, 'DELIVERED', endDeliveredIn)),
    ...(await endEach(trust, 'DISPUTED', endDeliveredIn)),
  ];
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} engagements cannot be ended`);
}

/**
 * Returns when the next task is due that is due after `after`, in milliseconds since 1970; null for none. A
 * delivered or disputed one without its time is due at once.
 */
export function nextEndOf({ store, clock }: Pick<DueContext, 'store' | 'clock'>, after: number) {
  return store.read(async (snapshot) => {
    const from: DuePosition = { due: after, escrowSeq: Number.MAX_SAFE_INTEGER };
    const next = (status: OpenStatus) => dueEscrow(snapshot, status, Number.MAX_SAFE_INTEGER, from, 1);
    const ends = [await next('HELD'), await next('DELIVERED'), await next('DISPUTED')].flat();
    const undated = [...(await undatedEscrow(snapshot, 1)), ...(await undatedDisputes(snapshot, 1))];
    const dues = [
      ...undated.map(() => clock.now()).filter((due) => due > after),
      ...ends.map(({ due }) => due),
    ];
    return dues.length === 0 ? null : Math.min(...dues);
  });
}

/** Sets the times of tasks that were delivered or disputed while the clock was wrong. */
async function dateDeliveries({ store, clock, policy }: DueContext): Promise<void> {
  for (const escrowSeq of await store.read((snapshot) => undatedEscrow(snapshot, BATCH))) {
    await store.writeAsService(async (tx) => {
      const state = await escrowBySeq(tx, escrowSeq);
      if (state?.escrow.status !== 'DELIVERED' || state.escrow.acceptBy !== null) return;
      const now = clock.now();
      const acceptBy = now + policy.acceptMs;
      await setAcceptBy(tx, { escrowSeq, acceptBy, stillMark: stillMark(state, now) });
      taskChanges.changedIn(tx, state.escrow.taskId);
    });
  }
  for (const escrowSeq of await store.read((snapshot) => undatedDisputes(snapshot, BATCH))) {
    await store.writeAsService(async (tx) => {
      const state = await escrowBySeq(tx, escrowSeq);
      if (state?.escrow.status !== 'DISPUTED' || state.escrow.disputeUntil !== null) return;
      const now = clock.now();
      const disputeUntil = now + policy.disputeMs;
      await setDisputeUntil(tx, { escrowSeq, disputeUntil, stillMark: stillMark(state, now) });
    });
  }
}

/** Ends the tasks of a status that are due, each in its own unit of work. @returns the errors */
async function endEach({ store, clock }: DueContext, status: OpenStatus, endIn: EndIn): Promise<unknown[]> {
  const failures: unknown[] = [];
  let after: DuePosition | undefined = { due: -1, escrowSeq: 0 };
  for (let batch = 0; batch < BATCHES && after !== undefined; batch++) {
    const from: DuePosition = after;
    const due = await store.read((snapshot) => dueEscrow(snapshot, status, clock.now(), from, BATCH));
    failures.push(
      ...(await inGroups(due, ({ escrowSeq }) => store.writeAsService((tx) => endIn(tx, escrowSeq)))),
    );
    after = due.length === BATCH ? due.at(-1) : undefined;
  }
  return failures;
}
