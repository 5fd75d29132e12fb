import { createHmac } from 'node:crypto';

const SECRET = 'whsec_Y291bnRlcnNpZ24gZXhhbXBsZSBzZWNyZXQgMzIhISE=';
const TIME = 1_767_225_600;
const ID = 'msg_019a0000000070008000000000000001';
const BODY =
  '{"event":"evidence.anchored","data":{"event_commitment_hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","subject_commitment":"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae","source_type":"task_deliverable"},"timestamp":"2026-01-01T00:00:00.000Z"}';

/** A delivery of a webhook at a time, and whether a receiver must accept it. */
export interface Delivery {
  name: string;
  secret: string;
  /** RFC 3339. */
  at: string;
  headers: Record<string, string>;
  body: string;
  verdict: 'valid' | 'invalid';
}

const macOf = (body: string, id: string, time: string, secret: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${time}.${body}`)
    .digest('base64');

interface Changes {
  secret?: string;
  /** Seconds after the time of the delivery. */
  later?: number;
  headers?: Record<string, string>;
  without?: string;
  body?: string;
}

/** Signs the delivery of the page, and then changes something. */
function delivery(name: string, verdict: Delivery['verdict'], changes: Changes = {}): Delivery {
  const { secret = SECRET, later = 1, headers = {}, without, body = BODY } = changes;
  const sent = {
    'x-service-event': 'evidence.anchored',
    'webhook-id': ID,
    'webhook-timestamp': String(TIME),
    'webhook-signature': `v1,${macOf(BODY, ID, String(TIME), SECRET)}`,
    ...headers,
  };
  return {
    name,
    secret,
    at: new Date((TIME + later) * 1000).toISOString(),
    headers: Object.fromEntries(Object.entries(sent).filter(([header]) => header !== without)),
    body,
    verdict,
  };
}

const signature = `v1,${macOf(BODY, ID, String(TIME), SECRET)}`;
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherBody = BODY.replace('task_deliverable', 'compliance_report');

const DELIVERIES: readonly Delivery[] = [
  delivery('genuine', 'valid'),
  delivery('in the last second of its five minutes', 'valid', { later: 300 }),
  delivery('a second after its five minutes', 'invalid', { later: 301 }),
  delivery('from a clock that is five minutes ahead', 'valid', { later: -300 }),
  delivery('from a clock that is more than five minutes ahead', 'invalid', { later: -301 }),
  delivery('another header x-service-event, which is not signed', 'valid', {
    headers: { 'x-service-event': 'receipt.issued' },
  }),
  delivery('without the header x-service-event', 'valid', { without: 'x-service-event' }),
  delivery('a second signature, by another secret', 'valid', {
    headers: { 'webhook-signature': `v1,${macOf(BODY, ID, String(TIME), other)} ${signature}` },
  }),
  ...[
    ['spaces around the signature', ` ${signature}  `],
    ['something else beside the signature', `x v1,x ${signature} v1a,x`],
    ['the signature twice', `${signature} ${signature}`],
  ].map(([name = '', value = '']) => delivery(name, 'valid', { headers: { 'webhook-signature': value } })),
  ...[
    ['a tab beside the signature', `${signature}\tx`],
    ['an empty signature', ''],
  ].map(([name = '', value = '']) => delivery(name, 'invalid', { headers: { 'webhook-signature': value } })),
  delivery('another body', 'invalid', { body: otherBody }),
  delivery('the same JSON with a space', 'invalid', { body: BODY.replace('":', '": ') }),
  delivery('a line end after the body', 'invalid', { body: `${BODY}\n` }),
  delivery('an empty body', 'invalid', { body: '' }),
  delivery('another webhook-id', 'invalid', { headers: { 'webhook-id': ID.replace(/1$/, '2') } }),
  delivery('another webhook-timestamp', 'invalid', { headers: { 'webhook-timestamp': String(TIME + 1) } }),
  delivery('a webhook-timestamp that is no number', 'invalid', { headers: { 'webhook-timestamp': 'now' } }),
  delivery('the secret of another webhook', 'invalid', { secret: other }),
  delivery('signed with another secret', 'invalid', {
    headers: { 'webhook-signature': `v1,${macOf(BODY, ID, String(TIME), other)}` },
  }),
  delivery('signed over the body alone', 'invalid', {
    headers: {
      'webhook-signature': `v1,${createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
        .update(BODY)
        .digest('base64')}`,
    },
  }),
  delivery('another version of the signature', 'invalid', {
    headers: { 'webhook-signature': signature.replace('v1,', 'v2,') },
  }),
  delivery('a signature without its version', 'invalid', {
    headers: { 'webhook-signature': signature.replace('v1,', '') },
  }),
  delivery('a signature that is cut', 'invalid', {
    headers: { 'webhook-signature': signature.slice(0, -4) },
  }),
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((without) =>
    delivery(`without the header ${without}`, 'invalid', { without }),
  ),
];

/** Returns the text of each file of test/vectors/webhook, by its name. */
export function webhookVectors(): ReadonlyMap<string, string> {
  return new Map([['deliveries.json', `${JSON.stringify(DELIVERIES, null, 2)}\n`]]);
}
