import type { Transaction } from '../../../platform/store/transaction.ts';
import type { EvidenceEntry } from '../../../proof/log/log-entry.ts';
import { findAgentIn } from '../../agents/agents.ts';
import type { LogRow } from '../../log/logs.ts';
import { appendIn } from '../../log/tree/append.ts';
import { addLostItemIn } from '../../reputation/count.ts';
import { insertLostItem } from './leaf-store.ts';

/**
 * Appends the leaf of an item that a restored backup lacks. The item keeps its position: the agent's next item follows it. Its payload,
 * signature and outcome are not in the log; they return when the evidence is sent again.
 * @returns what could not be recovered
 */
export async function recoverItemIn(
  tx: Transaction,
  log: LogRow,
  text: string,
  entry: EvidenceEntry,
): Promise<string> {
  const { subject_commitment: subjectCommitment, event_commitment_hash: eventHash, index } = entry;
  const item = {
    subjectCommitment,
    position: index + 1,
    sourceType: entry.source_type,
    payloadDigest: entry.payload_digest,
    eventHash,
    prevEventHash: entry.prev_event_hash,
    anchoredAt: entry.anchored_at,
  };
  await appendIn(tx, log, text, (leafHash) => insertLostItem(tx, { leafHash, entry: text }, item));
  const agent = await findAgentIn(tx, subjectCommitment);
  const itself = `the payload and the signature of evidence ${eventHash} of agent ${subjectCommitment}`;
  if (agent === undefined) return `${itself}, and the agent`;
  await addLostItemIn(tx, agent.agentSeq, eventHash);
  return itself;
}
