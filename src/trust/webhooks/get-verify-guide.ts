import { type Message, signatureHeaders } from '../../platform/delivery/signature.ts';
import type { EventTable } from '../../platform/module.ts';

/** Largest accepted difference between `webhook-timestamp` and the receiver's clock. */
const TOLERANCE_SECONDS = 300;

const SECRET = `whk_${'5ec7e7'.repeat(10)}5ec7`;
const SIGNING_SECRET = 'whsec_Y291bnRlcnNpZ24gZXhhbXBsZSBzZWNyZXQgMzIhISE=';

const MESSAGE: Message = {
  id: 'msg_019a0000000070008000000000000001',
  timestamp: 1_767_225_600,
  eventType: 'evidence.anchored',
  body:
    '{"event":"evidence.anchored","data":{"event_commitment_hash":' +
    '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","subject_commitment":' +
    '"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae","source_type":"task_deliverable"},' +
    '"timestamp":"2026-01-01T00:00:00.000Z"}',
};

const PYTHON = `import base64, hashlib, hmac, json, time

def verify(headers, body, signing_secret, now=None):
    """headers: lower-case names; body: the bytes as they arrived. Returns the event, or raises ValueError."""
    now = time.time() if now is None else now
    sent = headers["webhook-timestamp"]
    if not sent.isdigit() or abs(now - int(sent)) > ${TOLERANCE_SECONDS}:
        raise ValueError("too old, or from the future")
    key = base64.b64decode(signing_secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    received = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in received):
        raise ValueError("not signed with this secret")
    return json.loads(body)
`;

const JAVASCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

// headers: lower-case names; body: the bytes as they arrived. Returns the event, or throws.
export function verify(headers, body, signingSecret, now = Date.now() / 1000) {
  const sent = headers["webhook-timestamp"];
  if (!/^\\d+$/.test(sent) || Math.abs(now - Number(sent)) > ${TOLERANCE_SECONDS}) {
    throw new Error("too old, or from the future");
  }
  const key = Buffer.from(signingSecret.replace(/^whsec_/, ""), "base64");
  const hmac = createHmac("sha256", key).update(headers["webhook-id"] + "." + sent + ".").update(body);
  const expected = Buffer.from("v1," + hmac.digest("base64"));
  const received = headers["webhook-signature"].split(" ").map((one) => Buffer.from(one));
  if (!received.some((one) => one.length === expected.length && timingSafeEqual(one, expected))) {
    throw new Error("not signed with this secret");
  }
  return JSON.parse(Buffer.from(body).toString("utf8"));
}
`;

/** Returns how a receiver verifies deliveries: the response of `GET /api/v1/webhooks/verify-guide`. */
export const guideOf = async (events: EventTable) => ({
  scheme: 'Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): HMAC-SHA256, version v1',
  headers: {
    'X-Service-Event': 'The name of the event.',
    'X-Service-Signature':
      "The webhook's `secret`, unchanged. It identifies the webhook but proves nothing: everyone who sees a delivery knows it.",
    'webhook-id':
      'Identifies this delivery. Store the ids that you received, to refuse a delivery that an attacker sends again (replay).',
    'webhook-timestamp': 'When it was sent, in seconds since 1970.',
    'webhook-signature':
      'Signatures with a space between them, each `v1,` and base64. One that matches is enough.',
  },
  body: {
    event: 'The name of the event.',
    data: 'What happened.',
    timestamp: 'When it happened: RFC 3339 in UTC with milliseconds.',
  },
  events: Object.fromEntries(
    Object.entries(events).map(([name, { properties }]) => [name, Object.keys(properties)]),
  ),
  tolerance_seconds: TOLERANCE_SECONDS,
  steps: [
    'Use the bytes of the body as they arrived. JSON that was parsed and serialized again may differ.',
    `Refuse a webhook-timestamp that is more than ${TOLERANCE_SECONDS} seconds from your clock, before or after it.`,
    'Decode what follows `whsec_` in your signing_secret from base64: that is the key.',
    'Compute HMAC-SHA256 under the key over webhook-id, a dot, webhook-timestamp, a dot, and the body; encode it in base64.',
    'Compare `v1,` and the result with each signature in webhook-signature, in constant time. If none is equal, refuse the delivery.',
    'Refuse a webhook-id that you already received within the tolerance: it is a replay.',
    'Respond with 2xx at once, and do your work afterwards.',
  ],
  delivery: [
    'The service makes one attempt, with 5 seconds for the name lookup and your response together. It does not retry.',
    'Any status but 2xx counts as failed. Redirects are not followed. At most 64 KiB of a response are read.',
    'The order is not guaranteed. A delivery is dropped if it waits when the service stops, or if 1,000 deliveries already wait for you.',
    'GET /api/v1/webhooks/{id}/deliveries shows how the newest 100 deliveries ended.',
  ],
  example: {
    secret: SECRET,
    signing_secret: SIGNING_SECRET,
    headers: {
      'x-service-event': MESSAGE.eventType,
      'x-service-signature': SECRET,
      ...(await signatureHeaders(SIGNING_SECRET, MESSAGE)),
    },
    body: MESSAGE.body,
    signed_content: `${MESSAGE.id}.${MESSAGE.timestamp}.${MESSAGE.body}`,
    now: MESSAGE.timestamp + 1,
  },
  samples: { python: PYTHON, javascript: JAVASCRIPT },
});
