import type { DocumentReader } from '../document/document-reader.ts';
import { hex, matching, text, time } from '../document/forms.ts';
import { digest } from '../encoding/digest.ts';
import type { JsonObject } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';
import type { StatementKind } from './statement.ts';

const transactionId = matching(/^txn_[0-9a-f]{32}$/, 'txn_ and 32 lower-case hexadecimal characters');
const product = matching(/^[a-z0-9_]{1,64}$/, '1 to 64 of a-z, 0-9 and _');
/** The members that the receipt of an agent's payment has besides: all of them or none. */
const PAYMENT = ['merchant', 'nonce', 'expires_at', 'payment_digest'] as const;

/** The receipt of a charge. */
export const meter: StatementKind = {
  type: 'meter',
  name: 'meter receipt',
  hadContentHash: true,
  lifetimeMs: null,
  read(document, primitives) {
    const charge = {
      meter_ref: document.member('meter_ref').text(transactionId),
      product: document.member('product').text(product),
      payer: document.member('payer').text(text(128)),
      credits_charged: document.member('credits_charged').count(),
    };
    const remaining_credits = document.member('remaining_credits').count();
    const sandbox = document.member('sandbox').isPresent();
    if (sandbox) document.member('sandbox').only(true);
    const payment = readPayment(primitives, document, charge);
    return {
      about: { ...charge, remaining_credits, ...(sandbox ? { sandbox } : {}), ...payment.about },
      dated: document.member('charged_at').text(time),
      until: null,
      subject: 'ok',
      issuer: null,
      contradictions: payment.contradictions,
    };
  },
};

/** Reads what the receipt of a payment has besides, and checks the digest of its terms. */
function readPayment(
  primitives: Primitives,
  document: DocumentReader,
  {
    payer,
    product,
    credits_charged,
    meter_ref,
  }: { payer: string; product: string; credits_charged: number; meter_ref: string },
): { about: Record<string, string | null>; contradictions: string[] } {
  if (!PAYMENT.some((name) => document.member(name).isPresent())) return { about: {}, contradictions: [] };
  const about = {
    merchant: document.member('merchant').nullable((value) => value.text(text(256))),
    nonce: document.member('nonce').text(text(256)),
    expires_at: document.member('expires_at').text(text(64)),
    payment_digest: document.member('payment_digest').text(hex(32)),
  };
  const { payment_digest, ...asked } = about;
  const terms: JsonObject = { subject_commitment: payer, product, credits_charged, meter_ref, ...asked };
  return {
    about,
    contradictions:
      digest(primitives, terms) === payment_digest ? [] : ['payment_digest is not that of the payment'],
  };
}
