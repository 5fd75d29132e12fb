import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { publicFigures } from './figures.ts';
import type { LedgerContext } from './post.ts';
import { type AgentCreditRow, agentCreditOf, putAgentCredit } from './store.ts';
import { tierOf } from './tiers.ts';

/** Returns the end of an agent's journal and its evaluated tier; undefined before its first movement and evaluation. */
export function creditStateOf(snapshot: Snapshot, agentSeq: number): Promise<AgentCreditRow | undefined> {
  return agentCreditOf(snapshot, agentSeq);
}

/** Computes an agent's tier from its available credits again, and stores it. Every movement does the same. */
export async function evaluateIn(
  tx: Transaction,
  { clock, policy }: Pick<LedgerContext, 'clock' | 'policy'>,
  agentSeq: number,
): Promise<void> {
  const { entries = 0, head = null } = (await agentCreditOf(tx, agentSeq)) ?? {};
  const { available } = await publicFigures(tx, agentSeq);
  const evaluatedTier = tierOf(available, policy.tiers);
  await putAgentCredit(tx, { agentSeq, entries, head, evaluatedTier, evaluatedAt: clock.now() });
}
