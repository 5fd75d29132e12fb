import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import { boundOf } from '../../http/period.ts';
import type { JournalAccount } from '../accounts.ts';
import { type EntriesWanted, entriesBefore } from '../journal.ts';
import { entryView } from './entry-view.ts';
import type { JournalQuery } from './schema.ts';

/** The list of a journal, ordered by the number of the movement. */
const JOURNAL = { name: 'credit-journal', position: Type.Tuple([positionNumber]) };

/**
 * Returns the filter that a query asks for.
 * @param full whether the caller sees what only the parties see
 * @throws ApiError forbidden for a filter by reference of a stranger, who would learn what is masked
 */
export function wantedEntries(
  { kind, asset, reference, from, to }: JournalQuery,
  full: boolean,
): EntriesWanted {
  if (reference !== undefined && !full)
    throw commonErrors.forbidden({
      message: 'Only a party of the journal can filter by reference. Send its key, or leave reference out.',
    });
  return { kind, asset, reference, from: boundOf(from), to: boundOf(to) };
}

/**
 * Returns a page of a journal, newest first.
 * @param full whether to show what only the parties see
 * @throws ApiError validation_error for an invalid cursor; forbidden as `wantedEntries`
 */
export async function entriesPage(
  snapshot: Snapshot,
  { cursors }: { cursors: Cursors },
  account: JournalAccount,
  query: JournalQuery,
  full: boolean,
) {
  const wanted = wantedEntries(query, full);
  const { kind, asset, reference, from, to } = wanted;
  const pages = cursors.of(JOURNAL, [account.name, kind, asset, reference, from, to]);
  const { limit, after } = pageRequest(query, pages);
  const { entries, next } = await entriesBefore(snapshot, account, after?.[0] ?? null, limit, wanted);
  return {
    entries: entries.map((entry) => entryView(entry, full)),
    next_cursor: next === null ? null : pages.write([next]),
  };
}
