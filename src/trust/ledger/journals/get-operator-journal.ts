import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { OperatorActor } from '../../operators/auth/actor.ts';
import { currentActor } from '../../operators/auth/current-actor.ts';
import { poolOf } from '../accounts.ts';
import type { Form, JournalStreams } from './forms.ts';
import { entriesPage } from './page.ts';
import type { JournalQuery } from './schema.ts';
import { poolStatement } from './statement.ts';

/** The parts of the service that reading a journal uses. */
export type JournalContext = { store: Store; cursors: Cursors };

/**
 * Returns the whole journal of an operator's pool, as NDJSON or CSV.
 * @throws ApiError validation_error, rate_limit_exceeded
 */
export function wholeOperatorJournal(
  { store }: Pick<JournalContext, 'store'>,
  streams: JournalStreams,
  principal: OperatorActor,
  query: JournalQuery,
  { form, signal }: { form: Form; signal: AbortSignal },
): Response {
  const { keyHash } = principal;
  const statement = (snapshot: Snapshot) => poolStatement(snapshot, principal);
  const mayRead = async (snapshot: Snapshot) => (await currentActor(snapshot, principal)) !== null;
  return streams.start(store, {
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
