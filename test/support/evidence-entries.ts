import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { eventHash } from '../../src/proof/evidence/event.ts';
import { type EvidenceEntry, evidenceEntryText } from '../../src/proof/log/log-entry.ts';

/** Returns the commitment of a test agent: 64 hexadecimal characters. */
export function agentOf(number: number): string {
  return number.toString(16).padStart(64, '0');
}

/** Returns an entry with the hash of its members. */
export function hashed(entry: Omit<EvidenceEntry, 'event_commitment_hash'>): EvidenceEntry {
  return { ...entry, event_commitment_hash: eventHash(nativePrimitives, entry) };
}

/**
 * Returns the entries of a log of evidence: an item for each agent, in this order, at the end of the agent's
 * chain.
 */
export function evidenceEntries(agents: readonly number[]): EvidenceEntry[] {
  const chains = new Map<number, EvidenceEntry>();
  return agents.map((agent, at) => {
    const before = chains.get(agent) ?? null;
    const entry = hashed({
      subject_commitment: agentOf(agent),
      source_type: 'otel_span',
      payload_digest: at.toString(16).padStart(64, 'd'),
      prev_event_hash: before?.event_commitment_hash ?? null,
      index: before === null ? 0 : before.index + 1,
      anchored_at: '2026-05-01T12:00:00.000Z',
    });
    chains.set(agent, entry);
    return entry;
  });
}

/** Returns the leaf of an entry. */
export function leafOfEvidence(entry: EvidenceEntry): Uint8Array {
  return Buffer.from(evidenceEntryText(entry));
}
