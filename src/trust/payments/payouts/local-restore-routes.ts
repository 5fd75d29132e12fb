import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { acceptRestore, type RestoreContext, showRestore } from './accept-restore.ts';

const count = Type.Integer({ minimum: 0 });
const PayoutEnds = strictObject({
  count,
  payouts: Type.Array(
    strictObject({
      withdrawal_id: Type.String(),
      status: oneOf(['confirmed', 'failed']),
      subject_commitment: Type.String(),
      amount: Type.Integer({ minimum: 1 }),
      address: Type.String(),
      external_reference: nullable(Type.String()),
    }),
  ),
});

const RestoreResponse = strictObject({
  restored_at: Type.String(),
  data_until: nullable(Type.String()),
  unknown: nullable(strictObject({ since: nullable(Type.String()), until: nullable(Type.String()) })),
  unreadable_lines: count,
  deleted_keys: strictObject({ count, key_hashes: Type.Array(Type.String()) }),
  ended_payouts: PayoutEnds,
  unknown_payouts: PayoutEnds,
  other_ends: PayoutEnds,
});

/** The local operations of a restored database. */
export const localRestoreRoutes = (trust: RestoreContext) =>
  new Elysia()
    .get('/local/restore', () => showRestore(trust), {
      response: { 200: RestoreResponse },
      detail: { operationId: 'showRestore' },
    })
    .post('/local/restore/accept', () => acceptRestore(trust), {
      response: { 200: RestoreResponse },
      detail: { operationId: 'acceptRestore' },
    });
