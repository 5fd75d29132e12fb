import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import { characters, limitParameter, oneOf, strictObject } from '../../platform/http/schema.ts';
import { createPartnerKey } from '../accounts/partners/create-partner-key.ts';
import type { Accounts } from '../accounts/services.ts';
import { cursorParameter, DEFAULT_LIMIT, listOf } from '../http/schema.ts';
import { listSuppressions } from '../suppressions/list.ts';
import type { Suppressions } from '../suppressions/services.ts';
import { suppress } from '../suppressions/suppress.ts';
import { undoSuppression } from '../suppressions/undo.ts';
import { CreatedKeyResponse, PartnerPath } from './schema.ts';

const NewPartnerKeyRequest = strictObject({ tier: oneOf(TIERS) });

const npi = Type.String({ minLength: 1, maxLength: 64 });

const SuppressionPath = strictObject({ npi });

const SuppressionRequest = strictObject({
  npi,
  reason: characters(1024, '\\u0000-\\u001f\\u007f-\\u009f', 'Why.', undefined, { blank: false }),
});

const SuppressionListQuery = strictObject({
  limit: limitParameter('Suppressions per page.', DEFAULT_LIMIT),
  cursor: cursorParameter,
});

const SuppressionResponse = strictObject({
  npi: Type.String(),
  reason: Type.String(),
  was_in_registry: Type.Boolean(),
});

const RestorationResponse = strictObject({ npi: Type.String(), restored: Type.Boolean() });

const SuppressionListResponse = listOf(
  strictObject({ npi: Type.String(), reason: Type.String(), at: Type.String() }),
  {},
);

/** The local operations of administration. */
export const localAdminRoutes = (staffing: Accounts & Suppressions) =>
  new Elysia()
    .post(
      '/local/partners/:id/keys',
      ({ params, body }) => createPartnerKey(staffing, params.id, body.tier),
      {
        params: PartnerPath,
        body: NewPartnerKeyRequest,
        response: { 200: CreatedKeyResponse },
        detail: { operationId: 'createPartnerKey' },
      },
    )
    .get('/local/suppressions', ({ query }) => listSuppressions(staffing, query), {
      query: SuppressionListQuery,
      response: { 200: SuppressionListResponse },
      detail: { operationId: 'listSuppressions' },
    })
    .post('/local/suppressions', ({ body }) => suppress(staffing, body.npi, body.reason), {
      body: SuppressionRequest,
      response: { 200: SuppressionResponse },
      detail: { operationId: 'suppressClinician' },
    })
    .delete('/local/suppressions/:npi', ({ params }) => undoSuppression(staffing, params.npi), {
      params: SuppressionPath,
      response: { 200: RestorationResponse },
      detail: { operationId: 'undoSuppression' },
    });
