import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { readAnyRevocationEntry, readReceiptEntry } from '../../../proof/log/log-entry.ts';
import type { EntryReader } from './entry-reader.ts';
import type { LogProblem } from './missing.ts';
import type { RevokedAndFinalized } from './revoked.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Compares revocations with finalizations.
 * @param pairs of which the entries may contradict each other
 * @param max the greatest number of problems
 * @returns the problems, of entries of the log of revocations
 */
export async function revokedProblems(
  pairs: Iterable<RevokedAndFinalized>,
  { receipts, revocations }: Readonly<Record<'receipts' | 'revocations', EntryReader>>,
  max: number,
): Promise<LogProblem[]> {
  const problems = new Map<string, LogProblem>();
  for (const { revokedAt, finalizedAt } of pairs) {
    // The log is proven wrong, and a hostile one could have any number.
    if (problems.size === max) break;
    const { receipt_id, content_hash, finalized_at } = readReceiptEntry(
      utf8.decode(await receipts.entry(finalizedAt)),
    );
    const revoked = readAnyRevocationEntry(utf8.decode(await revocations.entry(revokedAt)));
    if (!('receipt' in revoked)) continue;
    const { receipt } = revoked;
    const report = (what: string): void =>
      void problems.set(`${revokedAt} ${finalizedAt}`, { log: 'revocations', index: revokedAt, what });
    if (receipt.content_hash === content_hash)
      report(`its content_hash is that of entry ${finalizedAt} of receipts, a version that is not revoked`);
    else if (
      receipt.receipt_id === receipt_id &&
      Date.parse(finalized_at) > Date.parse(receipt.revoked_at) + AHEAD_MS
    )
      report(
        `receipt ${receipt_id} is finalized after it was revoked: entry ${finalizedAt} of receipts is dated ${finalized_at}, and this one ${receipt.revoked_at}`,
      );
  }
  return [...problems.values()].sort((one, other) => one.index - other.index);
}
