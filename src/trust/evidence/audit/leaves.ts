import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import { readEvidenceEntry } from '../../../proof/log/log-entry.ts';
import { messageOf, type Problem } from '../../../proof/log/problem.ts';
import { leafHashOf } from '../../log/tree/append.ts';
import { leafEntry } from '../log/leaves.ts';
import type { LeafRow } from './leaf-store.ts';

/**
 * Verifies a leaf of the log of evidence. Returns its problems, and its entry's hash to rebuild the tree.
 * @param position the log's origin and the leaf's index
 */
export function checkLeaf(
  leaf: LeafRow,
  position: { log: string; index: number },
): { problems: Problem[]; hash: Uint8Array } {
  const eventHash = leaf.item?.eventHash ?? leaf.lost?.eventHash;
  const base = {
    table: 'evidence_leaf',
    row: { leaf_seq: leaf.leafSeq },
    ...(eventHash === undefined ? {} : { id: eventHash }),
    ...position,
  };
  let entry: string;
  try {
    entry = leafEntry(leaf);
  } catch (error) {
    const problem = `its entry cannot be computed from evidence (evidence_seq ${leaf.leafSeq})`;
    return { problems: [{ ...base, what: `${problem}: ${messageOf(error)}` }], hash: leaf.leafHash };
  }
  const problems: Problem[] = lostProblems(leaf).map((problem) => ({ ...base, what: problem }));
  const hash = leafHashOf(entry);
  if (!equalBytes(hash, leaf.leafHash)) {
    const source =
      leaf.entry === null ? `evidence (evidence_seq ${leaf.leafSeq}) and its agent` : 'its entry';
    problems.push({
      ...base,
      what: `leaf_hash does not match ${source}`,
      expected: bytesToHex(hash),
      found: bytesToHex(leaf.leafHash),
    });
  }
  return { problems, hash };
}

/** Verifies that exactly the leaves with their own entry were lost, and that item and row match the entry. */
function lostProblems({ entry: text, lost, item, subjectCommitment }: LeafRow): string[] {
  if (text === null)
    return lost === null ? [] : ['lost_evidence has a row for a leaf whose item was never lost'];
  if (lost === null) return ['it has an entry of its own, and lost_evidence has no row for it'];
  try {
    const entry = readEvidenceEntry(text);
    const expected = JSON.stringify([
      entry.subject_commitment,
      entry.index + 1,
      entry.source_type,
      entry.payload_digest,
      entry.event_commitment_hash,
      entry.prev_event_hash,
      entry.anchored_at,
    ]);
    const problems: string[] = [];
    if (columnsOf(lost.subjectCommitment, lost, lost.anchoredAt) !== expected)
      problems.push('lost_evidence does not match its entry');
    // The item was sent again after it was lost.
    if (item !== null && columnsOf(subjectCommitment, item, item.createdAt) !== expected)
      problems.push('evidence does not match its entry');
    return problems;
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return [`its entry is not an entry of evidence: ${error.message}`];
  }
}

type Columns = Pick<
  NonNullable<LeafRow['lost']>,
  'position' | 'sourceType' | 'payloadDigest' | 'eventHash' | 'prevEventHash'
>;

function columnsOf(subjectCommitment: string | null, item: Columns, at: string): string {
  const { position, sourceType, payloadDigest, eventHash, prevEventHash } = item;
  return JSON.stringify([
    subjectCommitment,
    position,
    sourceType,
    payloadDigest,
    eventHash,
    prevEventHash,
    at,
  ]);
}
