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
import { DEMO_PARTNER_ID, DEMO_PARTNER_KEY_ID } from '../demo/known.ts';
import { cursorParameter, DEFAULT_LIMIT, listOf, Tier } from '../http/schema.ts';
import { RequisitionStatus } from '../jobs/schema.ts';

const count = Type.Integer({ minimum: 0 });

export const PartnerResponse = named(
  'Partner',
  strictObject({
    partner_id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    created_at: dateTime('When the account was made.'),
    promoted_at: nullable(dateTime('When it became live.')),
    closed_at: nullable(dateTime('When all of its keys were revoked; making it a key opens it again.')),
    keys: Type.Array(keyShape),
    stored_requisitions: strictObject({ sandbox: count, live: count }),
  }),
);

export const PartnerListResponse = named('PartnerPage', listOf(PartnerResponse, {}));

export const PartnerListQuery = strictObject({
  limit: limitParameter('Partners per page.', DEFAULT_LIMIT),
  cursor: cursorParameter,
});

export const PartnerPath = strictObject({
  id: Type.String({ maxLength: 256, description: "The partner's id.", examples: [DEMO_PARTNER_ID] }),
});

export const CreatedKeyResponse = named(
  'NewLiveKey',
  strictObject({
    ...keyShape.properties,
    api_key: Type.String({ description: 'The key itself. Only this response contains it.' }),
  }),
);

export const RevokeRequest = Type.Optional(
  named(
    'RevokePartnerKeysRequest',
    strictObject(
      {
        key_id: Type.Optional(
          Type.String({ maxLength: 256, description: 'Default: all keys of the partner.' }),
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
      status: oneOf(['open', 'on_hold', 'filled', 'cancelled', 'closed'], { description: 'Where it goes.' }),
    },
    { examples: [{ status: 'filled' }] },
  ),
);
