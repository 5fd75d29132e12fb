import type { OperationExamples } from '../../platform/http/openapi.ts';

/** Responses of the operations, as a service answered them; secrets are zeros. */
export const examples: OperationExamples = {
  createWebhook: {
    '201': {
      id: 'wh_01a20229d3f872aeb09a002480d0c826',
      url: 'https://hooks.operator.example/countersign',
      events: ['evidence.anchored', 'reputation.degraded'],
      created_at: '2026-05-01T12:02:15.500Z',
      secret: 'whk_0000000000000000000000000000000000000000000000000000000000000000',
      signing_secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    },
  },
  listWebhooks: {
    '200': {
      webhooks: [
        {
          id: 'wh_01a20229d3f872aeb09a002480d0c826',
          url: 'https://hooks.operator.example/countersign',
          events: ['evidence.anchored', 'reputation.degraded'],
          created_at: '2026-05-01T12:02:15.500Z',
        },
      ],
      next_cursor: null,
    },
  },
  getWebhookVerifyGuide: {
    '200': {
      scheme: 'Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): HMAC-SHA256, version v1',
      headers: {
        'X-Service-Event': 'The name of the event.',
        'X-Service-Signature':
          "The webhook's `secret`, as it stands. Who sees one delivery knows it: it tells senders apart and proves nothing.",
        'webhook-id':
          'Names this delivery. Keep those that you have seen, so that a copy is not taken for another.',
        'webhook-timestamp': 'When it was sent, in seconds since 1970.',
        'webhook-signature':
          'Signatures with a space between them, each `v1,` and base64. One that fits is enough.',
      },
      body: {
        event: 'The name of the event.',
        data: 'What happened.',
        timestamp: 'When it happened: RFC 3339 in UTC with milliseconds.',
      },
      events: {
        'enrollment.completed': ['subject_commitment', 'public_key', 'context'],
        'evidence.anchored': ['event_commitment_hash', 'subject_commitment', 'source_type'],
        'reputation.degraded': ['agent_commitment', 'current_failure_rate', 'reason'],
        'reputation.restored': ['agent_commitment', 'current_failure_rate', 'reason'],
        'reputation.milestone': ['agent_commitment', 'total_evidence', 'milestone_tier'],
      },
      tolerance_seconds: 300,
      steps: [
        'Take the bytes of the body as they arrived. JSON that was parsed and written again may differ.',
        'Refuse a webhook-timestamp that is more than 300 seconds from your clock, before or after it.',
        'Decode what follows `whsec_` in your signing_secret from base64: that is the key.',
        'Compute HMAC-SHA256 under the key over webhook-id, a dot, webhook-timestamp, a dot, and the body; encode it in base64.',
        'Compare `v1,` and that with each signature in webhook-signature, in constant time. None is equal: refuse.',
        'Refuse a webhook-id that you have seen within the tolerance.',
        'Answer 2xx at once, and do your work afterwards.',
      ],
      delivery: [
        'One try, within 5 seconds for the look-up of the name and your answer; none is made again.',
        'Any status but 2xx counts as failed. Redirects are not followed. Of an answer, 64 KiB are read.',
        'No order is promised. What waits when the service ends is not sent, and neither is what comes while 1,000 deliveries wait for you.',
        'GET /api/v1/webhooks/{id}/deliveries shows how the newest 100 ended.',
      ],
      example: {
        secret: 'whk_5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7',
        signing_secret: 'whsec_Y291bnRlcnNpZ24gZXhhbXBsZSBzZWNyZXQgMzIhISE=',
        headers: {
          'x-service-event': 'evidence.anchored',
          'x-service-signature': 'whk_5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7',
          'webhook-id': 'msg_019a0000000070008000000000000001',
          'webhook-timestamp': '1767225600',
          'webhook-signature': 'v1,YZr5hUrgE8vDOwZTFHDdrtgmHTKw4E8ZEhw26ZV4QzE=',
        },
        body: '{"event":"evidence.anchored","data":{"event_commitment_hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","subject_commitment":"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae","source_type":"task_deliverable"},"timestamp":"2026-01-01T00:00:00.000Z"}',
        signed_content:
          'msg_019a0000000070008000000000000001.1767225600.{"event":"evidence.anchored","data":{"event_commitment_hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","subject_commitment":"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae","source_type":"task_deliverable"},"timestamp":"2026-01-01T00:00:00.000Z"}',
        now: 1767225601,
      },
      samples: {
        python:
          'import base64, hashlib, hmac, json, time\n\ndef verify(headers, body, signing_secret, now=None):\n    """headers: lower-case names; body: the bytes as they arrived. Returns the event, or raises ValueError."""\n    now = time.time() if now is None else now\n    sent = headers["webhook-timestamp"]\n    if not sent.isdigit() or abs(now - int(sent)) > 300:\n        raise ValueError("too old, or from the future")\n    key = base64.b64decode(signing_secret.removeprefix("whsec_"))\n    signed = f"{headers[\'webhook-id\']}.{sent}.".encode() + body\n    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()\n    given = headers["webhook-signature"].split(" ")\n    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in given):\n        raise ValueError("not signed with this secret")\n    return json.loads(body)\n',
        javascript:
          'import { createHmac, timingSafeEqual } from "node:crypto";\n\n// headers: lower-case names; body: the bytes as they arrived. Returns the event, or throws.\nexport function verify(headers, body, signingSecret, now = Date.now() / 1000) {\n  const sent = headers["webhook-timestamp"];\n  if (!/^\\d+$/.test(sent) || Math.abs(now - Number(sent)) > 300) {\n    throw new Error("too old, or from the future");\n  }\n  const key = Buffer.from(signingSecret.replace(/^whsec_/, ""), "base64");\n  const hmac = createHmac("sha256", key).update(headers["webhook-id"] + "." + sent + ".").update(body);\n  const expected = Buffer.from("v1," + hmac.digest("base64"));\n  const given = headers["webhook-signature"].split(" ").map((one) => Buffer.from(one));\n  if (!given.some((one) => one.length === expected.length && timingSafeEqual(one, expected))) {\n    throw new Error("not signed with this secret");\n  }\n  return JSON.parse(Buffer.from(body).toString("utf8"));\n}\n',
      },
    },
  },
  listWebhookDeliveries: {
    '200': {
      deliveries: [
        {
          id: 'msg_bf76b61caff64c0fd938bac33c261ef7',
          event: 'evidence.anchored',
          created_at: '2026-05-01T12:02:15.500Z',
          ended_at: '2026-05-01T12:02:15.500Z',
          status: 204,
          error: null,
        },
      ],
      next_cursor: null,
    },
  },
  deleteWebhook: {
    '200': {
      id: 'wh_01a20229d3f872aeb09a002480d0c826',
      deleted: true,
    },
  },
};
