import type { Snapshot } from '../../../platform/store/transaction.ts';
import { requireAgentIn, seesAll } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import { currentActor } from '../../operators/auth/current-actor.ts';
import { creditsOf } from '../accounts.ts';
import { type Form, sendJournal } from '../journals/forms.ts';
import type { JournalContext, WholeJournalContext } from '../journals/get-operator-journal.ts';
import type { JournalQuery } from '../journals/schema.ts';
import { agentStatement } from '../journals/statement.ts';
import { journalPage } from './journal-page.ts';

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

/**
 * Returns the whole journal of an agent for a key that sees all of it, as NDJSON or CSV.
 * @throws ApiError not_found; forbidden for strangers; validation_error, rate_limit_exceeded
 */
export async function wholeJournal(
  { store, openJournals }: WholeJournalContext,
  principal: Actor | null,
  commitment: string,
  query: JournalQuery,
  { form, signal }: { form: Form; signal: AbortSignal },
): Promise<Response> {
  const agent = await store.read((snapshot) => requireAgentIn(snapshot, commitment));
  if (!seesAll(principal, agent))
    throw commonErrors.forbidden({
      message: `Only a party of the journal can read it as ${form}. Send its key, or read pages of JSON.`,
    });
  const { keyHash } = principal;
  const statement = (snapshot: Snapshot) => agentStatement(snapshot, agent);
  const mayRead = async (snapshot: Snapshot) =>
    seesAll(await currentActor(snapshot, principal), await requireAgentIn(snapshot, commitment));
  return sendJournal(openJournals, store, {
    ...{ account: creditsOf(agent), query, form, statement, mayRead, keyHash, signal },
  });
}
