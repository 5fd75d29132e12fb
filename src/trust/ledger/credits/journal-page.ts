import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { AgentRow } from '../../agents/agents.ts';
import { creditsOf } from '../accounts.ts';
import { entriesBefore } from '../journal.ts';
import { entryView } from '../journals/entry-view.ts';
import { entriesPage } from '../journals/page.ts';
import type { JournalEntryView, JournalQuery } from '../journals/schema.ts';
import { agentStatement } from '../journals/statement.ts';

/**
 * Returns a page of an agent's journal.
 * @param full whether to show what only the parties see
 * @throws ApiError validation_error; forbidden for a filter by reference of a stranger
 */
export async function journalPage(
  snapshot: Snapshot,
  context: { cursors: Cursors },
  agent: AgentRow,
  query: JournalQuery,
  full: boolean,
) {
  return {
    ...(await agentStatement(snapshot, agent)),
    ...(await entriesPage(snapshot, context, creditsOf(agent), query, full)),
  };
}

/** Returns the newest entries of an agent's journal as strangers see them. */
export async function newestEntries(
  snapshot: Snapshot,
  agent: AgentRow,
  limit: number,
): Promise<JournalEntryView[]> {
  const { entries } = await entriesBefore(snapshot, creditsOf(agent), null, limit);
  return entries.map((entry) => entryView(entry, false));
}
