import type { Store } from '../../platform/store/store.ts';
import { commonErrors } from '../http/errors.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { proofText, proveLeaf } from '../log/proofs/inclusion-proof.ts';
import type { ProofRequest } from '../log/schema.ts';
import { leafOfItem } from './log/leaves.ts';

export type EvidenceProofContext = { store: Store; log: TrustLog };

/**
 * Returns the proof that the log of evidence contains an item of an agent, as C2SP tlog-proof text. The item
 * may be one that only the log has, since a restored backup lacks it.
 * @param commitment of the agent
 * @param eventHash of the item
 * @throws ApiError not_found for an item that the log does not have, or that no checkpoint covers yet
 */
export async function evidenceProof(
  { store, log }: EvidenceProofContext,
  commitment: string,
  eventHash: string,
  query: ProofRequest,
): Promise<{ text: string; cosigned: boolean }> {
  const checkpoints = log.publisher.proofCheckpoints('evidence', query.cosigned !== 'no');
  const { leaf, proven } = await log.damage.tracked(
    store.read(async (snapshot) => {
      const leaf = await leafOfItem(snapshot, commitment, eventHash);
      return {
        leaf,
        proven: leaf === null ? null : await proveLeaf(snapshot, log.open.evidence, leaf, checkpoints),
      };
    }),
  );
  if (proven !== null) return { text: proofText(proven), cosigned: proven.isCosigned };
  if (leaf === null) throw noSuchItem();
  throw commonErrors.not_found({ message: NOT_COVERED, headers: { 'retry-after': '1' } });
}

/** Why an item of the log has no proof yet. */
export const NOT_COVERED =
  'The evidence is in the log, but no checkpoint covers it yet. Repeat the request after a second.';

/** Returns the error for an item that the log does not have. */
export function noSuchItem() {
  return commonErrors.not_found({
    message:
      'The agent has no evidence with this event_commitment_hash. Check both hashes; a list of evidence has them.',
  });
}
