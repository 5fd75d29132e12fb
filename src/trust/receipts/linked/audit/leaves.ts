import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { equalBytes } from '../../../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../../../proof/encoding/hex.ts';
import { JOURNAL_HEADS } from '../../../../proof/log/journal-heads-entry.ts';
import { accountOf, linkedAgentOf } from '../../../../proof/log/linked-account.ts';
import { ACCOUNT_EVENTS, type AccountEvent } from '../../../../proof/log/log-entry.ts';
import { messageOf, type Problem } from '../../../../proof/log/problem.ts';
import { leafHashOf } from '../../../log/tree/append.ts';
import { leafEntry } from '../log/leaves.ts';
import type { LeafRow } from './leaf-store.ts';

const LEAF_EVENTS = [...ACCOUNT_EVENTS, JOURNAL_HEADS] as const;

type Report = (what: string, values?: Partial<Problem>) => void;

/**
 * Verifies a leaf of the log of accounts. Returns problems, and the hash of its entry for the tree.
 * @param position the log's origin and the leaf's index
 */
export function checkLeaf(
  leaf: LeafRow,
  position: { log: string; index: number },
): { problems: Problem[]; hash: Uint8Array } {
  const base = { table: 'account_leaf', row: { leaf_seq: leaf.leafSeq }, ...position };
  const id = leaf.receiptId === null ? {} : { id: leaf.receiptId };
  const problems: Problem[] = [];
  const report: Report = (what, values = {}) => {
    problems.push({ ...base, ...id, what, ...values });
  };
  // Its tree is audited with its own tables.
  if (leaf.event !== JOURNAL_HEADS) {
    orderProblems(leaf, report);
    ownerProblems(leaf, report);
  }
  if (leaf.receiptId !== null) receiptProblems(leaf, report);
  let hash: Uint8Array;
  try {
    hash = leafHashOf(entryOf(leaf));
  } catch (error) {
    report(`its entry cannot be computed from its row: ${messageOf(error)}`);
    return { problems, hash: leaf.leafHash };
  }
  if (!equalBytes(hash, leaf.leafHash)) {
    report('leaf_hash does not match its row', {
      expected: bytesToHex(hash),
      found: bytesToHex(leaf.leafHash),
    });
  }
  return { problems, hash };
}

/** @throws Error for a row without a valid entry */
function entryOf(row: LeafRow): string {
  const { leafSeq, leafHash, accountSeq, sequence, at, contentHash, linkedAgentSeq, agentSequence } = row;
  const { account, agent, receiptId, recovered, date, accounts, root } = row;
  const event = LEAF_EVENTS.find((known) => known === row.event);
  if (event === undefined) throw new Error(`event is not one of ${LEAF_EVENTS.join(', ')}`);
  if (account === null && event !== JOURNAL_HEADS)
    throw new Error(`there is no linked_account (account_seq ${accountSeq})`);
  const leaf = {
    ...{ leafSeq, leafHash, accountSeq, sequence, event, at, contentHash, linkedAgentSeq, agentSequence },
    ...{ receiptId, recovered, date, accounts, root },
  };
  return leafEntry({ leaf, account, agent });
}

/** Verifies the leaf before it of its account. `wrongAgents` verifies that of its agent. */
function orderProblems(leaf: LeafRow, report: Report): void {
  const { leafSeq, sequence, event, previousLeaf, previousEvent } = leaf;
  if (sequence === null) {
    report('it has no sequence');
    return;
  }
  if (sequence !== 1 && (previousLeaf === null || previousLeaf >= leafSeq))
    report(`no leaf before it has the sequence ${sequence - 1} of its account`);
  const wasLinked = previousEvent !== null && previousEvent !== 'unlinked';
  if (wasLinked === (event === 'linked'))
    report(`event is ${event}, and its account was ${wasLinked ? 'linked' : 'not linked'} before`);
}

/** Verifies that account and agent are those of the operator and the receipt, unless those were lost. */
function ownerProblems(leaf: LeafRow, report: Report): void {
  const { account, accountSeq, agent, agentId, agentAccountSeq, operatorId, linkedAgentSeq } = leaf;
  if (linkedAgentSeq !== null && agentAccountSeq !== accountSeq)
    report(`linked_agent (linked_agent_seq ${linkedAgentSeq}) is not of its account`);
  if (operatorId === null) return;
  const expected = accountOf(nativePrimitives, operatorId);
  if (account !== expected) report('account is not that of the operator', values(expected, account));
  if (agentId === null) return;
  const expectedAgent = linkedAgentOf(nativePrimitives, operatorId, agentId);
  if (agent !== expectedAgent) report('agent is not that of the receipt', values(expectedAgent, agent));
}

/** Verifies that a version of the receipt was signed by this act. */
function receiptProblems(leaf: LeafRow, report: Report): void {
  const { event, version, at, signedAt, recovered } = leaf;
  if (version === null) {
    // The database was restored from a backup without this version.
    if (!recovered) report('no version of its receipt has its content_hash');
    return;
  }
  const expected = eventOf(leaf);
  if (event !== expected)
    report('event is not what the version with its content_hash records', values(expected, event));
  if (at !== signedAt) report('at is not when the version was signed', values(signedAt, at));
  // The backup has the version, so it has its leaf. Only a revocation is restored from its own log.
  if (recovered && event !== 'revoked') report('it says that it was recovered, and its version was not');
}

function eventOf({ status, revocationStatus }: LeafRow): AccountEvent {
  if (revocationStatus === 'revoked') return 'revoked';
  return status === 'pending' ? 'issued' : 'finalized';
}

function values(expected: string | null, found: string | null) {
  return { expected: expected ?? 'null', found: found ?? 'null' };
}
