import { type Static, Type } from '@sinclair/typebox';
import { TIERS } from '../../../db/trust/ledger-enums.ts';
import { ACCOUNT_STATUSES, PLANS, ROLES } from '../../../db/trust/operators-enums.ts';
import {
  dateTime,
  described,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  plainName,
  strictObject,
} from '../../platform/http/schema.ts';
import { DEMO_SPARE_KEY_HASH } from '../http/example-ids.ts';

const amount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const commitment = hexString(32, "The agent's subject commitment.");
const keyHash = hexString(32, 'The SHA-256 of the key, which identifies it.');

const ScopeShape = named(
  'SpendingScope',
  strictObject(
    {
      max_credits: Type.Optional(amount('The most credits that the key may spend at once.')),
      max_credits_total: Type.Optional(amount('The most credits that the key may spend in all.')),
      max_credits_per_day: Type.Optional(amount('The most credits that the key may spend in 24 hours.')),
      products: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          maxItems: 32,
          description:
            'The only products that the key may pay for: it can grant and transfer nothing, and hire no agent. `receipt` is the issue of a receipt where ' +
            'that costs credits.',
        }),
      ),
      expires_at: Type.Optional(
        dateTime(
          'From this time on the key can only read, finalize and revoke the receipts that it issued, and delete itself; all else is 403 ' +
            '`scope_ended`.',
        ),
      ),
    },
    {
      description:
        'Limits for what the key may spend, of its operator and of agents; a request beyond them is a 402 `scope_violation`. They do ' +
        'not limit what an agent signs (`agent_auth`). A key with limits can neither make nor delete a key without them, and revokes no ' +
        'agent. Without a scope, the key may spend all.',
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
          oneOf(ROLES, {
            description: 'The role of the key. Default `issuer`. A `holder` key may act for only one agent.',
          }),
        ),
        subject_commitment: Type.Optional(
          described(
            commitment,
            "The agent's subject commitment. Required for a holder key, absent for others.",
          ),
        ),
        scope: Type.Optional(ScopeShape),
        admin: Type.Optional(
          Type.Boolean({
            description: 'Whether to create an admin key. Only an admin key can do so. Default false.',
          }),
        ),
      },
      { examples: [{ name: 'build server' }] },
    ),
  ),
);

export type NewApiKey = NonNullable<Static<typeof NewApiKeyRequest>>;

/** The fields of a key in responses. */
export const apiKeyFields = {
  keyHash,
  name: nullable(Type.String({ description: 'The label of the key. null if it has none.' })),
  role: oneOf(ROLES, { description: 'The role of the key.' }),
  admin: Type.Boolean({ description: 'Whether the key is an admin key.' }),
  subject_commitment: nullable(
    described(commitment, 'The subject commitment of the agent of a holder key. null for other keys.'),
  ),
  scope: nullable(ScopeShape),
  created_at: dateTime('The time when the key was created.'),
  last_used_at: nullable(
    dateTime('The time when the key was last used, to the minute. null if it was never used.'),
  ),
};

export const NewApiKeyResponse = named(
  'NewApiKey',
  strictObject({
    ...apiKeyFields,
    api_key: nullable(
      Type.String({
        description: 'The API key. Only this response contains it. null in a replay (see Idempotency-Key).',
      }),
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
    description: 'The SHA-256 of the key, which identifies it.',
    examples: [DEMO_SPARE_KEY_HASH],
  }),
});

export const DeletedApiKeyResponse = named(
  'DeletedApiKey',
  strictObject({ keyHash, deleted: Type.Literal(true) }),
);

/** The fields of an operator in responses. */
export const operatorStatusFields = {
  operator_id: Type.String({ description: 'The public id of the operator: `op_cus_…`.' }),
  name: nullable(Type.String({ description: 'The name of the operator. null if it has none.' })),
  accountStatus: oneOf(ACCOUNT_STATUSES, {
    description:
      'The status of the operator. A suspended operator can only read, delete keys, revoke receipts, end sessions, and pay what it owes.',
  }),
  plan: oneOf(PLANS, { description: '`FREE` for self-provisioned operators.' }),
  subscription_ends_at: Type.Optional(
    dateTime('When the subscription ends. Only if it was canceled and has not ended.'),
  ),
  credits: amount('The credits in the pool of the operator, without sandbox credits.'),
  sandboxCredits: Type.Optional(
    amount('The sandbox credits in the pool. Only if there are any. Tiers ignore them.'),
  ),
  tier: oneOf(TIERS, {
    description:
      'The tier that follows from `credits` and the settings `tiers.…`. `SUSPENDED` while the operator is not active.',
  }),
  stakeBalanceCents: amount('The stake, in US cents.'),
  sandboxStakeCents: Type.Optional(
    amount(
      'What sandbox money paid for a stake, in US cents. Only if there is any. The gate and slashing ignore it.',
    ),
  ),
  owedCredits: Type.Optional(
    amount(
      'The credits that are owed after refunds. Only if there are any. Payments for credits cover them.',
    ),
  ),
  owedSandboxCredits: Type.Optional(amount('The sandbox credits that are owed. Only if there are any.')),
  owedStakeCents: Type.Optional(
    amount(
      'The stake that is owed after refunds, in US cents. Only if there is any. Payments for the stake cover it.',
    ),
  ),
  owedSandboxStakeCents: Type.Optional(
    amount('The sandbox stake that is owed, in US cents. Only if there is any.'),
  ),
  apiKeyCount: amount('The number of API keys of the operator, exact up to 10,000; 10,001 for more.'),
  receiptCount: amount('The number of receipts that the operator issued.'),
  created_at: dateTime('The time when the operator was created.'),
};

/** The operator in the path of a local operation. */
export const OperatorPath = strictObject({
  operatorId: Type.String({ minLength: 1, maxLength: 128, description: 'The operator: `op_cus_…`.' }),
});

/** An operator in the output of commands. */
export const OperatorSummary = strictObject(operatorStatusFields);

export const SessionResponse = named(
  'Session',
  strictObject({
    operator_id: Type.String(),
    expires_at: dateTime('The time when the session expires.'),
  }),
);

export const EndedSessionResponse = named('EndedSession', strictObject({ ended: Type.Literal(true) }));
