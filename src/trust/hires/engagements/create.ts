import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';
import { requireEnrolledAgentIn } from '../../agents/agents.ts';
import { type AgentCaller, authorizeDebitIn } from '../../ledger/credits/authorization.ts';
import { type Hold, holdIn } from '../escrow/hold.ts';
import type { EscrowState } from '../escrow/state.ts';
import type { HireContext } from './engagement.ts';

/** The terms of a new engagement or ACP task. */
export interface Terms {
  /** A unique name; null for one that the service makes. */
  taskId: string | null;
  purpose: Hold['purpose'];
  hirer: string;
  worker: string;
  /** Credits, at least 1. */
  amount: number;
  description: string | null;
  /** 64 hexadecimal characters; null for the digest of the terms. */
  inputDigest: string | null;
  /** RFC 3339; null for none. */
  deadline: string | null;
  /** What delivers it; null for the default of the service. */
  delivery: Hold['delivery'];
}

/**
 * Hires an agent: locks credits of the hirer until the task ends. The caller may debit the hirer.
 * @returns what `view` shows of the engagement
 * @throws ApiError of authorizeDebitIn and holdIn; agent_not_enrolled for an unknown or revoked worker
 */
export async function hire<View extends object>(
  trust: HireContext,
  caller: AgentCaller,
  terms: Terms,
  once: Once,
  view: (state: EscrowState) => View,
): Promise<View> {
  return trust.store.write(caller.authority, (tx) =>
    once(tx, async () => view(await hireIn(tx, trust, caller, terms))),
  );
}

/** Hires an agent in a transaction that the caller's authority writes. @throws ApiError as `hire` */
export async function hireIn(
  tx: Transaction,
  trust: HireContext,
  caller: AgentCaller,
  terms: Terms,
): Promise<EscrowState> {
  const hirer = await authorizeDebitIn(tx, trust, caller, terms.hirer, terms.amount);
  return holdIn(tx, trust, await holdOf(tx, trust, terms, hirer));
}

/** Builds the hold for terms. @throws ApiError agent_not_enrolled for an unknown or revoked worker */
async function holdOf(
  tx: Transaction,
  { ids }: { ids: Ids },
  { taskId, worker, deadline, ...terms }: Terms,
  hirer: Hold['hirer'],
): Promise<Hold> {
  return {
    ...terms,
    taskId: taskId ?? ids.newId('eng_'),
    hirer,
    worker: await requireEnrolledAgentIn(tx, worker),
    deadline: deadline === null ? null : parseTimestamp(deadline),
  };
}
