import { Elysia } from 'elysia';
import type { StaffingAuth } from '../http/auth.ts';
import { commonErrors } from '../http/errors.ts';
import { BODY, KEYED, PREFIX, responses } from '../http/schema.ts';
import { registryErrors } from '../registry/errors.ts';
import { createKey } from './create-key.ts';
import { createSandbox, mailSandboxKey } from './create-sandbox-key.ts';
import { accountsErrors } from './errors.ts';
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

export const accountRoutes = (context: AccountRouteServices, { keyed, open }: StaffingAuth) =>
  new Elysia({ prefix: PREFIX, tags: ['Accounts'] })
    .use(keyed)
    .use(open)
    .post(
      '/sandbox-keys',
      async ({ body, status }) => {
        const { mailer } = context;
        if (mailer !== null) {
          await mailSandboxKey(context, mailer, body);
          return status(202, { message: 'The key was sent to this address.' });
        }
        const { partner, key } = await createSandbox(context, body);
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
        response: responses(
          { 201: SandboxKeyResponse, 202: MailedKeyResponse },
          BODY,
          accountsErrors.WORK_EMAIL_REQUIRED,
          accountsErrors.ACCOUNT_EXISTS,
          commonErrors.RATE_LIMITED,
          commonErrors.STORAGE_UNAVAILABLE,
        ),
        detail: { operationId: 'createSandboxKey', security: [] },
      },
    )
    .get('/me', ({ principal }) => getMe(context, principal), {
      keyed: 'any',
      response: responses({ 200: MeResponse }, KEYED, registryErrors.REGISTRY_UNAVAILABLE),
      detail: { operationId: 'getMe' },
    })
    .get('/keys', ({ principal, query }) => listKeys(context, principal, query), {
      keyed: 'any',
      query: KeyListQuery,
      response: responses({ 200: KeyListResponse }, KEYED, commonErrors.INVALID_CURSOR),
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
        response: responses(
          { 201: NewKeyResponse },
          KEYED,
          BODY,
          accountsErrors.KEY_LIMIT_REACHED,
          commonErrors.IDEMPOTENCY_CONFLICT,
        ),
        detail: { operationId: 'createKey', 'x-optional-body': true, 'x-idempotent': true },
      },
    )
    .delete('/keys/:id', ({ principal, params }) => revokeKey(context, principal, params.id), {
      keyed: 'any',
      params: KeyPath,
      response: responses({ 200: keyShape }, KEYED, BODY, commonErrors.NOT_FOUND, accountsErrors.LAST_KEY),
      detail: { operationId: 'revokeKey' },
    });
