import { type AgentRow, actsForAgent, requireAgentIn } from '../../agents/agents.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import type { JournalContext } from '../journals/get-operator-journal.ts';
import type { JournalQuery } from '../journals/schema.ts';
import { journalPage } from './journal-page.ts';

/** Returns whether a key sees all of an agent's journal: its sponsor's, its holder key or an admin key. */
function seesAll(principal: Actor | null, agent: AgentRow): boolean {
  return principal !== null && (principal.admin || actsForAgent(principal, agent));
}

/**
 * Returns a page of an agent's credit journal, newest first. A caller that cannot act for the agent sees the
 * chain of hashes, and the other members masked.
 * @throws ApiError not_found for an agent that never enrolled; validation_error for an invalid cursor
 */
export async function getJournal(
  { store, cursors }: JournalContext,
  principal: Actor | null,
  commitment: string,
  query: JournalQuery,
) {
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    return journalPage(snapshot, { cursors }, agent, query, seesAll(principal, agent));
  });
}
