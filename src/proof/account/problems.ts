import type { ClosedLog } from '../log/closed-log.ts';
import { describeUnread } from '../log/predecessors.ts';

/**
 * What `verify --complete` names, with descriptions. Problems of the log come first, then those of the list,
 * then what the list lacks.
 */
export const ACCOUNT_PROBLEMS = {
  sequence:
    'a leaf does not follow the leaf of the account before it: leaves were dropped, repeated or swapped',
  agent_sequence:
    'a leaf does not follow the leaf of its agent before it: leaves were dropped, repeated or swapped',
  link: 'a leaf contradicts whether the account was linked',
  event: 'a leaf contradicts the leaves of its receipt before it',
  time: 'the time of a leaf is more than 60 s outside the times of the kept checkpoints before and after it',
  unbounded: 'no kept checkpoints bound the times of leaves, which could be younger than they say',
  predecessor:
    'the log continues a closed one of which not all entries are known, so receipts that only that has are not seen',
  not_authentic: 'the line is not a receipt that a trusted key signed',
  foreign: 'the receipt is of another operator',
  extra: 'the receipt has no leaf, although the account was linked when it was issued',
  duplicate: 'an earlier line has the same receipt',
  altered: 'the receipt is not the newest version that the log has',
  pending: 'the receipt was never finalized, and it has expired',
  reordered: 'the receipt is not at its place in the order of issue',
  missing: 'the log has the receipt, and the list does not',
  issue_unproven: 'the receipt was issued while the account was not linked',
  outcome_unproven: 'the receipt was finalized or revoked while the account was not linked',
  unproven: 'the receipt was issued while the account was not linked, and has no leaf',
  unlinked: 'the account was not linked, so nothing is proven about this time',
} as const;

export type AccountProblemKind = keyof typeof ACCOUNT_PROBLEMS;

/** The problems that only say that something is unproven, because the account was not linked. */
export const OF_UNLINKED: readonly AccountProblemKind[] = [
  'issue_unproven',
  'outcome_unproven',
  'unproven',
  'unlinked',
];

/** Returns whether a problem only says that something is unproven, because the account was not linked. */
export function isOfUnlinked(kind: AccountProblemKind): boolean {
  return OF_UNLINKED.includes(kind);
}

/** A problem of a linked account. */
export interface AccountProblem {
  problem: AccountProblemKind;
  /** Null for a problem of no single receipt, and for a line without an id. */
  receipt_id: string | null;
  /** In the list, from 1; null for a problem of the log, and for a receipt that the list lacks. */
  line: number | null;
  /** The sequence of the leaf in the account; null if there is none. */
  sequence: number | null;
  /** What was found, in a sentence. */
  detail: string;
}

/** Returns the problems of closed logs of which entries may be unknown. @param log that continues them */
export function predecessorProblems(closed: readonly ClosedLog[], log: string): AccountProblem[] {
  return closed.map((one) => ({
    ...{ problem: 'predecessor', receipt_id: null, line: null, sequence: null },
    detail: `${describeUnread(one, log)}: receipts that only that log has are not seen`,
  }));
}

/** Receives problems in their order. */
export type ProblemSink = (problem: AccountProblem) => void;
