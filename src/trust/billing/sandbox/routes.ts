import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { readForm } from '../../../platform/http/request/form.ts';
import { strictObject } from '../../../platform/http/schema.ts';
import { formRouteDetail } from '../../../platform/page/form-routes.ts';
import { commonErrors } from '../../http/errors.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { centsOf } from '../dollar-text.ts';
import { cancel } from './cancel.ts';
import { dispute } from './dispute.ts';
import { fail } from './fail.ts';
import { pagePath } from './paths.ts';
import { pay } from './pay.ts';
import { refund } from './refund.ts';
import { renew } from './renew.ts';
import { readSession, type SandboxParts } from './session.ts';

type Context = SandboxParts & { url: string | null };

const SessionPath = strictObject({ session_id: Type.String({ pattern: '^cs_sandbox_[0-9a-f]{64}$' }) });

/**
 * The page of a checkout session and its forms. Anyone who knows the id of a session may use it, so the id is
 * a secret, and no cookie is involved: another site gains nothing by sending a form.
 */
export const sandboxRoutes = (context: Context, { byMethod }: RouteAuth, notice: string | null) => {
  const detail = formRouteDetail({ home: '/account', homeName: 'Go to the account', notice });
  return new Elysia()
    .get(
      pagePath(':session_id'),
      async ({ params, request, set }) => {
        Object.assign(set.headers, await byMethod.countRead(request));
        const known = await readSession(context, params.session_id);
        if (known === null) throw unknownSession();
        const { checkoutPage } = await import('./page.ts');
        const { url, clock } = context;
        const page = checkoutPage(known, { url: url ?? '', notice, now: clock.now() });
        Object.assign(set.headers, page.headers);
        return page.text;
      },
      { params: SessionPath, detail },
    )
    .post(
      pagePath(':session_id'),
      async ({ params: { session_id }, request, set }) => {
        Object.assign(set.headers, await byMethod.countPublic(request));
        const { fields } = await readForm(request, { fields: ['action', 'charge', 'amount'] });
        await perform(context, session_id, fields);
        set.status = 303;
        set.headers.location = pagePath(session_id);
        return '';
      },
      // The handler reads the form itself, after it has counted the request.
      { params: SessionPath, parse: () => null, detail },
    );
};

type Fields = Readonly<Record<'action' | 'charge' | 'amount', string>>;

async function perform(
  context: Context,
  sessionId: string,
  { action, charge, amount }: Fields,
): Promise<void> {
  switch (action) {
    case 'pay':
      return pay(context, sessionId);
    case 'fail':
      return fail(context, sessionId);
    case 'renew':
      return renew(context, sessionId);
    case 'cancel':
      return cancel(context, sessionId);
    case 'dispute':
      return dispute(context, sessionId, charge);
    case 'refund':
      return refund(context, sessionId, charge, refundOf(amount));
    default:
      throw commonErrors.validation_error({ issues: { action: ['is not an action of this page'] } });
  }
}

/** Returns the cents of an amount in dollars; null for an empty field. @throws ApiError validation_error */
function refundOf(amount: string): number | null {
  if (amount === '') return null;
  const cents = centsOf(amount);
  if (cents !== null) return cents;
  throw commonErrors.validation_error({
    issues: { amount: ['must be dollars with at most two decimals, such as 12.50'] },
  });
}

const unknownSession = () =>
  commonErrors.not_found({
    message: 'No checkout session has this id. It may have been deleted. Start a new one.',
  });
