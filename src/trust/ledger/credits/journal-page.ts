import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { AgentRow } from '../../agents/agents.ts';
import { pageRequest } from '../../http/paging.ts';
import { mask } from '../../operators/mask.ts';
import { creditStateOf } from '../evaluation.ts';
import { entriesBefore, type FullEntry } from '../journal.ts';
import type { JournalEntryView, JournalQuery } from './schema.ts';

/** The list of an agent's journal, ordered by the number of the movement. */
const JOURNAL = { name: 'credit-journal', position: Type.Tuple([positionNumber]) };

const OPERATOR_PREFIX = 'op_cus_';

/**
 * Returns a page of an agent's journal.
 * @param full whether to show what only the parties see
 * @throws ApiError validation_error
 */
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
