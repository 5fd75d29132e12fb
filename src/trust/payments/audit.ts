import { SETTLEMENT_RAILS } from '../../../db/trust/payments-enums.ts';
import { derivedTable } from '../../platform/audit/counts.ts';
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
  newestWithdrawal,
  type PaymentRow,
  paymentRows,
  type SettlementRow,
  settlementRows,
  unfoundedReceipts,
  type WithdrawalRow,
  withdrawalRows,
  wrongPayments,
  wrongSettlements,
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
        ({ paymentSeq }) => paymentSeq,
        paymentProblems,
      );
    },
  },
  begin: async ({ snapshot }) => ({ reach: await newestPayment(await snapshot) }),
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
      const seqOf = ({ settlementSeq }: SettlementRow) => settlementSeq;
      return reportOf('settlement', 'settlement_seq', range, rows, seqOf, settlementProblems);
    },
  },
  begin: async ({ snapshot }) => ({ reach: await newestSettlement(await snapshot) }),
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
  begin: async ({ snapshot }) => ({ reach: await newestWithdrawal(await snapshot) }),
};

/** The tables of payments that fsck audits. */
export const audited = [
  payments,
  settlements,
  withdrawals,
  derivedTable('movements of payments', wrongPayments),
  derivedTable('movements of settlements', wrongSettlements),
  derivedTable('service receipts of withdrawals', unfoundedReceipts),
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

function paymentProblems(row: PaymentRow): Problem[] {
  const position = { table: 'agent_payment', row: { payment_seq: row.paymentSeq } };
  if (row.commitment === null) return [{ ...position, what: 'there is no agent with its agent_seq' }];
  const expected = paymentDigest({
    subject_commitment: row.commitment,
    product: row.product,
    credits_charged: row.credits,
    merchant: row.merchant,
    nonce: row.nonce,
    expires_at: row.expiresAt,
    meter_ref: `txn_${row.transactionId}`,
  });
  if (expected === row.paymentDigest) return [];
  const what = 'payment_digest is not the digest of its terms';
  return [{ ...position, what, expected, found: row.paymentDigest }];
}

function settlementProblems({ settlementSeq, commitment, ...row }: SettlementRow): Problem[] {
  const position = { table: 'settlement', row: { settlement_seq: settlementSeq } };
  if (commitment === null) return [{ ...position, what: 'there is no agent with its agent_seq' }];
  const rail = SETTLEMENT_RAILS.find((known) => known === row.rail);
  if (rail === undefined) return [{ ...position, what: 'rail is no payment rail', found: row.rail }];
  const { reference, credits, amountLabel, bodyDigest } = row;
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

function withdrawalProblems(row: WithdrawalRow): Problem[] {
  const position = { table: 'payout', row: { payout_seq: row.payoutSeq }, id: row.withdrawalId };
  const { commitment, withdrawalId, amount, usdCents, reference, address } = row;
  // The audit of payouts reports a missing agent.
  if (commitment === null) return [];
  const problems: Problem[] = [];
  const compare = (what: string, expected: string, found: string | null): void => {
    if (expected !== found) problems.push({ ...position, what, expected, found: found ?? 'none' });
  };
  if (row.isOfService === 0) problems.push({ ...position, what: 'its receipt is not one of the service' });
  compare('its receipt is of another type', 'custody', row.receiptType);
  compare('its receipt is of another agent', commitment, row.agentId);
  compare('its receipt is about something else', `withdrawal:${withdrawalId}`, row.authorityScope);
  const request = { subject_commitment: commitment, amount, reference };
  compare('its receipt has another request', requestDigest(request), row.inputDigest);
  const stated = { ...request, withdrawal_id: withdrawalId, usd_cents: usdCents, address };
  compare('its receipt states another withdrawal', withdrawalDigest(stated), row.outputHash);
  return problems;
}
