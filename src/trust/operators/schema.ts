import { type Static, Type } from '@sinclair/typebox';
import { ACCOUNT_STATUSES, PLANS, ROLES } from '../../../db/trust/operators-enums.ts';
import {
  dateTime,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  plainName,
  strictObject,
} from '../../platform/http/schema.ts';
import { DEMO_SPARE_KEY_HASH } from '../demo/known-ids.ts';
import { TIERS } from './status.ts';

const amount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const commitment = hexString(32, "The agent's subject commitment.");
const keyHash = hexString(32, 'SHA-256 of the key.');

const ScopeShape = named(
  'SpendingScope',
  strictObject(
    {
      max_credits: Type.Optional(amount('The most credits that the key may spend at once.')),
      products: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          maxItems: 32,
          description: 'The only products that the key may pay for.',
        }),
      ),
      expires_at: Type.Optional(dateTime('From this time on the key may spend nothing.')),
    },
    {
      description:
        'Limits for services that spend credits. This service stores them; none of its own operations spends credits. Without a ' +
        'scope, the key may spend what its operator has.',
    },
  ),
);

export const NewApiKeyRequest = Type.Optional(
  named(
    'CreateApiKeyRequest',
    strictObject(
      {
        name: Type.Optional(plainName('A label for your own use.', 'build server')),
        role: Type.Optional(
          oneOf(ROLES, { description: 'Default issuer. A holder key acts for only one agent.' }),
        ),
        subject_commitment: Type.Optional(commitment),
        scope: Type.Optional(ScopeShape),
        admin: Type.Optional(Type.Boolean({ description: 'Only an admin key gives this.' })),
      },
      { examples: [{ name: 'build server' }] },
    ),
  ),
);

export type NewApiKey = NonNullable<Static<typeof NewApiKeyRequest>>;

/** The fields of a key in responses. */
export const apiKeyFields = {
  keyHash,
  name: nullable(Type.String()),
  role: oneOf(ROLES),
  admin: Type.Boolean(),
  subject_commitment: nullable(commitment),
  scope: nullable(ScopeShape),
  created_at: dateTime('When the key was made.'),
  last_used_at: nullable(dateTime('When it was last used, to the minute.')),
};

export const NewApiKeyResponse = named(
  'NewApiKey',
  strictObject({
    ...apiKeyFields,
    api_key: nullable(
      Type.String({ description: 'The key itself. Only this response contains it; null in a replay.' }),
    ),
  }),
);

export const ApiKeyListResponse = named(
  'ApiKeyPage',
  strictObject({
    api_keys: Type.Array(named('ApiKey', strictObject(apiKeyFields))),
    next_cursor: nullable(
      Type.String({ description: 'The cursor of the next page. null on the last page.' }),
    ),
  }),
);

export const ApiKeyListQuery = strictObject({
  limit: limitParameter('Keys per page.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' })),
});

export const ApiKeyPath = strictObject({
  keyHash: Type.String({
    maxLength: 256,
    description: 'SHA-256 of the key.',
    examples: [DEMO_SPARE_KEY_HASH],
  }),
});

export const DeletedApiKeyResponse = named(
  'DeletedApiKey',
  strictObject({ keyHash, deleted: Type.Literal(true) }),
);

/** The fields of an operator in responses. */
export const operatorStatusFields = {
  operator_id: Type.String({ description: 'The public id.' }),
  name: nullable(Type.String()),
  accountStatus: oneOf(ACCOUNT_STATUSES, {
    description: 'A suspended account reads, deletes its keys, revokes its receipts and ends its sessions.',
  }),
  plan: oneOf(PLANS),
  credits: amount("Credits in the operator's pool."),
  tier: oneOf(TIERS, { description: "By the agents' thresholds, on the pool." }),
  stakeBalanceCents: amount('The stake, in US cents.'),
  apiKeyCount: amount('Keys that work.'),
  receiptCount: amount('Receipts that were issued.'),
  created_at: dateTime('When the operator was made.'),
};

/** An operator in the output of commands. */
export const OperatorSummary = strictObject(operatorStatusFields);

export const SessionResponse = named(
  'Session',
  strictObject({
    operator_id: Type.String(),
    expires_at: dateTime('When the session ends by itself.'),
  }),
);

export const EndedSessionResponse = named('EndedSession', strictObject({ ended: Type.Literal(true) }));
