import { Elysia } from 'elysia';
import type { StaffingAuth } from '../http/auth.ts';
import { PREFIX } from '../http/schema.ts';
import { createKey } from './create-key.ts';
import { createSandbox, mailSandboxKey } from './create-sandbox-key.ts';
import { getMe, type MeServices } from './get-me.ts';
import { limitsOf } from './limits.ts';
import { listKeys } from './list-keys.ts';
import type { Mailer } from './mail/mail.ts';
import { revokeKey } from './revoke-key.ts';
import {
  KeyListQuery,
  KeyListResponse,
  KeyPath,
  keyShape,
  MailedKeyResponse,
  MeResponse,
  NewKeyRequest,
  NewKeyResponse,
  SandboxKeyRequest,
  SandboxKeyResponse,
} from './schema.ts';
import type { Accounts } from './services.ts';

/** The services that the account routes use. */
export interface AccountRouteServices extends Accounts, MeServices {
  /** Null when keys are returned in the response instead of by mail. */
  mailer: Mailer | null;
}

export const accountRoutes = (context: AccountRouteServices, { keyed, open, callerOf }: StaffingAuth) =>
  new Elysia({ prefix: PREFIX, tags: ['Accounts'] })
    .use(keyed)
    .use(open)
    .post(
      '/sandbox-keys',
      async ({ body, request, status }) => {
        const { mailer } = context;
        const applicant = { ...body, address: callerOf(request) };
        if (mailer !== null) {
          await mailSandboxKey(context, mailer, applicant);
          return status(202, { message: 'The key was sent to this address.' });
        }
        const { partner, key } = await createSandbox(context, applicant);
        return status(201, {
          partner_id: partner.partnerId,
          tier: 'sandbox' as const,
          api_key: key.api_key,
          scopes: key.scopes,
          limits: limitsOf(context.policy, 'sandbox'),
        });
      },
      {
        open: 'newAccounts',
        body: SandboxKeyRequest,
        response: { 201: SandboxKeyResponse, 202: MailedKeyResponse },
        detail: { operationId: 'createSandboxKey', security: [] },
      },
    )
    .get('/me', ({ principal }) => getMe(context, principal), {
      keyed: 'any',
      response: { 200: MeResponse },
      detail: { operationId: 'getMe' },
    })
    .get('/keys', ({ principal, query }) => listKeys(context, principal, query), {
      keyed: 'any',
      query: KeyListQuery,
      response: { 200: KeyListResponse },
      detail: { operationId: 'listKeys' },
    })
    .post(
      '/keys',
      async ({ principal, body, once, set }) => {
        const made = await createKey(context, principal, body?.scopes, once);
        set.status = 201;
        return made;
      },
      {
        keyed: 'any',
        body: NewKeyRequest,
        response: { 201: NewKeyResponse },
        detail: { operationId: 'createKey', 'x-optional-body': true, 'x-idempotent': true },
      },
    )
    .delete('/keys/:id', ({ principal, params }) => revokeKey(context, principal, params.id), {
      keyed: 'any',
      params: KeyPath,
      response: { 200: keyShape },
      detail: { operationId: 'revokeKey' },
    });
