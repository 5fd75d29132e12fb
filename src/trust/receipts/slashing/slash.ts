import type { SlashedTranche } from '../../../../db/trust/slashing-enums.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { SLASHED, stakeOf } from '../../ledger/accounts.ts';
import { stakeCents } from '../../ledger/balances.ts';
import { postIn } from '../../ledger/post.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { slashedCents } from './amount.ts';
import type { SlashingPolicy } from './settings.ts';
import { centsTakenFor, insertSlash } from './store.ts';

/** The parts of the service that slashing uses. */
export type SlashContext = { clock: Clock; ids: Ids; policy: SlashingPolicy & OperatorsPolicy };

/** A receipt that the transaction finalizes with an error tranche. */
export interface FailedReceipt {
  receiptSeq: number;
  receiptId: string;
  /** The operator that issued it. */
  operatorSeq: number;
  operatorId: string;
  tranche: SlashedTranche;
  /** RFC 3339. */
  finalizedAt: string;
}

/**
 * Takes the share of the operator's stake that the tranche of a finalized receipt costs. Writes an entry to
 * the slashing ledger, even if the amount is 0.
 */
export async function slashIn(tx: Transaction, trust: SlashContext, receipt: FailedReceipt): Promise<void> {
  const { tranche, receiptSeq, receiptId, operatorSeq, finalizedAt } = receipt;
  const stake = await stakeCents(tx, operatorSeq);
  const amount = slashedCents(stake, trust.policy.slashingPercent[tranche]);
  if (amount > 0) {
    await postIn(tx, trust, {
      kind: 'SLASH',
      from: stakeOf(receipt),
      to: SLASHED,
      portions: { cents: amount },
      reference: receiptId,
      receipt: { receiptSeq, receiptId },
    });
  }
  await insertSlash(tx, {
    slashId: trust.ids.newId('slash_'),
    receiptSeq,
    operatorSeq,
    tranche,
    amountCents: amount,
    stakeBeforeCents: stake,
    createdAt: finalizedAt,
  });
}

/** Returns whether a receipt took anything of its operator's stake. */
export async function isReceiptSlashed(snapshot: Snapshot, receiptSeq: number): Promise<boolean> {
  return (await centsTakenFor(snapshot, receiptSeq)) > 0;
}
