import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import { readForm } from '../../../platform/http/request/form.ts';
import { strictObject } from '../../../platform/http/schema.ts';
import { formRouteDetail } from '../../../platform/page/form-routes.ts';
import { commonErrors } from '../../http/errors.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { portalPath } from './paths.ts';
import { act, type PortalAction, portalOf } from './portal.ts';
import { customerOfToken, PORTAL_TOKEN } from './portal-token.ts';
import type { SandboxParts } from './session.ts';

type Context = SandboxParts & { url: string | null; masterKey: MasterKey };

const PortalPath = strictObject({ token: Type.String({ pattern: PORTAL_TOKEN }) });

/**
 * The portal of a customer and its forms. Anyone who has its token may use it for an hour, so the token is a
 * secret, and no cookie is involved: another site gains nothing by sending a form.
 */
export const portalRoutes = (context: Context, { byMethod }: RouteAuth, notice: string | null) => {
  const detail = formRouteDetail({ home: '/account', homeName: 'Go to the account', notice });
  const customerOf = (token: string): string => {
    const customerId = customerOfToken(context.masterKey, token, context.clock.now());
    if (customerId !== null) return customerId;
    throw commonErrors.not_found({
      message: 'This portal has ended. Open it again on the account page.',
    });
  };
  return new Elysia()
    .get(
      portalPath(':token'),
      async ({ params: { token }, request, set }) => {
        Object.assign(set.headers, await byMethod.countRead(request));
        const subscriptions = await portalOf(context, customerOf(token));
        const { portalPage } = await import('./portal-page.ts');
        const page = portalPage(subscriptions, token, {
          url: context.url ?? '',
          notice,
          now: context.clock.now(),
        });
        Object.assign(set.headers, page.headers);
        return page.text;
      },
      { params: PortalPath, detail },
    )
    .post(
      portalPath(':token'),
      async ({ params: { token }, request, set }) => {
        Object.assign(set.headers, await byMethod.countPublic(request));
        const { fields } = await readForm(request, { fields: ['action', 'subscription', 'card'] });
        const { action, subscription, card } = fields;
        await act(context, customerOf(token), { action: actionOf(action), subscription, card });
        set.status = 303;
        set.headers.location = portalPath(token);
        return '';
      },
      // The handler reads the form itself, after it has counted the request.
      { params: PortalPath, parse: () => null, detail },
    );
};

const ACTIONS: readonly PortalAction[] = ['cancel', 'renew', 'end', 'card'];

/** @throws ApiError validation_error */
function actionOf(text: string): PortalAction {
  const action = ACTIONS.find((name) => name === text);
  if (action !== undefined) return action;
  throw commonErrors.validation_error({ issues: { action: ['is not an action of this page'] } });
}
