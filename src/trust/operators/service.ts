import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Desk } from '../context.ts';
import { countReceipts } from '../receipts/count.ts';
import { type OperatorRow, operatorSql } from './store.ts';

export type { OperatorRow } from './store.ts';

export const TIERS = ['FULL', 'LIMITED', 'SANDBOXED', 'SHELTERED', 'SUSPENDED'] as const;
export type Tier = (typeof TIERS)[number];

export function operatorById(snapshot: Snapshot, operatorId: string): OperatorRow | undefined {
  return operatorSql(snapshot).byId.get({ operatorId });
}

export function operatorBySeq(snapshot: Snapshot, operatorSeq: number): OperatorRow | undefined {
  return operatorSql(snapshot).bySeq.get({ operatorSeq });
}

/** Whether an operator has the key with a hash, of whatever role. */
export function hasKey(snapshot: Snapshot, operatorSeq: number, keyHash: string): boolean {
  return operatorSql(snapshot).key.get({ operatorSeq, keyHash }) !== undefined;
}

/** One operator's figures, as the dashboard and the command line show them. */
export function statusOf(snapshot: Snapshot, operator: OperatorRow, tiers: Desk['rules']['tiers']) {
  const { operatorId, name, accountStatus, plan, credits, stakeCents, createdAt, operatorSeq } = operator;
  return {
    operator_id: operatorId,
    name,
    accountStatus,
    plan,
    credits,
    tier: accountStatus === 'ACTIVE' ? tierOf(credits, tiers) : ('SUSPENDED' as const),
    stakeBalanceCents: stakeCents,
    apiKeyCount: operatorSql(snapshot).countKeys.get({ operatorSeq })?.keys ?? 0,
    receiptCount: countReceipts(snapshot, operatorSeq),
    created_at: createdAt,
  };
}

/** The tier that some available credits give. */
function tierOf(credits: number, { full, limited, sandboxed }: Desk['rules']['tiers']): Tier {
  if (credits >= full) return 'FULL';
  if (credits >= limited) return 'LIMITED';
  return credits >= sandboxed ? 'SANDBOXED' : 'SHELTERED';
}
