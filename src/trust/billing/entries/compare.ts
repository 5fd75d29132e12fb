import { Type } from '@sinclair/typebox';
import { UNBOOKED_REASONS } from '../../../../db/trust/billing-enums.ts';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { Store } from '../../../platform/store/store.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { bookedNumber, comparedPayments, unbookedReason } from './compare-store.ts';

/** The most payments of a call: a few milliseconds of one thread. */
export const MOST_COMPARED = 200;

/** How long after an event it usually is booked, and how long the processor repeats it. */
export const USUALLY_MS = 3_600_000;
const AT_MOST_MS = 3 * 24 * 3_600_000;

const id = nullable(Type.String({ minLength: 1, maxLength: 255 }));
const text = nullable(Type.String());
const time = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const FindRequest = strictObject({
  payments: Type.Array(strictObject({ payment_intent: id, invoice_id: id, charge_id: id }), {
    maxItems: MOST_COMPARED,
  }),
});

export const FindResponse = strictObject({
  found: Type.Array(
    strictObject({ payment_seq: nullable(Type.Integer()), unbooked: nullable(oneOf(UNBOOKED_REASONS)) }),
  ),
});

export const CompareRequest = strictObject({ from: time, to: time, after: time });

/** What was booked within the period, what surely belongs to it, and all until soon after it. */
const Sums = strictObject({ within: Type.Integer(), sure: Type.Integer(), later: Type.Integer() });

export const CompareResponse = strictObject({
  payments: Type.Array(
    strictObject({
      payment_seq: Type.Integer(),
      reference: Type.String(),
      payment_intent: text,
      operator_id: Type.String(),
      /** When the processor charged it, else when it was booked. */
      paid_at: Type.String(),
      usd_cents: Type.Integer(),
      /** Whether `paid_at` is by the processor's clock. */
      is_charged_at: Type.Boolean(),
      refunds: Sums,
      chargebacks: Sums,
    }),
  ),
  next: nullable(Type.Integer()),
});

/** What a file of the processor names of a payment. */
interface Named {
  payment_intent: string | null;
  invoice_id: string | null;
  charge_id: string | null;
}

/** Finds the payments that a file of the processor names, in its order. A local operation. */
export async function findPayments(
  { store }: { store: Store },
  { payments }: { payments: readonly Named[] },
) {
  return store.read(async (snapshot) => {
    const found = [];
    for (const { payment_intent: intent, invoice_id: invoice, charge_id: charge } of payments) {
      const payment_seq = await bookedNumber(snapshot, { intent, invoice, charge });
      const unbooked = payment_seq === null ? await unbookedReason(snapshot, { intent, invoice }) : null;
      found.push({ payment_seq, unbooked });
    }
    return { found };
  });
}

/**
 * Returns the next payments in their order, with what the payer got back within a period, both of its ends
 * included, in milliseconds since 1970. A local operation.
 */
export async function comparePayments(
  { store }: { store: Store },
  { from, to, after }: { from: number; to: number; after: number },
) {
  const rows = await store.read((snapshot) =>
    comparedPayments(snapshot, {
      from,
      to,
      sureFrom: from + USUALLY_MS,
      laterTo: to + AT_MOST_MS,
      after,
      limit: MOST_COMPARED,
    }),
  );
  const last = rows.at(-1);
  return {
    payments: rows.map((row) => ({
      payment_seq: row.paymentSeq,
      reference: row.sessionId ?? row.invoiceId ?? '',
      payment_intent: row.paymentIntent,
      operator_id: row.operatorId,
      paid_at: timestampOf(row.chargedAt ?? row.createdAt),
      usd_cents: row.usdCents,
      is_charged_at: row.chargedAt !== null,
      refunds: { within: row.refunds, sure: row.refundsSure, later: row.refundsLater },
      chargebacks: { within: row.chargebacks, sure: row.chargebacksSure, later: row.chargebacksLater },
    })),
    next: last === undefined || rows.length < MOST_COMPARED ? null : last.paymentSeq,
  };
}
