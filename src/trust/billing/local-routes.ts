import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { UNBOOKED_REASONS } from '../../../db/trust/billing-enums.ts';
import { limitParameter, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import type { ContextOf } from '../http/serving.ts';
import { OperatorPath } from '../operators/schema.ts';
import { type CloseContext, closeOperator } from './close-operator.ts';
import { listUnbooked } from './list-unbooked.ts';

const text = nullable(Type.String());

const UnbookedQuery = strictObject({
  limit: limitParameter('Payments per page.', 100),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

const UnbookedResponse = strictObject({
  payments: Type.Array(
    strictObject({
      created_at: Type.String(),
      source_id: Type.String(),
      reason: oneOf(UNBOOKED_REASONS),
      amount: nullable(Type.Integer()),
      currency: text,
      purpose: text,
      operator_id: text,
      customer_id: text,
      payment_intent: text,
      event_id: Type.String(),
      sandbox: Type.Boolean(),
    }),
  ),
  next_cursor: text,
});

const CloseRequest = Type.Optional(strictObject({ despite_debt: Type.Optional(Type.Boolean()) }));

const ClosedResponse = strictObject({
  operator_id: Type.String(),
  accountStatus: Type.Literal('CLOSED'),
  ended_subscriptions: Type.Array(Type.String()),
  deleted_keys: Type.Integer(),
  deleted_webhooks: Type.Integer(),
  owedCredits: Type.Integer(),
  owedStakeCents: Type.Integer(),
});

/** The local operations of billing. */
export const localBillingRoutes = (trust: ContextOf<typeof listUnbooked> & CloseContext) =>
  new Elysia()
    .post(
      '/local/operators/:operatorId/close',
      ({ params, body }) => closeOperator(trust, params.operatorId, body ?? {}),
      {
        params: OperatorPath,
        body: CloseRequest,
        response: { 200: ClosedResponse },
        detail: { operationId: 'closeOperator' },
      },
    )
    .get('/local/unbooked-payments', ({ query }) => listUnbooked(trust, query), {
      query: UnbookedQuery,
      response: { 200: UnbookedResponse },
      detail: { operationId: 'listUnbookedPayments' },
    });
