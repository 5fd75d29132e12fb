import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonBodyRules } from '../../platform/http/request/body.ts';
import { type Clock, signatureTime } from '../../platform/time/clock.ts';
import { agentsErrors } from '../agents/errors.ts';
import { commonErrors } from '../http/errors.ts';
import type { PaymentsPolicy } from './settings.ts';
import { paymentsSettings, type SettlementRail } from './settings.ts';

/** The header with the signature of a settlement, in lower case. */
const HEADER = 'x-settlement-signature';
const FORM = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/** The largest accepted difference between the time of a signature and the clock of the service. */
const TOLERANCE_SECONDS = 300;

/** A settlement has few members, so a body with more is refused before it is parsed. */
const MAX_ITEMS = 32;

/** The bytes of the bodies of settlements, which their signatures cover. */
const bodies = new WeakMap<Request, Uint8Array>();

/** The rules for the body of a settlement, which keep its bytes for the check of its signature. */
export const SETTLEMENT_BODY: JsonBodyRules = {
  maxItems: MAX_ITEMS,
  received: (request, bytes) => void bodies.set(request, bytes),
};

/** The parts of the service that the check of a signature uses. */
export type SignatureContext = { clock: Clock; policy: PaymentsPolicy };

/**
 * Checks the signature of a settlement: HMAC-SHA256 of `<time>.<bytes of the body>` under the secret of its
 * rail, compared in constant time. It reads nothing from the database. Only a caller with the secret learns
 * that a time is too old or in the future.
 * @throws ApiError not_configured for a rail without a secret; invalid_proof
 */
export function requireSettlementSignature(
  { clock, policy }: SignatureContext,
  request: Request,
  rail: SettlementRail,
): void {
  const secret = policy.settlementRails[rail].secret;
  if (secret === null) {
    throw commonErrors.not_configured({
      message:
        `This service takes no settlements of the rail ${rail}, because its secret is not configured. Ask the administrator of the ` +
        `service to set ${paymentsSettings[rail].secret.key}.`,
      isExpected: true,
    });
  }
  const [, time = '', code = ''] = FORM.exec(request.headers.get(HEADER) ?? '') ?? [];
  if (code === '') {
    throw agentsErrors.invalid_proof({
      message:
        'X-Settlement-Signature is missing or has another form. Send t=<seconds since 1970>,v1=<64 lower-case hexadecimal characters>.',
    });
  }
  const expected = createHmac('sha256', secret)
    .update(`${time}.`)
    .update(bodies.get(request) ?? new Uint8Array())
    .digest();
  if (!timingSafeEqual(expected, Buffer.from(code, 'hex'))) {
    throw agentsErrors.invalid_proof({
      message:
        `X-Settlement-Signature does not verify. Compute HMAC-SHA256 of t, a full stop and the bytes of the body as sent, with the secret of ` +
        `the rail ${rail}.`,
    });
  }
  const ahead = Number(time) - Math.floor(signatureTime(clock) / 1000);
  if (Math.abs(ahead) <= TOLERANCE_SECONDS) return;
  throw agentsErrors.invalid_proof({
    message:
      `The time of X-Settlement-Signature is ${ahead < 0 ? `more than ${TOLERANCE_SECONDS} seconds old` : 'in the future'}. Sign the ` +
      'settlement again, by a clock that is right.',
  });
}
