import { describe, expect, test } from 'bun:test';
import { type ReceiptOutcome, receiptOutcome } from '../../../../src/proof/receipt/outcome.ts';
import {
  ERROR_TRANCHES,
  RECEIPT_STATUSES,
  type ReceiptStatus,
} from '../../../../src/proof/receipt/receipt.ts';

describe('a receipt with status', () => {
  const byStatus: Record<ReceiptStatus, ReceiptOutcome> = {
    pending: 'neither',
    success: 'success',
    refusal: 'neither',
    null: 'neither',
    terminal: 'neither',
    graceful_shutdown: 'neither',
    timeout: 'failure',
    failure_tombstone: 'failure',
  };
  const rows = RECEIPT_STATUSES.map((status) => [status, byStatus[status]] as const);

  test.each(rows)('%s and no error tranche counts as %s', (status, outcome) => {
    expect([null, 'NONE' as const].map((tranche) => receiptOutcome(status, tranche))).toEqual([
      outcome,
      outcome,
    ]);
  });

  test.each(RECEIPT_STATUSES)('%s and any error tranche counts as a failure', (status) => {
    for (const tranche of ERROR_TRANCHES.filter((one) => one !== 'NONE'))
      expect(receiptOutcome(status, tranche)).toBe('failure');
  });
});
