import type { Snapshot } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageSiteOf } from '../../http/serving.ts';
import { CSV, type NDJSON } from '../../ledger/journals/forms.ts';
import { wholeOperatorJournal } from '../../ledger/journals/get-operator-journal.ts';
import { poolMonth } from '../../ledger/statements/get-statement.ts';
import { statementResponse } from '../../ledger/statements/response.ts';
import { hasLiveSession } from '../../operators/auth/live-session.ts';
import type { AccountResponse, Visitor } from './response.ts';
import type { AccountSite } from './site.ts';

/** The forms of a statement, by the last segment of its path. */
const STATEMENT_FORMS = {
  statement: 'text/html',
  'statement.csv': CSV,
  'statement.json': 'application/json',
} as const;

/**
 * Returns the whole journal of the pool as a file, which is written as the browser takes it. It is cut off
 * when the session ends.
 * @throws ApiError rate_limit_exceeded while the key reads another one
 */
export async function journalFile(
  { trust }: AccountSite,
  { principal }: Visitor,
  request: Request,
  form: typeof CSV | typeof NDJSON,
): Promise<AccountResponse> {
  const mayRead = sessionOf(trust, request);
  const { signal } = request;
  const response = wholeOperatorJournal(trust, principal, {}, { form, signal, mayRead });
  return { response: asFile(response, form === CSV ? 'journal.csv' : 'journal.ndjson') };
}

/**
 * Returns the statement of a month of the pool: a page that prints, or a file.
 * @param name the last segment of the path
 * @throws ApiError as the operation; not_found for another name
 */
export async function statementFile(
  site: AccountSite,
  { principal }: Visitor,
  request: Request,
  { month, name }: { month: string; name: string },
): Promise<AccountResponse> {
  const form = Object.entries(STATEMENT_FORMS).find(([known]) => known === name)?.[1];
  if (form === undefined) throw commonErrors.not_found();
  const { trust } = site;
  const requested = await poolMonth(trust, principal, month);
  const mayRead = sessionOf(trust, request);
  const response = await statementResponse(trust, pageSiteOf(site), {
    requested: {
      ...requested,
      caller: { keyHash: principal.keyHash, operatorSeq: principal.operatorSeq, mayRead },
    },
    ...{ form, countStranger: async () => undefined, signal: request.signal },
  });
  const isJson = form === 'application/json';
  return { response: isJson ? asFile(response, `statement-${requested.month}.json`) : response };
}

function sessionOf({ clock }: AccountSite['trust'], request: Request) {
  return (snapshot: Snapshot) => hasLiveSession(snapshot, clock, request);
}

function asFile(response: Response, name: string): Response {
  response.headers.set('content-disposition', `attachment; filename="${name}"`);
  return response;
}
