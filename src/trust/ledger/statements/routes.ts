import { Elysia } from 'elysia';
import type { PageSite } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { agentMonth, poolMonth } from './get-statement.ts';
import { preferredForm, type StatementResponseContext, statementResponse } from './response.ts';
import { AgentMonthPath, MonthPath, StatementResponse } from './schema.ts';

const VARY = { Vary: 'Accept' };

export const statementRoutes = (
  trust: StatementResponseContext,
  { operating, identified, countBuild }: RouteAuth,
  site: PageSite,
) => {
  const responseTo = (request: Request, requested: Parameters<typeof statementResponse>[2]['requested']) => {
    const { signal } = request;
    const countStranger = () => countBuild(request);
    return statementResponse(trust, site, {
      ...{ requested, form: preferredForm(request), countStranger, signal },
    });
  };
  return new Elysia({ tags: ['Credits'] })
    .use(
      new Elysia({ tags: ['Credits'] })
        .use(operating)
        .get(
          '/api/v1/account/statements/:month',
          async ({ params, principal, request }) =>
            responseTo(request, await poolMonth(trust, principal, params.month)),
          {
            keyed: 'issuer',
            params: MonthPath,
            response: { 200: StatementResponse },
            detail: { operationId: 'getAccountStatement', 'x-response-headers': VARY },
          },
        ),
    )
    .use(identified)
    .get(
      '/api/v1/passport/agents/:id/statements/:month',
      async ({ params, principal, request }) =>
        responseTo(request, await agentMonth(trust, principal, params.id, params.month)),
      {
        identified: { policy: 'publicReads', access: 'any' },
        params: AgentMonthPath,
        response: { 200: StatementResponse },
        detail: {
          operationId: 'getAgentStatement',
          'x-response-headers': VARY,
          security: [{}, { apiKey: [] }],
        },
      },
    );
};
