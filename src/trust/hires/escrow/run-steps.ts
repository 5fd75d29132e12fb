import { ESCROW_STEPS } from '../../../../db/trust/escrow-enums.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { standstillOf } from '../../agents/freeze.ts';
import { standsStillSince } from '../../agents/standstill.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { operatorBySeq } from '../../operators/status.ts';
import { inGroups } from './groups.ts';
import type { EscrowPolicy } from './settings.ts';
import { resumeIn } from './standstill.ts';
import type { ChangeContext, Ended, EscrowState } from './state.ts';
import {
  advanceStep,
  escrowOfStep,
  firstStep,
  removeStep,
  type StepRow,
  sponsoredAgentsAfter,
} from './step-store.ts';
import { cancelRevokedIn, cancelStillIn } from './unlock.ts';

/** The parts of the service that steps use. */
export type StepContext = LedgerContext & ChangeContext & { store: Store; policy: EscrowPolicy };

/** Records, in the same transaction, that the credits of escrow returned to its hirer. */
export type Returned = (tx: Transaction, state: EscrowState) => Promise<unknown>;

/** The agents of one read. */
const AGENTS = 200;
/** The tasks of an agent that are read at once. */
const TASKS = 100;
/** The steps of one run, and the tasks that it changes, so that it ends soon. */
const STEPS = 50;
const MOST_TASKS = 2000;

/** One run: how much it may still do, and the errors of tasks that could not be changed. */
interface Run {
  steps: number;
  tasks: number;
  failures: unknown[];
  returnedIn: Returned;
}

/** What a step does with one task, in its transaction. Returns escrow that it ended. */
const ACTS: Readonly<
  Record<StepRow['step'], (tx: Transaction, trust: StepContext, escrowSeq: number) => Promise<Ended | null>>
> = {
  revoked: cancelRevokedIn,
  still: cancelStillIn,
  resumed: async (tx, trust, escrowSeq) => {
    await resumeIn(tx, trust, escrowSeq);
    return null;
  },
};

/**
 * Follows agents that were revoked, and hires that stand still or go on: refunds HELD tasks of revoked
 * parties at once, and HELD hires that stood still for as long as the grace; lets time end hires again that
 * stand still no longer. Triggers queue a step with each change, so a run reads only agents of parties that
 * changed. The next run continues where this one ends. A task that cannot be changed does not stop those of
 * other parties; its own party stays queued.
 * @param returnedIn is called with what was refunded, in the transaction that did it
 * @throws AggregateError with the errors of tasks that could not be changed
 */
export async function runSteps(trust: StepContext, returnedIn: Returned): Promise<void> {
  const run: Run = { steps: STEPS, tasks: MOST_TASKS, failures: [], returnedIn };
  for (const step of ESCROW_STEPS) await runStepsOf(trust, step, run);
  const { failures } = run;
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} engagements of inactive parties cannot be ended`);
}

/** Returns when the next step begins that begins after `after`, in milliseconds since 1970; null for none. */
export async function nextStepOf(
  { store, clock, policy }: StepContext,
  after: number,
): Promise<number | null> {
  return store.read(async (snapshot) => {
    const now = clock.now();
    const first = (step: StepRow['step'], afterBegan: number) =>
      firstStep(snapshot, {
        step,
        until: Number.MAX_SAFE_INTEGER,
        afterBegan,
        afterSeq: Number.MAX_SAFE_INTEGER,
      });
    const isQueued = (await first('revoked', -1)) !== null || (await first('resumed', -1)) !== null;
    const still = await first('still', -1);
    const later = still === null ? null : await first('still', after - policy.standstillGraceMs);
    const begins = [
      ...(isQueued ? [now] : []),
      ...[still, later].flatMap((row) =>
        row === null ? [] : [Math.max(now, row.began + policy.standstillGraceMs)],
      ),
    ].filter((begin) => begin > after);
    return begins.length === 0 ? null : Math.min(...begins);
  });
}

async function runStepsOf(trust: StepContext, step: StepRow['step'], run: Run): Promise<void> {
  const until = step === 'still' ? trust.clock.now() - trust.policy.standstillGraceMs : 0;
  let position = { afterBegan: -1, afterSeq: 0 };
  for (; run.steps > 0 && run.tasks > 0; run.steps--) {
    const from = position;
    const row = await trust.store.read((snapshot) => firstStep(snapshot, { step, until, ...from }));
    if (row === null) return;
    const failed = run.failures.length;
    await advance(trust, row, run);
    if (run.failures.length > failed) position = { afterBegan: row.began, afterSeq: row.stepSeq };
  }
}

/**
 * Does a step for an agent, or for the next agents of an operator. Records that they are done when they are.
 */
async function advance(trust: StepContext, row: StepRow, run: Run): Promise<void> {
  const { store } = trust;
  const { stepSeq, operatorSeq } = row;
  const failed = run.failures.length;
  const agents = await store.read((snapshot) => agentsOf(snapshot, row));
  for (const seq of agents) {
    await actFor(trust, row, seq, run);
    if (run.tasks <= 0) return;
  }
  if (run.failures.length > failed) return;
  const last = agents.at(-1);
  const isDone = operatorSeq === null || last === undefined;
  await store.writeAsService((tx) =>
    isDone ? removeStep(tx, stepSeq) : advanceStep(tx, { stepSeq, position: last }),
  );
}

/** Acts on the tasks of an agent, up to the number that the run has left. */
async function actFor(trust: StepContext, { step }: StepRow, agentSeq: number, run: Run): Promise<void> {
  const { store } = trust;
  if (!(await store.read((snapshot) => concerns(snapshot, trust, step, agentSeq)))) return;
  for (let after = 0, more = true; more && run.tasks > 0; ) {
    const range = { agentSeq, after, limit: TASKS };
    const escrowSeqs = await store.read((snapshot) => escrowOfStep(snapshot, step, range));
    run.failures.push(
      ...(await inGroups(escrowSeqs, (escrowSeq) =>
        store.writeAsService(async (tx) => {
          const ended = await ACTS[step](tx, trust, escrowSeq);
          if (ended !== null) await run.returnedIn(tx, ended.state);
        }),
      )),
    );
    run.tasks -= escrowSeqs.length;
    after = escrowSeqs.at(-1) ?? after;
    more = escrowSeqs.length === TASKS;
  }
}

/**
 * Returns whether a step still concerns an agent. Whatever changed since has its own step. Without this, a
 * step would read the same tasks in each run.
 */
async function concerns(
  snapshot: Snapshot,
  { clock, policy }: StepContext,
  step: StepRow['step'],
  agentSeq: number,
): Promise<boolean> {
  if (step === 'revoked') return true;
  const facts = await standstillOf(snapshot, agentSeq);
  const since = facts === null ? null : standsStillSince(facts);
  if (step === 'resumed') return since === null;
  return since !== null && since + policy.standstillGraceMs <= clock.now();
}

async function agentsOf(
  snapshot: Snapshot,
  { step, agentSeq, operatorSeq, position }: StepRow,
): Promise<number[]> {
  if (agentSeq !== null) return [agentSeq];
  if (operatorSeq === null) return [];
  // Its frozen agents have steps of their own.
  const isActive = (await operatorBySeq(snapshot, operatorSeq))?.accountStatus === 'ACTIVE';
  if (isActive !== (step === 'resumed')) return [];
  return sponsoredAgentsAfter(snapshot, { sponsorSeq: operatorSeq, after: position, limit: AGENTS });
}
