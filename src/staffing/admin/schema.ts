import { Type } from '@sinclair/typebox';
import {
  dateTime,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import { keyShape } from '../accounts/schema.ts';
import { DEMO_PARTNER_ID, DEMO_PARTNER_KEY_ID } from '../http/example-ids.ts';
import { cursorParameter, DEFAULT_LIMIT, listOf, Tier } from '../http/schema.ts';
import { RequisitionStatus } from '../requisitions/schema.ts';

const count = Type.Integer({ minimum: 0 });

export const PartnerResponse = named(
  'Partner',
  strictObject({
    partner_id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    created_at: dateTime('The time when the account was created.'),
    promoted_at: nullable(
      dateTime('The time when the partner became live. null for a partner with only a sandbox.'),
    ),
    closed_at: nullable(
      dateTime(
        'The time when all keys of the partner were revoked. null while it has a key; a new key reopens the account.',
      ),
    ),
    keys: Type.Array(keyShape, {
      description: 'The active keys, and the newest 10 of each tier, by tier, oldest first.',
    }),
    stored_requisitions: strictObject({ sandbox: count, live: count }),
  }),
);

export const PartnerListResponse = named('PartnerPage', listOf(PartnerResponse, {}));

export const PartnerListQuery = strictObject({
  limit: limitParameter('Partners per page.', DEFAULT_LIMIT),
  cursor: cursorParameter,
});

export const PartnerPath = strictObject({
  id: Type.String({
    maxLength: 256,
    description: "The partner's id: `ptr_` and 32 hexadecimal characters.",
    examples: [DEMO_PARTNER_ID],
  }),
});

export const CreatedKeyResponse = named(
  'NewLiveKey',
  strictObject({
    ...keyShape.properties,
    api_key: Type.String({ description: 'The API key. Only this response contains it.' }),
  }),
);

export const RevokeRequest = Type.Optional(
  named(
    'RevokePartnerKeysRequest',
    strictObject(
      {
        key_id: Type.Optional(
          Type.String({
            maxLength: 256,
            description: 'The id of the key to revoke. Without it, all keys of the partner are revoked.',
          }),
        ),
      },
      { examples: [{ key_id: DEMO_PARTNER_KEY_ID }] },
    ),
  ),
);

export const AdminJobListQuery = strictObject({
  status: Type.Optional(RequisitionStatus),
  mode: Type.Optional(Tier),
  limit: limitParameter('Requisitions per page.', DEFAULT_LIMIT),
  cursor: cursorParameter,
});

export const StatusRequest = named(
  'SetRequisitionStatusRequest',
  strictObject(
    {
      status: oneOf(['open', 'on_hold', 'filled', 'cancelled', 'closed'], {
        description: 'The new status of the requisition.',
      }),
    },
    { examples: [{ status: 'filled' }] },
  ),
);
