import { Type } from '@sinclair/typebox';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { type AgentRow, actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import { pageRequest } from '../../http/paging.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import { mask } from '../../operators/mask.ts';
import { creditStateOf } from '../evaluation.ts';
import { entriesBefore, type FullEntry } from '../journal.ts';
import type { JournalEntryView, JournalQuery } from './schema.ts';

/** The list of an agent's journal, ordered by the number of the movement. */
const JOURNAL = { name: 'credit-journal', position: Type.Tuple([positionNumber]) };

/** The parts of the service that reading a journal uses. */
export type JournalContext = { store: Store; cursors: Cursors };

const OPERATOR_PREFIX = 'op_cus_';

/** Returns whether a key sees everything in an agent's journal: a key of its sponsor, its holder key or an admin key. */
function seesAll(principal: Principal | null, agent: AgentRow): boolean {
  return principal !== null && (principal.admin || actsForAgent(principal, agent));
}

/**
 * Returns a page of an agent's credit journal, newest first. Those who cannot act for the agent see the chain of hashes, and the other
 * members masked. @throws ApiError not_found for an agent that never enrolled; validation_error for an invalid cursor
 */
export async function getJournal(
  { store, cursors }: JournalContext,
  principal: Principal | null,
  commitment: string,
  query: JournalQuery,
) {
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    return journalPage(snapshot, { cursors }, agent, query, seesAll(principal, agent));
  });
}

/** Returns a page of an agent's journal. @param full whether to show what only the parties see @throws ApiError validation_error */
export async function journalPage(
  snapshot: Snapshot,
  { cursors }: { cursors: Cursors },
  agent: AgentRow,
  query: JournalQuery,
  full: boolean,
) {
  const { agentSeq, subjectCommitment } = agent;
  const pages = cursors.of(JOURNAL, [subjectCommitment]);
  const { limit, after } = pageRequest(query, pages);
  const { entries, hasMore } = await entriesBefore(snapshot, agent, after?.[0] ?? null, limit);
  const last = hasMore ? entries.at(-1) : undefined;
  const { entries: length = 0, head = null } = (await creditStateOf(snapshot, agentSeq)) ?? {};
  return {
    subject_commitment: subjectCommitment,
    length,
    head,
    entries: entries.map((entry) => entryView(entry, full)),
    next_cursor: last === undefined ? null : pages.write([last.movementSeq]),
  };
}

/** Returns the newest entries of an agent's journal as strangers see them. */
export async function newestEntries(
  snapshot: Snapshot,
  agent: AgentRow,
  limit: number,
): Promise<JournalEntryView[]> {
  const { entries } = await entriesBefore(snapshot, agent, null, limit);
  return entries.map((entry) => entryView(entry, false));
}

function entryView({ entry, entryHash, detail, counterparty }: FullEntry, full: boolean): JournalEntryView {
  const { memo, receipt_id, reference, salt } = detail;
  return {
    entry_id: entry.entry_id,
    kind: entry.kind,
    asset: entry.asset,
    amount: entry.amount,
    direction: entry.direction,
    counterparty: full ? counterparty : maskedCounterparty(counterparty),
    reference: full || reference === null ? reference : mask(reference, ''),
    memo: full ? memo : null,
    receipt_id: full ? receipt_id : null,
    salt: full ? salt : null,
    balance_after: entry.balance_after,
    created_at: entry.created_at,
    detail_hash: entry.detail_hash,
    entry_hash: entryHash,
    prev_entry_hash: entry.prev_entry_hash,
  };
}

/** Masks an agent or an operator. Accounts of the service are no secret. */
function maskedCounterparty(name: string): string {
  if (name.startsWith(OPERATOR_PREFIX)) return mask(name, OPERATOR_PREFIX);
  return name.length < 64 ? name : mask(name, '');
}
