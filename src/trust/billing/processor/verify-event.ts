import type { Stripe } from 'stripe';
import { type Clock, signatureTime } from '../../../platform/time/clock.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { commonErrors } from '../../http/errors.ts';

/** The time that a signature may differ from the service's clock on both sides, in seconds. */
const TOLERANCE_S = 300;

/** A header has a time and one signature for each active secret: two while a secret is rolled. */
const MAX_HEADER = 2048;

/** The part of Stripe's package that verifies webhooks. */
type Webhooks = Pick<typeof Stripe.webhooks, 'constructEventAsync'>;

/**
 * Verifies the signature of an event with the package of Stripe and returns the event. The package bounds
 * only the age of a signature, and takes the last of several times. So this function requires one time and
 * bounds it on both sides.
 * @param header the Stripe-Signature header: `t=<seconds since 1970>,v1=<hex HMAC-SHA256>`
 * @throws ApiError invalid_proof for a wrong signature, validation_error for a signed body that is no event
 */
export async function verifiedEvent(
  webhooks: Webhooks,
  rawBody: Uint8Array,
  header: string | null,
  { secret, clock }: { secret: string; clock: Clock },
): Promise<Stripe.Event> {
  if (header === null || header === '') throw refused('The header Stripe-Signature is missing.');
  const now = signatureTime(clock);
  const time = header.length > MAX_HEADER ? null : timeOf(header);
  if (time === null) throw refused('The header Stripe-Signature is not t=<seconds>,v1=<signature>.');
  const payload = textOf(rawBody);
  if (payload === null) throw refused('The body is not UTF-8.');
  let event: unknown;
  try {
    // No age limit here: a limit on both sides follows.
    event = await webhooks.constructEventAsync(payload, header, secret, 0);
  } catch (error) {
    if (isSignatureError(error))
      throw refused('The signature does not match the body and the secret of this endpoint.');
    throw notAnEvent();
  }
  const ageS = Math.floor(now / 1000) - time;
  if (Math.abs(ageS) > TOLERANCE_S) {
    const difference = `${Math.abs(ageS)} s ${ageS > 0 ? 'old' : 'ahead of the clock of the service'}`;
    throw agentsErrors.invalid_proof({
      message:
        `The signature is ${difference}; at most ${TOLERANCE_S} s are accepted. Send the event again with a new signature, and check the ` +
        'clock of the service.',
    });
  }
  if (!isEvent(event)) throw notAnEvent();
  return event;
}

/** Returns the time of a signature header, in seconds since 1970; null for none, several, or another form. */
function timeOf(header: string): number | null {
  const times = header.split(',').filter((item) => item.startsWith('t='));
  const [time = ''] = times;
  return times.length === 1 && /^t=\d{1,15}$/.test(time) ? Number(time.slice(2)) : null;
}

/** Returns the text of a body, with its byte order mark; null for a body that is not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isSignatureError(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'StripeSignatureVerificationError';
}

/** Returns whether a value has the members of every event (API reference of Stripe, "The Event object"). */
function isEvent(value: unknown): value is Stripe.Event {
  if (!isObject(value) || !isObject(value.data) || !isObject(value.data.object)) return false;
  const { id, object, type, created, livemode } = value;
  return (
    object === 'event' &&
    typeof id === 'string' &&
    /^[\w-]{1,255}$/.test(id) &&
    typeof type === 'string' &&
    typeof livemode === 'boolean' &&
    Number.isSafeInteger(created)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const refused = (message: string) =>
  agentsErrors.invalid_proof({
    message: `${message} Send the body as the payment processor signed it, and check billing.stripe.webhook_secret.`,
  });

const notAnEvent = () =>
  commonErrors.validation_error({
    message: 'The body is signed, but it is not an event of the payment processor.',
  });
