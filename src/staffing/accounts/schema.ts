import { Type } from '@sinclair/typebox';
import { SCOPES } from '../../../db/staffing/accounts-enums.ts';
import {
  characters,
  dateTime,
  limitParameter,
  named,
  nullable,
  oneOf,
  plainName,
  strictObject,
} from '../../platform/http/schema.ts';
import { DEMO_REVOKED_KEY_ID } from '../http/example-ids.ts';
import { cursorParameter, DEFAULT_LIMIT, listOf, Tier } from '../http/schema.ts';

const amount = (description: string) => Type.Integer({ minimum: 0, description });
const Scope = named('Scope', oneOf(SCOPES, { description: 'A permission of a key.' }));
const scopes = Type.Array(Scope, { description: 'The permissions of the key.' });
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

const limitsShape = named(
  'Limits',
  strictObject({
    requests_per_minute: amount(
      'Requests per minute that the partner can send with all of its keys of this tier; 0 while rate limits are off.',
    ),
    stored_requisitions: nullable(
      amount('How many requisitions of this tier can be stored. null for no limit.'),
    ),
  }),
);

export const SandboxKeyRequest = named(
  'CreateSandboxKeyRequest',
  strictObject(
    {
      email: plainName(
        'A work e-mail address, not of a free provider. Not case-sensitive.',
        'ada@firm.example',
      ),
      company: characters(200, CONTROL, 'The name of the firm.', 'Firm, Inc.', { blank: false }),
    },
    { examples: [{ email: 'ada@firm.example', company: 'Firm, Inc.' }] },
  ),
);

export const SandboxKeyResponse = named(
  'SandboxKey',
  strictObject({
    partner_id: Type.String({
      description:
        'The id of the partner: `ptr_` and 32 hexadecimal characters. It stays the same when the partner becomes live.',
    }),
    tier: Type.Literal('sandbox'),
    api_key: Type.String({ description: 'The API key. Only this response contains it.' }),
    scopes,
    limits: limitsShape,
  }),
);

export const MailedKeyResponse = named(
  'KeyMailed',
  strictObject({
    message: Type.String({
      description: 'What to do next. The text does not show whether the address already had an account.',
    }),
  }),
);

export const keyShape = named(
  'Key',
  strictObject({
    id: Type.String(),
    tier: Tier,
    prefix: Type.String({ description: 'The first characters of the key.' }),
    last4: Type.String({ description: 'The last four characters of the key.' }),
    scopes,
    created_at: dateTime('The time when the key was created.'),
    revoked_at: nullable(dateTime('The time when the key was revoked. null while it is active.')),
  }),
);

export const MeResponse = named(
  'Me',
  strictObject({
    account: named(
      'Account',
      strictObject({
        partner_id: Type.String(),
        name: Type.String(),
        email: Type.String(),
        created_at: dateTime('The time when the account was created.'),
      }),
    ),
    tier: Tier,
    scopes,
    key: strictObject({
      id: Type.String(),
      prefix: Type.String(),
      last4: Type.String(),
      created_at: dateTime('The time when the key was created.'),
    }),
    limits: limitsShape,
    usage: strictObject({
      requests_this_minute: amount(
        'Requests in the current window of 60 seconds, which began with its first request. Refused requests do not count.',
      ),
      requests_today: amount('Requests since midnight UTC, with keys of this tier.'),
      requests_total: amount('All requests so far, with keys of this tier.'),
      stored_requisitions: amount('Requisitions of this tier that are stored now.'),
    }),
    registry: strictObject({
      as_of: Type.String({ description: 'The date of the registry data, such as 2030-01-31.' }),
      records: amount('The number of clinicians that a search can find.'),
      sample: Type.Boolean({ description: 'Whether the clinicians are made up.' }),
    }),
  }),
);

export const KeyListQuery = strictObject({
  limit: limitParameter('Keys per page.', DEFAULT_LIMIT),
  cursor: cursorParameter,
});

export const KeyListResponse = named('KeyPage', listOf(keyShape, {}));

export const NewKeyRequest = Type.Optional(
  named(
    'CreateKeyRequest',
    strictObject(
      {
        scopes: Type.Optional(
          Type.Array(Scope, {
            minItems: 1,
            maxItems: 3,
            description:
              'The permissions of the new key: those of the key in the request, or fewer. Default: the same.',
          }),
        ),
      },
      { examples: [{ scopes: ['registry:read'] }] },
    ),
  ),
);

export const NewKeyResponse = named(
  'NewKey',
  strictObject({
    ...keyShape.properties,
    api_key: nullable(
      Type.String({
        description: 'The API key. Only this response contains it. null in a replay (see Idempotency-Key).',
      }),
    ),
  }),
);

export const KeyPath = strictObject({
  id: Type.String({ maxLength: 256, description: 'The id of the key.', examples: [DEMO_REVOKED_KEY_ID] }),
});
