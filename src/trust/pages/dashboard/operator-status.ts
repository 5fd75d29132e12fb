import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { subscriptionEnd } from '../../billing/subscriptions.ts';
import { type Asset, poolOf, receivableOf } from '../../ledger/accounts.ts';
import { balancesIn, creditsIn, stakesOf } from '../../ledger/balances.ts';
import { countedForTier, tierOf } from '../../ledger/tiers.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { countKeys, countReceipts, type OperatorRow } from '../../operators/status.ts';

/** Returns one operator's status, as the dashboard and the command line show it. */
export async function operatorStatusOf(
  snapshot: Snapshot,
  operator: OperatorRow,
  tiers: OperatorsPolicy['tiers'],
) {
  const { operatorId, name, accountStatus, plan, createdAt, operatorSeq } = operator;
  const pool = await creditsIn(snapshot, poolOf(operator));
  const credits = countedForTier(pool);
  const stake = await stakesOf(snapshot, operatorSeq);
  const endsAt = await subscriptionEnd(snapshot, operatorSeq);
  return {
    operator_id: operatorId,
    name,
    accountStatus,
    plan,
    ...(endsAt === null ? {} : { subscription_ends_at: timestampOf(endsAt) }),
    credits,
    ...(pool.sandbox > 0 ? { sandboxCredits: pool.sandbox } : {}),
    tier: accountStatus === 'ACTIVE' ? tierOf(credits, tiers) : ('SUSPENDED' as const),
    stakeBalanceCents: stake.cents,
    ...(stake.sandboxCents > 0 ? { sandboxStakeCents: stake.sandboxCents } : {}),
    ...(await debtsOf(snapshot, operator)),
    apiKeyCount: (await countKeys(snapshot, operatorSeq)) ?? 0,
    receiptCount: await countReceipts(snapshot, operatorSeq),
    created_at: createdAt,
  };
}

/** Returns what an operator owes after refunds, without members for assets without a debt. */
async function debtsOf(snapshot: Snapshot, operator: OperatorRow) {
  const owed = await balancesIn(snapshot, receivableOf(operator));
  const of = (asset: Asset): number => 0 - (owed.get(asset) ?? 0);
  return {
    ...(of('paid') > 0 ? { owedCredits: of('paid') } : {}),
    ...(of('sandbox') > 0 ? { owedSandboxCredits: of('sandbox') } : {}),
    ...(of('cents') > 0 ? { owedStakeCents: of('cents') } : {}),
    ...(of('sandbox_cents') > 0 ? { owedSandboxStakeCents: of('sandbox_cents') } : {}),
  };
}
