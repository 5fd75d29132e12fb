import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { SETTLEMENT_RAILS } from '../../../db/trust/payments-enums.ts';
import { limitParameter, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import type { ContextOf } from '../http/serving.ts';
import { bookSettlement } from './book-settlement.ts';
import { listUnbookedSettlements } from './list-unbooked-settlements.ts';
import { SettlementResponse } from './schema.ts';

const SETTLEMENTS = '/local/unbooked-settlements';
const text = nullable(Type.String());

const UnbookedQuery = strictObject({
  limit: limitParameter('Settlements per page.', 100),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

const UnbookedResponse = strictObject({
  settlements: Type.Array(
    strictObject({
      rail: oneOf(SETTLEMENT_RAILS),
      reference: Type.String(),
      subject_commitment: Type.String(),
      credits: Type.Integer(),
      amount_label: text,
      created_at: Type.String(),
    }),
  ),
  next_cursor: text,
});

const BookRequest = strictObject({
  rail: oneOf(SETTLEMENT_RAILS),
  reference: Type.String({ minLength: 1, maxLength: 200 }),
});

/** The local operations of settlements. */
export const localSettlementRoutes = (
  trust: ContextOf<typeof listUnbookedSettlements> & ContextOf<typeof bookSettlement>,
) =>
  new Elysia()
    .get(SETTLEMENTS, ({ query }) => listUnbookedSettlements(trust, query), {
      query: UnbookedQuery,
      response: { 200: UnbookedResponse },
      detail: { operationId: 'listUnbookedSettlements' },
    })
    .post(`${SETTLEMENTS}/book`, ({ body }) => bookSettlement(trust, body), {
      body: BookRequest,
      response: { 200: SettlementResponse },
      detail: { operationId: 'bookSettlement' },
    });
