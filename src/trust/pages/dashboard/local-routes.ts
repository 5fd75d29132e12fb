import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { CREDIT_CLASSES } from '../../../../db/trust/ledger-enums.ts';
import { limitParameter, nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { ContextOf } from '../../http/serving.ts';
import { OperatorPath, OperatorSummary } from '../../operators/schema.ts';
import { adjustPool } from './adjust-pool.ts';
import { listOperators } from './list-operators.ts';
import { pardonOperator } from './pardon-operator.ts';
import { setAccountStatus } from './set-account-status.ts';
import { setStake } from './set-stake.ts';

type Context = ContextOf<typeof listOperators> &
  ContextOf<typeof pardonOperator> &
  ContextOf<typeof adjustPool>;

const OperatorListQuery = strictObject({
  limit: limitParameter('Operators per page.', 100),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

export const OperatorListResponse = strictObject({
  operators: Type.Array(OperatorSummary),
  next_cursor: nullable(Type.String()),
});

const StatusRequest = strictObject({ status: oneOf(['ACTIVE', 'SUSPENDED']) });

const StakeRequest = strictObject({
  cents: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

const AdjustRequest = strictObject({
  amount: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  class: oneOf(CREDIT_CLASSES),
});

const changed = { params: OperatorPath, response: { 200: OperatorSummary } };

/** The local operations of operators that return or change their status. */
export const localDashboardRoutes = (trust: Context) =>
  new Elysia()
    .get('/local/operators', ({ query }) => listOperators(trust, query), {
      query: OperatorListQuery,
      response: { 200: OperatorListResponse },
      detail: { operationId: 'listOperators' },
    })
    .put(
      '/local/operators/:operatorId/status',
      ({ params, body }) => setAccountStatus(trust, params.operatorId, body.status),
      { ...changed, body: StatusRequest, detail: { operationId: 'setAccountStatus' } },
    )
    .post('/local/operators/:operatorId/pardon', ({ params }) => pardonOperator(trust, params.operatorId), {
      ...changed,
      detail: { operationId: 'pardonOperator' },
    })
    .put(
      '/local/operators/:operatorId/stake',
      ({ params, body }) => setStake(trust, params.operatorId, body.cents),
      { ...changed, body: StakeRequest, detail: { operationId: 'setStake' } },
    )
    .post(
      '/local/operators/:operatorId/credits',
      ({ params, body }) => adjustPool(trust, params.operatorId, body),
      { ...changed, body: AdjustRequest, detail: { operationId: 'adjustPool' } },
    );
