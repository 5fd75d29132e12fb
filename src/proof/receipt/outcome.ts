import type { ErrorTranche, ReceiptStatus } from './receipt.ts';

/** How a receipt counts in rates, packages and credentials. */
export const RECEIPT_OUTCOMES = ['success', 'failure', 'neither'] as const;
export type ReceiptOutcome = (typeof RECEIPT_OUTCOMES)[number];

/** The statuses that are failures even without an error tranche. */
export const FAILED_STATUSES = ['timeout', 'failure_tombstone'] as const satisfies readonly ReceiptStatus[];

/**
 * Returns whether a tranche names an error: it costs stake, and the receipt is a failure whatever its status
 * is.
 */
export function isErrorTranche(tranche: ErrorTranche | null): tranche is Exclude<ErrorTranche, 'NONE'> {
  return tranche !== null && tranche !== 'NONE';
}

/**
 * Returns how a receipt counts by its status and error tranche, the only rule for it. With an error tranche,
 * or status `failure_tombstone` or `timeout`, it is a failure; with status `success` a success; else neither.
 */
export function receiptOutcome(status: ReceiptStatus, tranche: ErrorTranche | null): ReceiptOutcome {
  if (isErrorTranche(tranche) || FAILED_STATUSES.some((failed) => failed === status)) return 'failure';
  return status === 'success' ? 'success' : 'neither';
}
