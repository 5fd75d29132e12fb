import type { SourceType } from '../../../db/trust/evidence.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { hexToBytes } from '../../proof/hex.ts';

interface FoundEvidence {
  sourceType: SourceType;
  /** 64 hexadecimal characters. */
  eventHash: string;
  payloadDigest: string;
  outcome: 'success' | 'failure';
  /** RFC 3339. */
  createdAt: string;
}

/** An agent's evidence by its hash; undefined when there is none. */
export function evidenceByMarkIn(
  snapshot: Snapshot,
  agentSeq: number,
  hex: string,
): FoundEvidence | undefined {
  const found = snapshot.connection.sqlite
    .query<FoundEvidence, [number, number, Uint8Array]>(
      `SELECT source_type AS sourceType, lower(hex(event_hash)) AS eventHash, lower(hex(payload_digest)) AS payloadDigest,
         outcome, created_at AS createdAt
       FROM evidence_mark JOIN evidence USING (evidence_seq)
       WHERE evidence_mark.agent_seq = ? AND mark = ? AND event_hash = ?`,
    )
    .get(agentSeq, Number.parseInt(hex.slice(0, 12), 16), hexToBytes(hex));
  return found ?? undefined;
}
