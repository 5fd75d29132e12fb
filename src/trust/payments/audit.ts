import { SETTLEMENT_RAILS } from '../../../db/trust/payments-enums.ts';
import { checkedTable } from '../../platform/audit/counts.ts';
import {
  type AuditedTable,
  gaps,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../platform/audit/table.ts';
import type { Problem } from '../../proof/log/problem.ts';
import {
  newestPayment,
  newestSettlement,
  newestUnbooked,
  newestWithdrawal,
  type PaymentRow,
  paymentChecks,
  paymentRows,
  type SettlementRow,
  settledHours,
  settlementChecks,
  settlementRows,
  type UnbookedRow,
  unbookedRows,
  unfoundedReceipts,
  type WithdrawalRow,
  withdrawalRows,
} from './audit/store.ts';
import { settlementDigest } from './settle.ts';
import { paymentDigest } from './spend.ts';
import { requestDigest, withdrawalDigest } from './withdraw.ts';

/** Audits the digests of payments; then the movements that paid them. */
const payments: AuditedTable = {
  name: 'agent_payment',
  stage: 'rows',
  rows: {
    column: 'payment_seq',
    counted: 'payments',
    cost: 1,
    examine: async (snapshot, range) => {
      const rows = await paymentRows(snapshot, range);
      return reportOf(
        'agent_payment',
        'payment_seq',
        range,
        rows,
        ({ payment }) => payment.paymentSeq,
        paymentProblems,
      );
    },
  },
  begin: async ({ snapshot }) => ({ reach: (await newestPayment(await snapshot)) ?? 0 }),
};

/** Audits the digests of settlements. */
const settlements: AuditedTable = {
  name: 'settlement',
  stage: 'rows',
  rows: {
    column: 'settlement_seq',
    counted: 'settlements',
    cost: 1,
    examine: async (snapshot, range) => {
      const rows = await settlementRows(snapshot, range);
      const seqOf = (row: SettlementRow) => row.settlement.settlementSeq;
      return reportOf('settlement', 'settlement_seq', range, rows, seqOf, settlementProblems);
    },
  },
  begin: async ({ snapshot }) => ({ reach: (await newestSettlement(await snapshot)) ?? 0 }),
};

/** Audits the digests of settlements that exceeded a cap. */
const unbookedSettlements: AuditedTable = {
  name: 'unbooked_settlement',
  stage: 'rows',
  rows: {
    column: 'unbooked_seq',
    counted: 'unbooked settlements',
    cost: 1,
    examine: async (snapshot, range) => {
      const rows = await unbookedRows(snapshot, range);
      const seqOf = (row: UnbookedRow) => row.settlement.unbookedSeq;
      return reportOf('unbooked_settlement', 'unbooked_seq', range, rows, seqOf, (row) =>
        digestProblems({ table: 'unbooked_settlement', row: { unbooked_seq: seqOf(row) } }, row),
      );
    },
  },
  begin: async ({ snapshot }) => ({ reach: (await newestUnbooked(await snapshot)) ?? 0 }),
};

/** Audits the receipts of withdrawals against their payouts. `payouts/audit.ts` audits the payouts. */
const withdrawals: AuditedTable = {
  name: 'receipts of withdrawals',
  stage: 'rows',
  rows: {
    column: 'payout_seq',
    counted: 'withdrawals',
    cost: 1,
    examine: async (snapshot, range) => {
      const rows = await withdrawalRows(snapshot, range);
      return { ...NOTHING, problems: rows.flatMap(withdrawalProblems), rows: rows.length };
    },
  },
  begin: async ({ snapshot }) => ({ reach: (await newestWithdrawal(await snapshot)) ?? 0 }),
};

/** The tables of payments that fsck audits. */
export const audited = [
  payments,
  settlements,
  unbookedSettlements,
  withdrawals,
  checkedTable('movements of payments', paymentChecks),
  checkedTable('movements of settlements', settlementChecks),
  checkedTable('settlement_hour', [settledHours]),
  checkedTable('service receipts of withdrawals', [unfoundedReceipts]),
];

function reportOf<Row>(
  table: string,
  column: string,
  range: RowRange,
  rows: readonly Row[],
  seqOf: (row: Row) => number,
  problemsOf: (row: Row) => Problem[],
): RangeReport {
  const missing = gaps(table, column, rows.map(seqOf), range);
  return { ...NOTHING, problems: [...rows.flatMap(problemsOf), ...missing], rows: rows.length };
}

function paymentProblems({ payment, commitment }: PaymentRow): Problem[] {
  const position = { table: 'agent_payment', row: { payment_seq: payment.paymentSeq } };
  if (commitment === null) return [{ ...position, what: 'there is no agent with its agent_seq' }];
  const expected = paymentDigest({
    subject_commitment: commitment,
    product: payment.product,
    credits_charged: payment.credits,
    merchant: payment.merchant,
    nonce: payment.nonce,
    expires_at: payment.expiresAt,
    meter_ref: payment.transactionId,
  });
  if (expected === payment.paymentDigest) return [];
  const what = 'payment_digest is not the digest of its terms';
  return [{ ...position, what, expected, found: payment.paymentDigest }];
}

function settlementProblems(row: SettlementRow): Problem[] {
  return digestProblems({ table: 'settlement', row: { settlement_seq: row.settlement.settlementSeq } }, row);
}

/** Returns what is wrong with the terms of a settlement, booked or not. */
function digestProblems(
  position: Pick<Problem, 'table' | 'row'>,
  { settlement, commitment }: SettlementRow | UnbookedRow,
): Problem[] {
  if (commitment === null) return [{ ...position, what: 'there is no agent with its agent_seq' }];
  const rail = SETTLEMENT_RAILS.find((known) => known === settlement.rail);
  if (rail === undefined) return [{ ...position, what: 'rail is no payment rail', found: settlement.rail }];
  const { reference, credits, amountLabel, bodyDigest } = settlement;
  const expected = settlementDigest({
    rail,
    reference,
    subject_commitment: commitment,
    credits,
    ...(amountLabel === null ? {} : { amount_label: amountLabel }),
  });
  if (expected === bodyDigest) return [];
  const what = 'body_digest is not the digest of its members';
  return [{ ...position, what, expected, found: bodyDigest }];
}

function withdrawalProblems({ payout, commitment, ...receipt }: WithdrawalRow): Problem[] {
  const position = { table: 'payout', row: { payout_seq: payout.payoutSeq }, id: payout.withdrawalId };
  const { withdrawalId, amount, usdCents, reference, address } = payout;
  // The audit of payouts reports a missing agent.
  if (commitment === null) return [];
  const problems: Problem[] = [];
  const compare = (what: string, expected: string, found: string | null): void => {
    if (expected !== found) problems.push({ ...position, what, expected, found: found ?? 'none' });
  };
  if (!receipt.isOfService) problems.push({ ...position, what: 'its receipt is not one of the service' });
  compare('its receipt is of another type', 'custody', receipt.receiptType);
  compare('its receipt is of another agent', commitment, receipt.agentId);
  compare('its receipt is about something else', `withdrawal:${withdrawalId}`, receipt.authorityScope);
  const request = { subject_commitment: commitment, amount, reference };
  compare('its receipt has another request', requestDigest(request), receipt.inputDigest);
  const stated = { ...request, withdrawal_id: withdrawalId, usd_cents: usdCents, address };
  compare('its receipt states another withdrawal', withdrawalDigest(stated), receipt.outputHash);
  return problems;
}
