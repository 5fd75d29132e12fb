import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type CreditedAgent, creditedAgent } from '../../../support/credits.ts';
import { SECRETS, SETTLEMENT, settlementSignature, standardHeaders } from '../../../support/settlements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const KEY = Buffer.alloc(32, 7);
const WHSEC = `whsec_${KEY.toString('base64')}`;
const PLAIN = SECRETS.stripe_agent ?? '';

const time = new VirtualTime();
let app: TrustApp;
let agent: CreditedAgent;
let references = 0;

beforeAll(async () => {
  app = await openTrustApp(
    { 'payments.settlement.x402.secret': WHSEC, 'payments.settlement.stripe_agent.secret': PLAIN },
    time,
  );
  agent = await creditedAgent(app);
});
afterAll(() => app.close());

const now = () => Math.floor(time.now() / 1000);
const textOf = (changes: object = {}) => {
  references += 1;
  const body = {
    rail: 'x402',
    reference: `order ${references}`,
    subject_commitment: agent.commitment,
    credits: 25,
  };
  return JSON.stringify({ ...body, ...changes });
};
const post = (text: string, headers: Record<string, string>) => app.own.post(SETTLEMENT, text, headers);
const codeOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [status, body.reason_code];

describe('a settlement in the form of Standard Webhooks', () => {
  test('is booked by the bytes of a whsec_ secret, and repeated with another id and signature only once', async () => {
    const text = textOf();
    const first = await post(text, standardHeaders(text, KEY, now()));
    expect(first.status).toBe(201);
    const again = await post(text, standardHeaders(text, KEY, now(), 'msg_2'));
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
    const own = await post(text, { 'x-settlement-signature': settlementSignature(text, WHSEC, now()) });
    expect([own.status, own.body]).toEqual([201, first.body]);
    const other = JSON.stringify({ ...JSON.parse(text), credits: 26 });
    expect(codeOf(await post(other, standardHeaders(other, KEY, now())))).toEqual([409, 'conflict']);
  });

  test('is booked by the text of any other secret', async () => {
    const text = textOf({ rail: 'stripe_agent' });
    expect((await post(text, standardHeaders(text, PLAIN, now()))).status).toBe(201);
  });

  test('is booked if one of several signatures verifies, as while a secret is rotated', async () => {
    const text = textOf();
    const right = standardHeaders(text, KEY, now());
    const old = standardHeaders(text, 'another key', now())['webhook-signature'];
    const several = `v1a,AAAA ${old} ${right['webhook-signature']}`;
    expect((await post(text, { ...right, 'webhook-signature': several })).status).toBe(201);
  });

  test.each([
    ['by the text of a whsec_ secret', (text: string) => standardHeaders(text, WHSEC, now())],
    ['by another key', (text: string) => standardHeaders(text, PLAIN, now())],
    ['of another body', (text: string) => standardHeaders(`${text} `, KEY, now())],
    ['with another id', (text: string) => ({ ...standardHeaders(text, KEY, now()), 'webhook-id': 'msg_9' })],
    ['without an id', (text: string) => ({ ...standardHeaders(text, KEY, now()), 'webhook-id': '' })],
    [
      'with another time',
      (text: string) => ({ ...standardHeaders(text, KEY, now()), 'webhook-timestamp': String(now() + 1) }),
    ],
    [
      'with a time that is no number',
      (text: string) => ({ ...standardHeaders(text, KEY, now()), 'webhook-timestamp': '1e9' }),
    ],
    ['that is 301 seconds old', (text: string) => standardHeaders(text, KEY, now() - 301)],
    ['from 301 seconds ahead', (text: string) => standardHeaders(text, KEY, now() + 301)],
    [
      'of another version',
      (text: string) => {
        const headers = standardHeaders(text, KEY, now());
        return { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') };
      },
    ],
    [
      'with padding left out',
      (text: string) => {
        const headers = standardHeaders(text, KEY, now());
        return { ...headers, 'webhook-signature': headers['webhook-signature'].replace('=', '') };
      },
    ],
    [
      'behind sixteen others',
      (text: string) => {
        const headers = standardHeaders(text, KEY, now());
        return { ...headers, 'webhook-signature': `${'v1,x '.repeat(16)}${headers['webhook-signature']}` };
      },
    ],
    [
      'with one of both forms each',
      (text: string) => ({
        ...standardHeaders(text, KEY, now()),
        'x-settlement-signature': settlementSignature(text, WHSEC, now()),
      }),
    ],
    [
      'whose id moves a part of the body',
      (text: string) => ({
        ...standardHeaders(text.slice(1), KEY, now()),
        'webhook-id': 'msg_1',
      }),
    ],
  ])('%s is refused', async (_, headersOf) => {
    const text = textOf();
    expect(codeOf(await post(text, headersOf(text)))).toEqual([401, 'invalid_proof']);
  });

  test('is accepted 300 seconds before and after its time', async () => {
    for (const seconds of [now() - 300, now() + 300]) {
      const text = textOf();
      expect((await post(text, standardHeaders(text, KEY, seconds))).status).toBe(201);
    }
  });
});

describe('a reference', () => {
  test.each([
    ['with a space at the end', 'order '],
    ['with a space at the start', ' order'],
    ['with a no-break space at the end', 'order\u00a0'],
    ['with an ideographic space at the start', '\u3000order'],
    ['with a zero-width space', 'or\u200bder'],
    ['with a zero-width joiner', 'or\u200dder'],
    ['with a byte order mark', '\ufefforder'],
    ['with a soft hyphen', 'or\u00adder'],
    ['with a bidi override', 'or\u202eder'],
    ['with a line separator', 'or\u2028der'],
    ['with a tag character', 'order\u{e0041}'],
    ['in a decomposed form', 'commande re\u0301glée'],
    ['with only a space', ' '],
  ])('%s is refused, and not changed into another', async (_, reference) => {
    const text = textOf({ reference });
    const response = await post(text, standardHeaders(text, KEY, now()));
    expect(codeOf(response)).toEqual([400, 'validation_error']);
    expect(Object.keys(response.body.issues ?? response.body.details ?? {})).toEqual(['reference']);
  });

  test('with other case, other scripts and spaces inside is one of its own', async () => {
    for (const reference of ['Order A', 'order a', 'réglée', '注文 1']) {
      const text = textOf({ reference });
      expect(
        (await post(text, standardHeaders(text, KEY, now()))).headers.get('idempotency-replayed'),
      ).toBeNull();
    }
  });
});

test.each(['whsec_', 'whsec_not+base64!', `whsec_${Buffer.alloc(23).toString('base64')}`, `${WHSEC}=`])(
  'the secret %s is refused at the start',
  async (secret) => {
    await expect(openTrustApp({ 'payments.settlement.x402.secret': secret })).rejects.toThrow(
      'at least 24 bytes in base64',
    );
  },
);
