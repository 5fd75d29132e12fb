import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { ProofCheckpoints } from '../../../log/checkpoints/publisher.ts';
import type { TrustLog } from '../../../log/lifecycle/open.ts';
import { type InclusionProof, inclusionProofOf } from '../../../log/proofs/inclusion-proof.ts';
import { accountLeavesOfReceipt } from './leaves.ts';

/** A leaf of a receipt in the log of accounts. */
interface ProvenAct {
  event: 'issued' | 'finalized' | 'revoked';
  /** The exact text of the entry. */
  entry: string;
  /** Null while no checkpoint covers the leaf. */
  proof: InclusionProof | null;
}

/**
 * Returns the leaves of a receipt in the log of accounts with their proofs, oldest first.
 * @param checkpoints of the log, from before the snapshot was opened
 * @throws LogDamage instead of an invalid proof
 */
export async function provenActs(
  snapshot: Snapshot,
  receiptId: string,
  log: TrustLog,
  checkpoints: ProofCheckpoints,
): Promise<ProvenAct[]> {
  const acts: ProvenAct[] = [];
  for (const { event, ...leaf } of await accountLeavesOfReceipt(snapshot, receiptId)) {
    if (event === 'linked' || event === 'unlinked') continue;
    const proof = await inclusionProofOf(snapshot, log.open.accounts, leaf, checkpoints);
    acts.push({ event, entry: leaf.entry, proof });
  }
  return acts;
}
