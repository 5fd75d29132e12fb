import { Elysia } from 'elysia';
import { clockErrors } from '../../clock/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { responses, WRITE } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { quotasErrors } from '../../operators/quotas/errors.ts';
import { LinkedRequest, LinkedResponse } from './schema.ts';
import { type LinkContext, setOwnLinked } from './set-linked.ts';

export const linkedRoutes = (trust: LinkContext, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(keyed)
    .put('/api/v1/operator/linked', ({ body, principal }) => setOwnLinked(trust, principal, body.linked), {
      keyed: 'issuer',
      body: LinkedRequest,
      response: responses(
        { 200: LinkedResponse },
        WRITE,
        clockErrors.clock_wrong,
        quotasErrors.quota_exceeded,
        commonErrors.agent_not_enrolled,
      ),
      detail: {
        operationId: 'setLinked',
        summary: "Link or unlink the operator's account",
        description:
          'While an account is linked, the log `/accounts` gets a leaf for each receipt that the operator issues, finalizes or ' +
          'revokes, with dense sequences for the account and for each agent. So anybody who knows the operator id can prove that no ' +
          'receipt is missing. Linking and unlinking are leaves of the same sequence. The log is public: anyone who knows the operator id, ' +
          'or holds one receipt, sees the volume, the times and the ids of all receipts, also of pending ones. Nothing ' +
          'changes if the account is so already.',
      },
    });
