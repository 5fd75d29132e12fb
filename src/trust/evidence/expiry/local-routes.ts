import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { nullable, strictObject } from '../../../platform/http/schema.ts';
import { type ExpiryContext, expireOperators } from './expire.ts';

const count = Type.Integer({ minimum: 0 });
const ExpiryRequest = strictObject({
  idle_days: Type.Integer({ minimum: 1, maximum: 36_500 }),
  after: count,
  dry_run: Type.Boolean(),
});

export const ExpiryResponse = strictObject({
  operators: Type.Array(
    strictObject({ operator_id: Type.String(), keys: count, webhooks: count, payloads: count }),
  ),
  next: nullable(count),
});

/** The local operations of idle operators. */
export const localExpiryRoutes = (context: ExpiryContext) =>
  new Elysia().post(
    '/local/operators/expire',
    ({ body: { idle_days: idleDays, after, dry_run: dryRun } }) =>
      expireOperators(context, { idleDays, after, dryRun }),
    {
      body: ExpiryRequest,
      response: { 200: ExpiryResponse },
      detail: { operationId: 'expireOperators' },
    },
  );
