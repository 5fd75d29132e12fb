import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { AgentCaller } from '../../ledger/credits/authorization.ts';
import { chargeIn, type MeterContext } from '../../ledger/metering/charge.ts';
import { whenCovered } from '../coverage.ts';
import { type IssueContext, issueCredentialIn, requireCurrentAgentIn } from '../issue.ts';
import type { RequestedContent } from '../requested-content.ts';

export type MeteredContext = IssueContext & MeterContext & { store: Store };

/** An agent's credential, and the agent that pays for it; null for the caller. */
interface Order {
  commitment: string;
  payer: string | null;
}

/**
 * Issues the credential of an agent and charges for it, in one transaction, which stores both or neither.
 * @throws ApiError not_found, agent_not_enrolled of the agent; errors of `chargeIn`; clock_wrong; overloaded
 * while no checkpoint covers the newest leaf of the agent; ReadOnly
 */
export function issueMetered(trust: MeteredContext, caller: AgentCaller, order: Order, once: Once) {
  return whenCovered(trust, (earlier) =>
    trust.store.write(caller.authority, (tx) =>
      once(tx, () => issueMeteredIn(tx, trust, caller, order, earlier)),
    ),
  );
}

/**
 * Issues the credential of an agent and charges for it in a transaction that the caller's authority writes.
 * @throws as `issueMetered`; LeavesUncovered while no checkpoint covers the newest leaf of the agent
 */
export async function issueMeteredIn(
  tx: Transaction,
  trust: MeteredContext,
  caller: AgentCaller,
  { commitment, payer }: Order,
  earlier: RequestedContent | null = null,
) {
  const agent = await requireCurrentAgentIn(tx, commitment);
  // First, so that a caller who may not or cannot pay costs no more than this.
  const charged = { caller, commitment: payer };
  const meter_receipt = await chargeIn(tx, trust, charged, 'portable_credential_issuance');
  const { document } = await issueCredentialIn(tx, trust, agent, earlier);
  return { credential: document, meter_receipt };
}
