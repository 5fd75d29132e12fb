import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { OWN_LOCKED } from '../../proof/ledger/journal.ts';
import {
  detailHash,
  entryId,
  type JournalEntry,
  type MovementDetail,
} from '../../proof/ledger/journal-entry.ts';
import { type CreditClass, creditClassOf, type MovementKind } from './accounts.ts';
import { movementsOfAgent, type NamedMovement } from './journal-store.ts';
import type { MovementRow } from './store.ts';

/** An entry of an agent's journal with everything that only the parties may see. */
export interface FullEntry {
  /** Its position, for pages. */
  movementSeq: number;
  transactionId: string;
  entry: JournalEntry & { kind: MovementKind; asset: CreditClass };
  entryHash: string;
  detail: MovementDetail;
  /** The name of the other account; `locked` for what the agent locks and unlocks. */
  counterparty: string;
}

interface JournalAgent {
  agentSeq: number;
  subjectCommitment: string;
}

/**
 * Returns up to `limit` entries of an agent's journal, newest first, and whether there are more.
 * @param before returns entries before the one with this `movementSeq`; null for the newest entries
 */
export async function entriesBefore(
  snapshot: Snapshot,
  agent: JournalAgent,
  before: number | null,
  limit: number,
): Promise<{ entries: FullEntry[]; hasMore: boolean }> {
  // Each entry names the hash of the one before it.
  const rows = await movementsOfAgent(snapshot, agent.agentSeq, before, limit + 1);
  const entries = rows
    .slice(0, limit)
    .map((row, index) => entryOf(agent, row, hashOf(agent, rows[index + 1]?.movement)));
  return { entries, hasMore: rows.length > limit };
}

function entryOf(
  { agentSeq, subjectCommitment }: JournalAgent,
  { movement, debtor, creditor, receiptId }: NamedMovement,
  previous: string | null,
): FullEntry {
  const { transactionId, ordinal, kind, asset, amount, createdAt, memo, reference, salt } = movement;
  const isDebit = movement.debitKind === 'agent' && movement.debitOwner === agentSeq;
  const [direction, other, otherKind, balanceAfter, entryHash] = isDebit
    ? (['debit', creditor, movement.creditKind, movement.debitAfter, movement.debitHash] as const)
    : (['credit', debtor, movement.debitKind, movement.creditAfter, movement.creditHash] as const);
  const creditClass = creditClassOf(asset);
  if (creditClass === null) throw new Error(`movement ${movement.movementSeq} books cents on an agent`);
  if (entryHash === null) throw new Error(`movement ${movement.movementSeq} has no hash for its agent`);
  const detail = { creditor, debtor, memo, receipt_id: receiptId, reference, salt };
  return {
    movementSeq: movement.movementSeq,
    transactionId,
    entry: {
      subject_commitment: subjectCommitment,
      entry_id: entryId(transactionId, ordinal, direction),
      kind,
      asset: creditClass,
      amount,
      direction,
      balance_after: balanceAfter,
      created_at: timestamp({ now: () => createdAt }),
      detail_hash: detailHash(nativePrimitives, detail),
      prev_entry_hash: previous,
    },
    entryHash,
    detail,
    counterparty: otherKind === 'locked' && other === subjectCommitment ? OWN_LOCKED : other,
  };
}

function hashOf({ agentSeq }: JournalAgent, movement: MovementRow | undefined): string | null {
  if (movement === undefined) return null;
  const { debitKind, debitOwner, debitHash, creditHash } = movement;
  return debitKind === 'agent' && debitOwner === agentSeq ? debitHash : creditHash;
}
