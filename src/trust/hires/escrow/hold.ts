import type { Transaction } from '../../../platform/store/transaction.ts';
import { type AgentRow, isActiveAgent } from '../../agents/agents.ts';
import { standstillOf } from '../../agents/freeze.ts';
import { stoodStillMs } from '../../agents/standstill.ts';
import { newestEvidenceIn } from '../../evidence/deliverable.ts';
import { commonErrors } from '../../http/errors.ts';
import { exactTextProblem } from '../../http/exact-text.ts';
import { creditsOf, lockedOf } from '../../ledger/accounts.ts';
import { payIn } from '../../ledger/post.ts';
import { changedIn, type EscrowContext } from './state.ts';
import { BEGIN, type EscrowRow, type EscrowState, insertEscrow, isUsed } from './store.ts';
import { digestOfTerms } from './terms.ts';

/** An offset can move a time past the year 9999, which RFC 3339 cannot write in UTC. */
const LAST_DEADLINE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The prefix of the task_ids that the service makes for A2A tasks. It is reserved for them. */
const A2A_PREFIX = 'a2a_';

/** Credits to lock for a task. */
export interface Hold {
  taskId: string;
  purpose: EscrowRow['purpose'];
  hirer: AgentRow;
  worker: AgentRow;
  /** Credits, at least 1. */
  amount: number;
  description: string | null;
  /** The digest of the request, 64 hexadecimal characters; null for the digest of the terms. */
  inputDigest: string | null;
  /** Milliseconds since 1970; null for no deadline. */
  deadline: number | null;
  /** What delivers it; null for the default of the service. */
  delivery: EscrowRow['delivery'] | null;
}

/**
 * Locks credits of the hirer for a task. The caller has authorized the debit.
 * @throws ApiError validation_error for a party that hires itself or a deadline in the past; conflict for a
 * used task_id; forbidden for a frozen worker, and while its sponsor is not ACTIVE; insufficient_credits
 */
export async function holdIn(tx: Transaction, trust: EscrowContext, hold: Hold): Promise<EscrowState> {
  const { taskId, purpose, hirer, worker, amount, description, deadline } = hold;
  const now = trust.clock.now();
  const issues: Record<string, string[]> = {};
  if (hirer.agentSeq === worker.agentSeq) issues.worker_commitment = ['must be another agent than the hirer'];
  if (purpose !== 'a2a' && taskId.startsWith(A2A_PREFIX))
    issues.task_id = [`must not begin with ${A2A_PREFIX}, which the ids of A2A tasks begin with`];
  const inexact = exactTextProblem(taskId);
  if (inexact !== null) issues.task_id = [inexact];
  // Clients and servers remove these segments from a path.
  if (taskId === '.' || taskId === '..') issues.task_id = ['must not be . or .., which no URL can have'];
  if (deadline !== null && deadline <= now) issues.deadline = ['must be in the future'];
  if (deadline !== null && deadline > LAST_DEADLINE)
    issues.deadline = ['must be before the year 10000 in UTC'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  if (!(await isActiveAgent(worker, (seq) => trust.principals.operatorIn(tx, seq)))) {
    throw commonErrors.forbidden({
      message:
        'The worker is frozen, or the account of its sponsor is not active, so it cannot be hired. Hire another agent.',
    });
  }
  if (await isUsed(tx, taskId)) {
    throw commonErrors.conflict({
      message: `The task_id ${taskId} was used before. Send another task_id, which is unique in this installation.`,
    });
  }
  const standstill = await standstillOf(tx, hirer.agentSeq);
  if (standstill === null) throw new Error(`agent ${hirer.agentSeq} is gone`);
  const { portions, transactionId } = await payIn(tx, trust, {
    kind: 'LOCK',
    from: creditsOf(hirer),
    to: lockedOf(hirer),
    payee: creditsOf(worker),
    amount,
    reference: taskId,
  });
  const row = {
    ...portions,
    taskId,
    purpose,
    hirerSeq: hirer.agentSeq,
    workerSeq: worker.agentSeq,
    amount,
    description,
    inputDigest:
      hold.inputDigest ??
      digestOfTerms({ ...hold, hirer: hirer.subjectCommitment, worker: worker.subjectCommitment }),
    deadline,
    delivery: hold.delivery ?? trust.policy.delivery,
    evidenceBefore: await newestEvidenceIn(tx),
    dueAt: deadline,
    stillMark: stoodStillMs(standstill, now),
    createdAt: now,
    updatedAt: now,
    lockTransactionId: transactionId,
  };
  const { escrowSeq } = await insertEscrow(tx, row);
  return changedIn(tx, trust, {
    escrow: { ...BEGIN, ...row, escrowSeq },
    hirer: hirer.subjectCommitment,
    hirerState: hirer.state,
    hirerStandstill: standstill,
    hirerSponsor: hirer.sponsorSeq,
    worker: worker.subjectCommitment,
    workerState: worker.state,
    workerSponsor: worker.sponsorSeq,
    receiptId: null,
    returnReceiptId: null,
    arbiter: null,
    arbiterState: null,
    consentedAt: null,
    isArbiterRefused: false,
  });
}
