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
        detail: {
          operationId: 'createSandboxKey',
          summary: 'Get a sandbox key',
          description:
            'Free, for a work e-mail address; at most 20 requests per hour and client address. Only this response contains the key. ' +
            'If the service sends mails, it sends the key by mail instead (202), and a new key at each request for the same ' +
            'address. The administrator of the service replaces lost keys. A sandbox searches the same registry as a live account. Its ' +
            'requisitions are stored, but the staffing team does not work on them.',
          security: [],
        },
      },
    )
    .get('/me', ({ principal }) => getMe(context, principal), {
      keyed: 'any',
      response: responses({ 200: MeResponse }, KEYED, registryErrors.REGISTRY_UNAVAILABLE),
      detail: {
        operationId: 'getMe',
        summary: 'Get your account, key, limits and usage',
        description: 'Needs any valid key, so it is a good first call. Totals can be one second old.',
      },
    })
    .get('/keys', ({ principal, query }) => listKeys(context, principal, query), {
      keyed: 'any',
      query: KeyListQuery,
      response: responses({ 200: KeyListResponse }, KEYED, commonErrors.INVALID_CURSOR),
      detail: {
        operationId: 'listKeys',
        summary: 'List your keys of this tier',
        description:
          'Newest first, including revoked keys. The service stores no keys, only how they begin and end.',
      },
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
        detail: {
          'x-optional-body': true,
          operationId: 'createKey',
          summary: 'Create another key',
          description:
            'Creates a key of the same tier, with the same scopes or fewer, for example to rotate keys. A tier has at most two ' +
            'active keys. Only this response contains the key.',
          'x-idempotent': true,
        },
      },
    )
    .delete('/keys/:id', ({ principal, params }) => revokeKey(context, principal, params.id), {
      keyed: 'any',
      params: KeyPath,
      response: responses({ 200: keyShape }, KEYED, BODY, commonErrors.NOT_FOUND, accountsErrors.LAST_KEY),
      detail: {
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        description:
          'The key is invalid from the next request on. The last active key of a tier cannot be revoked (409).',
      },
    });
