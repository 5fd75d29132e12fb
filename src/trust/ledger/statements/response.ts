import { preferredType } from '../../../platform/http/request/accept.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { commonErrors } from '../../http/errors.ts';
import type { PageSite } from '../../http/serving.ts';
import { CSV, sendJournal } from '../journals/forms.ts';
import type { WholeJournalContext } from '../journals/get-operator-journal.ts';
import { type MonthContext, monthStatement, type RequestedMonth } from './get-statement.ts';

/** The parts of the service that sending statements uses. */
export type StatementResponseContext = MonthContext & WholeJournalContext;

/** A form of a statement. */
type StatementForm = 'application/json' | 'text/html' | typeof CSV;

/** A statement to send. */
interface Wanted {
  requested: RequestedMonth;
  form: StatementForm;
  /** Counts it against the limit of a stranger, if it must be added up. */
  countStranger(): Promise<void>;
  signal: AbortSignal;
}

/** Returns the form that the Accept header of a request prefers. */
export function preferredForm({ headers }: Request): StatementForm {
  return preferredType(headers.get('accept'), ['application/json', 'text/html', CSV]);
}

/**
 * Returns the response with a statement; as CSV the entries of the month, newest first.
 * @throws ApiError as `monthStatement`; of CSV: forbidden for strangers, rate_limit_exceeded
 */
export async function statementResponse(
  trust: StatementResponseContext,
  site: PageSite,
  { requested, form, countStranger, signal }: Wanted,
): Promise<Response> {
  if (form === CSV) return monthCsv(trust, requested, signal);
  const statement = await monthStatement(trust, requested, countStranger);
  if (form === 'application/json') return made(JSON.stringify(statement), { 'content-type': form });
  // Loaded with the first page, since most clients are programs.
  const { statementPage } = await import('./page.ts');
  const { text, headers } = statementPage(statement, site);
  return made(text, headers);
}

function monthCsv(
  { store, openJournals }: WholeJournalContext,
  { account, month, start, end, caller }: RequestedMonth,
  signal: AbortSignal,
): Response {
  if (caller === null)
    throw commonErrors.forbidden({
      message: 'Only a party of the journal can read it as CSV. Send its key, or read pages of the journal.',
    });
  const query = { from: timestampOf(start), to: timestampOf(end) };
  const { body, headers } = sendJournal(openJournals, store, {
    ...{ account, query, form: CSV, signal, ...caller },
    statement: async () => ({}),
  });
  return made(body, {
    'content-type': headers.get('content-type') ?? CSV,
    'content-disposition': `attachment; filename="statement-${month}.csv"`,
  });
}

function made(body: string | ReadableStream | null, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { headers: { vary: 'Accept', ...headers } });
}
