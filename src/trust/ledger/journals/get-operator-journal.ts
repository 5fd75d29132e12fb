import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { poolOf } from '../accounts.ts';
import { entriesPage } from './page.ts';
import type { JournalQuery } from './schema.ts';
import { poolStatement } from './statement.ts';

/** The parts of the service that reading a journal uses. */
export type JournalContext = { store: Store; cursors: Cursors };

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
