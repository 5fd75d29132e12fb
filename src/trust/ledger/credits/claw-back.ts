import type { Store } from '../../../platform/store/store.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { operatorBySeq } from '../../operators/status.ts';
import { type CreditClass, creditsOf, poolOf, UNCLAIMED } from '../accounts.ts';
import { publicFigures } from '../balances.ts';
import { type LedgerContext, payIn, postIn } from '../post.ts';
import type { MovedResponse } from './schema.ts';

/** The reference of the movements. */
const REFERENCE = 'claw_back';

/**
 * Moves available credits of an agent, even of a frozen or a revoked one, to the pool of its sponsor, which
 * may be inactive; without a sponsor to `unclaimed`. They keep their class. A local operation.
 * @param class the class to take; undefined for the classes that a debit takes
 * @param reason the memo of the movement, 1 to 256 characters
 * @returns the balances of the agent
 * @throws ApiError not_found; insufficient_credits for more than it has available; conflict beyond 2^53 − 1
 */
export async function clawBack(
  { store, ...ledger }: LedgerContext & { store: Store },
  commitment: string,
  { amount, class: creditClass, reason }: { amount: number; class?: CreditClass; reason: string },
): Promise<MovedResponse> {
  return store.writeAsService(async (tx) => {
    const agent = await requireAgentIn(tx, commitment);
    const sponsor = agent.sponsorSeq === null ? null : await operatorBySeq(tx, agent.sponsorSeq);
    const kind = 'ADJUSTMENT';
    const occasion = {
      kind,
      from: creditsOf(agent),
      to: sponsor === null ? UNCLAIMED : poolOf(sponsor),
      reference: REFERENCE,
      memo: reason,
    } as const;
    const { transactionId } =
      creditClass === undefined
        ? await payIn(tx, ledger, { ...occasion, amount })
        : await postIn(tx, ledger, { ...occasion, portions: { [creditClass]: amount } });
    const balances = await publicFigures(tx, agent.agentSeq);
    return { transaction_id: transactionId, kind, amount, balances };
  });
}
