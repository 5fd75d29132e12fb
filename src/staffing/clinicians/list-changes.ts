import { Type } from '@sinclair/typebox';
import { CHANGE } from '../../../db/staffing/registry/schema.ts';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { commonErrors } from '../http/errors.ts';
import { pageRequest } from '../http/paging.ts';
import type { Registry } from '../registry/open.ts';
import type { ChangeRow, History } from '../registry/search.ts';
import { publicText } from './public-rows.ts';
import type { ChangesRequest } from './schema.ts';
import type { Clinicians } from './services.ts';

/** The cursor of the change feed: the sequence number of the last change that was given. */
const CHANGES = { name: 'clinician changes', position: Type.Tuple([positionNumber]) };

const KINDS: Readonly<Record<number, string>> = {
  [CHANGE.added]: 'added',
  [CHANGE.updated]: 'updated',
  [CHANGE.removed]: 'removed',
};

/**
 * Returns a page of the changes of the registry as JSON text, in order of their sequence. Everything in it is
 * of one state of the registry. `next_cursor` is never null: at the end of the feed it stands for what
 * changes later.
 *
 * Without `since` and `cursor`, the feed begins at its end: a client takes this cursor before it copies the
 * registry.
 *
 * @throws ApiError VALIDATION_FAILED for a `since` that is no time or before the history; INVALID_CURSOR also
 * for one before the history; REGISTRY_UNAVAILABLE
 */
export async function changesText({ registry, cursors }: Clinicians, query: ChangesRequest): Promise<string> {
  const pages = cursors.of(CHANGES, []);
  const { limit, after } = pageRequest(query, pages);
  const since = after !== undefined || query.since === undefined ? null : timeOf(query.since);
  return registry.read((open) =>
    open.atOnce(() => {
      const history = open.changes.history() ?? NO_HISTORY;
      const start = after === undefined ? startOf(open, history, since) : mustBeKnown(history, after[0]);
      const changes = open.changes.changesAfter(start, limit + 1);
      const page = changes.slice(0, limit);
      const data = page.map((change) => textOf(open, change));
      const next = pages.write([page.at(-1)?.sequence ?? start]);
      return `{"data":[${data.join(',')}],"has_more":${changes.length > limit},"next_cursor":"${next}"}`;
    }),
  );
}

/** Returns the time of `since`, RFC 3339 in UTC with milliseconds. */
function timeOf(since: string): string {
  const milliseconds = parseTimestamp(since.length === 10 ? `${since}T00:00:00Z` : since);
  if (milliseconds === null) {
    throw invalid('must be a day such as 2030-01-31 or a time such as 2030-01-31T08:00:00Z');
  }
  return timestampOf(milliseconds);
}

/** A file without a history, which this program does not write. */
const NO_HISTORY: History = { since: '9999', first: 0, last: 0 };

/**
 * Returns the sequence number that the first change at or after a time follows; null: the end of the feed.
 */
function startOf({ changes }: Registry, history: History, since: string | null): number {
  if (since === null) return history.last;
  if (since < history.since) {
    throw invalid(
      `is before the history of the registry, which begins at ${history.since}. Load all clinicians again`,
    );
  }
  return changes.firstAt(since) ?? history.last;
}

/** Returns a position of the history. @throws ApiError INVALID_CURSOR for one before or after it */
function mustBeKnown({ first, last }: History, position: number): number {
  if (position >= first && position <= last) return position;
  throw commonErrors.INVALID_CURSOR({
    message:
      'The registry does not have the changes after this cursor: the cursor is too old, or the registry was replaced by another one. ' +
      'Load all clinicians again.',
  });
}

function textOf(open: Registry, { npi, kind, at, asOf }: ChangeRow): string {
  const clinician = kind === CHANGE.removed ? null : publicText(open, npi);
  return `{"npi":"${npi}","change":"${KINDS[kind] ?? 'updated'}","at":${JSON.stringify(at)},"as_of":${JSON.stringify(asOf)},"clinician":${clinician ?? 'null'}}`;
}

function invalid(message: string) {
  return commonErrors.VALIDATION_FAILED({ issues: { since: [message] } });
}
