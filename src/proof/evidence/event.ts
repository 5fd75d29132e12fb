import { digest } from '../encoding/digest.ts';
import type { Primitives } from '../primitives.ts';

/** What the hash of an item of evidence is made of. */
export interface EvidenceEvent {
  /** Of the agent that signed the payload: 64 hexadecimal characters. */
  subject_commitment: string;
  source_type: string;
  /** The digest of the payload: 64 hexadecimal characters. */
  payload_digest: string;
  /** The event_commitment_hash of the agent's item before this one; null for its first. */
  prev_event_hash: string | null;
}

/** An item's event_commitment_hash: the digest of these four members, so that each stands for all before it. */
export function eventHash(primitives: Primitives, event: EvidenceEvent): string {
  const { subject_commitment, source_type, payload_digest, prev_event_hash } = event;
  return digest(primitives, { subject_commitment, source_type, payload_digest, prev_event_hash });
}
