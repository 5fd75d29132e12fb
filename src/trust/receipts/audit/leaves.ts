import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { isReceiptId } from '../../../proof/encoding/receipt-id.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import {
  type AgentRevocationEntry,
  type ReceiptEntry,
  type RevocationEntry,
  readAnyRevocationEntry,
  readReceiptEntry,
} from '../../../proof/log/log-entry.ts';
import type { LeafLog } from '../../../proof/log/log-names.ts';
import { messageOf, type Problem } from '../../../proof/log/problem.ts';
import { FIRST_LEAF } from '../../log/logs.ts';
import { leafHashOf } from '../../log/tree/append.ts';
import { leafEntry } from '../log/leaves.ts';
import type { LeafRow, RepeatedLeaf } from './store.ts';

/** The tables of the leaves of signed versions, by log. */
export const LEAF_TABLES = { receipts: 'receipt_leaf', revocations: 'revocation_leaf' } as const;

/**
 * Verifies a leaf. Returns problems, and the hash of its entry, from which the tree is rebuilt.
 * @param position the log's origin and the leaf's index
 */
export function checkLeaf(
  name: LeafLog,
  leaf: LeafRow,
  position: { log: string; index: number },
): { problems: Problem[]; hash: Uint8Array } {
  const base = { table: LEAF_TABLES[name], row: { leaf_seq: leaf.leafSeq }, ...position };
  const id = leaf.receiptId === null ? {} : { id: leaf.receiptId };
  const problems: Problem[] = [];
  const report = (what: string, values: Partial<Problem> = {}): void => {
    problems.push({ ...base, ...id, what, ...values });
  };
  let entry: string;
  try {
    entry = leafEntry(name, leaf);
  } catch (error) {
    report(
      `its entry cannot be computed from receipt_version (receipt_seq ${leaf.receiptSeq}, version ${leaf.leafVersion}): ${messageOf(error)}`,
    );
    return { problems, hash: leaf.leafHash };
  }
  if (leaf.entry === null) {
    const isOfLog = name === 'receipts' ? isFinalization(leaf) : leaf.revocationStatus === 'revoked';
    if (!isOfLog)
      report(
        `receipt_version (receipt_seq ${leaf.receiptSeq}, version ${leaf.leafVersion}) does not belong in this log`,
        {
          found: `${leaf.status}, ${leaf.revocationStatus}`,
        },
      );
  } else {
    problems.push(...storedEntryProblems(name, leaf, leaf.entry).map((what) => ({ ...base, ...id, what })));
  }
  const hash = leafHashOf(entry);
  if (!equalBytes(hash, leaf.leafHash)) {
    const from =
      leaf.entry === null
        ? `receipt_version (receipt_seq ${leaf.receiptSeq}, version ${leaf.leafVersion})`
        : 'its entry';
    report(`leaf_hash does not match ${from}`, {
      expected: bytesToHex(hash),
      found: bytesToHex(leaf.leafHash),
    });
  }
  return { problems, hash };
}

/** Returns the problems of leaves whose receipt, or agent, an earlier leaf of the log has. */
export function repeatedProblems(name: LeafLog, log: string, leaves: readonly RepeatedLeaf[]): Problem[] {
  return leaves.map(({ leafSeq, firstSeq, subject }) => {
    const what = isReceiptId(subject) ? `receipt ${subject}` : `agent ${subject}`;
    const done = name === 'receipts' ? 'finalized' : 'revoked';
    return {
      table: LEAF_TABLES[name],
      row: { leaf_seq: leafSeq },
      log,
      index: leafSeq - FIRST_LEAF,
      what: `${what} is ${done} a second time: it was ${done} at index ${firstSeq - FIRST_LEAF}`,
    };
  });
}

function isFinalization({ status, revocationStatus }: LeafRow): boolean {
  return status !== 'pending' && revocationStatus === 'active';
}

/** Verifies a leaf that stores its entry itself: of an agent, or recovered from a copy of the log. */
function storedEntryProblems(name: LeafLog, leaf: LeafRow, text: string): string[] {
  const problems: string[] = [];
  if (leaf.leafVersion !== null) problems.push('it has an entry of its own and names a version');
  let read: { receipt: ReceiptEntry | RevocationEntry } | { agent: AgentRevocationEntry };
  try {
    read = name === 'receipts' ? { receipt: readReceiptEntry(text) } : readAnyRevocationEntry(text);
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return [...problems, `its entry is none of ${name}: ${error.message}`];
  }
  if ('agent' in read) return [...problems, ...agentLeafProblems(leaf, read.agent)];
  const entry = read.receipt;
  if (leaf.agentSeq !== null || leaf.lostAgent !== null)
    problems.push(`its entry is of ${entry.receipt_id}, and it names an agent`);
  if (leaf.receiptSeq !== null && leaf.receiptId !== entry.receipt_id) {
    problems.push(
      `its entry is of ${entry.receipt_id}, and it names receipt (receipt_seq ${leaf.receiptSeq})`,
    );
  }
  return problems;
}

/**
 * Verifies that the leaf of a revoked agent names this agent, and that the agent was revoked at that time.
 */
function agentLeafProblems(
  leaf: LeafRow,
  { subject_commitment: commitment, at }: AgentRevocationEntry,
): string[] {
  const { receiptSeq, agentSeq, lostAgent, subjectCommitment, agentState, agentRevokedAt } = leaf;
  const isOf = `its entry is of the agent ${commitment}`;
  if (receiptSeq !== null) return [`${isOf}, and it names receipt (receipt_seq ${receiptSeq})`];
  if (agentSeq === null) {
    if (lostAgent !== commitment) return [`${isOf}, and it names ${lostAgent ?? 'no agent'}`];
    return subjectCommitment === null ? [] : [`${isOf}, which is there, and it says that it is lost`];
  }
  if (subjectCommitment === null) return [`there is no agent (agent_seq ${agentSeq})`];
  if (subjectCommitment !== commitment) return [`${isOf}, and it names agent (agent_seq ${agentSeq})`];
  if (agentState !== 'REVOKED') return [`agent (agent_seq ${agentSeq}) is not revoked`];
  return agentRevokedAt === at
    ? []
    : [`${isOf} as revoked at ${at}, and agent (agent_seq ${agentSeq}) was revoked at ${agentRevokedAt}`];
}
