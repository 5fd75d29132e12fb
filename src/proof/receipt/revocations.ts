import { AHEAD_MS } from '../encoding/timestamp.ts';
import { LOG_VERDICTS, type LogVerdict, type SignedTree } from '../log/log-keys.ts';

/** The verified content of a revocations log: its checkpoint is signed, and its entries hash to the root. */
export interface Revocations {
  /** The ids of all revoked receipts. */
  revoked: ReadonlySet<string>;
  /**
   * The Unix time in milliseconds at which the checkpoint was signed; null when no trusted signature has a
   * time.
   */
  time: number | null;
  /** The checkpoint's note, for checking its cosignatures. */
  checkpoint?: Uint8Array;
  /** The signed tree. */
  tree?: SignedTree;
  /** Why the log does not count although a trusted key signed it: then it was not read. */
  other?: LogVerdict;
  /** Of which closed logs, and why, revocations may be unknown, one sentence each. Empty for none. */
  unread?: readonly string[];
}

/**
 * A log signs a checkpoint at least every ten minutes; five more allow for networks, caches and clocks. In
 * milliseconds.
 */
const FRESH_MS = (10 + 5) * 60_000;

/** The results of checking the revocations log, with their descriptions. */
export const REVOCATION_CHECKS = {
  wrong_log: `wrong_log: ${LOG_VERDICTS.wrong_log}`,
  log_not_named: `log_not_named: ${LOG_VERDICTS.log_not_named}`,
  closed_size_contradicted: `closed_size_contradicted: ${LOG_VERDICTS.closed_size_contradicted}`,
  revoked: 'the log records the revocation of the receipt',
  undated:
    'the receipt is not in the log, but the age of the checkpoint is unknown: no trusted signature has a time',
  stale: 'the receipt is not in the log, but the checkpoint is more than 15 minutes old',
  future:
    'the receipt is not in the log, but the checkpoint is dated more than 60 s after the clock of this machine: check the clocks',
  predecessor:
    'the receipt is not in the log, but revocations that only a closed log has are not seen (--predecessor)',
  ok: 'the receipt is not in the log',
} as const;

export type RevocationCheck = keyof typeof REVOCATION_CHECKS;

/**
 * Checks whether the revocations log contains a receipt. Its absence counts only for the time of the
 * checkpoint: an old copy does not have later revocations, and one with a date in the future would otherwise
 * be fresh for years.
 *
 * @param now the Unix time in milliseconds for which the status is needed
 * @param clock the present, if `now` is a time in the past
 */
export function checkRevocations(
  { revoked, time, other, unread = [] }: Revocations,
  receiptId: string,
  now: number,
  clock = now,
): RevocationCheck {
  if (other !== undefined) return other;
  if (revoked.has(receiptId)) return 'revoked';
  if (time === null) return 'undated';
  // Compared so that NaN from an invalid clock counts as stale.
  if (!(now - time <= FRESH_MS)) return 'stale';
  if (!(time <= Math.max(now, clock) + AHEAD_MS)) return 'future';
  return unread.length > 0 ? 'predecessor' : 'ok';
}
