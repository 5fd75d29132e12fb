import { idOf, recordOf, text, timeOf } from './event-members.ts';
import type { ProcessorEvent } from './facts.ts';

/** What an event says about an invoice or a payment intent: its pages, and the charge that paid it. */
export interface PaymentDocument {
  /** The invoice or the payment intent. */
  sourceId: string;
  invoiceUrl: string | null;
  invoicePdf: string | null;
  receiptUrl: string | null;
  chargeId: string | null;
  /** Milliseconds since 1970, by the processor's clock. */
  chargedAt: number | null;
}

/**
 * Returns what an event says about the pages of a payment (objects Invoice and Charge of Stripe's API).
 * @returns null for an event without any
 */
export function documentOf({ type, data }: Pick<ProcessorEvent, 'type' | 'data'>): PaymentDocument | null {
  const object = recordOf(data.object);
  if (type === 'invoice.payment_succeeded') {
    const [sourceId, invoiceUrl, invoicePdf] = [
      idOf(object.id),
      linkOf(object.hosted_invoice_url),
      linkOf(object.invoice_pdf),
    ];
    if (sourceId === null || (invoiceUrl === null && invoicePdf === null)) return null;
    return { sourceId, invoiceUrl, invoicePdf, receiptUrl: null, chargeId: null, chargedAt: null };
  }
  if (type !== 'charge.succeeded') return null;
  const [sourceId, chargeId] = [idOf(object.payment_intent), idOf(object.id)];
  if (sourceId === null || chargeId === null) return null;
  return {
    sourceId,
    invoiceUrl: null,
    invoicePdf: null,
    receiptUrl: linkOf(object.receipt_url),
    chargeId,
    chargedAt: timeOf(object.created),
  };
}

/** The longest URL that is stored. Those of Stripe have some hundred characters. */
const MOST_CHARACTERS = 2048;

/** Returns an https URL without a user, as it is; null for anything else. Pages link to it. */
function linkOf(value: unknown): string | null {
  const link = text(value);
  if (link === null || link.length > MOST_CHARACTERS || !/^https:\/\/[\x21-\x7e]+$/.test(link)) return null;
  const url = URL.parse(link);
  return url === null || `${url.username}${url.password}` !== '' ? null : link;
}
