import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { OperatorActor } from '../../operators/auth/actor.ts';
import { currentActor } from '../../operators/auth/current-actor.ts';
import { poolOf } from '../accounts.ts';
import { type Form, sendJournal } from './forms.ts';
import { entriesPage } from './page.ts';
import type { JournalQuery } from './schema.ts';
import { poolStatement } from './statement.ts';

/** The parts of the service that reading a journal uses. */
export type JournalContext = { store: Store; cursors: Cursors };

/** The parts of the service that sending a whole journal uses. */
export type WholeJournalContext = { store: Store; openJournals: Set<string> };

/**
 * Returns the whole journal of an operator's pool, as NDJSON or CSV.
 * @param mayRead returns whether the caller still may; by default whether its key is there
 * @throws ApiError validation_error, rate_limit_exceeded
 */
export function wholeOperatorJournal(
  { store, openJournals }: WholeJournalContext,
  principal: OperatorActor,
  query: JournalQuery,
  {
    form,
    signal,
    mayRead = async (snapshot) => (await currentActor(snapshot, principal)) !== null,
  }: { form: Form; signal: AbortSignal; mayRead?: (snapshot: Snapshot) => Promise<boolean> },
): Response {
  const { keyHash } = principal;
  const statement = (snapshot: Snapshot) => poolStatement(snapshot, principal);
  return sendJournal(openJournals, store, {
    ...{ account: poolOf(principal), query, form, statement, mayRead, keyHash, signal },
  });
}

/**
 * Returns a page of the journal of an operator's pool, newest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function getOperatorJournal(
  { store, cursors }: JournalContext,
  { operatorSeq, operatorId }: { operatorSeq: number; operatorId: string },
  query: JournalQuery,
) {
  const operator = { operatorSeq, operatorId };
  return store.read(async (snapshot) => ({
    ...(await poolStatement(snapshot, operator)),
    ...(await entriesPage(snapshot, { cursors }, poolOf(operator), query, true)),
  }));
}
