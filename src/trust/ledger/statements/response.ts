import { preferredType } from '../../../platform/http/request/accept.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import type { PageSite } from '../../http/serving.ts';
import { CSV, JournalStreams } from '../journals/forms.ts';
import { type MonthContext, monthStatement, type RequestedMonth } from './get-statement.ts';

/** Sends statements in the form that the Accept header of a request prefers. */
export class StatementResponses {
  private readonly streams = new JournalStreams();

  constructor(
    private readonly trust: MonthContext,
    private readonly site: PageSite,
  ) {}

  /**
   * Returns the response with a statement; as CSV the entries of the month, newest first.
   * @param countBuild counts it against the limit of the caller, if it must be added up
   * @throws ApiError as `monthStatement`; of CSV: forbidden for strangers, rate_limit_exceeded
   */
  async of(request: Request, requested: RequestedMonth, countBuild: () => Promise<void>): Promise<Response> {
    const form = preferredType(request.headers.get('accept'), ['application/json', 'text/html', CSV]);
    if (form === CSV) return this.csv(requested, request.signal);
    const statement = await monthStatement(this.trust, requested, countBuild);
    if (form === 'application/json') return made(JSON.stringify(statement), { 'content-type': form });
    // Loaded with the first page, since most clients are programs.
    const { statementPage } = await import('./page.ts');
    const { text, headers } = statementPage(statement, this.site);
    return made(text, headers);
  }

  private csv({ account, month, start, end, caller }: RequestedMonth, signal: AbortSignal): Response {
    if (caller === null)
      throw commonErrors.forbidden({
        message:
          'Only a party of the journal can read it as CSV. Send its key, or read pages of the journal.',
      });
    const query = { from: timestamp({ now: () => start }), to: timestamp({ now: () => end }) };
    const { body, headers } = this.streams.start(this.trust.store, {
      ...{ account, query, form: CSV, signal, ...caller },
      statement: async () => ({}),
    });
    return made(body, {
      'content-type': headers.get('content-type') ?? CSV,
      'content-disposition': `attachment; filename="statement-${month}.csv"`,
    });
  }
}

function made(body: string | ReadableStream | null, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { headers: { vary: 'Accept', ...headers } });
}
