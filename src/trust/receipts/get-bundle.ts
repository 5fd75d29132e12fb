import type { keyEventProofs } from '../log/keys/key-event-proofs.ts';
import { type StatementContext, signAmong } from '../log/keys/signing/statements.ts';
import { inclusionProofOf } from '../log/proofs/inclusion-proof.ts';
import type { ProofRequest } from '../log/schema.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { receiptsErrors } from './errors.ts';
import type { ProofContext } from './get-proof.ts';
import { requireOwnAgent } from './holder-access.ts';
import { provenActs } from './linked/log/proven-acts.ts';
import { leafOfReceipt } from './log/leaves.ts';
import { receiptWithoutSalt } from './representation.ts';
import { statusOf } from './status.ts';
import { receiptOf } from './store.ts';
import { reasonFor } from './unproven-reason.ts';

/**
 * Returns everything that verifying a receipt needs but the trusted keys, in one document: the receipt
 * without a salt, its proof, its signed status, and what the key log says of the keys that signed the two.
 * All but the key events is of one snapshot.
 * @throws ApiError receipt_not_found; forbidden for a holder key of another agent; conflict if the database
 * lost a version; clock_wrong; and ReadOnly
 */
export async function receiptBundle(
  context: StatementContext & ProofContext,
  keyEvents: ReturnType<typeof keyEventProofs>,
  principal: OperatorActor,
  receiptId: string,
  query: ProofRequest,
) {
  const { log } = context;
  const wantsCosigned = query.cosigned !== 'no';
  // Read before the snapshot, which then has every leaf of these checkpoints.
  const receipts = log.publisher.proofCheckpoints('receipts', wantsCosigned);
  const accounts = log.publisher.proofCheckpoints('accounts', wantsCosigned);
  const read = signAmong(context, async (snapshot) => {
    const state = await receiptOf(snapshot, principal.operatorSeq, receiptId);
    if (state === null) throw receiptsErrors.receipt_not_found();
    requireOwnAgent(principal, state.receipt.agentId);
    const leaf = await leafOfReceipt(snapshot, state.receipt.receiptSeq);
    const proof = leaf && (await inclusionProofOf(snapshot, log.open.receipts, leaf, receipts));
    return {
      receipt: receiptWithoutSalt(state),
      proof,
      reason: proof === null ? reasonFor(state, leaf !== null) : null,
      linked: linkedProofs(await provenActs(snapshot, receiptId, log, accounts)),
      statement: await statusOf(context, snapshot, state),
    };
  });
  const { receipt, proof, reason, linked, statement: status } = await log.damage.tracked(read);
  return {
    type: 'receipt-bundle' as const,
    receipt,
    proof,
    ...(reason === null ? {} : { inclusion_reason: reason }),
    status,
    key_events: await log.damage.tracked(keyEvents([receipt.kid, status.kid], wantsCosigned)),
    ...(linked === null ? {} : { linked }),
  };
}

/** Returns the proofs of acts by their events; null if no checkpoint covers any. */
function linkedProofs(acts: Awaited<ReturnType<typeof provenActs>>) {
  const proven = acts.filter(({ proof }) => proof !== null);
  return proven.length === 0 ? null : Object.fromEntries(proven.map(({ event, proof }) => [event, proof]));
}
