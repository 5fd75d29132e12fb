import type { Snapshot } from '../../platform/store/transaction.ts';
import { readReceiptEntry, readRevocationEntry } from '../../proof/log/log-entry.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { type ManifestContext, manifestWith } from './get-public-manifest.ts';
import { leafOfReceipt, leafOfRevocation } from './log/leaves.ts';
import { type ReceiptState, successorsOf } from './store.ts';

/** The entry of a revocation in its log. */
export interface LoggedRevocation {
  index: number;
  /** RFC 3339. */
  revoked_at: string;
}

/** The public manifest of a receipt, and what the public logs and other manifests say of it. */
export type ReceiptLife = Awaited<ReturnType<typeof receiptLife>>;

/**
 * Returns what is public of a receipt: its manifest, the checkpoint of its proof (null without one), its
 * entry in the log of revocations, and the id of the receipt before it in its chain.
 * @throws ApiError receipt_not_found
 */
export async function receiptLife(context: ManifestContext, receiptId: string) {
  const { log } = context;
  const { more, ...life } = await manifestWith(context, receiptId, {}, async (snapshot, { receipt }) => ({
    revocation: await revocationIn(snapshot, log, receipt.receiptSeq),
    previous: await previousIn(snapshot, log, receipt),
  }));
  return { ...life, ...more };
}

/** Returns the published entry of a revocation; null while there is none. */
async function revocationIn(
  snapshot: Snapshot,
  { publisher }: TrustLog,
  receiptSeq: number,
): Promise<LoggedRevocation | null> {
  const leaf = await leafOfRevocation(snapshot, receiptSeq);
  if (leaf === null || leaf.index >= publisher.coveredSize('revocations')) return null;
  return { index: leaf.index, revoked_at: readRevocationEntry(leaf.entry).revoked_at };
}

/**
 * Returns the id of the receipt to which a receipt chains, if that is public: if the log has that receipt,
 * and its entry has the hash to which this one chains, or its manifest names this one. Else null.
 */
async function previousIn(
  snapshot: Snapshot,
  { publisher }: TrustLog,
  { receiptId, prevReceiptSeq, prevReceiptHash }: ReceiptState['receipt'],
): Promise<string | null> {
  const leaf = prevReceiptSeq === null ? null : await leafOfReceipt(snapshot, prevReceiptSeq);
  if (prevReceiptSeq === null || leaf === null || leaf.index >= publisher.coveredSize('receipts'))
    return null;
  const { receipt_id, content_hash } = readReceiptEntry(leaf.entry);
  if (content_hash === prevReceiptHash) return receipt_id;
  const successors = await successorsOf(snapshot, prevReceiptSeq);
  return successors.includes(receiptId) ? receipt_id : null;
}
