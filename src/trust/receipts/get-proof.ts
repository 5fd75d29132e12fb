import type { Store } from '../../platform/store/store.ts';
import { COSE_RECEIPT_TYPE, MIN_COSE_LEAVES } from '../../proof/log/cose-receipt.ts';
import { commonErrors } from '../http/errors.ts';
import type { ProofCheckpoints } from '../log/checkpoints/publisher.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { coseReceiptOf } from '../log/proofs/cose-receipts.ts';
import { proofText, proveLeaf } from '../log/proofs/inclusion-proof.ts';
import { PROOF_TYPE, type ProofRequest, type ProofType } from '../log/schema.ts';
import { receiptsErrors } from './errors.ts';
import { leafOfReceipt } from './log/leaves.ts';
import { receiptById } from './store.ts';
import { reasonFor } from './unproven-reason.ts';

/** The parts of the service that showing a receipt's inclusion in the log needs. */
export type ProofContext = { store: Store; log: TrustLog };

/**
 * Returns the inclusion proof of a receipt's finalization, as C2SP tlog-proof text or as a COSE receipt.
 * @throws ApiError receipt_not_found; not_found while there is no proof
 */
export async function inclusionProof(
  { store, log, signer }: ProofContext & { signer: Signer },
  receiptId: string,
  query: ProofRequest,
  type: ProofType,
): Promise<{ proof: string | Uint8Array; cosigned: boolean }> {
  const isCose = type === COSE_RECEIPT_TYPE;
  const published = log.publisher.proofCheckpoints('receipts', query.cosigned !== 'no');
  const checkpoints = isCose ? withoutSmallTree(published) : published;
  const result = await log.damage.tracked(
    store.read(async (snapshot) => {
      const state = await receiptById(snapshot, receiptId);
      if (state === null) return null;
      const leaf = await leafOfReceipt(snapshot, state.receipt.receiptSeq);
      const proven = leaf === null ? null : await proveLeaf(snapshot, log.open.receipts, leaf, checkpoints);
      return { proven, reason: reasonFor(state, leaf !== null), isLogged: leaf !== null };
    }),
  );
  if (result === null) throw receiptsErrors.receipt_not_found();
  const { proven, reason, isLogged } = result;
  if (proven === null) {
    const headers = isLogged ? { headers: { 'retry-after': '1' } } : {};
    throw commonErrors.not_found({ message: reason, ...headers });
  }
  if (!isCose) return { proof: proofText(proven), cosigned: proven.isCosigned };
  if (proven.checkpoint.response.tree_size < MIN_COSE_LEAVES) {
    throw commonErrors.not_found({
      message: `The log has one entry, and ${COSE_RECEIPT_TYPE} needs two. Repeat the request when another receipt is final, or accept ${PROOF_TYPE}.`,
    });
  }
  return { proof: coseReceiptOf(signer, 'receipts', proven), cosigned: proven.isCosigned };
}

/** Leaves out a cosigned checkpoint of one leaf, which has no COSE receipt. The newest one may have more. */
function withoutSmallTree(checkpoints: ProofCheckpoints): ProofCheckpoints {
  const { cosigned } = checkpoints;
  const isSmall = cosigned !== null && cosigned.response.tree_size < MIN_COSE_LEAVES;
  return isSmall ? { ...checkpoints, cosigned: null } : checkpoints;
}
