import {
  type AuditedTable,
  gaps,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../platform/audit/table.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { canonicalOf, objectReading } from '../../proof/agent/agent-signature.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { commitsIn } from '../../proof/evidence/commits.ts';
import { eventHash } from '../../proof/evidence/event.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { missingCommits, newestItem, type StoredEvidence, storedItems } from './audit/store.ts';
import { storedPayload } from './compression.ts';
import { outcomeOf } from './outcome.ts';
import type { EvidenceRow } from './store.ts';

interface Payload {
  object: JsonObject;
  digest: string;
}

type Found = (what: string, values?: Partial<Problem>) => void;

const items: AuditedTable = {
  name: 'evidence',
  stage: 'rows',
  rows: {
    column: 'evidence_seq',
    counted: 'evidence',
    inWords: 'items of evidence',
    cost: 30,
    examine: evidenceReport,
  },
  begin: async ({ snapshot }) => ({ reach: await newestItem(await snapshot) }),
};

/** What fsck audits of evidence. */
export const audited = [items];

async function evidenceReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await storedItems(snapshot, range.after, range.reach);
  const numbers = rows.map(({ item }) => item.evidenceSeq);
  const problems = gaps('evidence', 'evidence_seq', numbers, range);
  for (const row of rows) problems.push(...(await evidenceProblems(snapshot, row)));
  return { ...NOTHING, problems, rows: rows.length, signatures: rows.length };
}

/** What is wrong with an item of evidence: its payload, its signature, its place in its agent's chain, and how it is found. */
async function evidenceProblems(snapshot: Snapshot, stored: StoredEvidence): Promise<Problem[]> {
  const { item } = stored;
  const problems: Problem[] = [];
  const found: Found = (what, values = {}) => {
    problems.push({
      table: 'evidence',
      row: { evidence_seq: item.evidenceSeq },
      id: item.eventHash,
      what,
      ...values,
    });
  };
  chainProblems(stored, found);
  const payload = payloadOf(stored, found);
  if (payload !== null && stored.publicKey !== null)
    await payloadProblems(snapshot, stored.item, stored.publicKey, payload, found);
  return problems;
}

function chainProblems(stored: StoredEvidence, found: Found): void {
  const { item, subjectCommitment, precedingHash, followingSeq, countedItems, countedHash } = stored;
  if (item.prevEventHash !== precedingHash) {
    found('prev_event_hash is not that of the item before', {
      expected: precedingHash ?? 'null',
      found: item.prevEventHash ?? 'null',
    });
  }
  if (subjectCommitment === null) {
    found(`there is no agent (agent_seq ${item.agentSeq})`);
    return;
  }
  const expected = eventHash(nativePrimitives, {
    subject_commitment: subjectCommitment,
    source_type: item.sourceType,
    payload_digest: item.payloadDigest,
    prev_event_hash: item.prevEventHash,
  });
  if (expected !== item.eventHash) {
    found('event_hash is not the digest of its members', { expected, found: item.eventHash });
  }
  const isCounted = countedItems === item.position && countedHash === item.eventHash;
  if (followingSeq !== null || isCounted) return;
  found('it is the last of its chain, and what is counted of the agent says otherwise', {
    expected: `${item.position}, ${item.eventHash}`,
    found: `${countedItems ?? 'nothing'}, ${countedHash ?? 'null'}`,
  });
}

function payloadOf({ item }: StoredEvidence, found: Found): Payload | null {
  try {
    const object = storedPayload(item.payload);
    return { object, digest: canonicalOf(nativePrimitives, object).digest };
  } catch (error) {
    found(`payload cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

async function payloadProblems(
  snapshot: Snapshot,
  item: EvidenceRow,
  publicKey: string,
  { object: payload, digest }: Payload,
  found: Found,
): Promise<void> {
  if (digest !== item.payloadDigest) {
    found('payload_digest is not that of the payload', { expected: digest, found: item.payloadDigest });
  }
  const reading = objectReading(nativePrimitives, hexToBytes(item.signature), payload, hexToBytes(publicKey));
  if (reading === null) found("signature was not made over the payload by the agent's key");
  else if (reading !== item.reading) {
    found('reading is not what the signature is over', { expected: reading, found: item.reading });
  }
  const outcome = outcomeOf(item.sourceType, payload);
  if (outcome !== item.outcome) {
    found('outcome is not that of the payload', { expected: outcome, found: item.outcome });
  }
  for (const commit of await missingCommits(snapshot, item, commitsIn(item.sourceType, payload)))
    found(`it is not found by its commit ${commit}`);
}
