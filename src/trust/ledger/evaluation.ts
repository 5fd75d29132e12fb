import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { creditsIn } from './balances.ts';
import type { LedgerContext } from './post.ts';
import { type JournalEnd, putJournalEnds } from './posting-store.ts';
import { agentCreditOf } from './store.ts';
import { countedForTier, tierOf } from './tiers.ts';

/** Returns the end of an agent's journal and its tier; null before its first movement or evaluation. */
export function creditStateOf(snapshot: Snapshot, agentSeq: number): Promise<JournalEnd | null> {
  return agentCreditOf(snapshot, agentSeq);
}

/** Computes an agent's tier from its available credits again, and stores it. Every movement does the same. */
export async function evaluateTierIn(
  tx: Transaction,
  { clock, policy }: Pick<LedgerContext, 'clock' | 'policy'>,
  agentSeq: number,
): Promise<void> {
  const { entries = 0, head = null } = (await agentCreditOf(tx, agentSeq)) ?? {};
  const credits = await creditsIn(tx, { kind: 'agent', ownerSeq: agentSeq });
  const evaluatedTier = tierOf(countedForTier(credits), policy.tiers);
  await putJournalEnds(tx, [{ agentSeq, entries, head, evaluatedTier, evaluatedAt: clock.now() }]);
}
