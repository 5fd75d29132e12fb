import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonBodyRules } from '../../platform/http/request/body.ts';
import { type Clock, signatureTime } from '../../platform/time/clock.ts';
import { agentsErrors } from '../agents/errors.ts';
import { commonErrors } from '../http/errors.ts';
import type { PaymentsPolicy } from './settings.ts';
import { paymentsSettings, type SettlementRail, STANDARD_SECRET } from './settings.ts';

/** The header with the signature of a settlement, in lower case. */
const HEADER = 'x-settlement-signature';
const FORM = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
/** Signatures in the form of Standard Webhooks: an id, a time, and HMACs in base64. */
const ID = /^[!-~]{1,256}$/;
const TIME = /^\d{1,12}$/;
const STANDARD = /^v1,([A-Za-z0-9+/]{43}=)$/;
/** While secrets are rotated a message has few signatures. */
const MOST_SIGNATURES = 16;

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

/** A signature that arrived: what it must be the HMAC of besides the body, and when it was made. */
interface Arrived {
  /** The name of its header, as in messages. */
  header: string;
  /** The form of the header and of those that belong to it. */
  form: string;
  /** What the rail signs before the bytes of the body. */
  prefix: string;
  /** In seconds since 1970. */
  time: string;
  key: string | Uint8Array;
  /** The codes of which one must verify, and how they are written. */
  codes: readonly string[];
  encoding: 'hex' | 'base64';
}

/**
 * Checks the signature of a settlement: HMAC-SHA256 of its time and the bytes of the body under the secret of
 * its rail, compared in constant time. X-Settlement-Signature covers `<time>.<body>`; the form of Standard
 * Webhooks (https://www.standardwebhooks.com) covers `<id>.<time>.<body>`. It reads nothing from the database.
 * Only a caller with the secret learns that a time is too old or in the future.
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
  const { header, form, prefix, time, key, codes, encoding } = signatureIn(request.headers, secret);
  if (codes.length === 0) {
    throw agentsErrors.invalid_proof({
      message: `${header} is missing or has another form. Send ${form}.`,
    });
  }
  const expected = createHmac('sha256', key)
    .update(prefix)
    .update(bodies.get(request) ?? new Uint8Array())
    .digest(encoding);
  // All have the length of the expected one, by their form.
  const verified = codes.filter((code) => timingSafeEqual(Buffer.from(expected), Buffer.from(code)));
  if (verified.length === 0) {
    throw agentsErrors.invalid_proof({
      message:
        `${header} does not verify. Compute HMAC-SHA256 of ${encoding === 'hex' ? 't' : 'the id, a full stop, the time'}, a full stop ` +
        `and the bytes of the body as sent, with the secret of the rail ${rail}.`,
    });
  }
  const ahead = Number(time) - Math.floor(signatureTime(clock) / 1000);
  if (Math.abs(ahead) <= TOLERANCE_SECONDS) return;
  throw agentsErrors.invalid_proof({
    message:
      `The time of ${header} is ${ahead < 0 ? `more than ${TOLERANCE_SECONDS} seconds old` : 'in the future'}. Sign the ` +
      'settlement again, by a clock that is right.',
  });
}

/** Returns the signature of a request, without codes for one that is missing or has another form. */
function signatureIn(headers: Headers, secret: string): Arrived {
  const own = headers.get(HEADER);
  const standard = headers.get('webhook-signature');
  if (own !== null || standard === null) {
    const [, time = '', code = ''] = FORM.exec(own ?? '') ?? [];
    return {
      header: 'X-Settlement-Signature',
      form: 't=<seconds since 1970>,v1=<64 lower-case hexadecimal characters>, or the headers of Standard Webhooks, not both',
      prefix: `${time}.`,
      time,
      key: secret,
      codes: code === '' || standard !== null ? [] : [code],
      encoding: 'hex',
    };
  }
  const id = headers.get('webhook-id') ?? '';
  const time = headers.get('webhook-timestamp') ?? '';
  const parts = standard.split(' ');
  const isWellFormed = ID.test(id) && TIME.test(time) && parts.length <= MOST_SIGNATURES;
  return {
    header: 'webhook-signature',
    form: `webhook-id, webhook-timestamp in seconds since 1970, and webhook-signature with v1,<base64>, at most ${MOST_SIGNATURES} of them`,
    prefix: `${id}.${time}.`,
    time,
    key: standardKeyOf(secret),
    // Other versions, such as v1a, are signatures of other kinds.
    codes: isWellFormed ? parts.flatMap((part) => STANDARD.exec(part)?.[1] ?? []) : [],
    encoding: 'base64',
  };
}

/**
 * Returns the key of the HMAC by Standard Webhooks: the bytes that base64 after `whsec_` stands for. A secret
 * without this prefix is the key itself, as text in ASCII.
 */
function standardKeyOf(secret: string): string | Uint8Array {
  return secret.startsWith(STANDARD_SECRET)
    ? Buffer.from(secret.slice(STANDARD_SECRET.length), 'base64')
    : secret;
}
