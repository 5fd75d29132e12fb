import type { Snapshot } from '../../platform/store/transaction.ts';
import type { CommandContext } from '../context.ts';
import { countReceipts } from './related-store.ts';
import { countKeys, keyOfOperator, type OperatorRow } from './store.ts';

export { type OperatorRow, operatorById, operatorBySeq } from './store.ts';

export const TIERS = ['FULL', 'LIMITED', 'SANDBOXED', 'SHELTERED', 'SUSPENDED'] as const;
export type Tier = (typeof TIERS)[number];

/** Returns whether an operator has the key with a hash, of any role. */
export async function hasKey(snapshot: Snapshot, operatorSeq: number, keyHash: string): Promise<boolean> {
  return (await keyOfOperator(snapshot, operatorSeq, keyHash)) !== undefined;
}

/** Returns one operator's status, as the dashboard and the command line show it. */
export async function operatorStatusOf(
  snapshot: Snapshot,
  operator: OperatorRow,
  tiers: CommandContext['policy']['tiers'],
) {
  const { operatorId, name, accountStatus, plan, credits, stakeCents, createdAt, operatorSeq } = operator;
  return {
    operator_id: operatorId,
    name,
    accountStatus,
    plan,
    credits,
    tier: accountStatus === 'ACTIVE' ? tierOf(credits, tiers) : ('SUSPENDED' as const),
    stakeBalanceCents: stakeCents,
    apiKeyCount: await countKeys(snapshot, operatorSeq),
    receiptCount: await countReceipts(snapshot, operatorSeq),
    created_at: createdAt,
  };
}

/** Returns the tier for an amount of available credits. */
function tierOf(credits: number, { full, limited, sandboxed }: CommandContext['policy']['tiers']): Tier {
  if (credits >= full) return 'FULL';
  if (credits >= limited) return 'LIMITED';
  return credits >= sandboxed ? 'SANDBOXED' : 'SHELTERED';
}
