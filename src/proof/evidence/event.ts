import { digest } from '../encoding/digest.ts';
import type { Primitives } from '../primitives.ts';

/** The members that the hash of an evidence item covers. */
export interface EvidenceEvent {
  /** The commitment of the agent that signed the payload: 64 hexadecimal characters. */
  subject_commitment: string;
  source_type: string;
  /** The digest of the payload: 64 hexadecimal characters. */
  payload_digest: string;
  /** The event_commitment_hash of the agent's previous item; null for its first. */
  prev_event_hash: string | null;
}

/**
 * Returns an item's event_commitment_hash: the digest of these four members. Each hash also covers all
 * previous items.
 */
export function eventHash(primitives: Primitives, event: EvidenceEvent): string {
  const { subject_commitment, source_type, payload_digest, prev_event_hash } = event;
  // In canonical order, so that canonicalJson does not have to sort them.
  return digest(primitives, { payload_digest, prev_event_hash, source_type, subject_commitment });
}
