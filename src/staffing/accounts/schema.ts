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
import { DEMO_REVOKED_KEY_ID } from '../demo/known.ts';
import { cursorParameter, DEFAULT_LIMIT, listOf, Tier } from '../http/schema.ts';

const amount = (description: string) => Type.Integer({ minimum: 0, description });
const Scope = named('Scope', oneOf(SCOPES, { description: 'What a key may do.' }));
const scopes = Type.Array(Scope, { description: 'What the key may do.' });
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

const limitsShape = named(
  'Limits',
  strictObject({
    requests_per_minute: amount('Of the partner, whichever of its keys are used.'),
    stored_requisitions: nullable(amount('How many can be stored; null for no cap.')),
  }),
);

export const SandboxKeyRequest = named(
  'CreateSandboxKeyRequest',
  strictObject(
    {
      email: plainName('A work address: of no free provider. Compared in lower case.', 'ada@firm.example'),
      company: characters(200, CONTROL, 'What the firm is called.', 'Firm, Inc.', { blank: false }),
    },
    { examples: [{ email: 'ada@firm.example', company: 'Firm, Inc.' }] },
  ),
);

export const SandboxKeyResponse = named(
  'SandboxKey',
  strictObject({
    partner_id: Type.String({ description: 'ptr_ and 32 hexadecimal characters; live keys keep it.' }),
    tier: Type.Literal('sandbox'),
    api_key: Type.String({ description: 'The key itself. Only this response contains it.' }),
    scopes,
    limits: limitsShape,
  }),
);

export const MailedKeyResponse = named(
  'KeyMailed',
  strictObject({
    message: Type.String({ description: 'The same, whether there was an account or not.' }),
  }),
);

export const keyShape = named(
  'Key',
  strictObject({
    id: Type.String(),
    tier: Tier,
    prefix: Type.String({ description: 'How the key begins.' }),
    last4: Type.String({ description: 'How it ends.' }),
    scopes,
    created_at: dateTime('When it was made.'),
    revoked_at: nullable(dateTime('When it was revoked; null while it works.')),
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
        created_at: dateTime('When the account was made.'),
      }),
    ),
    tier: Tier,
    scopes,
    key: strictObject({
      id: Type.String(),
      prefix: Type.String(),
      last4: Type.String(),
      created_at: dateTime('When the key was made.'),
    }),
    limits: limitsShape,
    usage: strictObject({
      requests_this_minute: amount('In the minute that the first of them opened; refused ones apart.'),
      requests_today: amount('Since midnight UTC, with keys of this tier.'),
      requests_total: amount('Ever, with keys of this tier.'),
      stored_requisitions: amount('Of this tier.'),
    }),
    registry: strictObject({
      as_of: Type.String({ description: 'The day of the registry data.' }),
      records: amount('Clinicians that can be found.'),
      sample: Type.Boolean({ description: 'Whether they are made up.' }),
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
            description: 'Equal to those of the key that asks, or fewer. Default: the same.',
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
      Type.String({ description: 'The key itself. Only this response contains it; null in a replay.' }),
    ),
  }),
);

export const KeyPath = strictObject({
  id: Type.String({ maxLength: 256, description: "The key's id.", examples: [DEMO_REVOKED_KEY_ID] }),
});
