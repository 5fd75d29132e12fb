import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { timestampOrNull } from '../../../platform/time/timestamp.ts';
import { digest } from '../../../proof/encoding/digest.ts';
import type { EscrowRow, EscrowState } from './store.ts';

/** What a hire is about. The parties are commitments. */
export type TermsOfHire = Pick<EscrowRow, 'taskId' | 'amount' | 'description' | 'deadline'> & {
  hirer: string;
  worker: string;
};

/** Returns the input_digest of a hire whose request has none: anyone who knows the terms can compute it. */
export function digestOfTerms({ taskId, hirer, worker, amount, description, deadline }: TermsOfHire): string {
  return digest(nativePrimitives, {
    amount,
    deadline: timestampOrNull(deadline),
    description,
    hirer_commitment: hirer,
    task_id: taskId,
    worker_commitment: worker,
  });
}

/**
 * Returns the terms_digest of a hire, which the worker signs with a delivery. It has the time of the hire, so
 * a signature for one hire fits no other. The deadline is the one at the hire, before standstills.
 */
export function termsDigestOf({ escrow, hirer, worker }: Pick<EscrowState, 'escrow' | 'hirer' | 'worker'>) {
  const { amount, createdAt, deadline, description, inputDigest, taskId } = escrow;
  return digest(nativePrimitives, {
    amount,
    created_at: timestampOrNull(createdAt),
    deadline: timestampOrNull(deadline),
    description,
    hirer_commitment: hirer,
    input_digest: inputDigest,
    task_id: taskId,
    worker_commitment: worker,
  });
}
