import { type Static, Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { PAYOUT_RAILS, PAYOUT_STATUSES } from '../../../../db/trust/payouts-enums.ts';
import { hexString, limitParameter, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { commonErrors } from '../../http/errors.ts';
import { confirmPayout } from './confirm.ts';
import { failPayout } from './fail.ts';
import { getPayout } from './get-payout.ts';
import { changeAllHolds, holdPayout, releasePayout } from './hold.ts';
import { listPayouts } from './list-payouts.ts';
import type { Administration } from './payout.ts';
import { type Resolution, resolvePayout } from './resolve.ts';
import { resumePayouts } from './resume.ts';
import { AdministeredPayoutListResponse, AdministeredPayoutResponse, WithdrawalPath } from './schema.ts';

/** Text that a table prints on one line, and that the database stores as it is. */
const line = (maxLength: number) => ({
  ...Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$' }),
  'x-message': `must be 1 to ${maxLength} characters, none of them a control character`,
});

const PayoutListQuery = strictObject({
  agent: Type.Optional(hexString(32, 'The agent.')),
  status: Type.Optional(oneOf(PAYOUT_STATUSES)),
  limit: limitParameter('Payouts per page.', 100),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

const ConfirmRequest = strictObject({ reference: line(256) });

const FailRequest = strictObject({ reason: line(1024), unpaid: Type.Optional(Type.Boolean()) });

const ResolveRequest = strictObject({
  transaction_hash: Type.Optional({
    ...Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
    'x-message': 'must be 0x and 64 hexadecimal characters',
  }),
  reason: Type.Optional(line(1024)),
});

/** Returns what an administrator found out. @throws ApiError validation_error for both members, or neither */
function resolutionOf({ transaction_hash: hash, reason }: Static<typeof ResolveRequest>): Resolution {
  if (hash !== undefined && reason === undefined)
    return { outcome: 'confirmed', transactionHash: hash.toLowerCase() };
  if (hash === undefined && reason !== undefined) return { outcome: 'failed', reason };
  throw commonErrors.validation_error({ issues: { transaction_hash: ['excludes reason; one is needed'] } });
}

const PAYOUTS = '/local/payouts';
const one = { params: WithdrawalPath, response: { 200: AdministeredPayoutResponse } };
const all = { response: { 200: strictObject({ payouts: Type.Integer({ minimum: 0 }) }) } };

/** The local operations of payouts. */
export const localPayoutRoutes = (trust: Administration) =>
  new Elysia()
    .get(PAYOUTS, ({ query }) => listPayouts(trust, query), {
      query: PayoutListQuery,
      response: { 200: AdministeredPayoutListResponse },
      detail: { operationId: 'listPayouts' },
    })
    .get(`${PAYOUTS}/:withdrawalId`, ({ params }) => getPayout(trust, params.withdrawalId), {
      ...one,
      detail: { operationId: 'getPayout' },
    })
    .post(
      `${PAYOUTS}/:withdrawalId/confirm`,
      ({ params, body }) => confirmPayout(trust, params.withdrawalId, body.reference),
      { ...one, body: ConfirmRequest, detail: { operationId: 'confirmPayout' } },
    )
    .post(
      `${PAYOUTS}/:withdrawalId/fail`,
      ({ params, body: { reason, unpaid = false } }) =>
        failPayout(trust, params.withdrawalId, { reason, isUnpaid: unpaid }),
      { ...one, body: FailRequest, detail: { operationId: 'failPayout' } },
    )
    .post(
      `${PAYOUTS}/:withdrawalId/resolve`,
      ({ params, body }) => resolvePayout(trust, params.withdrawalId, resolutionOf(body)),
      { ...one, body: ResolveRequest, detail: { operationId: 'resolvePayout' } },
    )
    .post(`${PAYOUTS}/:withdrawalId/hold`, ({ params }) => holdPayout(trust, params.withdrawalId), {
      ...one,
      detail: { operationId: 'holdPayout' },
    })
    .post(`${PAYOUTS}/:withdrawalId/release`, ({ params }) => releasePayout(trust, params.withdrawalId), {
      ...one,
      detail: { operationId: 'releasePayout' },
    })
    .post(`${PAYOUTS}/hold`, () => changeAllHolds(trust, 'administrator'), {
      ...all,
      detail: { operationId: 'holdAllPayouts' },
    })
    .post(`${PAYOUTS}/resume`, () => resumePayouts(trust), {
      response: { 200: strictObject({ rail: oneOf(PAYOUT_RAILS), resumed: Type.Literal(true) }) },
      detail: { operationId: 'resumePayouts' },
    })
    .post(`${PAYOUTS}/release`, () => changeAllHolds(trust, null), {
      ...all,
      detail: { operationId: 'releaseAllPayouts' },
    });
