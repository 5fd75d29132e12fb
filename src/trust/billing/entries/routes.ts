import { Elysia } from 'elysia';
import { preferredType } from '../../../platform/http/request/accept.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { CSV_ROWS, paymentsCsv } from './csv.ts';
import { type EntriesContext, listPayments } from './list.ts';
import { CSV_TYPE, PaymentsQuery, PaymentsResponse } from './schema.ts';

/** The list of an operator's payments, as JSON or CSV. */
export const paymentEntryRoutes = (trust: EntriesContext, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Account'] }).use(keyed).get(
    '/api/v1/account/payments',
    async ({ principal, query, request, set }) => {
      set.headers.vary = 'Accept';
      const type = preferredType(request.headers.get('accept'), ['application/json', CSV_TYPE]);
      if (type !== CSV_TYPE) return listPayments(trust, principal, query);
      const { text, next_cursor } = await paymentsCsv(trust, principal, query);
      set.headers['content-type'] = `${CSV_TYPE}; charset=utf-8`;
      if (next_cursor !== null) {
        const next = new URLSearchParams({ ...query, cursor: next_cursor });
        set.headers.link = `<?${next}>; rel="next"`;
      }
      return text;
    },
    {
      keyed: 'issuer',
      query: PaymentsQuery,
      response: { 200: PaymentsResponse },
      detail: {
        operationId: 'listAccountPayments',
        'x-response-headers': { Vary: 'Accept', Link: 'The next page of CSV, `rel="next"`.' },
        'x-values': { CSV_ROWS },
      },
    },
  );
