import { type AuditedTable, NOTHING, type RangeReport, type RowRange } from '../../platform/audit/table.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { canonicalOf, objectReading } from '../../proof/agent/agent-signature.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { commitsIn } from '../../proof/evidence/commits.ts';
import { eventHash } from '../../proof/evidence/event.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { leafTable } from '../log/audit/leaves.ts';
import { leafRows } from './audit/leaf-store.ts';
import { checkLeaf } from './audit/leaves.ts';
import { missingCommits, newestItem, type StoredEvidence, storedItems } from './audit/store.ts';
import { storedPayload } from './compression.ts';
import { outcomeOf } from './outcome.ts';
import { type EvidenceRow, isErased } from './store.ts';

interface Payload {
  object: JsonObject;
  digest: string;
}

type Report = (problem: string, values?: Partial<Problem>) => void;

const items: AuditedTable = {
  name: 'evidence',
  stage: 'rows',
  rows: {
    column: 'evidence_seq',
    counted: 'evidence',
    inWords: 'items of evidence',
    oneInWords: 'item of evidence',
    cost: 30,
    examine: evidenceReport,
  },
  begin: async ({ snapshot }) => ({ reach: await newestItem(await snapshot) }),
};

/**
 * Audits the leaves of the log. An item has the number of its leaf: a missing item is a problem of the leaf.
 */
const leaves = leafTable({
  name: 'evidence_leaf',
  log: 'evidence',
  read: leafRows,
  check: checkLeaf,
});

/** The tables of evidence that fsck audits. */
export const audited = [items, leaves];

async function evidenceReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await storedItems(snapshot, range);
  const problems: Problem[] = [];
  for (const row of rows) problems.push(...(await evidenceProblems(snapshot, row)));
  return { ...NOTHING, problems, rows: rows.length, signatures: rows.length };
}

/**
 * Returns the problems of one item: payload, signature, position in its agent's chain, and index by commits.
 */
async function evidenceProblems(snapshot: Snapshot, stored: StoredEvidence): Promise<Problem[]> {
  const { item } = stored;
  const problems: Problem[] = [];
  const report: Report = (problem, values = {}) => {
    problems.push({
      table: 'evidence',
      row: { evidence_seq: item.evidenceSeq },
      id: item.eventHash,
      what: problem,
      ...values,
    });
  };
  chainProblems(stored, report);
  if (isErased(item.payload)) {
    if (item.position > (stored.erasedThrough ?? 0) || item.sourceType === 'assessment')
      report('payload is missing, and no row of evidence_erasure says that it was deleted');
    return problems;
  }
  const payload = payloadOf(stored, report);
  if (payload !== null && stored.publicKey !== null)
    await payloadProblems(snapshot, stored.item, stored.publicKey, payload, report);
  return problems;
}

function chainProblems(stored: StoredEvidence, report: Report): void {
  const { item, subjectCommitment, precedingHash, followingSeq, followingLost, countedItems, countedHash } =
    stored;
  if (item.prevEventHash !== precedingHash) {
    report('prev_event_hash differs from the event_hash of the previous item', {
      expected: precedingHash ?? 'null',
      found: item.prevEventHash ?? 'null',
    });
  }
  if (subjectCommitment === null) {
    report(`there is no agent (agent_seq ${item.agentSeq})`);
    return;
  }
  const expected = eventHash(nativePrimitives, {
    subject_commitment: subjectCommitment,
    source_type: item.sourceType,
    payload_digest: item.payloadDigest,
    prev_event_hash: item.prevEventHash,
  });
  if (expected !== item.eventHash) {
    report('event_hash is not the digest of its members', { expected, found: item.eventHash });
  }
  const isCounted = countedItems === item.position && countedHash === item.eventHash;
  if (followingSeq !== null || isCounted || followingLost !== null) return;
  report("the agent's counters do not match this item, the last one of its chain", {
    expected: `${item.position}, ${item.eventHash}`,
    found: `${countedItems ?? 'nothing'}, ${countedHash ?? 'null'}`,
  });
}

function payloadOf({ item }: StoredEvidence, report: Report): Payload | null {
  try {
    const object = storedPayload(item.payload);
    return { object, digest: canonicalOf(nativePrimitives, object).digest };
  } catch (error) {
    report(`payload cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

async function payloadProblems(
  snapshot: Snapshot,
  item: EvidenceRow,
  publicKey: string,
  { object: payload, digest }: Payload,
  report: Report,
): Promise<void> {
  if (digest !== item.payloadDigest) {
    report('payload_digest does not match the payload', { expected: digest, found: item.payloadDigest });
  }
  const reading = objectReading(nativePrimitives, hexToBytes(item.signature), payload, hexToBytes(publicKey));
  if (reading === null) report("signature is invalid for the payload and the agent's key");
  else if (reading !== item.reading) {
    report('reading is not the format that the signature covers', { expected: reading, found: item.reading });
  }
  const outcome = outcomeOf(item.sourceType, payload);
  if (outcome !== item.outcome) {
    report('outcome does not match the payload', { expected: outcome, found: item.outcome });
  }
  for (const commit of await missingCommits(snapshot, item, commitsIn(item.sourceType, payload)))
    report(`evidence_commit has no row for its commit ${commit}`);
}
