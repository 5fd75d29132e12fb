import { readEvidenceEntry } from '../../proof/log/log-entry.ts';
import { findAgentIn } from '../agents/agents.ts';
import { commonErrors } from '../http/errors.ts';
import { inclusionProofOf } from '../log/proofs/inclusion-proof.ts';
import type { ProofRequest } from '../log/schema.ts';
import { type EvidenceProofContext, NOT_COVERED, noSuchItem } from './get-proof.ts';
import { leafOfItem } from './log/leaves.ts';
import { itemByEventHash } from './store.ts';

/**
 * Returns what the public may see of an item of an agent, with the proof that the log of evidence contains
 * it. Like the proof, it exists for an item that only the log has; such a one has no outcome.
 * @param commitment of the agent
 * @param eventHash of the item
 * @throws ApiError not_found for an item that the log does not have, and for one of an agent that only the
 * log has, since nothing says its public key
 */
export async function evidenceBundle(
  { store, log }: EvidenceProofContext,
  commitment: string,
  eventHash: string,
  query: ProofRequest,
) {
  // Read before the snapshot, which then has every leaf of these checkpoints.
  const checkpoints = log.publisher.proofCheckpoints('evidence', query.cosigned !== 'no');
  const read = store.read(async (snapshot) => {
    const leaf = await leafOfItem(snapshot, commitment, eventHash);
    if (leaf === null) throw noSuchItem();
    const agent = await findAgentIn(snapshot, commitment);
    if (agent === null) throw withoutAgent();
    const stored = await itemByEventHash(snapshot, { agentSeq: agent.agentSeq, eventHash });
    const proof = await inclusionProofOf(snapshot, log.open.evidence, leaf, checkpoints);
    return { leaf, agent, outcome: stored?.outcome ?? null, proof };
  });
  const { leaf, agent, outcome, proof } = await log.damage.tracked(read);
  const { anchored_at, ...entry } = readEvidenceEntry(leaf.entry);
  return {
    type: 'evidence-bundle' as const,
    item: {
      ...entry,
      public_key: agent.publicKey,
      context: agent.context,
      ...(outcome === null ? {} : { outcome }),
      created_at: anchored_at,
    },
    proof,
    ...(proof === null ? { inclusion_reason: NOT_COVERED } : {}),
  };
}

function withoutAgent() {
  return commonErrors.not_found({
    message:
      'The log has the evidence, but the database has lost its agent, which has the public key. Get only the proof, ' +
      'from …/proof.',
  });
}
