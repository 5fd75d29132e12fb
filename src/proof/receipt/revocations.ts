/** The log of revocations up to a checkpoint that was opened and whose root the entries hash to. */
export interface Revocations {
  /** The ids of all receipts in it. */
  revoked: ReadonlySet<string>;
  /** Milliseconds since 1970 at which the checkpoint was signed; null where no trusted key says so. */
  time: number | null;
}

/** A log signs every ten minutes even without growth; this much more for networks, caches and clocks. */
const FRESH_MS = (10 + 5) * 60_000;

/** What the log of revocations says of a receipt, and its words for people. */
export const REVOCATION_CHECKS = {
  revoked: 'the log holds that the receipt was revoked',
  undated: 'the receipt is not among them, but no trusted key says how old the checkpoint is',
  stale: 'the receipt is not among them, but the checkpoint is more than 15 minutes old',
  ok: 'the receipt is not among them',
} as const;

export type RevocationCheck = keyof typeof REVOCATION_CHECKS;

/**
 * Whether a receipt is revoked by the log of revocations. That one is not in it says something only of the time of its
 * checkpoint: an old copy knows nothing of what came after. @param now milliseconds since 1970
 */
export function checkRevocations(
  { revoked, time }: Revocations,
  receiptId: string,
  now: number,
): RevocationCheck {
  if (revoked.has(receiptId)) return 'revoked';
  if (time === null) return 'undated';
  // Written so that a clock that cannot be read makes it stale.
  return now - time <= FRESH_MS ? 'ok' : 'stale';
}
