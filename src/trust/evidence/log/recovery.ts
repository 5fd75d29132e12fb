import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { eventHash } from '../../../proof/evidence/event.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import type { EvidenceEntry } from '../../../proof/log/log-entry.ts';
import { findAgentIn } from '../../agents/agents.ts';
import type { LogRow } from '../../log/logs.ts';
import { appendIn } from '../../log/tree/append.ts';
import { addLostItemIn, type ChainHead, chainHeadIn } from '../reputation/count.ts';
import { insertLostItem, lostHeadOf } from './leaf-store.ts';

/**
 * Appends the leaf of an item that a restored backup lacks. The item keeps its position: the agent's next
 * item follows it. Its payload, signature and outcome are not in the log: the agent must send them again.
 * @returns what could not be recovered
 * @throws LogEntryError for an item that does not follow the one before: nothing could follow it
 */
export async function recoverItemIn(
  tx: Transaction,
  log: LogRow,
  text: string,
  entry: EvidenceEntry,
): Promise<string> {
  const { subject_commitment: subjectCommitment, event_commitment_hash: hash, index } = entry;
  const item = {
    subjectCommitment,
    position: index + 1,
    sourceType: entry.source_type,
    payloadDigest: entry.payload_digest,
    eventHash: hash,
    prevEventHash: entry.prev_event_hash,
    anchoredAt: entry.anchored_at,
  };
  const agent = await findAgentIn(tx, subjectCommitment);
  const head =
    agent === null ? await lostHeadOf(tx, subjectCommitment) : await chainHeadIn(tx, agent.agentSeq);
  requireNext(entry, head);
  await appendIn(tx, log, text, (leafHash) => insertLostItem(tx, { leafHash, entry: text }, item));
  const lostParts = `the payload and the signature of evidence ${hash} of agent ${subjectCommitment}`;
  if (agent === null) return `${lostParts}, and the agent`;
  await addLostItemIn(tx, agent.agentSeq, hash);
  return lostParts;
}

/** @throws LogEntryError */
function requireNext(entry: EvidenceEntry, head: Pick<ChainHead, 'length' | 'eventHash'>): void {
  if (eventHash(nativePrimitives, entry) !== entry.event_commitment_hash)
    throw new LogEntryError('event_commitment_hash is not the digest of its members');
  if (entry.index !== head.length || entry.prev_event_hash !== head.eventHash)
    throw new LogEntryError(
      `it does not follow the last of the ${head.length} items of agent ${entry.subject_commitment}`,
    );
}
