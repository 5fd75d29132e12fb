import type { Snapshot } from '../../platform/store/transaction.ts';
import type { CommandContext } from '../context.ts';
import { poolOf } from '../ledger/accounts.ts';
import { creditsIn, stakesOf } from '../ledger/figures.ts';
import { countedForTier, tierOf } from '../ledger/tiers.ts';
import { countReceipts } from './related-store.ts';
import { countKeys, type OperatorRow } from './store.ts';

/** Returns one operator's status, as the dashboard and the command line show it. */
export async function operatorStatusOf(
  snapshot: Snapshot,
  operator: OperatorRow,
  tiers: CommandContext['policy']['tiers'],
) {
  const { operatorId, name, accountStatus, plan, createdAt, operatorSeq } = operator;
  const pool = await creditsIn(snapshot, poolOf(operator));
  const credits = countedForTier(pool);
  const stake = await stakesOf(snapshot, operatorSeq);
  return {
    operator_id: operatorId,
    name,
    accountStatus,
    plan,
    credits,
    ...(pool.sandbox > 0 ? { sandboxCredits: pool.sandbox } : {}),
    tier: accountStatus === 'ACTIVE' ? tierOf(credits, tiers) : ('SUSPENDED' as const),
    stakeBalanceCents: stake.cents,
    ...(stake.sandboxCents > 0 ? { sandboxStakeCents: stake.sandboxCents } : {}),
    apiKeyCount: await countKeys(snapshot, operatorSeq),
    receiptCount: await countReceipts(snapshot, operatorSeq),
    created_at: createdAt,
  };
}
