import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { PAYMENT_KINDS, PAYMENT_STATUSES, UNBOOKED_REASONS } from '../../../db/trust/billing-enums.ts';
import { dateTime, limitParameter, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import type { ContextOf } from '../http/serving.ts';
import { OperatorPath } from '../operators/schema.ts';
import { type CloseContext, closeOperator } from './close-operator.ts';
import {
  CompareRequest,
  CompareResponse,
  comparePayments,
  FindRequest,
  FindResponse,
  findPayments,
} from './entries/compare.ts';
import { listAllPayments } from './entries/list-all.ts';
import { entryFields } from './entries/schema.ts';
import { showPayment } from './entries/show.ts';
import { listUnbooked } from './list-unbooked.ts';

const text = nullable(Type.String());

const UnbookedQuery = strictObject({
  limit: limitParameter('Payments per page.', 100),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

const Unbooked = strictObject({
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
});

const UnbookedResponse = strictObject({ payments: Type.Array(Unbooked), next_cursor: text });

const AllPaymentsQuery = strictObject({
  of: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  kind: Type.Optional(oneOf([...PAYMENT_KINDS, 'unbooked'])),
  status: Type.Optional(oneOf(PAYMENT_STATUSES)),
  from: Type.Optional(dateTime('At or after this time.')),
  to: Type.Optional(dateTime('Before this time.')),
  limit: limitParameter('Entries per page.', 100),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

const operatorEntry = { operator_id: text, ...entryFields };
const OperatorEntry = strictObject({
  ...operatorEntry,
  kind: oneOf([...PAYMENT_KINDS, 'unbooked']),
  status: oneOf([...PAYMENT_STATUSES, ...UNBOOKED_REASONS]),
});

const AllPaymentsResponse = strictObject({ payments: Type.Array(OperatorEntry), next_cursor: text });

const ShowQuery = strictObject({ reference: Type.String({ minLength: 1, maxLength: 255 }) });

const ShownPayment = strictObject({
  operator_id: text,
  entries: Type.Array(strictObject(entryFields)),
  unbooked: nullable(Unbooked),
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
export const localBillingRoutes = (trust: ContextOf<typeof listAllPayments> & CloseContext) =>
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
    .get('/local/payments', ({ query }) => listAllPayments(trust, query), {
      query: AllPaymentsQuery,
      response: { 200: AllPaymentsResponse },
      detail: { operationId: 'listAllPayments' },
    })
    .get('/local/payment', ({ query }) => showPayment(trust, query.reference), {
      query: ShowQuery,
      response: { 200: ShownPayment },
      detail: { operationId: 'showPayment' },
    })
    .post('/local/payments/find', ({ body }) => findPayments(trust, body), {
      body: FindRequest,
      response: { 200: FindResponse },
      detail: { operationId: 'findPayments' },
    })
    .post('/local/payments/compare', ({ body }) => comparePayments(trust, body), {
      body: CompareRequest,
      response: { 200: CompareResponse },
      detail: { operationId: 'comparePayments' },
    })
    .get('/local/unbooked-payments', ({ query }) => listUnbooked(trust, query), {
      query: UnbookedQuery,
      response: { 200: UnbookedResponse },
      detail: { operationId: 'listUnbookedPayments' },
    });
